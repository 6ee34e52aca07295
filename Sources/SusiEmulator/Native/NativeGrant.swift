import SusiPolicies

/// The end of native authentication at the token endpoint: `grant_type` is `password` or `oob` in a sign-in, and
/// `continuation_token` after a sign-up or a reset.
enum NativeGrant {
    static func answer(_ token: TokenRequest) throws -> JSON {
        let request = try NativeRequest(token.place, token.form, clientID: token.clientID, now: token.now)
        let scope = try request.required("scope")
        // What is wrong with the request is said before what is wrong with the password.
        let scopes = try token.scopes(scope)
        let continuation = try request.continuation(
            to: token.type == .continuation ? [.signUp, .reset] : [.signIn], after: [step(token.type)],
            or: "invalid_grant")
        let user = try user(of: continuation, token, request)
        // These questions are asked on pages only.
        if user.owesPassword || token.place.settings.multiFactor == .always {
            return ["challenge_type": "redirect", "redirect_reason": "The user has to answer more in a browser"]
        }
        try token.checkConsent(user, scopes)
        guard try request.database.end(continuation: try request.required("continuation_token")) else {
            throw NativeError.notHere("invalid_grant")
        }
        let grant = GrantRecord(
            clientID: token.clientID, policy: token.place.policy.name.spelling, objectID: user.objectID, scope: scope,
            nonce: token.form["nonce"], authTime: token.now, isNewUser: continuation.goal == .signUp,
            expires: token.now + token.place.lifetimes.slidingWindow)
        return try token.answer(try request.database.add(grant, now: token.now), user, scopes)
    }

    private static func step(_ type: GrantType) -> Continuation.Step {
        switch type {
        case .password: .passwordAsked
        case .oneTimeCode: .codeSent
        default: .done
        }
    }

    private static func user(
        of continuation: Continuation, _ token: TokenRequest, _ request: NativeRequest
    ) throws -> User {
        if token.type == .password {
            return try PasswordGrant.user(
                continuation.userName, try request.required("password"), token.place, now: token.now)
        }
        if token.type == .oneTimeCode { try request.checkCode() }
        let user = try continuation.objectID.flatMap { try request.database.user(objectID: $0) }
        guard let user else { throw NativeError.userNotFound }
        guard !user.isBlocked else { throw PasswordGrant.blocked }
        return user
    }
}
