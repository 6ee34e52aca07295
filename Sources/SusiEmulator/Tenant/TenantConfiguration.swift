import Crypto
import FoundationEssentials
public import SusiPolicies
public import SystemPackage

/// What a tenant has and how it behaves. What the initializer does not take is set afterwards; it begins as the kind of
/// tenant has it.
public struct TenantConfiguration: Hashable, Sendable {
    /// Whether a refresh token that was used stays valid until it expires, or dies with its first use.
    public enum RefreshRotation: String, CaseIterable, Sendable {
        /// The old token stays valid beside the new one.
        case kept
        /// The old token dies; using it again revokes the whole family (RFC 9700 section 4.14.2).
        case strict
    }

    /// How the tenant writes its issuer.
    public enum IssuerForm: String, CaseIterable, Sendable {
        /// The kind's default: B2C `{origin}/{guid}/v2.0/`, a plain provider its own address.
        case tenant
        /// B2C only: `{origin}/tfp/{guid}/{policy}/v2.0/`, the form that agrees with OpenID Connect Discovery.
        case policy
        /// A plain provider only: its own address with a slash at the end.
        case trailingSlash
    }

    /// How the port of a loopback redirect address compares.
    public enum RedirectPorts: String, CaseIterable, Sendable {
        /// The whole address must be registered.
        case exact
        /// The port of `http://localhost` does not count (RFC 8252 section 7.3).
        case any
    }

    /// Whether redirects name the issuer (`iss`, RFC 9207).
    public enum IssuerParameter: String, CaseIterable, Sendable {
        /// They do not, as with Microsoft's services.
        case off
        /// They do, and the metadata says so.
        case announced
        /// They do, and the metadata says nothing.
        case unannounced
    }

    /// The kind of tenant.
    public var kind: AuthorityKind
    /// The tenant's name, for instance `contoso.onmicrosoft.com`; of a plain provider its path, without slashes around.
    public var name: String
    /// The tenant's id: a GUID in lower case.
    public var id: String
    /// Its policies.
    public var policies: [Policy]
    /// How they behave; one that is absent behaves as usual.
    public var settings: [PolicyName: PolicySettings] = [:]
    /// The applications registered in it.
    public var applications: [RegisteredApplication]
    /// The web APIs registered in it.
    public var apis: [RegisteredAPI]
    /// The users that exist from the start.
    public var users: [SeededUser]
    /// Whether the sign-in page offers the first of them in one click. Only on this machine: an emulator that other machines
    /// reach never does.
    public var listsUsers = true
    /// A file with more of them, one JSON object in each line, with the keys that a user has in a ``TenantFile``: `email`,
    /// `userName` or both are enough, the rest follows from it. In place of `password` (`Passw0rd!`) it may hold a
    /// `passwordHash` with `salt` and `hash` in base64, as an emulator's database holds them.
    public var usersFile: FilePath?
    /// How long things live.
    public var lifetimes = Lifetimes()
    /// What happens to a refresh token that was used: kept, but strict with a plain provider.
    public var refreshRotation: RefreshRotation
    /// The issuer's form.
    public var issuerForm = IssuerForm.tenant
    /// How redirect ports compare: exactly, but any port with External ID and Entra ID.
    public var redirectPorts: RedirectPorts
    /// Whether redirects name the issuer: off, but announced with a plain provider.
    public var issuerParameter: IssuerParameter
    /// How tokens are signed: RS256, but ES256 with a plain provider.
    public var algorithm: SigningAlgorithm
    /// Whether the numbers of token responses are written as strings.
    public var numbersAsStrings = false
    /// Whether the response to a refresh holds an id token (OpenID Connect Core section 12.2 leaves it open).
    public var refreshGivesIDToken = true
    /// What it is a copy of, for people: an application and its authority. It changes nothing.
    public var copyOf: String?
    /// Scopes that are asked for and silently not granted.
    public var declines: [String] = []
    /// Scopes to which each person must agree once for each application: a page asks, and a refresh is refused before.
    public var userConsent: [String] = []
    /// Scopes to which only an administrator could agree: they are refused.
    public var administratorConsent: [String] = []
    /// Parameters of the authorization request that become claims of the id token, as a custom policy can do it:
    /// `ui_locales`, `domain_hint` or any name of one's own.
    public var claimedParameters: [String] = []

    /// OAuth errors in place of the usual ones, by the code that comes with them: `AADB2C90088` → `invalid_request`. No capture
    /// shows some of Azure AD B2C's. Only for the kind `b2c`.
    public var errors: [String: String] = [:]

    /// Makes a tenant; without an `id` it gets one that follows from its name.
    public init(
        kind: AuthorityKind = .b2c, name: String = "contoso.onmicrosoft.com", id: String? = nil,
        policies: [Policy] = [],
        applications: [RegisteredApplication] = [], apis: [RegisteredAPI] = [], users: [SeededUser]? = nil
    ) {
        self.kind = kind
        self.name = name
        self.id = id?.lowercased() ?? derivedGUID(name.lowercased())
        self.policies = policies
        self.applications = applications
        self.apis = apis
        let defaults = kind.dialect.defaults
        self.users = users ?? defaults.users
        refreshRotation = defaults.refreshRotation
        redirectPorts = defaults.redirectPorts
        issuerParameter = defaults.issuerParameter
        algorithm = defaults.algorithm
    }

    /// How a policy behaves.
    public func settings(of policy: PolicyName) -> PolicySettings { settings[policy] ?? PolicySettings() }

    /// The application with that client id, without regard to case.
    func application(_ clientID: String) -> RegisteredApplication? {
        applications.first { $0.clientID.lowercased() == clientID.lowercased() }
    }

    /// How long a policy's codes and tokens live: as its settings say, else as the tenant's.
    public func lifetimes(of policy: PolicyName) -> Lifetimes {
        // Most tenants have no settings, and a name's hash costs its lower case.
        settings.isEmpty ? lifetimes : settings[policy]?.lifetimes ?? lifetimes
    }

    /// Whether any policy asks for a second factor.
    var asksSecondFactor: Bool { policies.contains { settings(of: $0.name).multiFactor == .always } }

    /// Tells the tenant's rows from those of another one.
    var key: String { "\(kind.rawValue)/\(id)" }
}

/// A GUID that follows from a text: the first 16 bytes of its SHA-256, marked as version 8 (RFC 9562 section 5.8).
func derivedGUID(_ text: String) -> String {
    var bytes = Array(SHA256.hash(data: Data(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
        if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
        text += [hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0x0f)]
    }
    return String(decoding: text, as: UTF8.self)
}

/// Two lower-case digits.
func hexadecimal(_ byte: UInt8) -> String {
    String(decoding: [hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0x0f)], as: UTF8.self)
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}
