import Crypto
import FoundationEssentials
public import SusiPolicies

/// What a tenant has and how it behaves; an emulator serves exactly one.
public struct TenantConfiguration: Sendable {
    /// Whether a refresh token that was used stays valid until it expires, or dies with its first use.
    public enum RefreshRotation: Sendable {
        /// The old token stays valid beside the new one.
        case kept
        /// The old token dies; using it again revokes the whole family (RFC 9700 section 4.14.2).
        case strict
    }

    /// How the tenant writes its issuer.
    public enum IssuerForm: Sendable {
        /// `{origin}/{guid}/v2.0/`, the default of Azure AD B2C.
        case tenant
        /// `{origin}/tfp/{guid}/{policy}/v2.0/`, the form that agrees with OpenID Connect Discovery.
        case policy
    }

    /// How the port of a loopback redirect address compares.
    public enum RedirectPorts: Sendable {
        /// The whole address must be registered.
        case exact
        /// The port of `http://localhost` does not count (RFC 8252 section 7.3).
        case any
    }

    /// The tenant's name, for instance `contoso.onmicrosoft.com`.
    public var name: String
    /// The tenant's id: a GUID in lower case.
    public var id: String
    /// Its policies.
    public var policies: [Policy]
    /// The applications registered in it.
    public var applications: [RegisteredApplication]
    /// The web APIs registered in it.
    public var apis: [RegisteredAPI]
    /// The users that exist from the start.
    public var users: [SeededUser]
    /// How long things live.
    public var lifetimes: Lifetimes
    /// What happens to a refresh token that was used.
    public var refreshRotation: RefreshRotation
    /// The issuer's form.
    public var issuerForm: IssuerForm
    /// How redirect ports compare.
    public var redirectPorts: RedirectPorts

    /// Makes a tenant; without an `id` it gets one that follows from its name.
    public init(
        name: String = "contoso.onmicrosoft.com", id: String? = nil, policies: [Policy] = [],
        applications: [RegisteredApplication] = [], apis: [RegisteredAPI] = [],
        users: [SeededUser] = SeededUser.standard, lifetimes: Lifetimes = Lifetimes(),
        refreshRotation: RefreshRotation = .kept, issuerForm: IssuerForm = .tenant,
        redirectPorts: RedirectPorts = .exact
    ) {
        self.name = name
        self.id = id?.lowercased() ?? derivedGUID(name.lowercased())
        self.policies = policies
        self.applications = applications
        self.apis = apis
        self.users = users
        self.lifetimes = lifetimes
        self.refreshRotation = refreshRotation
        self.issuerForm = issuerForm
        self.redirectPorts = redirectPorts
    }

    /// A tenant that fits one application of `policies.json`: its policies, its client id, its redirect addresses
    /// (port 0 lets every port pass), its APIs and the standard users.
    public init(application: Application) {
        let named = application.authority.segments.first { $0.lowercased() != "tfp" } ?? "contoso.onmicrosoft.com"
        let isGUID = UUID(uuidString: named) != nil
        self.init(
            name: isGUID ? "contoso.onmicrosoft.com" : named, id: isGUID ? named : nil,
            policies: application.policies,
            applications: [RegisteredApplication(application)],
            apis: application.apis.map(RegisteredAPI.init),
            redirectPorts: application.redirectPorts.contains(0) ? .any : .exact)
    }
}

/// A GUID that follows from a text: the first 16 bytes of its SHA-256, marked as version 8 (RFC 9562 section 5.8).
func derivedGUID(_ text: String) -> String {
    var bytes = Array(SHA256.hash(data: Data(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { hexadecimal($0) }
    return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
        .map { $0.joined() }.joined(separator: "-")
}

/// Two lower-case digits.
func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
