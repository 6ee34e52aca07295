import Susi

/// `susi token` answered from the cache. It takes plain argument forms only and answers only what is certain; everything
/// else, and every error, is left to the full parser, which gives the same answer (a test holds them together).
enum FastPath {
    /// The token, or nil when the full parser has to decide.
    static func token(_ arguments: some Collection<String>, in surroundings: Surroundings) -> String? {
        guard let request = Request(arguments), surroundings["SUSI_ACCOUNT"] == nil else { return nil }
        let paths = Paths(config: request.config, in: surroundings)
        let policy = (request.policy ?? surroundings["SUSI_POLICY"]).map { PolicyName($0) }
        guard let application = try? paths.read().application(request.application ?? surroundings["SUSI_APPLICATION"]),
            let target = try? application.target(api: request.api, policy: policy), !target.scopes.isEmpty,
            let store = try? AccountStore(existing: paths.store),
            let found = try? store.cachedAccessToken(
                current: target.policy.name, in: ApplicationScope(application, target.policy),
                scopes: ScopeSet(target.scopes)),
            let facts = found.token.info.facts, SilentPlan.serves(facts, now: surroundings.now())
        else { return nil }
        return found.token.secret
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
                let place: WritableKeyPath<Request, String?>
                switch word {
                case "-p", "--policy": place = \.policy
                case "-A", "--application": place = \.application
                case "--config": place = \.config
                default:
                    guard !word.hasPrefix("-"), !word.isEmpty, api == nil else { return nil }
                    api = word
                    continue
                }
                guard self[keyPath: place] == nil, let value = rest.popFirst(), !value.hasPrefix("-"), !value.isEmpty
                else { return nil }
                self[keyPath: place] = value
            }
        }
    }
}
