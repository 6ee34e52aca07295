/// How tokens name the attributes of users.
enum AttributeNames: Sendable {
    /// As they are: a custom attribute is `extension_NAME`.
    case plain
    /// `extn.NAME` for a custom attribute, the form of directory extensions among optional claims (Microsoft, “Configure and
    /// manage optional claims”).
    case directoryExtensions
}

extension User {
    /// The claims of the attributes; none if tokens do not name them.
    func attributeClaims(_ names: AttributeNames?) -> [String: JSON] {
        guard let names, !attributes.isEmpty else { return [:] }
        let prefix = "extension_"
        let pairs = attributes.map { name, value in
            switch names {
            case .directoryExtensions where name.hasPrefix(prefix):
                ("extn.\(name.dropFirst(prefix.count))", JSON.string(value))
            case .directoryExtensions, .plain: (name, JSON.string(value))
            }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
