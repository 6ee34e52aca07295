import SusiBase
import SusiHTTP
package import SusiOAuth
package import SusiPolicies
import SusiStore

extension SusiError {
    /// Maps any error of the lower-level targets, with the application and the policy that it concerns.
    package init(_ error: any Error, application: Application, policy: PolicyName? = nil) {
        let configured = policy.flatMap { application.policy($0) }
        let run = configured.map { PolicyRun($0.kind, $0.name) } ?? PolicyRun(.signUpOrSignIn, policy)
        switch error {
        case is DeadlineExceeded:
            self.init(.timeout, "timed out waiting for the browser", next: .run(run))
        case is AddressOpenedTwice:
            self.init(
                .differentPerson, "the sign-in address was opened twice; no response was accepted",
                why: Self.openedTwiceReason,
                next: "\(.run(run.by(.printedAddress)))\(remark: "shows the address only on the terminal")")
        case let error as NetworkFailure: self.init(error, application)
        case let error as UnexpectedResponse: self.init(error)
        case let skew as ProviderReport.ClockSkew: self.init(skew)
        case let refusal as KnownAuthorities.Refusal: self.init(refusal, application)
        case let violation as ProtocolViolation: self.init(violation, run, of: application.kind)
        case let refusal as ServerRefusal:
            self.init(
                refusal, run, hasPage: configured?.kind != .resourceOwner, redirects: application.addressesToRegister)
        case let error as ChoiceError: self.init(error, of: application)
        case let error as RedirectListener.NoFreePort:
            let ports = error.ports.map { "\($0)" }.joined(separator: ", ")
            self.init(
                .failed, "no redirect port is free", why: "tried \(ports) on the loopback interface",
                next: application.copyOf == nil
                    ? "stop the program that uses one of them, or add a port to redirectPorts in policies.json"
                    : "stop the program that uses one of them, or add a port to redirectPorts of the original and start its copy again"
            )
        case let error as RedirectListener.MissingAddress:
            self.init(
                .failed, "this machine has no loopback address \(error.host.rawValue)",
                why: "redirectHost of the application in policies.json names it",
                next: "register the redirect address with another host, and set redirectHost to it")
        default: self.init(plain: error)
        }
    }

    /// Maps an error that concerns no policy.
    package init(plain error: any Error) {
        switch error {
        case let error as SusiError: self = error
        case let error as StoreError: self.init(error)
        case is CancellationError: self.init(.cancelled, "cancelled")
        default: self = FileFailure(error).map(SusiError.fileFailed) ?? .unexpected(error)
        }
    }

    private init(_ violation: ProtocolViolation, _ run: PolicyRun, of kind: AuthorityKind) {
        let next: NextStep =
            switch (violation.suspect, violation.subject) {
            case (.clock, _): "set the clock, then try again"
            case (.personClaims, _) where kind.traits.hasPolicies:
                """
                add the User's Object ID to the application claims of the user flow, or sub to the claims that the custom \
                policy returns
                """
            case (.personClaims, _): "ask the provider's administrator to return sub in id tokens"
            case (.audience, _):
                """
                check clientId in policies.json; if the provider issues id tokens for other applications too, list those \
                you trust in trustedAudiences of the policy
                """
            case (.authTime, _):
                "add auth_time to the ID token of the registration: Token configuration, Add optional claim"
            // Every sign-in reads these first: another one would fail in the same way.
            case (_, .metadata), (_, .keys): "check the authority in policies.json"
            default: NextStep.run(run)
            }
        // The documents of an authority are read before there is anything to store.
        let isEarly = [.metadata, .keys].contains(violation.subject)
        self.init(
            violation.subject == .person ? .differentPerson : .invalidResponse,
            "invalid response from the server\(isEarly ? "" : "; nothing was stored")",
            why: "\(violation.subject.rawValue): \(violation.reason) (\(violation.source))", next: next)
        violated = violation.subject
    }

    private init(_ skew: ProviderReport.ClockSkew) {
        let side = skew.seconds > 0 ? "ahead of" : "behind"
        self.init(
            .failed, "this machine's clock is \(abs(skew.seconds)) s \(side) the server's",
            why: "tokens would seem to be expired or not yet valid", next: "set the clock")
    }

