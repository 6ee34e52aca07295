import HTTPTypes

/// The errors of the emulator, one row each: number and OAuth error of Azure AD B2C, number and OAuth error of Entra ID,
/// and the error of the standards (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core section 3.1.2.6,
/// RFC 8628 section 3.5).
///
/// The number for a missing parameter also serves invalid parameters without a published number. If a service never returns
/// an error, the row has the nearest number.
enum ErrorCode: CaseIterable, Sendable {
    case redirectNotRegistered, clientMissing, clientUnknown, badParameter, parameterRepeated
    case secretOfPublicClient, secretMissing, secretWrong, redeemedByPage, redeemedByServer
    case responseTypeUnsupported, responseModeUnsupported, implicitNotAllowed, promptInvalid, maxAgeInvalid
    case scopeMissing, scopeUnsupported, resourceMissing, openIDMissing, nothingAsked, twoResources
    case scopeWithComma, defaultScopeMissing
    case requestObject, requestAddress
    case challengeMissing, challengeMethod, verifierMismatch, verifierInvalid
    case noSession, cancelled, socialCancelled, passwordForgotten, userUnknown, userOfAnotherTenant
    case hintMissing, hintInvalid, hintOfAnotherIssuer, hintOfAnotherPerson, hintExpired, hintForAnother,
        landingInvalid
    case grantExpired, grantRevoked, codeRedeemed, refreshAtCommon, grantTypeUnsupported, grantTypeNeedsTenant,
        otherPolicy,
        otherClient, accountGone
    case wrongPassword, accountLocked, accountBlocked
    case claimsDemanded, consentNeeded, administratorNeeded
    case internalError, busy, tooManyRequests
    case devicePending, deviceTooFast, deviceDeclined, deviceExpired, deviceUnknown
    case calloutFailed, calloutUnreadable

    private typealias Row = (b2c: Int, error: String, entra: Int, entraError: String, standard: String)

