import HTTPTypes
import SusiPolicies

/// Why native authentication goes no further, in the words and with the numbers of External ID. Numbers that are not
/// published are those of the nearest error.
struct NativeError: Error, Sendable {
    let error: String
    let number: Int
    let text: String
    var suberror: String?
    /// What else the answer says.
    var more: [String: JSON] = [:]

    private init(_ error: String, _ number: Int, _ text: String, suberror: String? = nil) {
        self.error = error
        self.number = number
        self.text = text
        self.suberror = suberror
    }

    static let disabled = NativeError(
        "invalid_client", 7_000_218, "The application is not enabled for native authentication.",
        suberror: "nativeauthapi_disabled")
    static let noRedirect = NativeError(
        "unsupported_challenge_type", 901_007, "The challenge_type list parameter does not include the 'redirect' type."
    )
    static let userNotFound = NativeError("user_not_found", 1_003_034, "The user account could not be found.")
    static let userExists = NativeError(
        "user_already_exists", 1_003_037, "It looks like you may already have an account.")
    static let wrongCode = NativeError(
        "invalid_grant", 50_181, "Unable to validate the one-time passcode.", suberror: "invalid_oob_value")
    static let expired = NativeError("expired_token", 552_003, "The continuation_token is expired.")

    /// A parameter with a value that it cannot have.
    static func invalid(_ text: String) -> NativeError { NativeError("invalid_request", 90_023, text) }

    /// A continuation token that stands for nothing, or for something else than this endpoint goes on with. Some endpoints
    /// call that an invalid request, others an invalid grant.
    static func notHere(_ error: String) -> NativeError {
        NativeError(error, 55_200, "The continuation_token is invalid.")
    }

    /// A grant that the endpoint does not take.
    static func grant(_ name: String) -> NativeError {
        NativeError("invalid_grant", 70_003, "The grant_type '\(name)' is not supported here.")
    }

    /// What is wrong with a new password; nil when nothing is.
    static func password(_ password: String) -> NativeError? {
        guard passwordProblem(password) != nil else { return nil }
        return switch password.count {
        case ..<8: NativeError("invalid_grant", 399_247, "New password is too short", suberror: "password_too_short")
        case 65...: NativeError("invalid_grant", 399_248, "New password is too long", suberror: "password_too_long")
        default: NativeError("invalid_grant", 399_246, "New password is too weak", suberror: "password_too_weak")
        }
    }

    /// Attributes with values that they cannot have.
    static func attributes(_ names: [String]) -> NativeError {
        var error = NativeError(
            "invalid_grant", 55_106, "User attribute validation failed.", suberror: "attribute_validation_failed")
        error.more["invalid_attributes"] = .array(names.map { ["name": .string($0)] })
        return error
    }

    /// The sign-up goes on with a password.
    static func credentialRequired(_ token: String) -> NativeError {
        var error = NativeError("credential_required", 55_103, "Credential required.")
        error.more["continuation_token"] = .string(token)
        return error
    }

    /// The sign-up goes on with these attributes.
    static func attributesRequired(_ names: [String], _ token: String) -> NativeError {
        var error = NativeError("attributes_required", 55_106, "User attributes required.")
        error.more["continuation_token"] = .string(token)
        error.more["required_attributes"] = .array(
            names.map { ["name": .string($0), "type": "string", "required": .bool(true)] })
        return error
    }

    /// A second factor is needed: the code of one that is registered, or a first registration.
    static func factor(_ capability: Capability, _ token: String) -> NativeError {
        var error =
            switch capability {
            case .factor:
                NativeError("invalid_grant", 50_076, "The user must use multi-factor authentication to sign in.")
            case .registration:
                NativeError("invalid_grant", 50_079, "The user must enroll in multi-factor authentication to sign in.")
            }
        error.suberror = capability.rawValue
        error.more["continuation_token"] = .string(token)
        return error
    }

    /// The user has several methods, and the request names none.
    static let introspectRequired = NativeError(
        "invalid_request", 50_076, "The user has no default strong authentication method.",
        suberror: "introspect_required")

    func response(_ dialect: some MicrosoftDialect, now: Int64) throws -> Response {
        var message = dialect.message(number: number, error: error, text: text, now: now)
        message.more.merge(more) { $1 }
        message.more["suberror"] = suberror.map(JSON.string)
        message.more["error"] = .string(message.error)
        message.more["error_description"] = .string(message.text)
        var response = try Response.json(.object(message.more), status: .badRequest, note: message.note)
        response.facts.code = message.code
        response.facts.reason = text
        response.facts.correlationID = message.correlationID
        return response
    }
}