    private init(_ failure: NetworkFailure, _ application: Application) {
        let isLocal = application.authority.isLoopback && failure.origin == application.authority.origin
        switch failure.kind {
        case .refused:
            self.init(
                .network, "no server at \(failure.origin)",
                why: isLocal ? "the emulator is not running" : "the connection was refused",
                next: isLocal
                    ? "\(.startEmulator)\(remark: "in another terminal")"
                    : "check the address and the network")
        case .unknownHost:
            self.init(
                .network, "\(failure.origin) cannot be reached", why: "the host name cannot be resolved",
                next: "check the authority in policies.json and the network")
        case .timeout:
            self.init(.timeout, "\(failure.origin) did not respond in time", next: "try again later")
        case .tls(let reason): self.init(failure, reason)
        case .proxy(let proxy):
            self.init(
                .network, "\(failure.origin) cannot be reached through \(proxy)", why: failure.detail,
                next: "check HTTPS_PROXY, ALL_PROXY and NO_PROXY; susi emulator exec --offline refuses all other hosts")
        case .tooLarge(let limit):
            self.init(
                .invalidResponse, "the response of \(failure.origin) is larger than \(limit) bytes",
                next: "check the authority in policies.json")
        case .cancelled: self.init(.cancelled, "cancelled")
        case .broken:
            self.init(
                .network, "the connection to \(failure.origin) broke", why: failure.detail, next: "try again")
        }
    }

    private init(_ failure: NetworkFailure, _ reason: NetworkFailure.TLSReason) {
        let host = (try? WebAddress(failure.origin))?.host ?? failure.origin
        let (why, next): (String, NextStep) =
            switch reason {
            case .expired(let end):
                ("its certificate expired on \(Self.day(end))", "ask the server's administrator to renew it")
            case .notYetValid(let start):
                ("its certificate is not valid before \(Self.day(start))", "check this machine's clock")
            case .otherHost: ("its certificate is not for \(host)", "check the address in policies.json")
            case .unknownAuthority: Self.untrusted(through: failure.proxy)
            case .unusableRoots:
                (
                    failure.detail,
                    "set SSL_CERT_FILE or SSL_CERT_DIR to readable certificates, or install ca-certificates"
                )
            case .handshake:
                (
                    "TLS failed: \(failure.detail)",
                    "check the address in policies.json, and which clients the server accepts"
                )
            }
        self.init(.network, "no secure connection to \(failure.origin)", why: why, next: next)
    }

    private static func untrusted(through proxy: String?) -> (why: String, next: NextStep) {
        let why = "its certificate is not signed by a certificate authority that this machine trusts"
        guard let proxy else {
            return (why, "if the server is yours, set SSL_CERT_FILE to the certificate of its authority")
        }
        return (
            "\(why); the proxy \(proxy) may have replaced it",
            """
            if the proxy inspects connections, set SSL_CERT_FILE to the certificate of its authority; else check \
            HTTPS_PROXY and NO_PROXY
            """
        )
    }

    private static func day(_ time: Int64) -> String { String(EpochTime.text(time).prefix(10)) }

    private init(_ refusal: KnownAuthorities.Refusal, _ application: Application) {
        let addition = refusal.addition(to: "the application “\(application.name)” in policies.json")
        self.init(
            .unknownAuthority, "\(refusal.authority.address) is not an allowed authority; it was not contacted",
            why: refusal.reason,
            next: NextStep(addition.map { "add \($0)" } ?? "use https in the authority"))
    }

    private init(_ response: UnexpectedResponse) {
        let why =
            switch response.status {
            case 404: "no such tenant or policy"
            case 429: "too many requests"
            case 401, 403: "the server denies access; perhaps it requires a client secret"
            case 300...399: "redirects are not followed here"
            case 400...499: "the server does not accept the request"
            default: "the server is not available now"
            }
        let next: NextStep =
            switch (response.status, response.retryAfter) {
            case (404, _): .listPolicies
            case (_, let seconds?): "try again in \(Span.text(seconds))"
            case (429, nil): "try again later"
            case (300...499, nil): "check the authority and clientId in policies.json"
            case (_, nil): "try again later"
            }
        let text = response.refusal.map { " (\($0.plain))" } ?? ""
        self.init(
            .network, "\(response.address) responded with status \(response.status)", why: why + text, next: next,
            refusal: response.refusal)
    }

