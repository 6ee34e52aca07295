import SusiBase
import SusiPolicies

/// `/oauth2/v2.0/initiate` and `/oauth2/v2.0/challenge`: a sign-in with a password or a code by email. The token endpoint
/// issues the tokens.
enum NativeSignIn {
    static func initiate(_ request: NativeRequest) throws -> JSON {
        let types = try request.challengeTypes()
        let name = try request.required("username")
        guard let user = try user(named: name, request) else { throw NativeError.userNotFound }
        guard user.challenge(types) != nil else { return NativeRequest.redirect }
        return try request.begin(Continuation(.signIn, request, userName: name, types: types, objectID: user.objectID))
    }

    static func challenge(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(or: "invalid_grant") { mayCome(from: $0) }
        let user = try continuation.objectID.flatMap { try request.database.user(objectID: $0) }
        guard let user else { throw NativeError.userNotFound }
        if NativeFactor.steps.contains(continuation.step) {
            return try NativeFactor.challenge(user, continuation, in: request)
        }
        switch user.challenge(try request.challengeTypes(of: continuation)) {
        case .oob: return try request.sendCode(continuation, to: user.email ?? "", for: .verifyEmail)
        case .password:
            continuation.step = .passwordAsked
            return try request.advance(continuation, ["challenge_type": "password"])
        case .redirect, nil: return NativeRequest.redirect
        }
    }

    // A second factor can follow a sign-up or a reset too.
    private static func mayCome(from continuation: Continuation) -> Bool {
        NativeFactor.steps.contains(continuation.step)
            || continuation.goal == .signIn && [.started, .codeSent, .passwordAsked].contains(continuation.step)
    }

    private static func user(named name: String, _ request: NativeRequest) throws -> User? {
        try request.database.user(signInName: name, request.endpoint.settings.identifier)
            ?? request.database.user(email: name, of: User.mailProvider)
    }
}
