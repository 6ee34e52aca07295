import FoundationEssentials
import SusiPolicies

/// A running tenant: what it has, its rows, its keys and its time.
struct Tenant: Sendable {
    let configuration: TenantConfiguration
    let database: Database
    let keys: KeyRing
    let clock: EmulatorClock
    let refused = RefusedTokens()

    init(_ configuration: TenantConfiguration, file: DatabaseFile, clock: EmulatorClock) {
        self.configuration = configuration
        self.clock = clock
        database = Database(file: file, tenant: configuration.key)
        keys = KeyRing(database: database, algorithm: configuration.algorithm, clock: clock)
    }

    /// The application with that client id.
    func application(_ clientID: String) -> RegisteredApplication? {
        configuration.application(clientID)
    }

    /// Why no application has that client id.
    func unknownClient(_ clientID: String) -> String {
        let known = configuration.applications.map(\.clientID).joined(separator: ", ")
        return "client_id \(clientID) is not registered; registered: \(known)"
    }

    /// The tenant's name or its GUID, when `name` is one of these without regard to case.
    func spelling(_ name: String) -> String? {
        [configuration.name, configuration.id].first { $0.lowercased() == name.lowercased() }
    }

    /// The policy of the kinds that have only one.
    var signInPolicy: Policy {
        configuration.policies.first { $0.kind == .signUpOrSignIn }
            ?? Policy(name: PolicyName("default"), kind: .signUpOrSignIn)
    }

    /// Tells the tenant's cookies from those of another one.
    var tag: String { sha256(configuration.key).prefix(4).map(hexadecimal).joined() }

    /// The name for a developer.
    var title: String { configuration.name.isEmpty ? "the OpenID provider" : configuration.name }

    /// The name for a program; a provider at the root has none, but an id.
    var label: String { configuration.name.isEmpty ? configuration.id : configuration.name }

    /// Checks tokens that this tenant signed.
    func verifier(now: Int64) throws -> TokenVerifier { TokenVerifier(keys: try keys.published(), now: now) }

    /// The claims of an access token that is right and was not given back.
    func claims(ofAccessToken token: String, now: Int64) throws -> JSON {
        guard !refused.contains(token) else { throw TokenVerifier.Refused("The token was revoked") }
        return try verifier(now: now).claims(of: token)
    }
}
