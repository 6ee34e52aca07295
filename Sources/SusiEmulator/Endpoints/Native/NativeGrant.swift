import SusiBase
import SusiPolicies

/// The end of native authentication at the token endpoint: `grant_type` is `password` or `oob` in a sign-in,
/// `continuation_token` after a sign-up, a reset or the registration of a second factor, and `oob` or `mfa_oob` with the code
/// of a second factor.
enum NativeGrant {
    static func tokens(for token: TokenRequest) throws -> JSON {
        let request = try NativeRequest(token.endpoint, token.form, clientID: token.clientID, now: token.now)
        let scope = try request.required("scope")
        // An invalid scope is reported before an invalid password.
        let scopes = try token.scopes(scope)
        let continuation = try request.continuation(or: "invalid_grant") { mayCome(from: $0, token.type) }
        let user = try user(of: continuation, token, in: request)
        if user.owesPassword { throw NativeError.passwordChangeRequired }
        let hasFactor = [.factorCodeSent, .factorShown].contains(continuation.step)
        if !hasFactor, token.endpoint.asksSecondFactor {
            guard !token.endpoint.asksForApp else { return redirect("An authenticator app needs a browser") }
            // A reset proves access to the mailbox and nothing else.
            let isByMail = token.type == .oneTimeCode || continuation.goal == .reset
            return redirect(try NativeFactor.demand(of: user, continuation, request, isByMail: isByMail))
        }
        try token.checkConsent(user, scopes)
        guard try request.database.end(continuation: try request.required("continuation_token")) else {
            throw NativeError.notHere("invalid_grant")
        }
        let grant = try token.newGrant(user, scope: scope, isNewUser: continuation.goal == .signUp)
        return try token.issue(grant, to: user, scopes: scopes)
    }

    private static func redirect(_ reason: String) -> JSON {
        ["challenge_type": "redirect", "redirect_reason": .string(reason)]
    }

    // A code for a sign-up or a reset does not sign in.
    private static func mayCome(from continuation: Continuation, _ type: GrantType) -> Bool {
        switch (type, continuation.step) {
        case (.password, .passwordAsked), (.oneTimeCode, .codeSent): continuation.goal == .signIn
        case (.oneTimeCode, .factorCodeSent), (.factorCode, .factorCodeSent): true
        case (.continuation, .done), (.continuation, .factorShown): true
        default: false
        }
    }

    private static func user(
        of continuation: Continuation, _ token: TokenRequest, in request: NativeRequest
    ) throws -> User {
        if token.type == .password {
            return try PasswordGrant.user(
                continuation.userName, password: try request.required("password"), at: token.endpoint,
                clientID: token.clientID, now: token.now)
        }
        if token.type != .continuation { try request.checkCode() }
        return try request.user(of: continuation)
    }
}
