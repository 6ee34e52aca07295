import SusiBase

/// Holds claims transformations against what their methods take and give.
struct TransformationCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() { for transformation in policy.changed(.transformation) { check(transformation) } }

    private mutating func check(_ transformation: Element) {
        guard let name = transformation["TransformationMethod"] else { return }
        guard let method = TransformationTable.methods[name.lowercased()] else {
            problems.add(.unknownMethod(name, NearMatch.of(name, in: TransformationTable.names)), at: transformation)
            return
        }
        let (inputs, outputs) = (
            transformation.all("InputClaims", "InputClaim"), transformation.all("OutputClaims", "OutputClaim")
        )
        compare(inputs, "InputClaims", in: transformation, method.inputs)
        compare(outputs, "OutputClaims", in: transformation, method.outputs)
        compareParameters(of: transformation, method.parameters)
    }

    private mutating func compare(
        _ claims: [Element], _ list: String, in transformation: Element, _ expected: [TransformationTable.Value]
    ) {
        guard !expected.contains(where: { $0.name == "*" }) else { return }
        var (extra, rest): ([String], [TransformationTable.Value]) = ([], expected)
        for claim in claims {
            guard let name = claim["TransformationClaimType"], let type = type(of: claim) else { continue }
            let index = rest.firstIndex { $0.name.lowercased() == name.lowercased() }
            guard let index, rest[index].types.contains(type) || rest[index].types == ["any"] else {
                extra.append("[\(type)]\(name)")
                continue
            }
            rest.remove(at: index)
        }
        let missing = rest.filter(\.isRequired).map { "[\($0.types.joined(separator: " or "))]\($0.name)" }
        report(list, transformation, extra, missing)
    }

    private mutating func compareParameters(of transformation: Element, _ expected: [TransformationTable.Value]) {
        let parameters = transformation.all("InputParameters", "InputParameter")
        var rest = expected
        for parameter in parameters where !expected.contains(where: { $0.name == "*" }) {
            guard let id = parameter["Id"], let type = parameter["DataType"] else { continue }
            guard let index = rest.firstIndex(where: { $0.name.lowercased() == id.lowercased() }) else {
                problems.add(.unknownParameter(id, transformation["TransformationMethod"] ?? ""), at: parameter)
                continue
            }
            let known = rest.remove(at: index)
            guard !known.types.contains(type), let wanted = known.types.first else { continue }
            problems.add(.parameterType(id, type, wanted), at: parameter)
        }
        guard !expected.contains(where: { $0.name == "*" }) else { return }
        report("InputParameters", transformation, [], rest.filter(\.isRequired).map { "[\($0.types[0])]\($0.name)" })
    }

    private mutating func report(_ list: String, _ transformation: Element, _ extra: [String], _ missing: [String]) {
        guard !extra.isEmpty || !missing.isEmpty else { return }
        let (id, method) = (transformation["Id"] ?? "", transformation["TransformationMethod"] ?? "")
        problems.add(.mismatch(list, id, method, extra, missing), at: transformation)
    }

    private func type(of claim: Element) -> String? {
        policy[.claimType, claim["ClaimTypeReferenceId"]].map { $0.text(of: "DataType") ?? "string" }
    }
}
