import FoundationEssentials
import HTTPTypes

/// A request that is refused. The endpoint decides by which channel it is told, the kind of tenant in which words.
struct Refusal: Error, Sendable {
    let code: ErrorCode
    let text: String
    /// The claims that a token would need, as JSON, for the client to ask in the next sign-in.
    var claims: String?
    /// What only the request log is told.
    var cause: String?

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
        cause = "\(error)"
    }

    static func missing(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request is missing required parameter: \(parameter).")
    }

    /// A scope without a resource where an access token needs one (AADB2C90055).
    static func withoutResource(_ scope: String) -> Refusal {
        Refusal(
            .resourceMissing,
            "The scope '\(scope)' provided in request must specify a resource, such as 'https://example.com/calendar.read'."
        )
    }

    /// A person who cancelled at the provider that was to say who they are (AADB2C90273).
    static let cancelledAtProvider = Refusal(
        .cancelledAtProvider,
        "An invalid response was received : 'Error: access_denied,Error Description: The user has denied access.'")

    /// A person who is to be known and is not (AADB2C99002).
    static let userUnknown = Refusal(.userUnknown, "User does not exist. Please sign up before you can sign in.")

    /// An account with too many wrong passwords in a row (AADB2C90114).
    static let accountLocked = Refusal(
        .accountLocked, "Your account is temporarily locked to prevent unauthorized use. Try again later.")

    /// The service as a whole has no time (AADB2C90035).
    static let busy = Refusal(.busy, "The service is temporarily unavailable. Please retry after a few minutes.")

    /// The client asks too often (AADB2C90244).
    static let tooManyRequests = Refusal(
        .tooManyRequests, "There are too many requests at this moment. Please wait for some time and try again.")
}

/// A refusal in the words of one kind of tenant.
struct RefusalMessage: Sendable {
    /// The OAuth error.
    let error: String
    /// The description.
    let text: String
    /// For the request log.
    let note: String
    /// What the token endpoint says beside these two.
    var more: [String: JSON] = [:]
}

extension Place {
    /// The refusal as the token endpoint tells it (RFC 6749 section 5.2); with `retryAfter`, when to come again (RFC 9110
    /// section 10.2.3, in seconds).
    func json(_ refusal: Refusal, now: Int64, retryAfter: Int64? = nil) throws -> Answer {
        let message = shape.message(of: refusal, now: now)
        var body = message.more
        body["error"] = .string(message.error)
        body["error_description"] = .string(message.text)
        let note = message.note + (refusal.cause.map { ": \($0)" } ?? "")
        let answer = try Answer.json(.object(body), status: refusal.code.status, note: note)
            .setting("Pragma", "no-cache")
        return retryAfter.map { answer.setting("Retry-After", "\($0)") } ?? answer
    }
}

/// The time as Microsoft's services write it into their errors.
func timestamp(_ now: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(now)).formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
}

/// A GUID that names a request.
func randomGUID() -> String { UUID().uuidString.lowercased() }
