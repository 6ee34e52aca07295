import FoundationEssentials

/// What a place in `policies.json`, or in a file written like it, may hold. One description serves the reader, its errors and
/// the JSON Schema.
package indirect enum Shape: Sendable {
    case text(Text)
    case choice([String])
    case flag
    /// A whole number from 0.
    case count
    /// A TCP port; 0 means any free one.
    case port
    case list(of: Shape, atLeast: Int)
    /// Names of the user's choice, each with a value of one shape.
    case map(of: Shape, name: Text)
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

        /// What the text is to be, in a person's words.
        package var expected: String {
            switch self {
            case .any: "text"
            case .name: "a name of letters, digits, “.”, “_” and “-”"
            case .policyName: "a policy's name of letters, digits, “.”, “_” and “-”"
            case .clientID: "the application's (client) id"
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
            case .tenantName: "a tenant's name, or the path of a plain provider without slashes around it"
            case .addressOrPath: "an address, or its path alone, which begins with “/”"
            case .redirectAddress: "a whole redirect address such as “http://localhost:8400/”"
            case .secret: "a secret of one character at least"
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
        package let shape: Shape
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
            _ name: String, _ shape: Shape, required: Bool = false, requiredWith condition: Condition? = nil,
            _ meaning: String
        ) {
            self.name = name
            self.shape = shape
            self.isRequired = required
            self.condition = condition
            self.meaning = meaning
        }
    }

    /// What the shape wants, in a person's words.
    package var expected: String {
        switch self {
        case .text(let text): text.expected
        case .choice(let words): "one of " + words.map { "“\($0)”" }.joined(separator: ", ")
        case .flag: "true or false"
        case .count: "a whole number from 0"
        case .port: "a port from 0 to 65535"
        case .list(of: let shape, atLeast: _): "a list, each element \(shape.expected)"
        case .map(of: _, name: let name): "an object whose keys are each \(name.expected)"
        case .object(let fields): "an object with " + fields.map { "“\($0.name)”" }.joined(separator: ", ")
        }
    }
}

extension Shape {
    /// `policies.json`, whole.
    static let file = Shape.object([
        Field("$schema", .text(.any), "the schema that editors check this file against"),
        Field(
            "current", .text(.name), requiredWith: .severalMembers(of: "applications"),
            "the application that commands use when none is named; a single application needs none"),
        Field(
            "applications", .map(of: application, name: .name), required: true,
            "the applications by name: registrations in local, staging and production tenants"),
        Field(
            "keySource", .choice(KeySource.allCases.map(\.rawValue)),
            "where the key of a new store goes; only in the user's own file"),
        Field(
            "keyCommand", .list(of: .text(.any), atLeast: 1),
            "the command that prints the secret for the key source “command”; only in the user's own file"),
    ])

    private static let application = Shape.object([
        Field("kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "the kind of tenant"),
        Field(
            "authority", .text(.address), required: true,
            "the tenant's address without a policy; for the kind openid the issuer, letter for letter"),
        Field(
            "policyIn", .choice(PolicyPlace.allCases.map(\.rawValue)),
            "where addresses name the policy: in their path (the default) or in the parameter p; only for the kind b2c"),
        Field("clientId", .text(.clientID), required: true, "the application's (client) id"),
        Field(
            "redirectPorts", .list(of: .port, atLeast: 1),
            "loopback ports for the redirect, tried in this order; register http://localhost:PORT of each"),
        Field(
            "policies", .map(of: policy, name: .policyName),
            requiredWith: .text(AuthorityKind.b2c.rawValue, of: "kind"),
            "the policies by name; the kinds without policies have one, named default, unless more are given"),
        Field(
            "knownAuthorities", .list(of: .text(.authorityEntry), atLeast: 0),
            "the authorities that may be contacted: hosts, hosts with a tenant, or whole authorities; without this list only the application's own authority, host and tenant"
        ),
        Field("apis", .map(of: api, name: .name), "the web APIs by name"),
        Field(
            "deviceMode", .choice(DeviceMode.allCases.map(\.rawValue)),
            "shared: one person at a time, and a sign-out removes all accounts; private is the default"),
    ])

    private static let policy = Shape.object(policyFields)

    /// The keys of a policy.
    package static let policyFields = [
        Field("kind", .choice(PolicyKind.allCases.map(\.rawValue)), required: true, "what the policy is for"),
        Field("default", .flag, "whether commands use it when none is named"),
        Field("authority", .text(.address), "an address of its own instead of the application's"),
        Field("scopes", .list(of: .text(.scope), atLeast: 1), "scopes that a sign-in asks, instead of its APIs'"),
        Field("redirectPath", .text(.path), "the path of the redirect address"),
        Field(
            "responseMode", .choice(ResponseMode.allCases.map(\.rawValue)),
            "how the answer comes back to the redirect address; in its query unless this says otherwise"),
        Field("idTokenHint", .flag, "whether the person's stored id token is sent along, as custom policies may want"),
    ]

    private static let api = Shape.object([
        Field("baseUrl", .text(.address), required: true, "where the API answers; its token goes nowhere else"),
        Field(
            "scopes", .list(of: .text(.scope), atLeast: 1), required: true, "the scopes of its token, of one resource"),
        Field("policy", .text(.policyName), "the policy that it belongs to, instead of the default one"),
    ])
}
