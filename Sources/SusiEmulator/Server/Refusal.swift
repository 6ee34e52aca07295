import FoundationEssentials
import HTTPTypes
import SusiBase

/// A refused request. The endpoint chooses the channel of the error, the dialect its wording.
struct Refusal: Error, Sendable {
    let code: ErrorCode
    let text: String
    /// The cause for a developer, in addition to the service's text: the actual and the expected value. Nothing secret.
    private(set) var detail: String?
    /// The claims that the client must request in the next sign-in, as JSON.
    var claims: String?
    /// The code of a custom policy, which replaces that of `code`.
    var policyCode: String?

    init(_ code: ErrorCode, _ text: String, claims: String? = nil) {
        self.code = code
        self.text = text
        self.claims = claims
    }

    /// The error if it is a refusal, else an internal error (AADB2C90085).
    init(_ error: any Error) {
        if let refusal = error as? Refusal {
            self = refusal
            return
        }
        if let block = error as? CalloutCall.Block {
            self.init(.accountBlocked, block.message)
            return
        }
        self.init(
            .internalError, "The service has encountered an internal error. Please reauthenticate and try again.")
        detail = "\(error)"
    }

    static func missing(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request is missing required parameter: \(parameter).")
    }

    /// A repeated parameter (RFC 6749 sections 3.1 and 3.2).
    static func repeated(_ parameter: String) -> Refusal {
        Refusal(
            .parameterRepeated, "The request is not properly formatted. The parameter '\(parameter)' is duplicated.")
    }

    /// Scopes without the resource that an access token needs (AADB2C90055), as they were requested.
    static func withoutResource(_ scope: String) -> Refusal {
        Refusal(
            .resourceMissing,
            "The scope '\(scope)' provided in request must specify a resource, such as 'https://example.com/calendar.read'."
        )
    }

    /// An unknown user (AADB2C99002).
    static let userUnknown = Refusal(.userUnknown, "User does not exist. Please sign up before you can sign in.")

    /// The service is overloaded (AADB2C90035).
    static let busy = Refusal(.busy, "The service is temporarily unavailable. Please retry after a few minutes.")

    /// The client sends too many requests (AADB2C90244).
    static let tooManyRequests = Refusal(
        .tooManyRequests, "There are too many requests at this moment. Please wait for some time and try again.")

    /// The refusal with a cause for the request log and the audit trail.
    func because(_ detail: String) -> Refusal {
        var copy = self
        copy.detail = detail
        return copy
    }
}

/// A refusal as one kind of tenant reports it.
struct RefusalMessage: Sendable {
    /// The `error` of OAuth (RFC 6749 section 5.2).
    var error: String
    /// Its `error_description`.
    let text: String
    /// The note for the request log.
    let note: String
    /// The error code, for the audit trail.
    var code: String?
    /// The correlation id in the description.
    var correlationID: String?
    /// Further members of a token endpoint's error response.
    var more: [String: JSON] = [:]

    var body: JSON {
        .object(more.merging(["error": .string(error), "error_description": .string(text)]) { $1 })
    }
}

extension PolicyEndpoint {
    /// The refusal in the wording of the tenant's kind, with the OAuth error that the tenant file sets for its code.
    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        var message = dialect.message(of: refusal, now: now)
        if let error = message.code.flatMap({ tenant.configuration.errors[$0] }) { message.error = error }
        return message
    }

    /// The refusal as the response of the token endpoint (RFC 6749 section 5.2).
    func json(_ refusal: Refusal, now: Int64) throws -> Response {
        var message = message(of: refusal, now: now)
        let isInvalidGrant = dialect.traits.failsAsInvalidGrant && refusal.code == .internalError
        if isInvalidGrant { message.error = "invalid_grant" }
        let status = isInvalidGrant ? .badRequest : refusal.code.status
        return .json(message.body, status: status).noting(refusal, message)
            .setting("Pragma", "no-cache")
    }

    /// The refusal as the response to this request. An unknown client that sent the Authorization header gets status 401 and a
    /// challenge; some services do so for a wrong secret too (RFC 6749 section 5.2).
    func json(_ refusal: Refusal, _ context: RequestContext) throws -> Response {
        var response = try json(refusal, now: context.now)
        let isSecret = dialect.traits.challengesClients && [.secretMissing, .secretWrong].contains(refusal.code)
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

/// A time in the format of Microsoft's error texts.
func timestamp(_ now: Int64) -> String {
    EpochTime.text(now).replacing("T", with: " ")
}

func randomGUID() -> String { UUID().uuidString.lowercased() }
