import SusiBase

/// The schema of a value in `policies.json` or in the tenant file. The reader, its errors and the JSON Schema use it.
package indirect enum SchemaNode: Sendable {
    case text(Text)
    case choice([String])
    case flag
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case any
    /// A value that follows one of several schemas.
    case either([SchemaNode])
    case list(of: SchemaNode, atLeast: Int)
    /// Names that the user chooses, each with a value of the same schema.
    case map(of: SchemaNode, name: Text)
    case object([Field])

    package struct Field: Sendable {
        package let name: String
        package let shape: SchemaNode
        let isRequired: Bool
        /// The value of another key of the object that makes this one required.
        let condition: Condition?
        let meaning: String

        package enum Condition: Sendable {
            case oneOf([String], of: String)
            /// More than one member.
            case severalMembers(of: String)

            func holds(in node: JSONNode) -> Bool {
                switch self {
                case .oneOf(let values, of: let key): node[key]?.string.map(values.contains) ?? false
                case .severalMembers(of: let key): node[key].map { $0.members.count > 1 } ?? false
                }
            }
        }

        package init(
            _ name: String, _ shape: SchemaNode, required: Bool = false, requiredWith condition: Condition? = nil,
            _ meaning: String = ""
        ) {
            self.name = name
            self.shape = shape
            self.isRequired = required
            self.condition = condition
            self.meaning = meaning
        }
    }

    package var expected: String {
        switch self {
        case .text(let text): text.expected
        case .choice(let words): "one of " + words.map { "“\($0)”" }.joined(separator: ", ")
        case .flag: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .any: "any value"
        case .either(let shapes): shapes.map(\.expected).joined(separator: ", or ")
        case .list(of: let shape, atLeast: _): "a list; each element is \(shape.expected)"
        case .map(of: _, name: let name): "an object; each key is \(name.expected)"
        case .object(let fields): "an object with " + fields.map { "“\($0.name)”" }.joined(separator: ", ")
        }
    }
}
