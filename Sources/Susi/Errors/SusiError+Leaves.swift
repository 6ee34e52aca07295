import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

extension SusiError {
    /// Reads any error of the targets below in the light of the application and the policy that it happened with.
    init(_ error: any Error, application: Application, policy: PolicyName? = nil) {
        let signIn =
            policy.flatMap { application.policy($0) }.map { $0.kind.command(for: $0.name) } ?? SusiError.signIn(policy)
        switch error {
        case let error as SusiError: self = error
        case is CancellationError:
            self.init(.cancelled, "Cancelled")
        case is DeadlineExceeded:
            self.init(.timeout, "Nobody came back in time", why: "the wait for the sign-in ended", next: signIn)
        case let error as NetworkFailure: self.init(error, application)
        case let error as UnexpectedAnswer:
            self.init(
                .network, "\(error.address) answered with status \(error.status)",
                why: error.status == 404 ? "there is no such tenant or policy" : "the server cannot help now",
                next: error.status == 404 ? "susi policies list" : "try again later")
        case let skew as ProviderReport.ClockSkew: self.init(skew)
        case let refusal as KnownAuthorities.Refusal: self.init(refusal, application)
        case let violation as ProtocolViolation:
            self.init(
                .invalidAnswer, "The server's answer was refused, and nothing of it was kept",
                why: "\(violation.subject.rawValue): \(violation.reason) (\(violation.source))", next: signIn)
        case let refusal as ServerRefusal: self.init(refusal, signIn)
        case let error as StoreError: self.init(error)
        case let error as ChoiceError: self.init(error)
        case let error as RedirectListener.NoFreePort:
            let ports = error.ports.map { "\($0)" }.joined(separator: ", ")
            self.init(
                .failed, "No port for the redirect is free", why: "tried \(ports) on the loopback",
                next: "end the program that uses one of them, or add a port to redirectPorts")
        default: self.init(.failed, "Something unexpected failed", why: String(describing: error))
        }
    }

    private init(_ skew: ProviderReport.ClockSkew) {
        let side = skew.seconds > 0 ? "ahead of" : "behind"
        self.init(
            .failed, "This machine's clock is \(abs(skew.seconds)) s \(side) the server's",
            why: "tokens would be taken for ended, or for not yet valid", next: "set the clock")
    }

    /// The command that signs in under a policy.
    static func signIn(_ policy: PolicyName?) -> String {
        policy.map { "susi sign-in -p \($0)" } ?? "susi sign-in"
    }

    private init(_ failure: NetworkFailure, _ application: Application) {
        let isLocal = application.authority.isLoopback && failure.origin == application.authority.origin
        switch failure.kind {
        case .refused:
            self.init(
                .network, "Nothing answers at \(failure.origin)",
                why: isLocal ? "the emulator is not running" : "the connection was refused",
                next: isLocal ? "susi emulator run    (in another terminal)" : "check the address and the network")
        case .unknownHost:
            self.init(
                .network, "\(failure.origin) cannot be found", why: "its name has no address",
                next: "check the authority in policies.json and the network")
        case .timeout:
            self.init(.timeout, "\(failure.origin) did not answer in time", next: "try again later")
        case .tls:
            self.init(
                .network, "No secure connection to \(failure.origin)", why: failure.detail,
                next: "check the server's certificate and this machine's roots")
        case .proxy(let proxy):
            self.init(
                .network, "\(failure.origin) was not reached through \(proxy)", why: failure.detail,
                next: "check HTTPS_PROXY, ALL_PROXY and NO_PROXY")
        case .tooLarge(let limit):
            self.init(.invalidAnswer, "\(failure.origin) sent more than \(limit) bytes", next: "check the authority")
        case .broken:
            self.init(
                .network, "The exchange with \(failure.origin) broke off", why: failure.detail, next: "try again")
        }
    }

    private init(_ refusal: KnownAuthorities.Refusal, _ application: Application) {
        let next = refusal.missing.map {
            "add \"\($0)\" to knownAuthorities of the application “\(application.name)” in policies.json"
        }
        self.init(
            .unknownAuthority, "\(refusal.authority.address) was not contacted", why: refusal.reason,
            next: next ?? "use https in the authority")
    }

    private init(_ refusal: ServerRefusal, _ signIn: String) {
        let text = refusal.text.isEmpty ? refusal.error : refusal.text
        let code: Code =
            switch refusal.consequence {
            case .cancelled: .cancelled
            case .signIn: .signInNeeded
            case .retryLater: .network
            case .resetPassword, .misconfigured, .failed: .refused
            }
        let next =
            switch refusal.consequence {
            case .signIn: signIn
            case .resetPassword: "susi reset-password"
            case .cancelled: ""
            case .misconfigured, .failed, .retryLater: refusal.row?.next ?? ""
            }
        self.init(
            code, code == .cancelled ? "Cancelled" : "The server refused",
            why: refusal.row.map { "\($0.meaning) (\(text))" } ?? text, next: next,
            correlationID: refusal.correlationID)
    }

    private init(_ error: ChoiceError) {
        let next = (error.nearMatch ?? error.candidates.first).map { name in
            error.subject == .policy ? "name it with -p, for instance -p \(name)" : "name it, for instance “\(name)”"
        }
        self.init(
            .unknownName, error.problem, why: error.nearMatch.map { "did you mean “\($0)”?" } ?? "",
            next: next ?? "susi policies list", candidates: error.candidates)
    }
}
