extension ErrorCode {
    private static let clientsMistake = "report this as a mistake of the client"
    private static let scopes = "check the API's scopes"

    /// The errors of OAuth (RFC 6749 4.1.2.1 and 5.2), of device codes (RFC 8628 3.5), of OpenID Connect (Core 3.1.2.6),
    /// and what Microsoft Entra adds as `error` or `suberror`.
    static let oauth: [ErrorCode] = [
        ErrorCode("access_denied", "the person or the server said no", "nothing was changed", .cancelled),
        ErrorCode("account_selection_required", "an account has to be chosen", "sign in", .interact),
        ErrorCode("additional_action", "the page asks for more", "sign in", .interact),
        ErrorCode("authorization_declined", "the person said no", "nothing was changed", .cancelled),
        ErrorCode("authorization_pending", "the code was not entered yet", "wait", .pending),
        ErrorCode("bad_token", "the refresh token is of no more use", "sign in", .signIn),
        ErrorCode("basic_action", "the page asks for more", "sign in", .interact),
        ErrorCode("client_mismatch", "the grant belongs to another application", clientsMistake, .failed),
        ErrorCode("consent_required", "nobody has consented to this use of the API", "consent on the page", .consent),
        ErrorCode("device_authentication_failed", "the device is not known", "sign in", .interact),
        ErrorCode("expired_token", "the code has expired", "try again with a new code", .interact),
        ErrorCode("interaction_required", "a page is needed", "sign in", .interact),
        ErrorCode("invalid_client", "the client is not known or must prove itself", "check clientId", .misconfigured),
        ErrorCode("invalid_grant", "the grant has ended or was revoked", "sign in", .signIn),
        ErrorCode("invalid_request", "the request has a mistake", clientsMistake, .misconfigured),
        ErrorCode("invalid_request_object", "the request object has a mistake", clientsMistake, .misconfigured),
        ErrorCode("invalid_resource", "the API is not known in the tenant", scopes, .misconfigured),
        ErrorCode("invalid_scope", "a scope is not valid", scopes, .misconfigured),
        ErrorCode("invalid_target", "the resource is not valid", scopes, .misconfigured),
        ErrorCode("login_required", "nobody is signed in, and no page was allowed", "sign in", .interact),
        ErrorCode("message_only", "the page has something to say", "sign in", .interact),
        ErrorCode("protection_policy_required", "the tenant wants a managed device", "ask the administrator", .failed),
        ErrorCode("redirect_uri_mismatch", "the redirect address is not registered", "register it", .misconfigured),
        ErrorCode("registration_not_supported", "the server registers nobody", "ask the administrator", .misconfigured),
        ErrorCode("request_not_supported", "the server takes no request object", clientsMistake, .misconfigured),
        ErrorCode("request_uri_not_supported", "the server takes no request address", clientsMistake, .misconfigured),
        ErrorCode("server_error", "the server failed", "try again later", .failed),
        ErrorCode("slow_down", "the server was asked too often", "wait", .pending),
        ErrorCode("temporarily_unavailable", "the server is busy", "wait and try again", .retryLater),
        ErrorCode("token_expired", "the refresh token has expired", "sign in", .signIn),
        ErrorCode("unauthorized_client", "the application may not do this", "correct the registration", .misconfigured),
        ErrorCode(
            "unmet_authentication_requirements", "the sign-in was too weak for what was asked", "sign in", .interact),
        ErrorCode(
            "unsupported_grant_type", "the grant type is not supported", "correct the registration", .misconfigured),
        ErrorCode(
            "unsupported_response_type", "the response type is not supported", "correct the registration",
            .misconfigured),
        ErrorCode("user_password_expired", "the password has expired", "sign in and set a new one", .interact),
    ]
}
