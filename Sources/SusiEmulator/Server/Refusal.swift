import FoundationEssentials
import HTTPTypes

/// The errors of Azure AD B2C that the emulator gives, one row each. The texts are the service's own.
enum ErrorCode: Int, Sendable {
    case redirectNotRegistered = 90006
    case clientMissing = 90008
    case implicitNotAllowed = 90057
    case clientUnknown = 90068
    case noSession = 90077
    case grantExpired = 90080
    /// A parameter is missing. It stands for other wrong parameters too, for which no code is published.
    case badParameter = 90083
    case internalError = 90085
    case grantTypeUnsupported = 90086
    case otherPolicy = 90088
    case cancelled = 90091
    case scopeUnsupported = 90117
    case passwordForgotten = 90118
    case accountGone = 90128
    case grantRevoked = 90129
    case twoResources = 90146
    case verifierMismatch = 90182
    case verifierInvalid = 90183
    case challengeMethod = 90184

    /// The OAuth error that goes with the code (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core section 3.1.2.6).
    var oauth: String {
        switch self {
        case .redirectNotRegistered: "redirect_uri_mismatch"
        case .clientUnknown, .clientMissing: "invalid_client"
        case .implicitNotAllowed: "unauthorized_client"
        case .noSession: "interaction_required"
        case .cancelled, .passwordForgotten: "access_denied"
        case .grantTypeUnsupported: "unsupported_grant_type"
        case .grantExpired, .otherPolicy, .accountGone, .grantRevoked, .verifierMismatch, .verifierInvalid:
            "invalid_grant"
        case .scopeUnsupported, .twoResources: "invalid_scope"
        case .badParameter, .challengeMethod: "invalid_request"
        case .internalError: "server_error"
        }
    }
}

/// A request that is refused with one of the service's errors. The endpoint decides by which channel it is told.
struct Refusal: Error, Sendable {
    let code: ErrorCode
    let text: String

    init(_ code: ErrorCode, _ text: String) {
        self.code = code
        self.text = text
    }

    static func missing(_ parameter: String) -> Refusal {
        Refusal(.badParameter, "The request is missing required parameter: \(parameter).")
    }

    /// The description in the service's exact form.
    func description(now: Int64) -> String {
        let time = Date(timeIntervalSince1970: TimeInterval(now)).formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space))
        let correlation = UUID().uuidString.lowercased()
        return "AADB2C\(code.rawValue): \(text)\r\nCorrelation ID: \(correlation)\r\nTimestamp: \(time)\r\n"
    }

    /// For the request log.
    var note: String { "AADB2C\(code.rawValue) \(text)" }

    /// The refusal as the token endpoint tells it (RFC 6749 section 5.2).
    func json(now: Int64) throws -> Answer {
        try .json(
            ["error": .string(code.oauth), "error_description": .string(description(now: now))],
            status: .badRequest, note: note
        ).setting("Pragma", "no-cache")
    }
}
