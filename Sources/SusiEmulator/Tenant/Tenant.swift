import FoundationEssentials
import SusiPolicies

/// A running tenant: its configuration, rows, keys and clock.
struct Tenant: Sendable {
    let configuration: TenantConfiguration
    let database: Database
    let keys: KeyRing
    let clock: EmulatorClock
    let refused = RefusedTokens()

    init(_ configuration: TenantConfiguration, file: DatabaseFile, clock: EmulatorClock) {
        self.configuration = configuration
        self.clock = clock
        database = Database(file: file, tenant: configuration.directory)
        keys = KeyRing(
            database: Database(file: file, tenant: configuration.key), algorithm: configuration.algorithm, clock: clock)
    }

    func application(_ clientID: String) -> RegisteredApplication? {
        configuration.application(clientID)
    }

    /// The reason for an unknown client id.
    func unknownClient(_ clientID: String) -> String {
        let known = configuration.applications.map(\.clientID).joined(separator: ", ")
        return "client_id \(clientID) is not registered; registered: \(known)"
    }

    /// The tenant's name or GUID if `name` equals it, ignoring case.
    func spelling(_ name: String) -> String? {
        [configuration.name, configuration.id].first { $0.lowercased() == name.lowercased() }
    }

    /// The only policy of kinds without policies.
    var signInPolicy: Policy {
        configuration.policies.first { $0.kind == .signUpOrSignIn }
            ?? Policy(name: PolicyName("default"), kind: .signUpOrSignIn)
    }

    /// Distinguishes the tenant's cookies.
    var tag: String { sha256(configuration.key).prefix(4).map(hexadecimal).joined() }

    /// The name for a developer.
    var title: String { configuration.name.isEmpty ? "the OpenID provider" : configuration.name }

    /// The name for a program; the id of a provider without a name.
    var label: String { configuration.name.isEmpty ? configuration.id : configuration.name }

    /// Verifies tokens that this tenant signed.
    func verifier(now: Int64) throws -> TokenVerifier { TokenVerifier(keys: try keys.published(), now: now) }

    /// The claims of a valid access token that is not revoked.
    func claims(ofAccessToken token: String, now: Int64) throws -> JSON {
        guard !refused.contains(token) else { throw TokenVerifier.Refused("The token was revoked") }
        return try verifier(now: now).claims(of: token)
    }
}
