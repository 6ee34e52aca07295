extension ErrorCode {
    /// `access_denied` with a reason: a rule of the server's, for example of a custom policy.
    static let deniedWithReason = ErrorCode("access_denied", "the server denied access", .administrator, .failed)

    /// The errors of OAuth (RFC 6749 4.1.2.1 and 5.2), of device codes (RFC 8628 3.5), of OpenID Connect (Core 3.1.2.6),
    /// and those that Microsoft Entra adds as `error` or `suberror`, also in native authentication.
    static let oauth: [ErrorCode] = [
        ErrorCode(
            "access_denied", "the user or the server denied access",
            "try again, or ask the administrator of the tenant", .cancelled),
        ErrorCode("account_selection_required", "no account was chosen", .signIn, .interact),
        ErrorCode("additional_action", "the sign-in page requires another step", .signIn, .interact),
        ErrorCode("authorization_declined", "the user declined", "try again if that was not intended", .cancelled),
        ErrorCode("authorization_pending", "the code has not been entered yet", "wait", .pending),
        ErrorCode("bad_token", "the refresh token is no longer valid", .signIn, .signIn),
        ErrorCode("basic_action", "the sign-in page requires another step", .signIn, .interact),
        ErrorCode("client_mismatch", "the grant belongs to another application", .signIn, .interact),
        ErrorCode("consent_required", "consent to this use of the API is missing", "consent on the page", .consent),
        ErrorCode("device_authentication_failed", "the device is not registered", .signIn, .interact),
        ErrorCode("expired_token", "the code has expired", .signIn(text: "sign in again for a new code"), .interact),
        ErrorCode("interaction_required", "the sign-in page is required", .signIn, .interact),
        ErrorCode(
            "invalid_client", "unknown client, or a client secret is required", "check clientId in policies.json",
            .misconfigured),
        ErrorCode("invalid_grant", "the grant has expired or was revoked", .signIn, .signIn),
        ErrorCode(
            "invalid_oob_value", "the code is wrong, expired or used up",
            .signIn(text: "sign in again for a new code"), .interact),
        ErrorCode(
            "invalid_request", "invalid request",
            "compare the registration with the message: redirect address, public client without a secret, PKCE",
            .misconfigured),
        ErrorCode("invalid_request_object", "invalid request object", .clientsMistake, .misconfigured),
        ErrorCode("invalid_resource", "the API does not exist in the tenant", .scopes, .misconfigured),
        ErrorCode("invalid_scope", "invalid scope", .scopes, .misconfigured),
        ErrorCode("invalid_target", "invalid resource", .scopes, .misconfigured),
        ErrorCode("login_required", "no session, and the request allows no page", .signIn, .interact),
        ErrorCode("message_only", "the sign-in page shows a message", .signIn, .interact),
        ErrorCode("mfa_required", "a second factor is needed", .signIn, .interact),
        ErrorCode(
            ErrorCode.nativeDisabled, "native authentication is not enabled for the application",
            "enable native authentication in the registration of the application", .misconfigured),
        ErrorCode("protection_policy_required", "the tenant requires a managed device", .administrator, .failed),
        ErrorCode(
            "redirect_uri_mismatch", "the redirect address is not registered", .redirectAddress,
            .misconfigured),
        ErrorCode(
            "registration_not_supported", "the server does not support registration",
            .administrator, .misconfigured),
        ErrorCode("registration_required", "a second factor must be set up", .signIn, .interact),
        ErrorCode(
            "request_not_supported", "the server does not support request objects", .clientsMistake, .misconfigured),
        ErrorCode(
            "request_uri_not_supported", "the server does not support request_uri", .clientsMistake, .misconfigured),
        ErrorCode("server_error", "internal error of the server", "try again later", .failed),
        ErrorCode("slow_down", "too many requests", "wait", .pending),
        ErrorCode("temporarily_unavailable", "the server is busy", "wait and try again", .retryLater),
        ErrorCode("token_expired", "the refresh token is too old for this request", .signIn, .interact),
        ErrorCode(
            "unauthorized_client", "the application is not allowed to make this request",
            .registration, .misconfigured),
        ErrorCode(
            "unmet_authentication_requirements", "the sign-in does not meet the requested requirements", .signIn,
            .interact),
        ErrorCode(
            "unsupported_challenge_type", "the server requires another way to sign in", .clientsMistake, .failed),
        ErrorCode("unsupported_grant_type", "the grant type is not supported", .registration, .misconfigured),
        ErrorCode("unsupported_response_type", "the response type is not supported", .registration, .misconfigured),
        ErrorCode(
            "user_cancelled_authorize", "the user declined", "try again if that was not intended", .cancelled),
        ErrorCode(
            "user_cancelled_login", "the user cancelled the sign-in", "try again if that was not intended", .cancelled),
        ErrorCode(
            "user_not_found", "the account does not exist in the tenant", "check the user name and the tenant",
            .interact),
        ErrorCode(
            "user_password_expired", "the password has expired", .signIn(text: "sign in and set a new password"),
            .interact),
    ]
}
