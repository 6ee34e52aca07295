/// The inputs and parameters of a claims transformation, by the names that its method has for them.
struct TransformationCall {
    typealias Reason = TransformationError.Reason

    let policy: EffectivePolicy
    let facts: RequestFacts
    /// The content definition of the page that runs it.
    let page: String?
    let inputs: [(name: String, value: ClaimValue?)]
    let parameters: [(name: String, value: ClaimValue)]
    /// Claims by the name of the method, or their own id where the method takes any.
    let outputs: [(name: String, claim: String)]

    init(
        _ element: Element, _ method: TransformationTable.Method, _ policy: EffectivePolicy, _ bag: ClaimsBag,
        _ facts: RequestFacts, page: String?, profile: String?
    ) throws(Reason) {
        (self.policy, self.facts, self.page) = (policy, facts, page)
        inputs = element.all("InputClaims", "InputClaim").map { claim in
            (claim["TransformationClaimType"] ?? claim.claim ?? "", claim.claim.flatMap { bag[$0] })
        }
        outputs = element.all("OutputClaims", "OutputClaim").map { claim in
            (claim["TransformationClaimType"] ?? claim.claim ?? "", claim.claim ?? "")
        }
        var parameters: [(String, ClaimValue)] = []
        for parameter in element.all("InputParameters", "InputParameter") {
            let (id, type) = (parameter["Id"] ?? "", parameter["DataType"] ?? "string")
            if let known = method.parameters.first(where: { $0.name.lowercased() == id.lowercased() }),
                !known.types.contains(type)
            {
                throw .parameterType(id, found: type, expected: known.types[0])
            }
            let text = policy.resolve(parameter: parameter, bag, facts, profile: profile)
            guard let value = try? ClaimValue.make(text, as: ClaimDataType(rawValue: type) ?? .string) else {
                throw .invalid(id)
            }
            parameters.append((id, value))
        }
        self.parameters = parameters
    }

    /// The value of an input; `nil` if the claim has none.
    func value(_ name: String) -> ClaimValue? { inputs.first { $0.name.lowercased() == name.lowercased() }?.value }

    func text(_ name: String) -> String? { value(name)?.text }

    func outputType(_ name: String) -> ClaimType? {
        policy.claimType(outputs.first { $0.name.lowercased() == name.lowercased() }?.claim)
    }

    func flag(_ name: String) throws(Reason) -> Bool {
        guard case .boolean(let flag) = value(name) else { throw .noInput(name) }
        return flag
    }

    /// The milliseconds of an input that is a time, or a text of one; `nil` if it has no value.
    func milliseconds(_ name: String) throws(Reason) -> Int64? {
        guard let value = value(name) else { return nil }
        guard case .dateTime(let time)? = try? value.converted(to: .dateTime) else { throw .invalid(name) }
        return time
    }

    func strings(_ name: String) -> [String]? {
        guard case .stringCollection(let items)? = try? value(name)?.converted(to: .stringCollection) else {
            return nil
        }
        return items
    }

    func identities(_ name: String) -> [UserIdentity] {
        if case .userIdentityCollection(let identities) = value(name) { identities } else { [] }
    }

    func parameterValue(_ name: String) -> ClaimValue? {
        parameters.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func parameter(_ name: String) throws(Reason) -> String {
        guard let value = parameterValue(name) else { throw .noParameter(name) }
        return value.text
    }

    /// What a parameter that is one of some words, without case, stands for.
    func choice<Word>(_ name: String, _ words: [String: Word]) throws(Reason) -> Word {
        guard let word = words[try parameter(name).lowercased()] else { throw .invalid(name) }
        return word
    }

    /// A boolean parameter, or a text of one as `ignoreCase` is; false if it is left out, unless told otherwise.
    func isTrue(_ name: String, default: Bool = false) -> Bool {
        parameterValue(name).map { $0.text.lowercased() == "true" } ?? `default`
    }

    func number(_ name: String) -> Int64? { parameterValue(name).flatMap { Int64($0.text) } }
}

extension EffectivePolicy {
    /// Returns the value of a parameter with its expressions resolved: the names of the tenant and the policy, and that of
    /// the technical profile that runs it (string-transformations).
    func resolve(
        parameter: Element, _ bag: ClaimsBag, _ facts: RequestFacts, profile: String?
    ) -> String {
        ClaimResolver.replacing(in: parameter["Value"] ?? "") { name in
            name.lowercased() == "technicalprofileid"
                ? profile : ClaimResolver.value(of: name.lowercased(), in: self, bag, facts, .names)
        }
    }
}
