import SusiBase

/// The attributes of a user by their names in the directory (active-directory-technical-profile, spec §7.2).
struct DirectoryAttribute: Sendable {
    let name: String
    let read: @Sendable (User) -> JSONNode?
    /// Takes a value; nil removes it.
    let write: @Sendable (inout User, JSONNode?) -> Void

    private static func text(
        _ name: String, _ path: any WritableKeyPath<User, String> & Sendable
    ) -> DirectoryAttribute {
        DirectoryAttribute(
            name: name, read: { $0[keyPath: path].isEmpty ? nil : .string($0[keyPath: path]) },
            write: { $0[keyPath: path] = $1?.string ?? "" })
    }

    private static func optional(
        _ name: String, _ path: any WritableKeyPath<User, String?> & Sendable
    ) -> DirectoryAttribute {
        DirectoryAttribute(
            name: name, read: { $0[keyPath: path].map(JSONNode.string) }, write: { $0[keyPath: path] = $1?.string })
    }

    // A name at a provider is no sign-in name of a local account.
    private static func signInName(
        _ name: String, _ path: any WritableKeyPath<User, String?> & Sendable
    ) -> DirectoryAttribute {
        DirectoryAttribute(
            name: name, read: { $0.identityProvider == nil ? $0[keyPath: path].map(JSONNode.string) : nil },
            write: { $0[keyPath: path] = $1?.string })
    }

    /// The attributes that have places of their own; any other is in `User.attributes`.
    static let known: [DirectoryAttribute] = [
        text("displayName", \.displayName), text("givenName", \.givenName), text("surname", \.surname),
        signInName("signInNames.emailAddress", \.email), signInName("signInNames.userName", \.userName),
        optional("strongAuthenticationPhoneNumber", \.phone),
        optional("strongAuthenticationEmailAddress", \.factorEmail),
        DirectoryAttribute(
            name: "accountEnabled", read: { JSONNode(value: .bool(!$0.isBlocked)) },
            write: { $0.isBlocked = $1?.bool == false }),
        DirectoryAttribute(
            name: "forceChangePasswordNextLogin", read: { JSONNode(value: .bool($0.mustResetPassword)) },
            write: { $0.mustResetPassword = $1?.bool ?? false }),
    ]

    static func named(_ name: String) -> DirectoryAttribute? {
        known.first { $0.name.lowercased() == name.lowercased() }
    }
}

extension User {
    /// The attribute of a name, which compares without case.
    subscript(directory name: String) -> JSONNode? {
        get {
            if let known = DirectoryAttribute.named(name) { return known.read(self) }
            return attributes.first { $0.key.lowercased() == name.lowercased() }.map { JSONNode($0.value) }
        }
        set {
            if let known = DirectoryAttribute.named(name) { return known.write(&self, newValue) }
            let own = attributes.keys.first { $0.lowercased() == name.lowercased() } ?? name
            attributes[own] = newValue.flatMap { $0.value == .null ? nil : Self.stored($0) }
        }
    }

    // An attribute is a text, a Boolean, a whole number or a list of texts.
    private static func stored(_ node: JSONNode) -> JSON {
        switch node.value {
        case .string, .bool: JSON(node)
        case .number: node.lenientInteger.map { .integer($0) } ?? JSON(node)
        default: node.strings.map(JSON.list) ?? .string(JSONText.compact(node))
        }
    }
}