    private init(_ refusal: ServerRefusal, _ run: PolicyRun, hasPage: Bool, redirects: [String]) {
        let row = refusal.row
        let why = row.map { "\($0.meaning) (\(refusal.text.isEmpty ? refusal.error : refusal.text))" } ?? refusal.plain
        let next: NextStep =
            switch row {
            case let row? where row.remedy == .redirectAddress: "register \(redirects.joined(separator: ", "))"
            case let row? where row.remedy == .scopes && refusal.text.contains("offline_access"):
                "set “offlineAccess” of the policy to false in policies.json"
            default: row?.next ?? ""
            }
        let signIn = NextStep.run(run)
        let administrator: NextStep = "ask the tenant's administrator to consent, then \(signIn)"
        switch refusal.consequence {
        case .cancelled: self.init(.cancelled, "cancelled", why: why, refusal: refusal)
        case .signIn, .interact:
            // Some rows of the error table require another step before the sign-in.
            let isPlain = row?.remedy.isSignIn ?? true
            self.init(
                .signInNeeded, "the server refused the request", why: why,
                next: isPlain ? signIn : "\(next), then \(signIn)", refusal: refusal)
        case .consent:
            self.init(
                .consentNeeded, "consent is missing", why: why,
                // A password is sent without a page for consent.
                next: hasPage ? NextStep.run(run.asking(.consent)) : administrator, refusal: refusal)
        case .adminConsent:
            self.init(
                .consentNeeded, "the consent of an administrator is missing", why: why, next: administrator,
                refusal: refusal
            )
        case .retryLater, .pending:
            self.init(.network, "the server refused the request", why: why, next: next, refusal: refusal)
        case .resetPassword:
            self.init(
                .refused, "the server refused the request", why: why,
                next: .run(PolicyRun(.passwordReset, nil)),
                refusal: refusal)
        case .misconfigured, .failed:
            self.init(.refused, "the server refused the request", why: why, next: next, refusal: refusal)
        }
    }

    private init(_ error: ChoiceError, of application: Application) {
        if let policy = error.keepingNone {
            self.init(.unknownName, error.problem, next: .run(application.run(of: policy)))
            return
        }
        let next = (error.nearMatch ?? error.candidates.first).map { name in
            NextStep.name(error.subject == .policy ? .policy : .api, [name])
        }
        let why = error.nearMatch.map { "did you mean “\($0)”?" } ?? ""
        self.init(
            error.isAmbiguous ? .ambiguousName : .unknownName, error.problem, why: error.whyShortened ?? why,
            next: next ?? .listPolicies,
            candidates: error.candidates)
    }
}

extension ClientContext {
    /// Maps any error of a flow. The sign-ins that it suggests demand a stored person who must come back.
    package func explained(
        _ error: any Error, under policy: PolicyName? = nil, of person: PersonReference? = nil
    ) -> SusiError {
        let error = SusiError(error, application: application, policy: policy)
        return person.map(error.demanding) ?? error
    }
}

extension ChoiceError {
    // A name that is not complete, where no person saw what it would choose.
    fileprivate var whyShortened: String? {
        guard let shortened, let first = shortened.meanings.first else { return nil }
        let count = shortened.meanings.count
        let meant = count == 1 ? "is short for \(first)" : "may be short for \(count) policies"
        return "“\(shortened.name)” \(meant); \(SusiError.whereShort)"
    }
}

extension ErrorCode {
    package var next: NextStep {
        remedy.parameter.map { "\(remedy.text) \(.parameter($0))" } ?? NextStep(remedy.text)
    }
}

extension ServerRefusal {
    /// The error with its description, as the server sent them.
    fileprivate var plain: String { text.isEmpty ? error : "\(error): \(text)" }
}

extension SusiError {
    /// Explains that a file or folder is not used because another user could have written it. `otherwise` is what to do if no
    /// command repairs it.
    package init(_ flaw: OwnedFile.Flaw, otherwise: NextStep = .useOwnFolder) {
        self.init(refusing: flaw.path, why: flaw.why, next: flaw.repair.map { NextStep($0) } ?? otherwise)
    }

    /// Explains the same about a path.
    package init(refusing path: String, why: String, next: NextStep) {
        self.init(.unsafeFile, "refused to use “\(path)”", why: why, next: next)
    }
}

extension NextStep {
    /// The next step after a folder, or a file in it, belongs to another user.
    package static let useOwnFolder: NextStep = "move it away, or set SUSI_HOME to a folder of your own"
}
