extension ErrorCode {
    private static let signIn = "sign in"
    private static let administrator = "ask the tenant's administrator"
    private static let registration = "correct the application's registration"
    private static let clientID = "check clientId and the tenant in policies.json"
    private static let scopes = "check the API's scopes"
    private static let publicClient = "allow public client flows in the registration"
    private static let clientsMistake = "report this as a mistake of the client"
    private static let guest = "ask the tenant's administrator for an invitation, or choose another account"

    /// The codes of Microsoft Entra ID and Entra External ID.
    static let entra: [ErrorCode] = sessions + persons + conditions + consents + applications + grants + requests

    private static let sessions: [ErrorCode] = [
        row(16000, "an account has to be chosen, or it is not in the tenant", "sign in and choose", .interact),
        row(16001, "the chosen account was not accepted", "sign in and choose another", .interact),
        row(16003, "the account was never added to the tenant", guest, .failed),
        row(50058, "nobody is signed in, and no page was allowed", signIn, .interact),
        row(50132, "the password has changed or expired", signIn, .signIn),
        row(50133, "the password has changed or expired", signIn, .signIn),
        row(50139, "the session of the outside account is incomplete", signIn, .interact),
        row(50140, "the page asks whether to stay signed in", signIn, .interact),
        row(50196, "the same request came too often", "wait and try again", .retryLater),
        row(50197, "the account could not be found", signIn, .interact),
        row(50199, "the page asks for a confirmation", signIn, .interact),
    ]

    private static let persons: [ErrorCode] = [
        row(50020, "the account is not in this tenant", guest, .failed),
        row(50034, "the account does not exist in the directory", "check the user name and the tenant", .interact),
        row(50053, "the account is locked, or the address is not trusted", "wait and try again", .retryLater),
        row(50055, "the password has expired", "sign in and set a new one", .interact),
        row(50056, "there is no password for this account", signIn, .interact),
        row(50057, "the account is disabled", administrator, .failed),
        row(50105, "the person is not assigned to the application", administrator, .failed),
        row(50126, "the user name or the password is wrong", "try again with the right ones", .interact),
        row(50144, "the password of the account's own directory has expired", "set a new one there", .interact),
        row(51004, "the account does not exist in the directory", guest, .failed),
        row(90072, "the outside account is not in this tenant", guest, .failed),
    ]

    private static let conditions: [ErrorCode] = [
        row(50072, "a second factor has to be set up", signIn, .interact),
        row(50074, "a second factor is needed", signIn, .interact),
        row(50076, "a second factor is needed for this API", signIn, .interact),
        row(50078, "the second factor has expired", signIn, .interact),
        row(50079, "a second factor has to be set up", signIn, .interact),
        row(50097, "the device has to be known", signIn, .interact),
        row(50125, "a password has to be set or registered", signIn, .interact),
        row(50129, "the device is not joined", administrator, .failed),
        row(50131, "a rule of the tenant forbids the access", administrator, .failed),
        row(50158, "a check outside the tenant is needed", signIn, .interact),
        row(53000, "the device does not comply with the tenant's rules", administrator, .interact),
        row(53001, "the device is not joined to the domain", administrator, .interact),
        row(53002, "the application is none that the tenant approved", administrator, .failed),
        row(53003, "a rule of the tenant forbids the access", administrator, .interact),
        row(53004, "a second factor has to be set up first", signIn, .interact),
        row(530_032, "a security policy of the tenant forbids the access", administrator, .failed),
        row(530_035, "the tenant's security defaults forbid the access", administrator, .failed),
    ]

    private static let consents: [ErrorCode] = [
        row(65001, "nobody has consented to this use of the API", "consent on the page", .consent),
        row(65004, "the person declined to consent", "sign in and consent", .cancelled),
        row(65005, "the API is not among those of the registration", registration, .misconfigured),
        row(650_052, "the organisation has not enabled the API", administrator, .adminConsent),
        row(650_056, "the API is not in the registration, or not consented", administrator, .adminConsent),
        row(650_057, "the API is not among those of the registration", registration, .misconfigured),
        row(90008, "nobody has consented to signing in", "consent on the page", .consent),
        row(90094, "an administrator has to consent", administrator, .adminConsent),
        row(90095, "an administrator has to consent and can be asked on the page", administrator, .adminConsent),
        row(900_941, "an administrator has to consent: the application counts as risky", administrator, .adminConsent),
    ]

