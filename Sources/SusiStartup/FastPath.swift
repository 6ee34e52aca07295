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
    package static func printToken(_ arguments: ArraySlice<String>, in environment: ProcessEnvironment) {
        // The store is still open when the process ends: closing it takes time and has no use.
        token(arguments, in: environment) { line in
            StandardStream.ignoreBrokenPipes()
            let error = StandardStream.output.write(line: line)
            // A closed pipe is not an error.
            if error == nil || error == .brokenPipe { exit(0) }
        }
    }

    /// Passes the line to print to `deliver`, or does nothing if the full parser has to decide. The store is open while `deliver`
    /// runs.
    package static func token(
        _ arguments: ArraySlice<String>, in environment: ProcessEnvironment, deliver: (String) -> Void
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
            let facts = found.token.info.facts,
            SilentPlan.serves(facts, minimum: request.minimum, now: environment.now()),
            found.token.info.declined.isEmpty
        else { return }
        withExtendedLifetime(store) { deliver((request.format?.prefix ?? "") + found.token.secret) }
    }

    /// The plain arguments: `token [API] [-p POLICY] [-A APPLICATION] [-f raw|header] [--min-valid TIME] [--config FILE]`, each
    /// option at most once.
    package struct Request: Equatable {
        private(set) var api: String?
        private(set) var policy: String?
        private(set) var application: String?
        private(set) var config: String?
        private(set) var format: TokenLine?
        /// The required remaining validity in seconds.
        private(set) var minimum: Int64?

        /// Returns `nil` if the arguments have another form.
        package init?(_ arguments: ArraySlice<String>) {
            guard arguments.first == "token" else { return nil }
            var rest = arguments.dropFirst()
            while let word = rest.popFirst() {
                guard word.utf8.first == UInt8(ascii: "-") else {
                    guard api == nil, !word.isEmpty else { return nil }
                    api = word
                    continue
                }
                guard let value = rest.popFirst(), !value.isEmpty, value.utf8.first != UInt8(ascii: "-"),
                    accept(value, as: word)
                else { return nil }
            }
        }

        private mutating func accept(_ value: String, as option: String) -> Bool {
            switch option {
            case "-p", "--policy": Self.set(&policy, value)
            case "-A", "--application": Self.set(&application, value)
            case "--config": Self.set(&config, value)
            case "-f", "--format": Self.set(&format, TokenLine(rawValue: value))
            case "--min-valid": Self.set(&minimum, Duration.seconds(in: value))
            default: false
            }
        }

        private static func set<T>(_ place: inout T?, _ value: T?) -> Bool {
            guard place == nil, value != nil else { return false }
            place = value
            return true
        }
    }
}

/// The formats of a token that are one line.
package enum TokenLine: String, Sendable {
    case raw, header

    /// What comes before the token.
    package var prefix: String {
        switch self {
        case .raw: ""
        case .header: "Authorization: Bearer "
        }
    }
}
