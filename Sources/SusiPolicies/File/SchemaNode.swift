import FoundationEssentials

/// What a place in `policies.json`, or in a file written like it, may hold. One description serves the reader, its errors and
/// the JSON Schema.
package indirect enum SchemaNode: Sendable {
    case text(Text)
    case choice([String])
    case flag
    /// A whole number from 0.
    case count
    /// A TCP port; 0 means any free one.
    case port
    case list(of: SchemaNode, atLeast: Int)
    /// Names of the user's choice, each with a value of one shape.
    case map(of: SchemaNode, name: Text)
    case object([Field])

    /// Kinds of text, with the pattern that JSON Schema editors check.
    package enum Text: String, Sendable {
        case any
        case name
        case policyName
        case clientID
        case address
        case authorityEntry
        case scope
        case path
        case time
        /// A time that is not 0.
        case lifetime
        case guid
        case email
        case userName
        case file
        case base64
        case tenantName
        /// An address, or a path below the one of whoever serves it.
        case addressOrPath
        case redirectAddress
        /// What only an application knows.
        case secret
        /// An error code of OAuth (RFC 6749 sections 4.1.2.1 and 5.2).
        case oauthError

        /// The expected text, for messages and descriptions.
        package var expected: String {
            switch self {
            case .any: "a string"
            case .name: "a name of letters, digits, “.”, “_” and “-”"
            case .policyName: "a policy name of letters, digits, “.”, “_” and “-”"
            case .clientID: "the application's (client) ID"
            case .address: "an https address (http only for loopback hosts)"
            case .authorityEntry: "a host, a host with a tenant, or a whole authority"
            case .scope: "a scope without spaces"
            case .path: "a path that begins with “/”"
            case .time: "a time such as “30s”, “5m”, “2h” or “14d”"
            case .lifetime: "a time of one second or more such as “30s”, “5m”, “2h” or “14d”"
            case .guid: "a GUID"
            case .email: "an email address"
            case .userName: "a user name, without “@”"
            case .file: "the path of a file"
            case .base64: "base64"
            case .tenantName: "a tenant's name, or the path of an OpenID provider without leading and trailing slashes"
            case .addressOrPath: "an address, or a path that begins with “/”"
            case .redirectAddress: "a whole redirect address such as “http://localhost:8400/”"
            case .secret: "a secret of at least one character"
            case .oauthError: "an OAuth error such as “invalid_grant”"
            }
        }

        var pattern: String? {
            switch self {
            case .any: nil
            case .name: "^[A-Za-z0-9._-]+$"
            case .policyName: "^(?!\\.{1,2}$)[A-Za-z0-9._-]+$"
            case .clientID: "^[A-Za-z0-9._:-]+$"
            case .address: "^[Hh][Tt][Tt][Pp][Ss]?://[^ ?#]+$"
            case .authorityEntry: "^[^ ?#]+$"
            case .scope, .oauthError: "^[!#-\\[\\]-~]+$"
            case .path: "^/[^ ?#]*$"
            case .time: "^[0-9]+[smhd]?$"
            case .lifetime: "^0*[1-9][0-9]*[smhd]?$"
            case .guid: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
            case .email: "^[^\\s@]+@[^\\s@]+$"
            case .userName: "^[^@]+$"
            case .file, .secret: "^.+$"
            case .base64: "^[A-Za-z0-9+/]*={0,2}$"
            case .tenantName: "^([^ ?#/]+(/[^ ?#/]+)*)?$"
            case .addressOrPath: "^([Hh][Tt][Tt][Pp][Ss]?:/)?/[^ ?#]*$"
            case .redirectAddress:
                "^(?!(\(Self.misleading.map(Self.inAnyCase).joined(separator: "|"))):)[A-Za-z][A-Za-z0-9+.-]*:[!-\"$-~]+$"
            }
        }

        // Schemes that no application answers: browsers do something with them themselves.
        private static let misleading = ["about", "blob", "data", "file", "javascript", "vbscript"]

        private static func inAnyCase(_ word: String) -> String {
            word.map { "[\($0.uppercased())\($0)]" }.joined()
        }

        /// Whether the text keeps the rule of its kind.
        package func allows(_ text: String) -> Bool {
            let bytes = text.utf8
            // RFC 6749 section 3.3 for scopes, section 5.2 for errors (which may hold spaces, and none does): any visible
            // ASCII character but the quote and the backslash.
            switch self {
            case .any: return true
            case .name: return !bytes.isEmpty && bytes.allSatisfy { Self.isName($0) }
            // A policy becomes a segment of a path, where dots alone would change its meaning.
            case .policyName:
                return !bytes.isEmpty && bytes.allSatisfy { Self.isName($0) } && text != "." && text != ".."
            case .clientID: return !bytes.isEmpty && bytes.allSatisfy { Self.isName($0) || $0 == UInt8(ascii: ":") }
            case .address: return Self.isAddress(text)
            case .authorityEntry: return Self.isPlain(text)
            case .scope, .oauthError:
                return !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
            case .path: return Self.isPath(text)
            case .time: return Duration.seconds(in: text) != nil
            case .lifetime: return Duration.seconds(in: text) ?? 0 > 0
            case .guid: return UUID(uuidString: text) != nil
            case .email:
                let parts = text.split(separator: "@", omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
            case .userName: return !text.isEmpty && !text.contains("@")
            case .file, .secret: return !bytes.isEmpty && !bytes.contains(0)
            case .base64: return Data(base64Encoded: text) != nil
            case .tenantName:
                return text.isEmpty
                    || text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                        Self.isPlain(String($0))
                    }
            case .addressOrPath: return Self.isAddress(text) || Self.isPath(text)
            case .redirectAddress:
                return text.firstIndex(of: ":").map { $0 != text.startIndex && text.index(after: $0) != text.endIndex }
                    == true
                    && bytes.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }
                    && !Self.misleading.contains(text.prefix { $0 != ":" }.lowercased())
            }
        }

        private static func isAddress(_ text: String) -> Bool {
            isPlain(text) && (text.lowercased().hasPrefix("https://") || text.lowercased().hasPrefix("http://"))
        }

        private static func isPath(_ text: String) -> Bool { isPlain(text) && text.utf8.first == UInt8(ascii: "/") }

        private static func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }

        // Visible ASCII without a query or a fragment.
        private static func isPlain(_ text: String) -> Bool {
            !text.isEmpty
                && text.utf8.allSatisfy {
                    (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                }
        }
    }

    /// A key of an object.
    package struct Field: Sendable {
        package let name: String
        package let shape: SchemaNode
        let isRequired: Bool
        /// What else in the same object makes this key required.
        let condition: Condition?
        let meaning: String

        /// What another key of an object holds.
        package enum Condition: Sendable {
            /// This text.
            case text(String, of: String)
            /// More than one member.
            case severalMembers(of: String)

            func holds(in node: JSONNode) -> Bool {
                switch self {
                case .text(let value, of: let key): node[key]?.string == value
                case .severalMembers(of: let key): node[key].map { $0.members.count > 1 } ?? false
                }
            }
        }

        package init(
            _ name: String, _ shape: SchemaNode, required: Bool = false, requiredWith condition: Condition? = nil,
            _ meaning: String
        ) {
            self.name = name
            self.shape = shape
            self.isRequired = required
            self.condition = condition
            self.meaning = meaning
        }
    }

    /// The expected value, for messages.
    package var expected: String {
        switch self {
        case .text(let text): text.expected
        case .choice(let words): "one of " + words.map { "“\($0)”" }.joined(separator: ", ")
        case .flag: "true or false"
        case .count: "a whole number, 0 or more"
        case .port: "a port from 0 to 65535"
        case .list(of: let shape, atLeast: _): "a list; each element is \(shape.expected)"
        case .map(of: _, name: let name): "an object; each key is \(name.expected)"
        case .object(let fields): "an object with " + fields.map { "“\($0.name)”" }.joined(separator: ", ")
        }
    }
}