    private static let applications: [ErrorCode] = [
        row(50011, "the redirect address is not registered", "register exactly this address", .misconfigured),
        row(50049, "the authority's host is not known to the service", "check the authority", .misconfigured),
        row(50059, "the request names no tenant", "name the tenant in the authority", .misconfigured),
        row(50128, "the tenant's domain is not known", "check the authority", .misconfigured),
        row(50194, "the application is for one tenant only", "name the tenant in the authority", .misconfigured),
        row(500_011, "the API is not known in the tenant", scopes, .misconfigured),
        row(70001, "the application is disabled or not in the tenant", clientID, .misconfigured),
        row(70002, "the client secret is wrong", publicClient, .misconfigured),
        row(700_016, "the application is not in the tenant", clientID, .misconfigured),
        row(7_000_112, "the application is disabled", administrator, .misconfigured),
        row(7_000_215, "the client secret is wrong", publicClient, .misconfigured),
        row(7_000_218, "the service wants a client secret", publicClient, .misconfigured),
        row(90002, "there is no such tenant", "check the authority", .misconfigured),
        row(900_971, "the application has no redirect address", "register one", .misconfigured),
        row(9_002_325, "the redirect address is registered for a page in a browser", registration, .misconfigured),
        row(9_002_326, "the redirect address is not registered for a page", registration, .misconfigured),
        row(9_002_327, "the redirect address is registered for a page in a browser", registration, .misconfigured),
    ]

    private static let grants: [ErrorCode] = [
        row(50089, "the session has ended", signIn, .signIn),
        row(50173, "the grant was revoked", signIn, .signIn),
        row(54005, "the code was used before", signIn, .interact),
        row(70000, "the grant is not valid", signIn, .signIn),
        row(70008, "the code or the refresh token has expired", signIn, .signIn),
        row(700_003, "the device is no longer known", signIn, .signIn),
        row(700_005, "the code belongs to another tenant", clientsMistake, .failed),
        row(700_082, "the refresh token has expired, unused for too long", signIn, .signIn),
        row(700_084, "the refresh token of a page has expired", signIn, .signIn),
        row(70043, "the tenant wants a sign-in more often", signIn, .signIn),
        row(70016, "the code was not entered yet", "wait", .pending),
        row(70018, "the code was not entered rightly", "try again with a new code", .interact),
        row(70019, "the code has expired", "try again with a new code", .interact),
        row(70020, "the code was entered too late", "try again with a new code", .interact),
    ]

    private static let requests: [ErrorCode] = [
        row(50087, "the check of the second factor failed", "try again later", .retryLater),
        row(501_481, "the code verifier does not fit", clientsMistake, .failed),
        row(70003, "the grant type is not supported", registration, .misconfigured),
        row(70011, "a scope is not valid", scopes, .misconfigured),
        row(700_022, "scopes of two resources were asked", "ask one API for each token", .misconfigured),
        row(90006, "the service is not available", "wait and try again", .retryLater),
        row(90014, "a field is missing", clientsMistake, .failed),
        row(90024, "the service is busy", "wait and try again", .retryLater),
        row(90033, "the directory is not available", "wait and try again", .retryLater),
        row(90055, "there are too many requests", "wait and try again", .retryLater),
        row(900_144, "a parameter is missing", clientsMistake, .failed),
        row(9_002_313, "the request is malformed", clientsMistake, .failed),
    ]

    private static func row(
        _ number: Int, _ meaning: String, _ next: String, _ consequence: Consequence
    ) -> ErrorCode {
        ErrorCode("AADSTS\(number)", meaning, next, consequence)
    }
}
