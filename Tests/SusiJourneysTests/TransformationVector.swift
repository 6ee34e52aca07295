import SusiBase
import Testing

@testable import SusiJourneys

/// A claims transformation with its inputs, and what it gives, read from a line:
/// `method | inputs | parameters | outputs`, or `! reason` in place of outputs.
///
/// A value is `name=value`, or `name:type=value` where its type is not the first one of the method; `-` is a claim
/// without a value. An output that is not there keeps its claim.
struct TransformationVector: Sendable, CustomTestStringConvertible {
    private typealias Values = [(name: String, type: String, value: ClaimValue?)]

    let testDescription: String
    let method: TransformationTable.Method
    private let inputs: Values
    private let parameters: Values
    private let outputs: Values
    private let failure: String?

    init(_ line: String) throws {
        testDescription = line
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
        try #require(parts.count == 4, "\(line)")
        let method = try #require(TransformationTable.methods[parts[0].lowercased()], "\(line)")
        func values(_ text: String, _ known: [TransformationTable.Value]) throws -> Values {
            try text.split(separator: ";").map { part in
                let pair = String(part).trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = pair[0].split(separator: ":").map(String.init)
                let own = known.first { $0.name.lowercased() == name[0].lowercased() }?.types.first ?? "string"
                let type = name.count == 2 ? name[1] : own == "any" ? "string" : own
                let text = String(pair[1])
                if text == "-" { return (name[0], type, nil) }
                let node = text.hasPrefix("[") || text.hasPrefix("{") ? try? JSONNode(parsing: text.utf8) : nil
                let data = try #require(ClaimDataType(rawValue: type))
                let isText = data == .string || node == nil
                let value = try ClaimValue.make(isText ? .string(text) : try #require(node), as: data)
                return (name[0], type, value)
            }
        }
        self.method = method
        inputs = try values(parts[1], method.inputs)
        parameters = try values(parts[2], method.parameters)
        failure = parts[3].hasPrefix("! ") ? String(parts[3].dropFirst(2)) : nil
        outputs = failure == nil ? try values(parts[3], method.outputs) : []
    }

    // Each claim has the name of the method for it; an input and an output of one name are one claim.
    private var policy: (text: String, outputs: [String]) {
        let names = Set(outputs.map(\.name)).union(method.outputs.map(\.name)).subtracting(["*"]).sorted()
        var types = Dictionary((method.inputs + method.outputs).map { ($0.name, $0.types[0]) }) { $1 }
        for value in inputs + outputs { types[value.name] = value.type }
        func list(_ element: String, _ names: [String]) -> String {
            names.map { "<\(element) ClaimTypeReferenceId=\"\($0)\" TransformationClaimType=\"\($0)\"/>" }.joined()
        }
        let values = parameters.map { id, type, value in
            "<InputParameter Id=\"\(id)\" DataType=\"\(type)\" Value=\"\(ClaimFixture.escaped(value?.text ?? ""))\"/>"
        }
        let schema = types.map { name, type in
            "<ClaimType Id=\"\(name)\"><DataType>\(type == "any" ? "string" : type)</DataType></ClaimType>"
        }
        return (
            """
            <ClaimsSchema>\(schema.joined())</ClaimsSchema><ClaimsTransformations>
            <ClaimsTransformation Id="T" TransformationMethod="\(method.name)">
            <InputClaims>\(list("InputClaim", inputs.map(\.name)))</InputClaims>
            <InputParameters>\(values.joined())</InputParameters>
            <OutputClaims>\(list("OutputClaim", names))</OutputClaims></ClaimsTransformation></ClaimsTransformations>
            """, names
        )
    }

    /// Runs it on claims of which the outputs have a value before, and checks it as an upload would.
    func run() throws {
        let (text, names) = policy
        let policy = try ClaimFixture.policy(text)
        var bag = ClaimsBag()
        for name in names { bag[name] = "before" }
        for input in inputs { bag[input.name] = input.value }
        let start = bag
        var found: TransformationError.Reason?
        do throws(TransformationError) {
            try policy.transform("t", &bag, ClaimFixture.facts(), profile: "Profile")
        } catch { found = error.reason }
        #expect(found.map { "\($0)".replacing("\"", with: "") } == failure)
        for name in names {
            let expected = outputs.first { $0.name == name }.map(\.value) ?? start[name]
            #expect(bag[name] == expected, "\(name)")
        }
        guard failure == nil else { return }
        var check = TransformationCheck(policy)
        check.check()
        #expect(check.problems.found.map(\.problem.text).isEmpty)
    }
}
