import SusiOAuth
import SusiPolicies

// Errors of a sign-in by native authentication.
extension SusiError {
    /// The refusal of a step; `error` is what it is elsewhere.
    static func native(
        _ refusal: ServerRefusal, _ error: SusiError, _ policy: Policy, username: String
    ) -> SusiError {
        if refusal.needsPage { return browserNeeded(error.why, policy, refusal) }
        let page = page(policy)
        if refusal.isNativeDisabled {
            return SusiError(
                .refused, "the application may not sign in without a browser", why: error.why,
                next: "\(error.nextStep), or sign in on a page: \(.run(page))", refusal: refusal)
        }
        guard [.signInNeeded, .cancelled].contains(error.code) else {
            return error
        }
        let again = PolicyRun(.resourceOwner, policy.name, userName: username)
        let next: NextStep = "\(.run(again))\(remark: "or on a page: \(.run(page))")"
        let what: String
        if refusal.isWrongCode {
            what = "the server refused the code"
        } else if refusal.isUnknownUser {
            what = "the server does not know the user"
        } else if refusal.isExpiredSession {
            what = "the sign-in took too long"
        } else {
            return passwordRefused(refusal, why: error.why, next: next)
        }
        return SusiError(.signInNeeded, what, why: error.why, next: next, refusal: refusal)
    }

    /// The server demands a browser. The reason may be the server's text, or empty.
    static func browserNeeded(_ reason: String, _ policy: Policy, _ refusal: ServerRefusal? = nil) -> SusiError {
        SusiError(
            .signInNeeded, "a browser is needed for this sign-in",
            why: reason.isEmpty ? "the server demands the sign-in page" : reason, next: .run(page(policy)),
            refusal: refusal)
    }

    static func passwordMissing(_ policy: Policy, username: String) -> SusiError {
        let run = PolicyRun(.resourceOwner, policy.name, userName: username, means: .passwordFile)
        return SusiError(
            .signInNeeded, "the server asks for a password", why: "none was given", next: .run(run))
    }

    static func codeMissing(_ policy: Policy, username: String) -> SusiError {
        let run = PolicyRun(.resourceOwner, policy.name, userName: username, means: .codeCommand)
        return SusiError(
            .signInNeeded, "the server asks for a code",
            why: "there is no terminal to enter it and no command to read it", next: .run(run))
    }

    static func noNativeAuthentication(_ policy: Policy) -> SusiError {
        SusiError(
            .unknownName, "no native authentication under \(policy.name)",
            why: "its kind of authority has none", next: .run(page(policy)))
    }

    static func codeCommandFailed(_ why: String) -> SusiError {
        SusiError(.failed, "the code command failed", why: why, next: "fix the command, then sign in again")
    }

    /// Returns the error whose next steps leave out the policy of an application that has only one, and need not name it.
    func namingNoOnlyPolicy(of application: Application) -> SusiError {
        guard application.policies.count == 1, !application.kind.traits.hasPolicies else { return self }
        var error = self
        error.nextStep = nextStep.changingRuns { run in
            PolicyRun(
                run.kind, nil, account: run.account, userName: run.userName, api: run.api, prompt: run.prompt,
                means: run.means)
        }
        return error
    }

    private static func page(_ policy: Policy) -> PolicyRun { PolicyRun(.signUpOrSignIn, policy.name) }
}
