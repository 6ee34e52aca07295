extension ErrorCode {
    private static let clientID: Remedy = "check clientId in policies.json"
    private static let password: Remedy = .signIn(text: "sign in with the right user name and password")
    private static let hint: Remedy =
        "check issuer, audience, key and times of the id_token_hint against the policy, or remove “idTokenHint” from it"

    /// The codes of Azure AD B2C.
    static let b2c: [ErrorCode] = [
        row(90006, "the redirect address is not registered", "register the redirect address", .misconfigured),
        row(90007, "the application has no redirect address", "register a redirect address", .misconfigured),
        row(90008, "the request has no client ID", .clientsMistake, .failed),
        row(90010, "the request has no scope", .scopes, .misconfigured),
        row(90011, "the client ID does not belong to the policy", clientID, .misconfigured),
        row(90012, "a scope is not supported", .scopes, .misconfigured),
        row(90013, "the response type is not supported", .clientsMistake, .failed),
        row(90014, "the response mode is not supported", .clientsMistake, .failed),
        row(90018, "the client ID is not registered in the tenant", clientID, .misconfigured),
        row(90035, "the service is busy", "wait and try again", .retryLater),
        row(90037, "internal error of the service", .administrator, .failed),
        row(90043, "unsupported prompt value", .check(parameter: "prompt"), .misconfigured),
        row(90046, "the service lost the state of the sign-in", .signIn(text: "sign in again"), .interact),
        row(90047, "the browser could not load a file of the sign-in page", .administrator, .misconfigured),
        row(90048, "internal error of the service", "try again later", .retryLater),
        row(90051, "no identity provider matches the request", .check(parameter: "domain_hint"), .misconfigured),
        row(90052, "wrong user name or password", password, .interact),
        row(90053, "no user with these credentials", password, .interact),
        row(90054, "wrong user name or password", password, .interact),
        row(90055, "the request names no resource", .scopes, .misconfigured),
        row(90057, "the application is not allowed to use the implicit flow", .registration, .misconfigured),
        row(90058, "the application is not a public client", .registration, .misconfigured),
        row(90067, "invalid redirect address for the sign-out", .registration, .misconfigured),
        row(90068, "the application was not registered for Azure AD B2C", .registration, .misconfigured),
        row(90075, "a service that the policy calls failed", .administrator, .failed),
        row(90077, "no session, and the request allows no page", .signIn, .interact),
        row(90079, "the service requires a client secret", "register a public client", .misconfigured),
        row(90080, "the refresh token has expired", .signIn, .signIn),
        row(90081, "wrong client secret", "register a public client", .misconfigured),
        row(90083, "a parameter is missing", .clientsMistake, .failed),
        row(90084, "a public client sent a secret", .clientsMistake, .failed),
        row(90085, "internal error of the service, or an old grant", .signIn, .signIn),
        row(90086, "the grant type is not supported", .registration, .misconfigured),
        row(90087, "the grant belongs to another version of the endpoint", .signIn, .signIn),
        row(90088, "the grant belongs to another policy", .clientsMistake, .failed),
        row(90091, "the user cancelled on the page", "try again if that was not intended", .cancelled),
        row(90092, "the application is disabled", .administrator, .misconfigured),
        row(90107, "the application is not allowed to get an id token", .registration, .misconfigured),
        row(90110, "an id token was requested without the scope openid", .clientsMistake, .failed),
        row(90111, "the account is locked", .administrator, .failed),
        row(90114, "the account is locked temporarily", "wait and try again", .retryLater),
        row(90115, "the scopes name neither a resource nor openid", .scopes, .misconfigured),
        row(90117, "a scope is not supported", .scopes, .misconfigured),
        row(90118, "the user forgot the password", "run the password-reset policy", .resetPassword),
        row(90120, "max_age is out of range", .check(parameter: "max_age"), .misconfigured),
        row(
            90122, "a value contains characters that are not allowed", "check the values of the options", .misconfigured
        ),
        row(90128, "the account was deleted", .signIn, .signIn),
        row(90129, "the grant was revoked", .signIn, .signIn),
        row(90145, "the account has no phone number that the policy accepts", .administrator, .failed),
        row(90146, "scopes of two resources were requested", "request a token for each API", .misconfigured),
        row(90151, "too many attempts with a second factor", "wait and try again", .retryLater),
        row(90157, "too many attempts on a page", "wait and try again", .retryLater),
        row(90182, "the code verifier does not match", .clientsMistake, .failed),
        row(90183, "invalid code verifier", .clientsMistake, .failed),
        row(90184, "the challenge method is not supported", .clientsMistake, .failed),
        row(
            90205, "the application has no permission for the API", "add the permission to the registration",
            .misconfigured),
        row(90208, "the id token hint has expired", hint, .misconfigured),
        row(90209, "the id token hint was issued for another application", hint, .misconfigured),
        row(90210, "invalid id token hint", hint, .misconfigured),
        row(90224, "the application is not allowed to sign in with a password", .registration, .misconfigured),
        row(90225, "wrong user name or password", password, .interact),
        row(90232, "the id token hint was issued by another issuer", hint, .misconfigured),
        row(90233, "invalid id token hint", hint, .misconfigured),
        row(90244, "too many requests", "wait and try again", .retryLater),
        row(90255, "a step of the sign-in page was left out or failed", .signIn(text: "sign in again"), .interact),
        row(
            90273, "the identity provider behind the policy responded with an error",
            "try again later, or ask the administrator of the tenant", .failed),
        row(90279, "the grant belongs to another application", .signIn, .signIn),
        row(90287, "internal error of the service", "try again later", .retryLater),
        row(90289, "the identity provider behind the policy cannot be reached or refuses", .administrator, .failed),
        row(99002, "the user does not exist", "sign up first", .signIn),
        row(99059, "the request has no code challenge", .clientsMistake, .failed),
    ]

    /// AADB2C90273 with an error that says that the user cancelled.
    static let cancelledElsewhere = row(
        90273, "the user cancelled at the identity provider", "try again if that was not intended", .cancelled)

    private static func row(
        _ number: Int, _ meaning: String, _ remedy: Remedy, _ consequence: Consequence
    ) -> ErrorCode {
        ErrorCode("AADB2C\(number)", meaning, remedy, consequence)
    }
}
