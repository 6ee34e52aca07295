import FoundationEssentials
import SusiBase
import SusiPolicies

/// A running tenant: its configuration, rows, keys and clock.
struct Tenant: Sendable {
    let configuration: TenantConfiguration
    let database: Database
    /// The signing keys. In Azure AD B2C custom policies have keys of their own.
    let keyRings: [KeyRing]
    let clock: EmulatorClock
    let refused = RefusedTokens()
    /// Calls the code that its policies name.
    let callouts: CalloutClient
    /// The custom policies of its folder.
    let customPolicies: WatchedPolicies?
    let journeyTurns = JourneyTurns()

    init(
        _ configuration: TenantConfiguration, file: DatabaseFile, clock: EmulatorClock, callouts: CalloutClient
    ) throws(PolicyFiles.Unusable) {
        self.configuration = configuration
        customPolicies = try configuration.policyFolder.map { (folder) throws(PolicyFiles.Unusable) in
            try WatchedPolicies(folder)
        }
        self.clock = clock
        self.callouts = callouts
        database = Database(file: file, tenant: configuration.directory)
        let dialect = configuration.kind.dialect
        let groups = Set(configuration.policies.map(dialect.keyGroup)).sorted()
        keyRings = (groups.isEmpty ? [""] : groups).map { group in
            KeyRing(
                database: Database(file: file, tenant: configuration.key + group), group: group,
                algorithm: configuration.algorithm, clock: clock)
        }
    }

    func keys(of policy: Policy) throws -> KeyRing {
        let group = configuration.kind.dialect.keyGroup(of: policy)
        guard let ring = keyRings.first(where: { $0.group == group }) ?? keyRings.first else { throw KeyRing.NoKey() }
        return ring
    }

    /// Makes the keys that sign if there are none yet.
    func prepareKeys() throws {
        for ring in keyRings { _ = try ring.current() }
    }

    /// Publishes the keys that sign after the next rotation.
    func announceKeys() throws {
        for ring in keyRings { try ring.announce() }
    }

    /// Signs with the announced keys, or new ones, from now on. Older keys are kept published unless they are withdrawn.
    func rotateKeys(withdrawing: Bool) throws {
        for ring in keyRings { try ring.rotate(withdrawing: withdrawing) }
    }

    /// Withdraws the key with that id, unless it does not exist or is one that signs.
    func withdrawKey(_ id: String) throws -> KeyRing.Withdrawal {
        for ring in keyRings {
            let outcome = try ring.withdraw(id)
            if outcome != .absent { return outcome }
        }
        return .absent
    }

    func application(_ clientID: String) -> RegisteredApplication? {
        configuration.application(clientID)
    }

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
    var tag: String { Hexadecimal.encode(sha256(configuration.key).prefix(4)) }

    /// The name for a developer.
    var title: String { configuration.name.isEmpty ? "the OpenID provider" : configuration.name }

    /// The name for a program; the id of a provider without a name.
    var label: String { configuration.name.isEmpty ? configuration.id : configuration.name }

    func verifier(now: Int64) throws -> TokenVerifier {
        let keys = try keyRings.flatMap { try $0.published() }
        return TokenVerifier(keys: KeyRing.set(keys.map(\.publicMembers)), now: now)
    }

    /// The claims of a valid access token that is not revoked.
    func claims(ofAccessToken token: String, now: Int64) throws -> JSON {
        guard !refused.contains(token) else { throw TokenVerifier.Refused("The token was revoked") }
        return try verifier(now: now).claims(of: token)
    }
}
