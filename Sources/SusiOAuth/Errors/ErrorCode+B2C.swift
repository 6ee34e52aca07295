extension ErrorCode {
    private static let clientID: Remedy = "check clientId in policies.json"
    private static let password: Remedy = .signIn(text: "sign in with the right user name and password")
    private static let hint: Remedy =
        "check issuer, audience, key and times of the id_token_hint against the policy, or remove “idTokenHint” from it"

    private static let hintKey: Remedy =
        """
        compare the kid of the id_token_hint with the keys of the METADATA in the policy's technical profile, which the \
        service must be able to read, and its iss with the issuer there; then send a new one with --id-token-hint
        """

    /// The codes of Azure AD B2C.
    static let b2c: [ErrorCode] = [
        row(
            90001, "there is an account with this address already", .signIn(text: "sign in instead of signing up"),
            .interact),
        row(90002, "a file of the sign-in page does not exist", .policy, .misconfigured),
        row(90006, "the redirect address is not registered", .redirectAddress, .misconfigured),
        row(90007, "the application has no redirect address", .redirectAddress, .misconfigured),
        row(90008, "the request has no client ID", .clientsMistake, .failed),
        row(90010, "the request has no scope", .scopes, .misconfigured),
        row(90011, "the client ID does not belong to the policy", clientID, .misconfigured),
        row(90012, "a scope is not supported", .scopes, .misconfigured),
        row(90013, "the response type is not supported", .clientsMistake, .failed),
        row(90014, "the response mode is not supported", .check(parameter: "response_mode"), .misconfigured),
        row(90016, "the request has a client assertion of another type", "register a public client", .misconfigured),
        row(90017, "invalid client assertion", "register a public client", .misconfigured),
        row(90018, "the client ID is not registered in the tenant", clientID, .misconfigured),
        row(90019, "a policy key has no valid key", .policy, .misconfigured),
        row(90021, "the policy refers to a technical profile that does not exist", .policy, .misconfigured),
        row(90022, "the policy has no metadata for SAML", .policy, .misconfigured),
        row(90023, "a technical profile lacks a metadata key", .policy, .misconfigured),
        row(90025, "a technical profile lacks a cryptographic key", .policy, .misconfigured),
        row(90027, "a service that the policy calls refuses its user name and password", .policy, .misconfigured),
        row(90028, "a service that the policy calls refuses its client certificate", .policy, .misconfigured),
        row(90031, "the policy names no default user journey", .policy, .misconfigured),
        row(90035, "the service is busy", "wait and try again", .retryLater),
        row(90036, "the sign-out names no address to return to", .clientsMistake, .failed),
        row(90037, "internal error of the service", .administrator, .failed),
        row(90039, "the policy has no client secret for the client assertion", .policy, .misconfigured),
        row(90040, "the user journey issues no token", .policy, .misconfigured),
        row(90043, "unsupported prompt value", .check(parameter: "prompt"), .misconfigured),
        row(90044, "a claim resolver does not support the claim", .policy, .misconfigured),
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
        row(90085, "internal error of the service or mistake in its policy, or an old grant", .tryAgain, .interact),
        row(90086, "the grant type is not supported", .registration, .misconfigured),
        row(90087, "the grant belongs to another version of the endpoint", .signIn, .interact),
        row(
            90088, "the grant belongs to another policy", "name the policy that issued it, or sign in", .misconfigured),
        row(90090, "the service has no key to decrypt the grant", .signIn, .interact),
        row(90091, "the user cancelled on the page", "try again if that was not intended", .cancelled),
        row(90092, "the application is disabled", .administrator, .misconfigured),
        row(90107, "the application is not allowed to get an id token", .registration, .misconfigured),
        row(90108, "a step of the user journey names no issuer of tokens", .policy, .misconfigured),
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
        row(90128, "the account was deleted", .signIn, .interact),
        row(90129, "the grant was revoked", .signIn, .signIn),
        row(90145, "the account has no phone number that the policy accepts", .administrator, .failed),
        row(90146, "scopes of two resources were requested", "request a token for each API", .misconfigured),
        row(90149, "the browser could not load a script of the sign-in page", .policy, .misconfigured),
        row(90151, "too many attempts with a second factor", "wait and try again", .retryLater),
        row(90152, "the service for second factors does not respond", "wait and try again", .retryLater),
        row(90154, "the service for second factors does not respond", "wait and try again", .retryLater),
        row(90155, "the second factor could not be sent", .signIn(text: "sign in again"), .interact),
        row(90156, "the second factor was not accepted", .signIn(text: "sign in again"), .interact),
        row(90157, "too many attempts on a page", "wait and try again", .retryLater),
        row(90158, "the entries on a page were not accepted", .signIn(text: "sign in again"), .interact),
        row(90159, "a value on a page could not be verified", .signIn(text: "sign in again"), .interact),
        row(90161, "the response of a page was not accepted", .signIn(text: "sign in again"), .interact),
        row(
            90165, "the service lost the SAML request that began the sign-in", .signIn(text: "sign in again"), .interact
        ),
        row(90168, "a signed SAML request lacks a parameter", .policy, .misconfigured),
        row(90178, "a signing certificate has no private key", .policy, .misconfigured),
        row(90182, "the code verifier does not match", .clientsMistake, .failed),
        row(90183, "invalid code verifier", .clientsMistake, .failed),
        row(90184, "the challenge method is not supported", .clientsMistake, .failed),
        row(90188, "the SAML metadata of a partner cannot be read", .policy, .misconfigured),
        row(90194, "the policy has no claim with the token for a service that it calls", .policy, .misconfigured),
        row(
            90205, "the application has no permission for the API", "add the permission to the registration",
            .misconfigured),
        row(90206, "the sign-in page did not start in time", "wait and try again", .retryLater),
        row(90208, "the id token hint has expired", hint, .misconfigured),
        row(90209, "the id token hint was issued for another application", hint, .misconfigured),
        row(90210, "invalid id token hint", hint, .misconfigured),
        row(90211, "the cookie of the sign-in is incomplete", .signIn(text: "sign in again"), .interact),
        row(90212, "invalid cookie of the sign-in", .signIn(text: "sign in again"), .interact),
        row(90220, "a policy key has no valid certificate", .policy, .misconfigured),
        row(90223, "a file of the sign-in page cannot be used", .policy, .misconfigured),
        row(90224, "the application is not allowed to sign in with a password", .registration, .misconfigured),
        row(90225, "wrong user name or password, or the account is locked", password, .interact),
        row(90226, "a token was exchanged with another method than POST", .clientsMistake, .failed),
        row(90229, "too many requests", "wait and try again", .retryLater),
        row(90232, "the id token hint was issued by another issuer", hint, .misconfigured),
        row(90233, "the signature of the id token hint cannot be verified", hintKey, .misconfigured),
        row(90235, "the id token in the request has expired", hint, .misconfigured),
        row(90237, "the id token in the request was issued for another application", hint, .misconfigured),
        row(90238, "the id token in the request was issued by another issuer", hint, .misconfigured),
        row(90239, "the id token in the request has an invalid signature", hint, .misconfigured),
        row(90240, "the id token in the request is malformed", hint, .misconfigured),
        row(90242, "the SAML metadata in the policy cannot be read", .policy, .misconfigured),
        row(
            90243, "the client ID or secret at the identity provider behind the policy is wrong", .administrator,
            .misconfigured),
        row(90244, "too many requests", "wait and try again", .retryLater),
        row(90248, "the application for passwords was not registered for Azure AD B2C", .registration, .misconfigured),
        row(90250, "SAML requests need the address of a policy", "check the authority", .misconfigured),
        row(90255, "a step of the sign-in page was left out or failed", .signIn(text: "sign in again"), .interact),
        row(90261, "a service that the policy calls failed with an unreadable response", .administrator, .failed),
        row(
            90272, "the policy requires an id token hint",
            "set idTokenHint of the policy in policies.json, or send one with --id-token-hint",
            .misconfigured),
        row(
            90273, "the identity provider behind the policy responded with an error",
            "try again later, or ask the administrator of the tenant", .failed),
        row(90274, "the SAML metadata of a partner names no usable address for the sign-out", .policy, .misconfigured),
        row(
            90276, "the request contradicts a setting of the policy", "compare the options with the policy",
            .misconfigured),
        row(90277, "a step of the user journey has no page", .policy, .misconfigured),
        row(90279, "the grant belongs to another application", .signIn, .interact),
        row(90284, "the application for local accounts lacks consent", .administrator, .misconfigured),
        row(90285, "the application does not exist in the tenant", clientID, .misconfigured),
        row(90287, "internal error of the service", "try again later", .retryLater),
        row(90288, "the user journey for refresh tokens does not exist", .policy, .misconfigured),
        row(90289, "the identity provider behind the policy cannot be reached or refuses", .administrator, .failed),
        row(90296, "the registration of the application is incomplete", .registration, .misconfigured),
        row(99002, "the user does not exist", "sign up first", .interact),
        row(99005, "a scope contains a character that is not allowed", .scopes, .misconfigured),
        row(99006, "the tenant's application for extension attributes is missing", .administrator, .misconfigured),
        row(99011, "a technical profile lacks a metadata key", .policy, .misconfigured),
        row(99013, "the grant type is not supported with this type of token", .registration, .misconfigured),
        row(99015, "the technical profile for passwords lacks input claims", .policy, .misconfigured),
        row(99059, "the request has no code challenge", .clientsMistake, .failed),
        row(99068, "the scope of an application for itself does not end with /.default", .scopes, .misconfigured),
        row(
            99075, "an API cannot exchange a token in this tenant (on-behalf-of)",
            "get a token for each API in the application", .misconfigured),
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
