import FoundationEssentials
import HTTPTypes

/// A request that is refused. The endpoint decides by which channel it is told, the kind of tenant in which words.
struct Refusal: Error, Sendable {
    let code: ErrorCode
    let text: String
    /// What a developer needs to know beside the service's own words: what came, what was expected. Nothing secret.
    private(set) var detail: String?
    /// The claims that a token would need, as JSON, for the client to ask in the next sign-in.
    var claims: String?

    init(_ code: ErrorCode, _ text: String, claims: String? = nil) {
        self.code = code
        self.text = text
        self.claims = claims
    }

    /// The refusal itself, or what is said of a failure that nobody asked for (AADB2C90085).
    init(_ error: any Error) {
        if let refusal = error as? Refusal {
            self = refusal
            return
        }
        self.init(
            .internalError, "The service has encountered an internal error. Please reauthenticate and try again.")
        detail = "\(error)"
    }

    static func missing(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request is missing required parameter: \(parameter).")
    }

    /// A parameter that came more than once (RFC 6749 sections 3.1 and 3.2).
    static func repeated(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request contains the parameter more than once: \(parameter).")
    }

    /// A scope without a resource where an access token needs one (AADB2C90055).
    static func withoutResource(_ scope: String) -> Refusal {
        Refusal(
            .resourceMissing,
            "The scope '\(scope)' provided in request must specify a resource, such as 'https://example.com/calendar.read'."
        )
    }

    /// A person who is to be known and is not (AADB2C99002).
    static let userUnknown = Refusal(.userUnknown, "User does not exist. Please sign up before you can sign in.")

    /// The service as a whole has no time (AADB2C90035).
    static let busy = Refusal(.busy, "The service is temporarily unavailable. Please retry after a few minutes.")

    /// The client asks too often (AADB2C90244).
    static let tooManyRequests = Refusal(
        .tooManyRequests, "There are too many requests at this moment. Please wait for some time and try again.")

    /// The same refusal with the reason in words that only the request log and the audit trail have.
    func because(_ detail: String) -> Refusal {
        var copy = self
        copy.detail = detail
        return copy
    }
}

/// A refusal in the words of one kind of tenant.
struct RefusalMessage: Sendable {
    /// The OAuth error.
    var error: String
    /// The description.
    let text: String
    /// For the request log.
    let note: String
    /// The error's code, as the audit trail names it.
    var code: String?
    /// The id that the description names.
    var correlationID: String?
    /// What the token endpoint says beside these two.
    var more: [String: JSON] = [:]
}

extension PolicyEndpoint {
    /// The refusal in the words of the tenant's kind, with the OAuth error that the tenant has for its code.
    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        var message = dialect.message(of: refusal, now: now)
        if let error = message.code.flatMap({ tenant.configuration.errors[$0] }) { message.error = error }
        return message
    }

    /// The refusal as the token endpoint tells it (RFC 6749 section 5.2).
    func json(_ refusal: Refusal, now: Int64) throws -> Response {
        let message = message(of: refusal, now: now)
        var body = message.more
        body["error"] = .string(message.error)
        body["error_description"] = .string(message.text)
        return try .json(.object(body), status: refusal.code.status).noting(refusal, message)
            .setting("Pragma", "no-cache")
    }

    /// The response to this request: a client that is unknown is told by status 401 and a challenge when it used
    /// the Authorization header, and by some services when its secret is wrong (RFC 6749 section 5.2).
    func json(_ refusal: Refusal, _ context: RequestContext) throws -> Response {
        var response = try json(refusal, now: context.now)
        let isSecret = dialect.challengesClients && [.secretMissing, .secretWrong].contains(refusal.code)
        guard context.basicCredentials != nil || isSecret,
            message(of: refusal, now: context.now).error == "invalid_client"
        else { return response }
        response.status = .unauthorized
        response.headers[.wwwAuthenticate] = "Basic realm=\"\(tenant.label)\", charset=\"UTF-8\""
        return response
    }
}

extension Response {
    /// The response with its reason for the request log and the audit trail.
    func noting(_ refusal: Refusal, _ message: RefusalMessage) -> Response {
        var copy = self
        copy.note = refusal.detail.map { "\(message.note) (\($0))" } ?? message.note
        copy.facts.code = message.code
        copy.facts.reason = refusal.detail ?? refusal.text
        copy.facts.correlationID = message.correlationID
        return copy
    }
}

/// The time as Microsoft's services write it into their errors.
func timestamp(_ now: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(now)).formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
}

/// A GUID that names a request.
func randomGUID() -> String { UUID().uuidString.lowercased() }
