import FoundationEssentials
import HTTPTypes

/// A request that is refused. The endpoint decides by which channel it is told, the kind of tenant in which words.
struct Refusal: Error, Sendable {
    let code: ErrorCode
    let text: String
    /// The claims that a token would need, as JSON, for the client to ask in the next sign-in.
    var claims: String?

    init(_ code: ErrorCode, _ text: String, claims: String? = nil) {
        self.code = code
        self.text = text
        self.claims = claims
    }

    static func missing(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request is missing required parameter: \(parameter).")
    }
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
    /// The refusal as the token endpoint tells it (RFC 6749 section 5.2).
    func json(_ refusal: Refusal, now: Int64) throws -> Answer {
        let message = shape.message(of: refusal, now: now)
        var body = message.more
        body["error"] = .string(message.error)
        body["error_description"] = .string(message.text)
        return try .json(.object(body), status: .badRequest, note: message.note).setting("Pragma", "no-cache")
    }
}

/// The time as Microsoft's services write it into their errors.
func timestamp(_ now: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(now)).formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
}

/// A GUID that names a request.
func randomGUID() -> String { UUID().uuidString.lowercased() }
