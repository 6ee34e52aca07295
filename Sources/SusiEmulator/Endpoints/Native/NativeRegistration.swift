import SusiBase
import SusiPolicies

/// `/register/v1.0/…`: registers a second factor during a sign-in.
enum NativeRegistration {
    private static let steps: Set<Continuation.Step> = [.registrationRequired, .registrationCodeSent, .preverified]

    static func introspect(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(after: steps)
        let user = try request.user(of: continuation)
        continuation.step = .registrationRequired
        let methods = channels(continuation).map { channel in
            let hint: JSON? = channel == .email ? user.email.map(JSON.string) : nil
            let method: JSON = [
                "id": .string(channel.nativeName), "challenge_type": "oob",
                "challenge_channel": .string(channel.nativeName), "login_hint": hint,
            ]
            return method
        }
        return try request.advance(continuation, ["methods": .array(methods)])
    }

    static func challenge(_ request: NativeRequest) throws -> JSON {
        var continuation = try request.continuation(after: steps)
        _ = try request.user(of: continuation)
        let recipient = try recipient(request, continuation)
        continuation.registering = recipient
        let target: [String: JSON] = ["challenge_target": .string(recipient.address)]
        guard !isVerified(recipient, in: continuation) else {
            continuation.step = .preverified
            let preverified: [String: JSON] = [
                "challenge_type": "preverified", "challenge_channel": .string(recipient.channel.nativeName),
            ]
            return try request.advance(continuation, preverified.merging(target) { $1 })
        }
        return try request.sendCode(
            continuation, to: recipient, for: .secondFactor, then: .registrationCodeSent, target)
    }

    static func continueFlow(_ request: NativeRequest) throws -> JSON {
        let grant = try request.required("grant_type")
        var continuation: Continuation
        switch grant {
        case "oob":
            continuation = try request.continuation(after: [.registrationCodeSent])
            try request.checkCode()
        case "continuation_token": continuation = try request.continuation(after: [.preverified])
        default: throw NativeError.grant(grant)
        }
        let user = try request.user(of: continuation)
        guard let method = continuation.registering else { throw NativeError.notHere("invalid_request") }
        continuation.step = .factorShown
        // Replaces the token first, so that only one of two submissions counts.
        let response = try request.advance(continuation)
        try request.database.change(user.objectID) { user in
            switch method.channel {
            case .phone: user.phone = method.address
            case .email: user.factorEmail = method.address
            }
        }
        return response
    }

    private static func channels(_ continuation: Continuation) -> [OutboxMessage.Channel] {
        continuation.isByMail ? [.phone] : [.email, .phone]
    }

    // The method that the request registers.
    private static func recipient(
        _ request: NativeRequest, _ continuation: Continuation
    ) throws -> Continuation.Recipient {
        guard try request.required("challenge_type").split(separator: " ").contains("oob") else {
            throw NativeError.invalid("The challenge_type of a strong authentication method must be oob.")
        }
        let (name, target) = (request.form["challenge_channel"] ?? "email", try request.required("challenge_target"))
        guard let channel = channels(continuation).first(where: { $0.nativeName == name }) else {
            let known = channels(continuation).map(\.nativeName).joined(separator: ", ")
            throw NativeError.invalid("The challenge_channel is not supported. Supported: \(known).")
        }
        let address = channel == .phone ? phoneNumber(target) : isEmailAddress(target) ? target : nil
        guard let address else {
            throw NativeError.invalid(
                "The challenge_target is not \(channel == .phone ? "a phone number" : "an email address").")
        }
        return Continuation.Recipient(channel: channel, address: address)
    }

    // An address that was verified in the same flow needs no second code.
    private static func isVerified(_ recipient: Continuation.Recipient, in continuation: Continuation) -> Bool {
        let address = recipient.address.lowercased()
        return switch continuation.goal {
        case .signIn, .reset: false
        case .signUp: recipient.channel == .email && address == continuation.userName.lowercased()
        }
    }
}
