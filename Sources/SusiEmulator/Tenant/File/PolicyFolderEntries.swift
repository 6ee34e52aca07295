import SusiBase
import SusiPolicies
import SystemPackage

extension EntryValue where Value == PolicyFolderSettings {
    /// A folder of custom policies, relative to the file's folder.
    static var policyFolder: Self {
        Self(
            schema: .object([
                SchemaNode.Field("path", .text(.file), required: true, "the folder with the policies' XML files"),
                SchemaNode.Field("environment", .text(.name), "the environment of the folder's appsettings.json"),
                SchemaNode.Field("settings", .map(of: .text(.any), name: .name), "values for {Settings:NAME} by name"),
            ]),
            read: { (node, reader) throws(PolicyFileError) in
                node["path"]?.string.map { path in
                    PolicyFolderSettings(
                        path: FilePath(reader.folder).pushing(FilePath(path)).string,
                        environment: node["environment"]?.string, settings: Self.texts(node["settings"]))
                }
            },
            write: { folder in
                [
                    "path": .string(folder.path), "environment": folder.environment.map(JSONNode.string),
                    "settings": folder.settings.isEmpty
                        ? nil : JSONNode(.object(folder.settings.mapValues(JSON.string))),
                ]
            })
    }
}

extension EntryValue where Value == [String: String] {
    /// Texts by name.
    static var secrets: Self {
        Self(
            schema: .map(of: .text(.line), name: .name), read: { (node, _) throws(PolicyFileError) in texts(node) },
            write: { JSONNode(.object($0.mapValues(JSON.string))) })
    }
}

extension EntryValue {
    fileprivate static func texts(_ node: JSONNode?) -> [String: String] {
        Dictionary((node?.members ?? []).compactMap { member in member.node.string.map { (member.name, $0) } }) { $1 }
    }
}
