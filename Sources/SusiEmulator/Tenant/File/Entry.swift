import SusiPolicies
import SystemPackage

/// One key of an object of the tenant file: what may stand there, how it comes into an `Owner` and how it is written again.
/// One list of these serves the reader, the writer and the JSON Schema.
struct Entry<Owner>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    let field: SchemaNode.Field
    /// Takes a value that has the field's shape.
    let read: @Sendable (JSONNode, inout Owner, TenantReader) throws(PolicyFileError) -> Void
    /// What is written; nil where the owner has what it usually has.
    let write: @Sendable (_ owner: Owner, _ usual: Owner) -> JSONNode.Value?
}

extension Array {
    /// What an object with these keys may hold.
    func shape<Owner>() -> SchemaNode where Element == Entry<Owner> { .object(map(\.field)) }

    /// Takes the values of an object, in the order of this list. Throws all mistakes that a shape does not show; what has
    /// another shape is left out.
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

    /// The members of the object, without what is as usual.
    func written<Owner>(_ owner: Owner, usual: Owner) -> [JSONNode.Member] where Element == Entry<Owner> {
        compactMap { entry in
            entry.write(owner, usual).map { JSONNode.Member(name: entry.field.name, node: JSONNode(value: $0)) }
        }
    }
}

/// Where a tenant file is, for its mistakes and for the paths in it.
struct TenantReader: Sendable {
    let file: String
    let folder: FilePath

    func mistake(
        _ node: JSONNode, _ problem: String, expected: String? = nil, nearMatch: String? = nil
    ) -> PolicyFileError {
        PolicyFileError(file: file, line: node.line, problem: problem, expected: expected, nearMatch: nearMatch)
    }
}

extension JSONNode.Value {
    /// Texts under their names, in the order of these.
    static func texts(_ texts: [String: String]) -> Self {
        .object(
            texts.sorted { $0.key < $1.key }.map {
                JSONNode.Member(name: $0.key, node: JSONNode(value: .string($0.value)))
            })
    }

    static func list(_ texts: [String]) -> Self { .array(texts.map { JSONNode(value: .string($0)) }) }
}