    private var row: Row {
        switch self {
        case .redirectNotRegistered:
            (90006, "redirect_uri_mismatch", 50011, "invalid_request", "invalid_grant")
        case .secretOfPublicClient: (90084, "invalid_request", 700025, "invalid_client", "invalid_client")
        case .secretMissing: (90079, "invalid_request", 7_000_218, "invalid_client", "invalid_client")
        case .secretWrong: (90081, "invalid_client", 7_000_215, "invalid_client", "invalid_client")
        case .redeemedByPage: (90079, "invalid_request", 9_002_326, "invalid_request", "invalid_request")
        case .redeemedByServer: (90084, "invalid_request", 9_002_327, "invalid_request", "invalid_request")
        case .responseTypeUnsupported:
            (90013, "unsupported_response_type", 70005, "unsupported_response_type", "unsupported_response_type")
        case .responseModeUnsupported: (90014, "invalid_request", 70007, "invalid_request", "invalid_request")
        case .promptInvalid: (90043, "invalid_request", 90023, "invalid_request", "invalid_request")
        case .maxAgeInvalid: (90120, "invalid_request", 90023, "invalid_request", "invalid_request")
        case .scopeMissing: (90010, "invalid_request", 900144, "invalid_request", "invalid_scope")
        case .resourceMissing: (90055, "invalid_request", 70011, "invalid_scope", "invalid_scope")
        case .openIDMissing: (90110, "invalid_request", 70011, "invalid_scope", "invalid_scope")
        case .nothingAsked: (90115, "invalid_request", 70011, "invalid_scope", "invalid_scope")
        case .requestObject:
            (90083, "request_not_supported", 90023, "request_not_supported", "request_not_supported")
        case .requestAddress:
            (90083, "request_uri_not_supported", 90023, "request_uri_not_supported", "request_uri_not_supported")
        case .challengeMissing: (99059, "invalid_request", 9_002_325, "invalid_request", "invalid_request")
        case .socialCancelled: (90273, "server_error", 65004, "access_denied", "access_denied")
        case .userUnknown: (99002, "server_error", 50034, "invalid_grant", "access_denied")
        case .landingInvalid: (90067, "invalid_request", 50011, "invalid_request", "invalid_request")
        case .otherClient: (90279, "invalid_grant", 70000, "invalid_grant", "invalid_grant")
        case .accountBlocked: (90111, "access_denied", 50057, "invalid_grant", "invalid_grant")
        case .accountLocked: (90225, "access_denied", 50053, "invalid_grant", "invalid_grant")
        case .busy: (90035, "temporarily_unavailable", 90033, "temporarily_unavailable", "temporarily_unavailable")
        case .tooManyRequests:
            (90244, "temporarily_unavailable", 90055, "temporarily_unavailable", "temporarily_unavailable")
        case .clientMissing: (90008, "invalid_client", 900144, "invalid_request", "invalid_request")
        case .implicitNotAllowed:
            (90057, "unauthorized_client", 700054, "unsupported_response_type", "unsupported_response_type")
        case .clientUnknown: (90068, "invalid_client", 700016, "unauthorized_client", "invalid_client")
        case .noSession: (90077, "interaction_required", 50058, "login_required", "login_required")
        case .grantExpired: (90080, "invalid_grant", 700082, "invalid_grant", "invalid_grant")
        case .badParameter: (90083, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .parameterRepeated: (90083, "invalid_request", 9_000_411, "invalid_request", "invalid_request")
        case .internalError: (90085, "server_error", 90033, "temporarily_unavailable", "server_error")
        case .grantTypeUnsupported:
            (90086, "unsupported_grant_type", 70003, "unsupported_grant_type", "unsupported_grant_type")
        case .grantTypeNeedsTenant:
            (90086, "unsupported_grant_type", 9_001_023, "invalid_request", "unsupported_grant_type")
        case .otherPolicy: (90088, "invalid_grant", 70000, "invalid_grant", "invalid_grant")
        case .cancelled: (90091, "access_denied", 65004, "access_denied", "access_denied")
        case .scopeUnsupported: (90117, "invalid_request", 70011, "invalid_scope", "invalid_scope")
        case .scopeWithComma: (99005, "invalid_request", 70011, "invalid_scope", "invalid_scope")
        case .defaultScopeMissing: (99068, "invalid_request", 1_002_012, "invalid_scope", "invalid_scope")
        case .passwordForgotten: (90118, "access_denied", 65004, "access_denied", "access_denied")
        case .accountGone: (90128, "invalid_grant", 50034, "invalid_grant", "invalid_grant")
        case .grantRevoked: (90129, "invalid_grant", 50173, "invalid_grant", "invalid_grant")
        case .codeRedeemed: (90129, "invalid_grant", 54005, "invalid_grant", "invalid_grant")
        case .refreshAtCommon: (90129, "invalid_grant", 70000, "invalid_grant", "invalid_grant")
        case .twoResources: (90146, "invalid_request", 28000, "invalid_scope", "invalid_scope")
        case .verifierMismatch: (90182, "invalid_grant", 501481, "invalid_grant", "invalid_grant")
        case .verifierInvalid: (90183, "invalid_grant", 501481, "invalid_grant", "invalid_grant")
        case .challengeMethod: (90184, "invalid_request", 501491, "invalid_request", "invalid_request")
        case .wrongPassword: (90225, "access_denied", 50126, "invalid_grant", "invalid_grant")
        case .hintMissing: (90272, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .hintInvalid: (90233, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .hintOfAnotherIssuer: (90232, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .hintExpired: (90208, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .hintForAnother: (90209, "invalid_request", 900144, "invalid_request", "invalid_request")
        case .hintOfAnotherPerson: (90077, "access_denied", 50058, "login_required", "login_required")
        case .userOfAnotherTenant: (99002, "server_error", 50020, "invalid_grant", "access_denied")
        case .claimsDemanded:
            (90077, "interaction_required", 50076, "interaction_required", "unmet_authentication_requirements")
        case .consentNeeded: (90205, "invalid_request", 65001, "invalid_grant", "consent_required")
        case .administratorNeeded: (90205, "invalid_request", 90094, "access_denied", "access_denied")
        case .devicePending: (90086, "unsupported_grant_type", 70016, "authorization_pending", "authorization_pending")
        case .deviceTooFast: (90086, "unsupported_grant_type", 70016, "slow_down", "slow_down")
        case .deviceDeclined: (90086, "unsupported_grant_type", 70020, "authorization_declined", "access_denied")
        case .deviceExpired: (90086, "unsupported_grant_type", 70020, "expired_token", "expired_token")
        case .deviceUnknown: (90086, "unsupported_grant_type", 70018, "bad_verification_code", "invalid_grant")
        case .calloutFailed: (90075, "server_error", 1_100_001, "server_error", "server_error")
        case .calloutUnreadable: (90261, "server_error", 1_100_001, "server_error", "server_error")
        }
    }

    /// The codes of Azure AD B2C that the emulator returns, in numerical order.
    static let b2cCodes = Set(allCases.map(\.row.b2c)).sorted().map { "AADB2C\($0)" }

    /// Number and error of Azure AD B2C.
    var b2c: (number: Int, error: String) { (row.b2c, row.error) }

    /// Number and error of Entra ID.
    var entra: (number: Int, error: String) { (row.entra, row.entraError) }

    /// The error of a plain OpenID provider.
    var standardError: String { row.standard }

    /// The status in a response to the client itself (RFC 6749 section 5.2, RFC 6585 section 4).
    var status: HTTPResponse.Status {
        switch self {
        case .internalError: .internalServerError
        case .busy: .serviceUnavailable
        case .tooManyRequests: .tooManyRequests
        default: .badRequest
        }
    }

    /// The `suberror` of Entra ID, which tells the client how to proceed.
    var suberror: String? {
        switch self {
        case .consentNeeded: "consent_required"
        case .claimsDemanded: "basic_action"
        case .grantRevoked, .refreshAtCommon: "bad_token"
        default: nil
        }
    }
}
