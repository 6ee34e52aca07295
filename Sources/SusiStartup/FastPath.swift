import SusiBase
import SusiOAuth
import SusiPolicies
import SusiStore
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Answers `susi token` from the cache. It accepts plain arguments only and answers only if the result is certain. The full
/// parser does everything else, including every error, and returns the same token for plain arguments (a test compares both).
package enum FastPath {
    /// Prints a valid cached token and ends the process. Returns if the full parser has to decide, or if the token cannot be
    /// written; the full program then reports the error.
    package static func printToken(_ arguments: some Collection<String>, in environment: ProcessEnvironment) {
        // The store is still open when the process ends: closing it takes time and has no use.
        token(arguments, in: environment) { token in
            StandardStream.ignoreBrokenPipes()
            let error = StandardStream.output.write(line: token)
            // A closed pipe is not an error.
            if error == nil || error == .brokenPipe { exit(0) }
        }
    }

    /// Passes the token to `deliver`, or does nothing if the full parser has to decide. The store is open while `deliver`
    /// runs.
    package static func token(
        _ arguments: some Collection<String>, in environment: ProcessEnvironment, deliver: (String) -> Void
    ) {
        guard let request = Request(arguments), environment["SUSI_ACCOUNT"] == nil, environment.hasClock,
            // An earlier version used a local copy; the full program refuses the variable.
            environment["SUSI_REHEARSE"] == nil
        else { return }
        let policy = (request.policy ?? environment["SUSI_POLICY"]).map { PolicyName($0) }
        let name = request.application ?? environment["SUSI_APPLICATION"]
        guard let paths = try? Paths(config: request.config, in: environment),
            // Reading a pipe would empty it for the full parser, which may be another program.
            paths.policies.map({ SmallFile.kind($0) == .file }) ?? true,
            let read = try? paths.read(for: name), let application = read.file.application(name),
            paths.mayUse(application, of: read),
            let target = try? application.tokenTarget(api: request.api, policy: policy),
            !target.scopes.isEmpty,
            let store = try? AccountStore(existing: paths.store),
            let found = try? store.cachedAccessToken(
                current: target.policy.name, in: Registration(application, target.policy),
                scopes: ScopeSet(target.scopes)),
            let facts = found.token.info.facts, SilentPlan.serves(facts, now: environment.now()),
            found.token.info.declined.isEmpty
        else { return }
        withExtendedLifetime(store) { deliver(found.token.secret) }
    }

    /// The plain arguments: `token [API] [-p POLICY] [-A APPLICATION] [--config FILE]`, each option at most once.
    package struct Request: Equatable {
        private(set) var api: String?
        private(set) var policy: String?
        private(set) var application: String?
        private(set) var config: String?

        /// Returns `nil` if the arguments have another form.
        package init?(_ arguments: some Collection<String>) {
            var rest = Array(arguments)[...]
            guard rest.popFirst() == "token" else { return nil }
            while let word = rest.popFirst() {
                let isAccepted: Bool
                switch word {
                case "-p", "--policy": isAccepted = Self.accept(&rest, into: &policy)
                case "-A", "--application": isAccepted = Self.accept(&rest, into: &application)
                case "--config": isAccepted = Self.accept(&rest, into: &config)
                default:
                    rest = [word] + rest
                    isAccepted = Self.accept(&rest, into: &api)
                }
                guard isAccepted else { return nil }
            }
        }

        private static func accept(_ rest: inout ArraySlice<String>, into place: inout String?) -> Bool {
            guard place == nil, let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return false }
            place = value
            return true
        }
    }
}
