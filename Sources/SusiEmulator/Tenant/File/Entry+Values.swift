import SusiBase
import SusiPolicies
import SystemPackage

/// The schema of a kind of value in the tenant file, and how to read and write it.
struct EntryValue<Value: Sendable>: Sendable {
    let schema: SchemaNode
    /// Reads a value; nil for one that does not follow the schema.
    let read: @Sendable (JSONNode, FileReader) throws(PolicyFileError) -> Value?
    let write: @Sendable (Value) -> JSONNode
}

extension Entry {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    /// A key whose value is one property.
    init<Value: Equatable>(
        _ name: String, _ path: Path<Value>, _ value: EntryValue<Value>, required: Bool = false, _ meaning: String
    ) {
        self.init(
            field: SchemaNode.Field(name, value.schema, required: required, meaning),
            read: { (node, owner, reader) throws(PolicyFileError) in
                if let read = try value.read(node, reader) { owner[keyPath: path] = read }
            },
            write: { owner, usual in
                owner[keyPath: path] == usual?[keyPath: path] ? nil : value.write(owner[keyPath: path])
            })
    }

    /// A key whose value is one property that may be nil, which is not written.
    init<Value: Equatable>(_ name: String, _ path: Path<Value?>, _ value: EntryValue<Value>, _ meaning: String) {
        self.init(
            field: SchemaNode.Field(name, value.schema, meaning),
            read: { (node, owner, reader) throws(PolicyFileError) in
                if let read = try value.read(node, reader) { owner[keyPath: path] = read }
            },
            write: { owner, usual in
                owner[keyPath: path] == usual?[keyPath: path] ? nil : owner[keyPath: path].map(value.write)
            })
    }

    /// An object that only groups properties of the same owner.
    static func group(_ name: String, _ entries: [Entry], _ meaning: String) -> Entry {
        Entry(
            field: SchemaNode.Field(name, entries.shape(), meaning),
            read: { (node, owner, reader) throws(PolicyFileError) in try entries.read(node, into: &owner, reader) },
            write: { owner, usual in
                let group = entries.written(owner, usual: usual)
                return group.members.isEmpty ? nil : group
            })
    }
}

extension EntryValue {
    private init(
        _ schema: SchemaNode, read: @escaping @Sendable (JSONNode) -> Value?,
        write: @escaping @Sendable (Value) -> JSONNode
    ) {
        self.init(
            schema: schema, read: { (node, _) throws(PolicyFileError) in read(node) }, write: write)
    }

    /// An object whose missing keys have the values of `usual`.
    static func object(_ entries: [Entry<Value>], usual: Value) -> Self {
        Self(
            schema: entries.shape(),
            read: { (node, reader) throws(PolicyFileError) in
                var value = usual
                try entries.read(node, into: &value, reader)
                return value
            },
            write: { entries.written($0, usual: usual) })
    }
}

extension EntryValue where Value == Bool {
    static var flag: Self { Self(.flag, read: { $0.bool }, write: { JSONNode(.bool($0)) }) }
}

extension EntryValue where Value == Int {
    static var count: Self {
        Self(.integer(0...Int64(UInt32.max)), read: { $0.lenientInteger.map { Int($0) } }, write: { .number($0) })
    }
}

extension EntryValue where Value == Int64 {
    /// A duration, in seconds within the program.
    static func duration(_ kind: SchemaNode.Text = .lifetime) -> Self {
        Self(
            .text(kind), read: { $0.string.flatMap { Duration.seconds(in: $0) } },
            write: { .string(Duration.text(seconds: $0)) })
    }
}

extension EntryValue where Value == String {
    static func text(_ kind: SchemaNode.Text = .any) -> Self {
        Self(.text(kind), read: { $0.string }, write: { .string($0) })
    }
}

extension EntryValue where Value == [String] {
    static func texts(_ kind: SchemaNode.Text = .any) -> Self {
        Self(.list(of: .text(kind), atLeast: 0), read: { $0.strings }, write: { .list($0) })
    }
}

extension EntryValue where Value == FilePath {
    /// A path, relative to the file's folder.
    static var file: Self {
        Self(
            schema: .text(.file),
            read: { (node, reader) throws(PolicyFileError) in
                node.string.map { FilePath(reader.folder).pushing(FilePath($0)) }
            },
            write: { .string($0.string) })
    }
}

extension EntryValue where Value == [String: JSON] {
    /// The attributes of a user by the names of their claims, sorted.
    static var attributes: Self {
        Self(
            .map(of: .either(AttributeType.allCases.map(\.schema)), name: .attribute),
            read: { JSON($0).members }, write: { JSONNode(.object($0)) })
    }
}

extension EntryValue where Value == JSON {
    /// A JSON Web Key Set.
    static var keySet: Self {
        Self(
            .object([SchemaNode.Field("keys", .list(of: .any, atLeast: 1), required: true, "the keys")]),
            read: { JSON($0) }, write: { JSONNode($0) })
    }
}

extension EntryValue where Value == [String: AttributeType] {
    static var types: Self {
        Self(
            .map(of: .choice(AttributeType.allCases.map(\.rawValue)), name: .attribute),
            read: { node in
                let types = node.members.map { ($0.name, $0.node.string.flatMap(AttributeType.init) ?? .string) }
                return Dictionary(types, uniquingKeysWith: { $1 })
            }, write: { JSONNode(.object($0.mapValues { .string($0.rawValue) })) })
    }
}

extension EntryValue where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Self {
        Self(
            .choice(Value.allCases.map(\.rawValue)), read: { $0.string.flatMap { Value(rawValue: $0) } },
            write: { .string($0.rawValue) })
    }
}

extension EntryValue {
    static func choices<Element: RawRepresentable & CaseIterable>() -> Self
    where Value == [Element], Element.RawValue == String {
        Self(
            .list(of: .choice(Element.allCases.map(\.rawValue)), atLeast: 1),
            read: { $0.strings?.compactMap { Element(rawValue: $0) } }, write: { .list($0.map(\.rawValue)) })
    }
}
