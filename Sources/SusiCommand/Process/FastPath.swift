import Susi

/// `susi token` answered from the cache. It takes plain argument forms only and answers only what is certain; everything
/// else, and every error, is left to the full parser, which gives the same answer (a test holds them together).
enum FastPath {
    /// Hands the token to `deliver`, or does nothing when the full parser has to decide. The store is open while
    /// `deliver` runs, which may end the process: closing costs more than it is worth then.
    static func token(
        _ arguments: some Collection<String>, in surroundings: Surroundings, deliver: (String) -> Void
    ) {
        guard let request = Request(arguments), surroundings["SUSI_ACCOUNT"] == nil, surroundings.hasClock
        else { return }
        let paths = Paths(config: request.config, in: surroundings)
        let policy = (request.policy ?? surroundings["SUSI_POLICY"]).map { PolicyName($0) }
        let name = request.application ?? surroundings["SUSI_APPLICATION"]
        guard let read = try? paths.read(for: name), let application = read.file.application(name),
            paths.mayUse(application, of: read),
            let target = try? application.target(api: request.api, policy: policy),
            !target.scopes.isEmpty,
            let store = try? AccountStore(existing: paths.store),
            let found = try? store.cachedAccessToken(
                current: target.policy.name, in: ApplicationScope(application, target.policy),
                scopes: ScopeSet(target.scopes)),
            let facts = found.token.info.facts, SilentPlan.serves(facts, now: surroundings.now()),
            found.token.info.declined.isEmpty
        else { return }
        withExtendedLifetime(store) { deliver(found.token.secret) }
    }

    /// The plain forms: `token [API] [-p POLICY] [-A APPLICATION] [--config FILE]`, each option at most once.
    struct Request: Equatable {
        private(set) var api: String?
        private(set) var policy: String?
        private(set) var application: String?
        private(set) var config: String?

        init?(_ arguments: some Collection<String>) {
            var rest = Array(arguments)[...]
            guard rest.popFirst() == "token" else { return nil }
            while let word = rest.popFirst() {
                let isTaken: Bool
                switch word {
                case "-p", "--policy": isTaken = Self.take(&rest, into: &policy)
                case "-A", "--application": isTaken = Self.take(&rest, into: &application)
                case "--config": isTaken = Self.take(&rest, into: &config)
                default:
                    rest = [word] + rest
                    isTaken = Self.take(&rest, into: &api)
                }
                guard isTaken else { return nil }
            }
        }

        private static func take(_ rest: inout ArraySlice<String>, into place: inout String?) -> Bool {
            guard place == nil, let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return false }
            place = value
            return true
        }
    }
}
