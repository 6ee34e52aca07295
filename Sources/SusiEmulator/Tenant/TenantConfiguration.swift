import Crypto
import FoundationEssentials
import SusiBase
package import SusiPolicies
package import SystemPackage

/// The content and settings of a tenant. The defaults are those of its kind.
public struct TenantConfiguration: Hashable, Sendable {
    /// Whether a used refresh token stays valid.
    package enum RefreshRotation: String, CaseIterable, Sendable {
        /// The old token stays valid until it expires.
        case kept
        /// The old token becomes invalid; using it again revokes all tokens of the sign-in (RFC 9700 section 4.14.2).
        case strict
    }

    package enum IssuerForm: String, CaseIterable, Sendable {
        /// The kind's default: B2C `{origin}/{guid}/v2.0/`, a plain provider its own address.
        case tenant
        /// B2C only: `{origin}/tfp/{guid}/{policy}/v2.0/`, the form that agrees with OpenID Connect Discovery.
        case policy
        /// A plain provider only: its own address with a trailing slash.
        case trailingSlash
        /// External ID only: `http://{guid}.localhost/{guid}/v2.0`. In the service the issuer has a host of its own, too.
        case tenantHost
    }

    /// How the port of a loopback redirect address compares.
    package enum RedirectPorts: String, CaseIterable, Sendable {
        /// The whole address must be registered.
        case exact
        /// The port of `http://localhost` is ignored (RFC 8252 section 7.3).
        case any
    }

    /// Whether redirects name the issuer (`iss`, RFC 9207).
    package enum IssuerParameter: String, CaseIterable, Sendable {
        /// No, as with Microsoft's services.
        case off
        /// Yes, and the metadata announces it.
        case announced
        /// Yes, but the metadata does not announce it.
        case unannounced
    }

    package var kind: AuthorityKind
    /// The tenant's name, such as `contoso.onmicrosoft.com`; the path of a plain provider, without leading and trailing slashes.
    public var name: String
    /// The tenant's id: a GUID in lower case.
    package var id: String
    package var policies: [Policy]
    /// The settings of the policies; a missing one has the defaults.
    package var settings: [PolicyName: PolicySettings] = [:]
    package var applications: [RegisteredApplication]
    package var apis: [RegisteredAPI]
    /// The declared types of user attributes by claim name.
    package var attributeTypes: [String: AttributeType] = [:]
    /// The initial users.
    package var users: [User]
    /// Whether the sign-in page lists the first users for a sign-in in one click. An emulator that other machines can reach never
    /// does.
    package var listsUsers = true
    /// A file with more users, one JSON object per line, with the keys of a user in a ``TenantFile``. Only `email` or `userName` is
    /// required. Instead of `password` (default `Passw0rd!`) a user can have a `passwordHash` with `salt` and `hash` in base64,
    /// as in an emulator's database.
    package var usersFile: FilePath?
    /// The name of the B2C tenant whose users and ID this External ID tenant has: one directory behind the endpoints of both
    /// services, as in High Scale Compatibility mode (Microsoft, “Enable External ID High Scale Compatibility (HSC) mode”).
    package var usersOf: String?
    package var lifetimes = Lifetimes()
    /// Whether a used refresh token stays valid; strict with a plain provider.
    package var refreshRotation: RefreshRotation
    package var issuerForm = IssuerForm.tenant
    /// How redirect ports compare: exactly, but any port with External ID and Entra ID.
    package var redirectPorts: RedirectPorts
    /// Whether redirects name the issuer: off, but announced with a plain provider.
    package var issuerParameter: IssuerParameter
    /// How tokens are signed: RS256, but ES256 with a plain provider.
    package var algorithm: SigningAlgorithm
    package var numbersAsStrings = false
    /// Whether the response to a refresh holds an id token (OpenID Connect Core section 12.2 leaves it open).
    package var refreshGivesIDToken = true
    /// Whether it has the name of its kind only because its applications are at an address for many tenants.
    var isUnnamed = false
    package var copyOf: Original?
    /// Scopes that are silently not granted.
    package var declines: [String] = []
    /// Scopes that need each user's consent for each application.
    package var userConsent: [String] = []
    /// Scopes that need an administrator's consent: they are refused.
    package var administratorConsent: [String] = []
    /// The maximum number of groups in a token of Microsoft's kinds; of more, the token says where they are listed.
    package var groupLimit = 200
    /// Parameters of the authorization request that become claims of the id token, as in a custom policy: `ui_locales`,
    /// `domain_hint` or any other name.
    package var claimedParameters: [String] = []
    /// The hosts besides this machine where the developer's code may be called.
    package var allowedHosts: [String] = []
    /// A PEM file of authorities that the emulator trusts besides the system's when it calls the developer's code.
    package var trustedCertificates: FilePath?
    /// The client ID of the application for extensions; nil for one that is derived from the tenant's ID.
    package var extensionsAppID: String?

