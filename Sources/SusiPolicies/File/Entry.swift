package import SusiBase

/// A key of an object in `policies.json` or in the tenant file: its schema, and how to read it into an `Owner` and write it. One
/// list of entries serves the reader, the writer and the JSON Schema.
package struct Entry<Owner>: Sendable {
    package let field: SchemaNode.Field
    /// Reads a value that follows the field's schema.
    package let read: @Sendable (JSONNode, inout Owner, FileReader) throws(PolicyFileError) -> Void
    /// The written value; nil for the one of `usual`.
    package let write: @Sendable (_ owner: Owner, _ usual: Owner?) -> JSONNode?

    package init(
        field: SchemaNode.Field,
        read: @escaping @Sendable (JSONNode, inout Owner, FileReader) throws(PolicyFileError) -> Void,
        write: @escaping @Sendable (_ owner: Owner, _ usual: Owner?) -> JSONNode?
    ) {
        (self.field, self.read, self.write) = (field, read, write)
    }

    /// A key whose value is written unless it is nil. What makes an object is read with the object, not here.
    init(
        _ field: SchemaNode.Field,
        read: @escaping @Sendable (JSONNode, inout Owner, FileReader) throws(PolicyFileError) -> Void = {
            (_, _, _) throws(PolicyFileError) in
        },
        write: @escaping @Sendable (Owner) -> JSONNode?
    ) {
        self.init(field: field, read: read, write: { owner, _ in write(owner) })
    }
}

extension Array {
    package func shape<Owner>() -> SchemaNode where Element == Entry<Owner> { .object(map(\.field)) }

    /// Reads the values of an object in the order of this list. Skips values that do not follow the schema. Throws all other
    /// mistakes.
    package func read<Owner>(
        _ node: JSONNode, into owner: inout Owner, _ reader: FileReader
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

    /// The object without the members that `usual` has too.
    package func written<Owner>(_ owner: Owner, usual: Owner? = nil) -> JSONNode where Element == Entry<Owner> {
        .object(compactMap { entry in entry.write(owner, usual).map { JSONNode.Member(entry.field.name, $0) } })
    }
}

/// The location of a file that is read, for mistakes and for the paths in it.
package struct FileReader: Sendable {
    /// For objects that are in no file.
    package static let none = FileReader(file: "")

    package let file: String
    package let folder: String

    package init(file: String, folder: String = "") { (self.file, self.folder) = (file, folder) }

    /// Describes a mistake at a value; who reads the objects around it adds their names.
    package func mistake(
        _ node: JSONNode, _ problem: String, expected: String? = nil, nearMatch: String? = nil
    ) -> PolicyFileError {
        PolicyFileError(file: file, line: node.line, problem: problem, expected: expected, nearMatch: nearMatch)
    }
}
