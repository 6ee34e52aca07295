import SusiPolicies
import SystemPackage

extension Entry {
    /// A key whose value is one property. `taken` returns nil for a value that does not follow the schema.
    static func property<Value: Equatable & Sendable>(
        _ path: Path<Value>, _ field: SchemaNode.Field,
        taken: @escaping @Sendable (JSONNode, TenantReader) -> Value?,
        written: @escaping @Sendable (Value) -> JSONNode.Value?
    ) -> Entry {
        Entry(
            field: field,
            read: { (node, owner, reader) throws(PolicyFileError) in
                if let value = taken(node, reader) { owner[keyPath: path] = value }
            },
            write: { owner, usual in
                owner[keyPath: path] == usual[keyPath: path] ? nil : written(owner[keyPath: path])
            })
    }

    static func flag(
        _ name: String, _ path: Path<Bool>, _ meaning: String
    ) -> Entry {
        property(path, SchemaNode.Field(name, .flag, meaning), taken: { node, _ in node.bool }, written: { .bool($0) })
    }

    static func count(_ name: String, _ path: Path<Int>, _ meaning: String) -> Entry {
        property(
            path, SchemaNode.Field(name, .count, meaning), taken: { node, _ in node.lenientInteger.map { Int($0) } },
            written: { .number("\($0)") })
    }

    static func text(
        _ name: String, _ path: Path<String>, as kind: SchemaNode.Text = .any,
        required: Bool = false, _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(kind), required: required, meaning), taken: { node, _ in node.string },
            written: { .string($0) })
    }

    static func text(
        _ name: String, _ path: Path<String?>, as kind: SchemaNode.Text = .any,
        _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(kind), meaning), taken: { node, _ in node.string },
            written: { $0.map { .string($0) } })
    }

    static func texts(
        _ name: String, _ path: Path<[String]>, as kind: SchemaNode.Text = .any,
        _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .list(of: .text(kind), atLeast: 0), meaning),
            taken: { node, _ in node.strings },
            written: { .list($0) })
    }

    /// A duration, in seconds within the program.
    static func duration(
        _ name: String, _ path: Path<Int64>, as kind: SchemaNode.Text = .lifetime, _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(kind), meaning),
            taken: { node, _ in node.string.flatMap { Duration.seconds(in: $0) } },
            written: { .string(Duration.text(seconds: $0)) })
    }

    static func duration(_ name: String, _ path: Path<Int64?>, _ meaning: String) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(.lifetime), meaning),
            taken: { node, _ in node.string.flatMap { Duration.seconds(in: $0) } },
            written: { $0.map { .string(Duration.text(seconds: $0)) } })
    }

    /// A path, relative to the file's folder.
    static func file(
        _ name: String, _ path: Path<FilePath?>, _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(.file), meaning),
            taken: { node, reader in node.string.map { reader.folder.pushing(FilePath($0)) } },
            written: { $0.map { .string($0.string) } })
    }

    /// A value of an enumeration.
    static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ meaning: String
    ) -> Entry where Value.RawValue == String {
        property(
            path, SchemaNode.Field(name, .choice(Value.allCases.map(\.rawValue)), meaning),
            taken: { node, _ in node.string.flatMap { Value(rawValue: $0) } }, written: { .string($0.rawValue) })
    }

    static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ name: String, _ path: Path<Value?>, _ meaning: String
    ) -> Entry where Value.RawValue == String {
        property(
            path, SchemaNode.Field(name, .choice(Value.allCases.map(\.rawValue)), meaning),
            taken: { node, _ in node.string.flatMap { Value(rawValue: $0) } },
            written: { $0.map { .string($0.rawValue) } })
    }

    /// Several values of an enumeration.
    static func choices<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ name: String, _ path: Path<[Value]>, _ meaning: String
    ) -> Entry where Value.RawValue == String {
        property(
            path, SchemaNode.Field(name, .list(of: .choice(Value.allCases.map(\.rawValue)), atLeast: 1), meaning),
            taken: { node, _ in node.strings?.compactMap { Value(rawValue: $0) } },
            written: { .list($0.map(\.rawValue)) })
    }

    /// Texts by names of the user's choice, sorted.
    static func map(
        _ name: String, _ path: Path<[String: String]>, _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .map(of: .text(.any), name: .name), meaning),
            taken: { node, _ in
                Dictionary(node.members.map { ($0.name, $0.node.string ?? "") }, uniquingKeysWith: { $1 })
            },
            written: { .texts($0) })
    }
}

extension Entry {
    /// An object that only groups properties of the same owner.
    static func group(_ name: String, _ entries: [Entry], _ meaning: String) -> Entry {
        Entry(
            field: SchemaNode.Field(name, entries.shape(), meaning),
            read: { (node, owner, reader) throws(PolicyFileError) in try entries.read(node, into: &owner, reader) },
            write: { owner, usual in
                let members = entries.written(owner, usual: usual)
                return members.isEmpty ? nil : .object(members)
            })
    }

    /// An object whose missing keys have the values of `usual`.
    static func object<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ entries: [Entry<Value>], usual: Value,
        _ meaning: String
    ) -> Entry {
        object(name, entries, usual: usual, meaning) {
            $0[keyPath: path] = $1
        } given: { owner, other in
            owner[keyPath: path] == other[keyPath: path] ? nil : owner[keyPath: path]
        }
    }

    /// An optional object.
    static func object<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value?>, _ entries: [Entry<Value>], usual: Value,
        _ meaning: String
    ) -> Entry {
        object(name, entries, usual: usual, meaning) {
            $0[keyPath: path] = $1
        } given: { owner, _ in
            owner[keyPath: path]
        }
    }

    private static func object<Value: Sendable>(
        _ name: String, _ entries: [Entry<Value>], usual: Value, _ meaning: String,
        take: @escaping @Sendable (inout Owner, Value) -> Void,
        given: @escaping @Sendable (_ owner: Owner, _ usual: Owner) -> Value?
    ) -> Entry {
        Entry(
            field: SchemaNode.Field(name, entries.shape(), meaning),
            read: { (node, owner, reader) throws(PolicyFileError) in
                var value = usual
                try entries.read(node, into: &value, reader)
                take(&owner, value)
            },
            write: { owner, other in given(owner, other).map { .object(entries.written($0, usual: usual)) } })
    }
}