    /// The folder with the tenant's custom policies. Only for the kind `b2c`.
    package var policyFolder: PolicyFolderSettings?
    /// The secrets of the policy keys by name, for example `B2C_1A_RestKey`, which custom policies send to services.
    package var policyKeys: [String: String] = [:]

    /// OAuth errors by error code, instead of the defaults: `AADB2C90088` → `invalid_request`. Some of Azure AD B2C are not
    /// documented. Only for the kind `b2c`.
    package var errors: [String: String] = [:]

    /// Creates a tenant; without an `id` it is derived from the name.
    package init(
        kind: AuthorityKind = .b2c, name: String = "contoso.onmicrosoft.com", id: String? = nil,
        policies: [Policy] = [],
        applications: [RegisteredApplication] = [], apis: [RegisteredAPI] = [], users: [User]? = nil
    ) {
        self.kind = kind
        self.name = name
        self.id = id?.lowercased() ?? derivedGUID(name.lowercased())
        self.policies = policies
        self.applications = applications
        self.apis = apis
        let defaults = kind.dialect.traits.defaults
        self.users = users ?? defaults.users
        refreshRotation = defaults.refreshRotation
        redirectPorts = defaults.redirectPorts
        issuerParameter = defaults.issuerParameter
        algorithm = defaults.algorithm
    }

    package func settings(of policy: PolicyName) -> PolicySettings { settings[policy] ?? PolicySettings() }

    /// The sign-in name that a policy accepts. A policy without a page accepts the tenant's local accounts of both kinds.
    package func identifier(of policy: Policy) -> PolicySettings.Identifier {
        policy.kind == .resourceOwner ? .either : settings(of: policy.name).identifier
    }

    /// The application with that client id, ignoring case.
    package func application(_ clientID: String) -> RegisteredApplication? {
        applications.first { $0.clientID.lowercased() == clientID.lowercased() }
    }

    /// The lifetimes of a policy: its own, else the tenant's.
    package func lifetimes(of policy: PolicyName) -> Lifetimes {
        // Most tenants have no settings, and hashing a name is slow.
        settings.isEmpty ? lifetimes : settings[policy]?.lifetimes ?? lifetimes
    }

    var asksSecondFactor: Bool { policies.contains { settings(of: $0.name).multiFactor != .off } }

    /// The tenant with the issuer that it has in the cloud: of External ID, it has a host of its own.
    package var inCloud: TenantConfiguration {
        var tenant = self
        if hasHostOfIssuer { tenant.issuerForm = .tenantHost }
        return tenant
    }

    /// The host of the issuer in the cloud; nil if it is that of the authority.
    package var cloudIssuerHost: String? { hasHostOfIssuer ? "\(id).ciamlogin.com" : nil }

    private var hasHostOfIssuer: Bool { kind.dialect.traits.issuerForms.contains(.tenantHost) }

    /// The key of the tenant's signing keys.
    var key: String { "\(kind.rawValue)/\(id)" }

    /// The key of the tenant's other rows, which tenants with the same users share.
    var directory: String {
        let owner = usersOf == nil ? nil : kind.dialect.traits.sharesUsersOf
        return "\((owner ?? kind).rawValue)/\(id)"
    }

    /// The tenant with the ID and the users of another one.
    func sharing(_ owner: TenantConfiguration) -> TenantConfiguration {
        var tenant = self
        tenant.id = owner.id
        tenant.attributeTypes = owner.attributeTypes
        tenant.users = owner.users
        tenant.usersFile = owner.usersFile
        return tenant
    }
}

/// A GUID derived from a text: the first 16 bytes of its SHA-256, marked as version 8 (RFC 9562 section 5.8).
func derivedGUID(_ text: String) -> String {
    var bytes = sha256(text).prefix(16)
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.encode(bytes[$0]) }.joined(separator: "-")
}
