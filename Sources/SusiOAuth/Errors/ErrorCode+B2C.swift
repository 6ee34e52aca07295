extension ErrorCode {
    private static let registration = "correct the application's registration"
    private static let scopes = "check the API's scopes"
    private static let clientID = "check clientId in policies.json"
    private static let administrator = "ask the tenant's administrator"
    private static let clientsMistake = "report this as a mistake of the client"
    private static let password = "try again with the right ones"

    /// The codes of Azure AD B2C.
    static let b2c: [ErrorCode] = [
        row(90006, "the redirect address is not registered", "register exactly this address", .misconfigured),
        row(90007, "the application has no redirect address", "register one", .misconfigured),
        row(90008, "the request names no client", clientsMistake, .failed),
        row(90010, "no scope was asked", scopes, .misconfigured),
        row(90011, "the client id is not the policy's", clientID, .misconfigured),
        row(90012, "a scope is not supported", scopes, .misconfigured),
        row(90013, "the response type is not supported", clientsMistake, .failed),
        row(90014, "the response mode is not supported", clientsMistake, .failed),
        row(90018, "the client id is not registered in the tenant", clientID, .misconfigured),
        row(90035, "the service is busy", "wait and try again", .retryLater),
        row(90037, "the service failed", administrator, .failed),
        row(90043, "the prompt is none that the service knows", "check --prompt", .misconfigured),
        row(90046, "the service lost the state of the sign-in", "sign in again", .interact),
        row(90048, "the service failed", "try again later", .retryLater),
        row(90051, "no identity provider fits the request", "check --domain-hint", .misconfigured),
        row(90052, "the user name or the password is wrong", password, .interact),
        row(90053, "there is no user with these credentials", password, .interact),
        row(90054, "the user name or the password is wrong", password, .interact),
        row(90055, "no resource was named", scopes, .misconfigured),
        row(90057, "the application may not use the implicit flow", registration, .misconfigured),
        row(90058, "the application is no public client", registration, .misconfigured),
        row(90067, "the address after the sign-out is not valid", registration, .misconfigured),
        row(90068, "the application was not made for this service", registration, .misconfigured),
        row(90075, "a service that the policy asks failed", administrator, .failed),
        row(90077, "there is no session, and no page was allowed", "sign in", .interact),
        row(90079, "the service wants a client secret", "register a public client", .misconfigured),
        row(90080, "the refresh token has expired", "sign in", .signIn),
        row(90081, "the client secret is wrong", "register a public client", .misconfigured),
        row(90083, "a parameter is missing", clientsMistake, .failed),
        row(90084, "a public client sent a secret", clientsMistake, .failed),
        row(90085, "the service failed, or the grant is stale", "sign in", .signIn),
        row(90086, "the grant type is not supported", registration, .misconfigured),
        row(90087, "the grant belongs to another version of the endpoint", "sign in", .signIn),
        row(90088, "the grant belongs to another policy", clientsMistake, .failed),
        row(90091, "the person cancelled on the page", "nothing was changed", .cancelled),
        row(90092, "the application is disabled", administrator, .misconfigured),
        row(90107, "the application may not have an id token", registration, .misconfigured),
        row(90110, "an id token was asked without the scope openid", clientsMistake, .failed),
        row(90111, "the account is locked", administrator, .failed),
        row(90114, "the account is locked for a while", "wait and try again", .retryLater),
        row(90115, "the scopes name neither a resource nor openid", scopes, .misconfigured),
        row(90117, "a scope is not supported", scopes, .misconfigured),
        row(90118, "the person forgot the password", "run the password-reset policy", .resetPassword),
        row(90120, "max_age is out of its range", "check --max-age", .misconfigured),
        row(90122, "a value holds characters that are not allowed", "check the values of the options", .misconfigured),
        row(90128, "the account is gone", "sign in", .signIn),
        row(90129, "the grant was revoked", "sign in", .signIn),
        row(90146, "scopes of two resources were asked", "ask one API for each token", .misconfigured),
        row(90151, "there were too many attempts with a second factor", "wait and try again", .retryLater),
        row(90157, "there were too many attempts on a page", "wait and try again", .retryLater),
        row(90182, "the code verifier does not fit", clientsMistake, .failed),
        row(90183, "the code verifier is not valid", clientsMistake, .failed),
        row(90184, "the challenge method is not supported", clientsMistake, .failed),
        row(90205, "the application has no permission on the API", "grant it in the registration", .misconfigured),
        row(90208, "the id token hint has expired", "sign in without it", .interact),
        row(90209, "the id token hint is for another application", "sign in without it", .interact),
        row(90210, "the id token hint is not valid", "sign in without it", .interact),
        row(90224, "the application may not sign in with a password", registration, .misconfigured),
        row(90225, "the user name or the password is wrong", password, .interact),
        row(90232, "the id token hint is of another issuer", "sign in without it", .interact),
        row(90233, "the id token hint is not valid", "sign in without it", .interact),
        row(90244, "there are too many requests", "wait and try again", .retryLater),
        row(90273, "the person cancelled at the social provider", "nothing was changed", .cancelled),
        row(90279, "the grant belongs to another application", "sign in", .signIn),
        row(99002, "the user does not exist", "sign up first", .signIn),
        row(99059, "the request has no code challenge", clientsMistake, .failed),
    ]

    private static func row(
        _ number: Int, _ meaning: String, _ next: String, _ consequence: Consequence
    ) -> ErrorCode {
        ErrorCode("AADB2C\(number)", meaning, next, consequence)
    }
}
