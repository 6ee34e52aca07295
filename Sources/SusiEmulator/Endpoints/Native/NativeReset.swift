import SusiBase
import SusiPolicies

/// `/resetpassword/v1.0/…`: a new password for a user with access to the mailbox.
enum NativeReset {
    static func start(_ request: NativeRequest) throws -> JSON {
        let types = try request.challengeTypes()
        let name = try request.required("username")
        guard types.contains(.oob) else { return NativeRequest.redirect }
        // A user without a password or an address cannot reset anything.
        let user = try request.database.user(signInName: name, request.endpoint.settings.identifier)
        guard let user, user.email != nil else { throw NativeError.userNotFound }
        guard !user.isBlocked else { throw PasswordGrant.blocked }
        return try request.begin(Continuation(.reset, request, userName: name, types: types, objectID: user.objectID))
    }

    static func challenge(_ request: NativeRequest) throws -> JSON {
        let continuation = try request.continuation(to: .reset, after: [.started, .codeSent])
        guard try request.challengeTypes(of: continuation).contains(.oob) else { return NativeRequest.redirect }
        let user = try continuation.objectID.flatMap { try request.database.user(objectID: $0) }
        guard let email = user?.email else { throw NativeError.userNotFound }
        return try request.sendCode(continuation, to: email, for: .resetPassword)
    }

    static func continueFlow(_ request: NativeRequest) throws -> JSON {
        let grant = try request.required("grant_type")
        guard grant == "oob" else { throw NativeError.grant(grant) }
        var continuation = try request.continuation(to: .reset, after: [.codeSent])
        try request.checkCode()
        continuation.step = .mayReset
        return try request.advance(continuation, ["expires_in": .integer(Continuation.lifetime)])
    }

    static func submit(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(to: .reset, after: [.mayReset])
        let password = try request.required("new_password")
        if let error = NativeError.password(password) { throw error }
        let hash = try PasswordHash(password)
        continuation.step = .wasReset
        // Replaces the token first, so that only one of two submissions counts.
        let response = try request.advance(continuation, ["poll_interval": .integer(2)])
        try request.database.change(continuation.objectID ?? "", password: hash)
        return response
    }

    static func poll(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(to: .reset, after: [.wasReset])
        continuation.step = .done
        return try request.advance(continuation, ["status": "succeeded"])
    }
}
