import SusiPolicies

/// A second factor without a browser: `/oauth2/v2.0/introspect` lists the methods that a user has registered, and
/// `/oauth2/v2.0/challenge` sends a code to one of them.
enum NativeFactor {
    /// From where a code may be sent.
    static let steps: Set<Continuation.Step> = [.factorRequired, .factorCodeSent]

    /// Tells the client what comes now, which is an error. Why only a browser goes on, where the client cannot do it.
    static func demand(
        of user: User, _ continuation: Continuation, _ request: NativeRequest, isByMail: Bool
    ) throws -> String {
        var next = continuation
        next.objectID = user.objectID
        next.isByMail = isByMail || user.identityProvider == User.mailProvider
        let needed: Capability = methods(user, next).isEmpty ? .registration : .factor
        guard continuation.capabilities.contains(needed) else {
            return "Client is missing \(needed.rawValue) capability"
        }
        next.step = needed == .factor ? .factorRequired : .registrationRequired
        throw NativeError.factor(needed, try request.nextToken(next))
    }

    static func introspect(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try NativeRequest.answering(endpoint, context) { request in
            var continuation = try request.continuation(or: "invalid_request") { steps.contains($0.step) }
            let user = try request.user(of: continuation)
            continuation.step = .factorRequired
            return try request.advance(
                continuation, ["methods": .array(methods(user, continuation).map(\.json))])
        }
    }

    /// Sends a code to the method that the request names, or to the only one.
    static func challenge(_ user: User, _ continuation: Continuation, _ request: NativeRequest) throws -> JSON {
        guard try request.challengeTypes(of: continuation).contains(.oob) else { return NativeRequest.redirect }
        let methods = methods(user, continuation)
        let wanted = request.form["id"]
        guard wanted != nil || methods.count == 1 else { throw NativeError.introspectRequired }
        guard let method = methods.first(where: { $0.id == wanted ?? $0.id }) else {
            throw NativeError.invalid("The id does not match a strong authentication method of the user.")
        }
        return try request.sendCode(
            continuation, to: method.recipient, for: .secondFactor, then: .factorCodeSent,
            ["challenge_target_label": .string(masked(method.recipient.address))])
    }

    private static func methods(_ user: User, _ continuation: Continuation) -> [StrongMethod] {
        let phone = user.phone.map { StrongMethod(user, .init(channel: .phone, address: $0)) }
        let email = user.factorEmail.map { StrongMethod(user, .init(channel: .email, address: $0)) }
        return [phone, continuation.isByMail ? nil : email].compactMap(\.self)
    }
}

/// A strong authentication method that a user has registered.
private struct StrongMethod {
    /// Names it, and stays the same.
    let id: String
    let recipient: Continuation.Recipient

    init(_ user: User, _ recipient: Continuation.Recipient) {
        id = derivedGUID("\(user.objectID) \(recipient.channel.rawValue)")
        self.recipient = recipient
    }

    var json: JSON {
        [
            "id": .string(id), "challenge_type": "oob", "challenge_channel": .string(recipient.channel.nativeName),
            "login_hint": .string(masked(recipient.address)),
        ]
    }
}

extension NativeRequest {
    /// Whose flow it is.
    func user(of continuation: Continuation) throws -> User {
        let user = try continuation.objectID.flatMap { try database.user(objectID: $0) }
        guard let user else { throw NativeError.userNotFound }
        guard !user.isBlocked else { throw PasswordGrant.blocked }
        return user
    }
}

extension OutboxMessage.Channel {
    /// What native authentication calls it.
    var nativeName: String {
        switch self {
        case .email: "email"
        case .phone: "sms"
        }
    }
}
