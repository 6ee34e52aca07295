import SusiBase
import SusiPolicies

/// A request of native authentication, in which the client asks its user without a browser.
///
/// The endpoints, parameters and responses follow Microsoft's reference "Native authentication API" for External ID.
struct NativeRequest: Sendable {
    let endpoint: PolicyEndpoint
    let form: Parameters
    let now: Int64
    let clientID: String

    /// Checks that the client may use native authentication.
    init(_ endpoint: PolicyEndpoint, _ form: Parameters, clientID: String, now: Int64) throws {
        guard endpoint.tenant.application(clientID)?.allowsNativeAuthentication ?? false else {
            throw NativeError.disabled
        }
        self.endpoint = endpoint
        self.form = form
        self.clientID = clientID
        self.now = now
    }

    static func respond(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, with body: (NativeRequest) throws -> JSON
    ) throws -> Response {
        do {
            let form = context.form
            let clientID = try endpoint.client(form, context).clientID
            return .json(try body(NativeRequest(endpoint, form, clientID: clientID, now: context.now)))
        } catch let error as NativeError { return try error.response(now: context.now) } catch {
            return try endpoint.json(Refusal(error), context)
        }
    }

    var database: Database { endpoint.tenant.database }

    func required(_ name: String) throws -> String {
        guard let value = form[name] else { throw Refusal.missing(name) }
        return value
    }

    func challengeTypes() throws -> Set<ChallengeType> {
        let words = try required("challenge_type").split(separator: " ").map(String.init)
        let types = words.compactMap(ChallengeType.init)
        guard types.count == words.count else {
            let known = ChallengeType.allCases.map(\.rawValue).joined(separator: ", ")
            throw NativeError.invalid("The challenge_type list contains an unsupported type. Supported: \(known).")
        }
        guard types.contains(.redirect) else { throw NativeError.noRedirect }
        return Set(types)
    }

    /// The challenge types of this request, else those of the first one.
    func challengeTypes(of continuation: Continuation) throws -> Set<ChallengeType> {
        form["challenge_type"] == nil ? continuation.types : try challengeTypes()
    }

    /// What the client supports for a second factor. The reference calls the parameter `capability`, the libraries send
    /// `capabilities`. Unknown values are ignored.
    var capabilities: Set<Capability> {
        let words = (form["capabilities"] ?? form["capability"] ?? "").split(separator: " ").map(String.init)
        return Set(words.compactMap(Capability.init))
    }

    // MARK: From one request to the next

    /// The state of the continuation token, if this endpoint accepts it. `error` is the error of this endpoint otherwise.
    func continuation(
        to goal: Continuation.Goal? = nil, after steps: Set<Continuation.Step>, or error: String = "invalid_request"
    ) throws -> Continuation {
        try continuation(or: error) { [nil, $0.goal].contains(goal) && steps.contains($0.step) }
    }

    /// The state of the continuation token, if `mayCome` accepts it.
    func continuation(or error: String, _ mayCome: (Continuation) -> Bool) throws -> Continuation {
        let found = try database.continuation(try required("continuation_token"))
        guard let found, found.state.clientID == clientID, mayCome(found.state) else {
            throw NativeError.notHere(error)
        }
        guard now < found.expires else { throw NativeError.expired }
        return found.state
    }

    /// Stores a new flow and returns its token.
    func begin(_ continuation: Continuation) throws -> JSON {
        ["continuation_token": .string(try token(continuation, replacing: nil))]
    }

    /// Stores the progress and returns the token for the next request.
    func advance(_ continuation: Continuation, _ more: [String: JSON] = [:]) throws -> JSON {
        .object(more.merging(["continuation_token": .string(try nextToken(continuation))]) { $1 })
    }

    /// The token for the next request. The token of this request ends.
    func nextToken(_ continuation: Continuation) throws -> String {
        try token(continuation, replacing: try required("continuation_token"))
    }

    private func token(_ continuation: Continuation, replacing old: String?) throws -> String {
        guard let token = try database.keep(continuation, replacing: old, now: now) else {
            throw NativeError.notHere("invalid_request")
        }
        return token
    }

    /// The response when the client has to open a browser.
    static let redirect: JSON = ["challenge_type": "redirect"]

    // MARK: Codes

    func sendCode(
        _ continuation: Continuation, to address: String, for purpose: OutboxMessage.Purpose,
        _ more: [String: JSON] = [:]
    ) throws -> JSON {
        let label: [String: JSON] = ["challenge_target_label": .string(masked(address))]
        return try sendCode(
            continuation, to: .init(channel: .email, address: address), for: purpose, then: .codeSent,
            label.merging(more) { $1 })
    }

    /// Sends a code by any channel; `step` is the step for the next request.
    func sendCode(
        _ continuation: Continuation, to recipient: Continuation.Recipient, for purpose: OutboxMessage.Purpose,
        then step: Continuation.Step, _ more: [String: JSON]
    ) throws -> JSON {
        guard continuation.codesSent < SentCode.mostCodes else { throw Refusal.tooManyRequests }
        let code = SentCode.make(digits: 8)
        var next = continuation
        next.step = step
        next.codesSent += 1
        next.code = SentCode(
            code, for: purpose, to: recipient.address, by: recipient.channel, person: next.objectID,
            secret: next.secret, now: now)
        let sent: [String: JSON] = [
            "challenge_type": "oob", "binding_method": "prompt",
            "challenge_channel": .string(recipient.channel.nativeName), "code_length": .integer(Int64(code.utf8.count)),
        ]
        let response = try advance(next, sent.merging(more) { $1 })
        try database.send(code, to: recipient.address, by: recipient.channel, for: purpose, now: now)
        return response
    }

    /// Checks the code. A wrong one counts, and the continuation token stays valid for another attempt.
    func checkCode() throws {
        let (code, token, now) = (try required("oob"), try required("continuation_token"), now)
        let checked = try database.change(continuation: token) { state in
            (
                attempt: state.code?.attempt(code, secret: state.secret, now: now), person: state.code?.person,
                isFirst: state.code?.purpose != .secondFactor
            )
        }
        let attempt = checked?.attempt
        if let checked, let person = checked.person, let attempt, attempt != .expired {
            let isLast = !(checked.isFirst && endpoint.asksSecondFactor)
            let outcome = try database.count(attempt == .right, of: person, endpoint, isLast: isLast, now: now)
            if case .locked = outcome { throw PasswordGrant.locked }
        }
        guard attempt == .right else { throw NativeError.wrongCode }
    }
}

extension User {
    /// The identity provider of users who have no password and sign in with a code by email.
    static let mailProvider = "mail"

    /// The challenge for this user from a client that supports `types`: a password if there is one. Returns `nil` if only a
    /// browser is left.
    func challenge(_ types: Set<ChallengeType>) -> ChallengeType? {
        if identityProvider == nil, types.contains(.password) { return .password }
        let takesCodes = email != nil && [nil, Self.mailProvider].contains(identityProvider)
        return takesCodes && types.contains(.oob) ? .oob : nil
    }
}
