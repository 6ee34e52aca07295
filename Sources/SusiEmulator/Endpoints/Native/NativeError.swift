import HTTPTypes
import SusiBase
import SusiPolicies

/// An error of native authentication with the texts and numbers of External ID. Unpublished numbers are those of the nearest
/// error.
struct NativeError: Error, Sendable {
    let error: String
    let number: Int
    let text: String
    var suberror: String?
    var more: [String: JSON] = [:]

    private init(_ error: String, _ number: Int, text: String, suberror: String? = nil) {
        self.error = error
        self.number = number
        self.text = text
        self.suberror = suberror
    }

    static let disabled = NativeError(
        "invalid_client", 7_000_218, text: "The application is not enabled for native authentication.",
        suberror: "nativeauthapi_disabled")
    static let noRedirect = NativeError(
        "unsupported_challenge_type", 901_007,
        text: "The challenge_type list parameter does not include the 'redirect' type.")
    static let userNotFound = NativeError("user_not_found", 1_003_034, text: "The user account could not be found.")
    static let userExists = NativeError(
        "user_already_exists", 1_003_037,
        text: "It looks like you may already have an account with us using this email address.")
    static let wrongCode = NativeError(
        "invalid_grant", 50_181, text: "Unable to validate the otp.", suberror: "invalid_oob_value")
    static let expired = NativeError("expired_token", 552_003, text: "The continuation_token is expired.")

    /// A parameter with an invalid value.
    static func invalid(_ text: String) -> NativeError { NativeError("invalid_request", 90_023, text: text) }

    /// An unknown continuation token, or one that this endpoint does not accept. Some endpoints call that an invalid
    /// request, others an invalid grant.
    static func notHere(_ error: String) -> NativeError {
        NativeError(error, 55_200, text: "The continuation_token is invalid.")
    }

    /// A grant type that the endpoint does not support.
    static func grant(_ name: String) -> NativeError {
        NativeError("invalid_grant", 70_003, text: "The grant_type '\(name)' is not supported here.")
    }

    /// The error for a new password. Returns `nil` if the password is valid.
    static func password(_ password: String) -> NativeError? {
        let longest = 256
        guard passwordProblem(password, longest: longest) != nil else { return nil }
        return switch password.count {
        case ..<8:
            NativeError("invalid_grant", 399_247, text: "New password is too short", suberror: "password_too_short")
        case (longest + 1)...:
            NativeError("invalid_grant", 399_248, text: "New password is too long", suberror: "password_too_long")
        default: NativeError("invalid_grant", 399_246, text: "New password is too weak", suberror: "password_too_weak")
        }
    }

    /// The person has to choose a new password first.
    static let passwordChangeRequired = NativeError(
        "invalid_grant", 50_142, text: "Password change is required due to a conditional access policy.")

    static func attributes(_ names: [String]) -> NativeError {
        var error = NativeError(
            "invalid_grant", 55_106, text: "User attribute validation failed.", suberror: "attribute_validation_failed")
        error.more["invalid_attributes"] = .array(names.map { ["name": .string($0)] })
        return error
    }

    /// The sign-up needs a password.
    static func credentialRequired(_ token: String) -> NativeError {
        var error = NativeError("credential_required", 55_103, text: "Credential required.")
        error.more["continuation_token"] = .string(token)
        return error
    }

    static func attributesRequired(_ names: [String], _ token: String) -> NativeError {
        var error = NativeError("attributes_required", 55_106, text: "User attributes required.")
        error.more["continuation_token"] = .string(token)
        error.more["required_attributes"] = .array(
            names.map { ["name": .string($0), "type": "string", "required": .bool(true)] })
        return error
    }

    /// The sign-in needs a second factor: a code, or a registration.
    static func factor(_ capability: Capability, _ token: String) -> NativeError {
        var error =
            switch capability {
            case .factor:
                NativeError("invalid_grant", 50_076, text: "The user must use multi-factor authentication to sign in.")
            case .registration:
                NativeError(
                    "invalid_grant", 50_079, text: "The user must enroll in multi-factor authentication to sign in.")
            }
        error.suberror = capability.rawValue
        error.more["continuation_token"] = .string(token)
        return error
    }

    /// The user has several methods and the request names none.
    static let introspectRequired = NativeError(
        "invalid_request", 50_076, text: "The user has no default strong authentication method.",
        suberror: "introspect_required")

    func response(now: Int64) throws -> Response {
        var message = RefusalMessage(platform: number, error: error, text: text, now: now)
        message.more.merge(more) { $1 }
        message.more["suberror"] = suberror.map(JSON.string)
        var response = Response.json(message.body, status: .badRequest, note: message.note)
        response.facts.code = message.code
        response.facts.reason = text
        response.facts.correlationID = message.correlationID
        return response
    }
}
