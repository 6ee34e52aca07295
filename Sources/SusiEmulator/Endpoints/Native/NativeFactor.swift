import SusiBase
import SusiPolicies

/// A second factor without a browser: `/oauth2/v2.0/introspect` lists the methods that a user has registered, and
/// `/oauth2/v2.0/challenge` sends a code to one of them.
enum NativeFactor {
    /// The steps from which a code can be sent.
    static let steps: Set<Continuation.Step> = [.factorRequired, .factorCodeSent]

    /// Throws the error that asks for a second factor. Returns the reason for a browser if the client does not support it.
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

    static func introspect(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(after: steps)
        let user = try request.user(of: continuation)
        continuation.step = .factorRequired
        return try request.advance(continuation, ["methods": .array(methods(user, continuation).map(\.json))])
    }

    /// Sends a code to the method of the request, or to the only method.
    static func challenge(_ user: User, _ continuation: Continuation, in request: NativeRequest) throws -> JSON {
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
    /// The permanent ID.
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
    /// The user of a flow, who must not be blocked.
    func user(of continuation: Continuation) throws -> User {
        let user = try continuation.objectID.flatMap { try database.user(objectID: $0) }
        guard let user else { throw NativeError.userNotFound }
        guard !user.isBlocked else { throw PasswordGrant.blocked }
        return user
    }
}

extension OutboxMessage.Channel {
    var nativeName: String {
        switch self {
        case .email: "email"
        case .phone: "sms"
        }
    }
}
