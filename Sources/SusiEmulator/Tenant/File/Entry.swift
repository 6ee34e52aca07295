import SusiBase
import SusiPolicies
import SystemPackage

/// A key of an object in the tenant file: its schema, and how to read it into an `Owner` and write it. One list of entries
/// serves the reader, the writer and the JSON Schema.
struct Entry<Owner>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    let field: SchemaNode.Field
    /// Reads a value that follows the field's schema.
    let read: @Sendable (JSONNode, inout Owner, TenantReader) throws(PolicyFileError) -> Void
    /// The written value; nil for the one of `usual`.
    let write: @Sendable (_ owner: Owner, _ usual: Owner?) -> JSONNode.Value?
}

extension Array {
    func shape<Owner>() -> SchemaNode where Element == Entry<Owner> { .object(map(\.field)) }

    /// Reads the values of an object in the order of this list. Skips values that do not follow the schema. Throws all other
    /// mistakes.
    func read<Owner>(
        _ node: JSONNode, into owner: inout Owner, _ reader: TenantReader
    ) throws(PolicyFileError) where Element == Entry<Owner> {
        var mistakes = MistakeList()
        for entry in self {
            guard let value = node[entry.field.name] else { continue }
            _ = mistakes.trying { () throws(PolicyFileError) in
                do throws(PolicyFileError) { try entry.read(value, &owner, reader) } catch {
                    throw error.under(entry.field.name)
                }
            }
        }
        try mistakes.finish()
    }

    /// The members of the object without those that `usual` has too.
    func written<Owner>(_ owner: Owner, usual: Owner?) -> [JSONNode.Member] where Element == Entry<Owner> {
        compactMap { entry in
            entry.write(owner, usual).map { JSONNode.Member(entry.field.name, $0) }
        }
    }
}

/// The location of a tenant file, for mistakes and for the paths in it.
struct TenantReader: Sendable {
    /// For objects that are in no file.
    static let none = TenantReader(file: "", folder: "")

    let file: String
    let folder: FilePath

    func mistake(
        _ node: JSONNode, _ problem: String, expected: String? = nil, nearMatch: String? = nil
    ) -> PolicyFileError {
        PolicyFileError(file: file, line: node.line, problem: problem, expected: expected, nearMatch: nearMatch)
    }
}

extension JSONNode.Value {
    /// Texts by name, sorted.
    static func texts(_ texts: [String: String]) -> Self {
        .object(texts.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, .string($0.value)) })
    }

    /// The same value; the members of an object are sorted.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .number("\(number)")
        case .number(let number): self = .number("\(number)")
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONNode(value: Self($0)) })
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, Self($0.value)) })
        }
    }
}