extension SchemaNode {
    /// `policies.json`, whole.
    static let file = SchemaNode.object([
        Field("$schema", .text(.any), "schema for editors"),
        Field(
            "current", .text(.name), requiredWith: .severalMembers(of: "applications"),
            "application that commands use if -A is not given; not needed with a single application"),
        Field(
            "applications", .map(of: application, name: .name), required: true,
            "applications by name, for example one for each of the local, staging and production tenants"),
        Field(
            "keySource", .choice(KeySource.allCases.map(\.rawValue)),
            "source of a new store's key; only in the user's own file"),
        Field(
            "keyCommand", .list(of: .text(.any), atLeast: 1),
            "command that prints the secret, for the key source “command”; only in the user's own file"),
    ])

    private static let application = SchemaNode.object([
        Field("kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "kind of tenant"),
        Field(
            "authority", .text(.address), required: true,
            "address of the tenant, without a policy; for the kind openid the issuer, exactly as the provider spells it"
        ),
        Field(
            "policyIn", .choice(PolicyPlace.allCases.map(\.rawValue)),
            "place of the policy in addresses: the path (default) or the parameter p; only for the kind b2c"),
        Field("clientId", .text(.clientID), required: true, "application (client) ID"),
        Field(
            "redirectPorts", .list(of: .port, atLeast: 1),
            "loopback ports for the redirect, tried in this order; register http://localhost:PORT for each"),
        Field(
            "policies", .map(of: policy, name: .policyName),
            requiredWith: .text(AuthorityKind.b2c.rawValue, of: "kind"),
            "policies by name; without this key, kinds other than b2c have one, named default"),
        Field(
            "knownAuthorities", .list(of: .text(.authorityEntry), atLeast: 0),
            "authorities that may be contacted: hosts, hosts with a tenant, or whole authorities; without this list only the application's own authority"
        ),
        Field("apis", .map(of: api, name: .name), "web APIs by name"),
        Field(
            "deviceMode", .choice(DeviceMode.allCases.map(\.rawValue)),
            "private (default), or shared: one person at a time, and a sign-out removes all accounts"),
    ])

    private static let policy = SchemaNode.object(policyFields)

    /// The keys of a policy.
    package static let policyFields = [
        Field("kind", .choice(PolicyKind.allCases.map(\.rawValue)), required: true, "purpose of the policy"),
        Field("default", .flag, "whether commands use this policy if -p is not given"),
        Field("authority", .text(.address), "authority of this policy, if not the application's"),
        Field(
            "scopes", .list(of: .text(.scope), atLeast: 1),
            "scopes that a sign-in requests, instead of those of its APIs"),
        Field("redirectPath", .text(.path), "path of the redirect address"),
        Field(
            "responseMode", .choice(ResponseMode.allCases.map(\.rawValue)),
            "how the provider returns the response to the redirect address (default: query)"),
        Field("idTokenHint", .flag, "whether requests include the stored id token, for custom policies that need it"),
    ]

    private static let api = SchemaNode.object([
        Field("baseUrl", .text(.address), required: true, "base address of the API; its token is sent only there"),
        Field(
            "scopes", .list(of: .text(.scope), atLeast: 1), required: true, "scopes of its token, all of one resource"),
        Field("policy", .text(.policyName), "policy whose token the API needs (default: the default policy)"),
    ])
}
