extension ErrorCode {
    private static let clientID: Remedy = "check clientId and the tenant in policies.json"
    private static let publicClient: Remedy = "allow public client flows in the registration"
    private static let newCode: Remedy = .signIn(text: "sign in again for a new code")
    private static let newPassword: Remedy = .signIn(text: "sign in and choose another password")
    private static let otherForm: Remedy =
        "check the authority; at a custom domain, write the tenant in the other form: its ID, or NAME.onmicrosoft.com"
    private static let guest: Remedy =
        "ask the administrator of the tenant for an invitation, or choose another account"
    private static let network: Remedy = "ask the administrator of the network, whose proxy restricts the tenants"
    private static let resource: Remedy = "remove the parameter “resource”, and name the API in the scopes"

    /// The codes of Microsoft Entra ID and Entra External ID.
    static let entra: [ErrorCode] = sessions + persons + conditions + consents + applications + grants + requests

    private static let sessions: [ErrorCode] = [
        row(
            16000, "no account was chosen, or it is not in the tenant", .signIn(text: "sign in and choose an account"),
            .interact),
        row(
            16001, "the chosen account was not accepted", .signIn(text: "sign in and choose another account"), .interact
        ),
        row(16003, "the account was never added to the tenant", guest, .failed),
        row(50058, "no session, and the request allows no page", .signIn, .interact),
        row(50132, "the password has changed or expired", .signIn, .signIn),
        row(50133, "the password has changed or expired", .signIn, .signIn),
        row(50139, "the session of the external account is incomplete", .signIn, .interact),
        row(50140, "the page asks whether to stay signed in", .signIn, .interact),
        row(50196, "the same request was sent too often", "wait and try again", .retryLater),
        row(50197, "the account was not found", .signIn, .interact),
        row(50199, "the page asks for a confirmation", .signIn, .interact),
    ]

    private static let persons: [ErrorCode] = [
        row(50020, "the account is not in this tenant", guest, .failed),
        row(50034, "the account does not exist in the directory", "check the user name and the tenant", .interact),
        row(50053, "the account is locked, or the IP address is blocked", "wait and try again", .retryLater),
        row(50055, "the password has expired", .signIn(text: "sign in and set a new password"), .interact),
        row(50056, "the account has no password", .signIn, .interact),
        row(50057, "the account is disabled", .administrator, .failed),
        row(50105, "the user is not assigned to the application", .administrator, .failed),
        row(
            50126, "wrong user name or password", .signIn(text: "sign in with the right user name and password"),
            .interact),
        row(
            50144, "the password in the account's own directory has expired", "set a new password in that directory",
            .interact),
        row(50142, "a new password must be chosen first", .signIn, .interact),
        row(50181, "the code is wrong, expired or used up", newCode, .interact),
        row(399_246, "the new password is too weak", newPassword, .interact),
        row(399_247, "the new password is too short", newPassword, .interact),
        row(399_248, "the new password is too long", newPassword, .interact),
        row(1_003_034, "the account does not exist in the directory", "check the user name and the tenant", .interact),
        row(1_003_037, "there is an account with this address", .signIn, .interact),
        row(51004, "the account does not exist in the directory", guest, .failed),
        row(90072, "the external account is not in this tenant", guest, .failed),
    ]

    private static let conditions: [ErrorCode] = [
        row(50072, "a second factor must be set up", .signIn, .interact),
        row(50074, "a second factor is needed", .signIn, .interact),
        row(50076, "a second factor is needed for this API", .signIn, .interact),
        row(50078, "the second factor has expired", .signIn, .interact),
        row(50079, "a second factor must be set up", .signIn, .interact),
        row(50097, "the device must be registered", .signIn, .interact),
        row(50125, "a password must be set or registered", .signIn, .interact),
        row(50129, "the device is not workplace-joined", .administrator, .failed),
        row(50131, "conditional access of the tenant blocks the sign-in", .administrator, .failed),
        row(50158, "an external security check is required", .signIn, .interact),
        row(53000, "the device does not comply with the tenant's rules", .administrator, .interact),
        row(53001, "the device is not joined to the domain", .administrator, .interact),
        row(53002, "the tenant has not approved the application", .administrator, .failed),
        row(53003, "conditional access of the tenant blocks the sign-in", .administrator, .interact),
        row(53004, "a second factor must be set up first", .signIn, .interact),
        row(53011, "the account is blocked because of a risk in its own tenant", .administrator, .failed),
        row(500_021, "the network does not allow this tenant", network, .failed),
        row(500_022, "the network does not allow this tenant", network, .failed),
        row(1_100_001, "code that the tenant runs at a sign-in failed", .administrator, .failed),
        row(530_032, "a security policy of the tenant blocks the sign-in", .administrator, .failed),
        row(530_035, "the security defaults of the tenant block the sign-in", .administrator, .failed),
        row(530_036, "conditional access of the tenant no longer accepts how the session began", .signIn, .interact),
    ]

    private static let consents: [ErrorCode] = [
        row(65001, "consent to this use of the API is missing", "consent on the page", .consent),
        row(65004, "the user declined to consent", .signIn(text: "sign in and consent"), .cancelled),
        row(65005, "the API is not in the registration of the application", .registration, .misconfigured),
        row(650_052, "the organization has not enabled the API", .administrator, .adminConsent),
        row(650_053, "the API has no such scope", .scopes, .misconfigured),
        row(650_056, "the API is not in the registration, or consent is missing", .administrator, .adminConsent),
        row(650_057, "the API is not in the registration of the application", .registration, .misconfigured),
        row(90008, "consent to sign in is missing", "consent on the page", .consent),
        row(90094, "an administrator must consent", .administrator, .adminConsent),
        row(90095, "an administrator must consent; the page can send the request", .administrator, .adminConsent),
        row(
            900_941, "an administrator must consent: the application is marked as risky", .administrator, .adminConsent),
    ]

    private static let applications: [ErrorCode] = [
        row(50011, "the redirect address is not registered", .redirectAddress, .misconfigured),
        row(50049, "the service does not know the host of the authority", "check the authority", .misconfigured),
        row(50059, "the request names no tenant", "name the tenant in the authority", .misconfigured),
        row(
            500_208, "accounts of this kind do not sign in at this host",
            "enter a device code at https://NAME.ciamlogin.com/common/oauth2/deviceauth; else check the host of the authority",
            .misconfigured),
        row(
            500_207, "accounts of this kind cannot be used for the API",
            "fix the supported account types of the API's registration", .misconfigured),
        row(500_210, "host and tenant of the authority do not belong together", otherForm, .misconfigured),
        row(399_266, "the domain does not accept this form of the tenant in the authority", otherForm, .misconfigured),
        row(50128, "unknown domain of the tenant", "check the authority", .misconfigured),
        row(50194, "the application belongs to one tenant only", "name the tenant in the authority", .misconfigured),
        row(500_011, "the API does not exist in the tenant", .scopes, .misconfigured),
        row(70001, "the application is disabled or not in the tenant", clientID, .misconfigured),
        row(70002, "wrong client secret", publicClient, .misconfigured),
        row(700_016, "the application is not in the tenant", clientID, .misconfigured),
        row(7_000_112, "the application is disabled", .administrator, .misconfigured),
        row(7_000_215, "wrong client secret", publicClient, .misconfigured),
        row(7_000_218, "the service requires a client secret", publicClient, .misconfigured),
        row(7_000_222, "the client secret has expired", "create another client secret", .misconfigured),
        row(700_024, "the client assertion has expired, or is not valid yet", "compare the clocks", .misconfigured),
        row(
            700_027, "the signature of the client assertion is invalid", "register the certificate that signs it",
            .misconfigured),
        row(550_022, "public client flows are not allowed for the application", publicClient, .misconfigured),
        row(700_051, "the application is not allowed to get a token by redirect", .registration, .misconfigured),
        row(700_054, "the application is not allowed to get an id token by redirect", .registration, .misconfigured),
        row(90002, "no such tenant", "check the authority", .misconfigured),
        row(900_971, "the application has no redirect address", .redirectAddress, .misconfigured),
        row(700_025, "a public client sent a secret", .clientsMistake, .failed),
        row(
            9_001_023, "a password is not accepted at an address for several tenants",
            "name the tenant in the authority", .misconfigured),
        row(
            9_002_331, "the application is for personal accounts only", "name consumers as the tenant in the authority",
            .misconfigured),
        row(
            9_002_332, "the application is not for personal accounts",
            "name organizations or the tenant in the authority",
            .misconfigured),
        row(
            9_002_325, "no PKCE, but the redirect address is registered for a single-page application", .registration,
            .misconfigured),
        row(
            9_002_326, "the redirect address is not registered for a single-page application", .registration,
            .misconfigured),
        row(
            9_002_327, "the redirect address is registered for a single-page application", .registration, .misconfigured
        ),
    ]

    private static let grants: [ErrorCode] = [
        row(50089, "the session has expired", .signIn, .interact),
        row(50173, "the grant was revoked", .signIn, .signIn),
        row(54005, "the code was already used", .signIn, .interact),
        row(55103, "a password is missing", .signIn(text: "sign in in a browser"), .interact),
        row(55106, "the account lacks attributes", .signIn(text: "sign in in a browser"), .interact),
        row(55200, "the sign-in cannot be continued", .signIn(text: "sign in again"), .interact),
        row(552_001, "the sign-in was not continued in time", .signIn(text: "sign in again"), .interact),
        row(552_003, "the sign-in was not continued in time", .signIn(text: "sign in again"), .interact),
        row(70000, "invalid grant", .tryAgain, .interact),
        row(70008, "the code or the refresh token has expired", .signIn, .signIn),
        row(700_003, "the device is no longer registered", .signIn, .interact),
        row(700_005, "the code belongs to another tenant", "check the authority in policies.json", .misconfigured),
        row(700_082, "the refresh token was not used for as long as the tenant's settings allow", .signIn, .signIn),
        row(700_084, "the refresh token of a single-page application has expired", .signIn, .signIn),
        row(70043, "the tenant requires a more recent sign-in", .signIn, .interact),
        row(70044, "the tenant requires a more recent sign-in", .signIn, .interact),
        row(70016, "the code has not been entered yet", "wait", .pending),
        row(70018, "a wrong code was entered", newCode, .interact),
        row(70019, "the code has expired", newCode, .interact),
        row(70020, "the code is wrong or has expired", newCode, .interact),
    ]

    private static let requests: [ErrorCode] = [
        row(1_002_012, "the scope of an application for itself does not end with /.default", .scopes, .misconfigured),
        row(50087, "the check of the second factor failed", "try again later", .retryLater),
        row(501_481, "the code verifier does not match", .clientsMistake, .failed),
        row(501_491, "the code challenge has an invalid size", .clientsMistake, .failed),
        row(28000, "scopes of two resources were requested", "request a token for each API", .misconfigured),
        row(70003, "the grant type is not supported", .registration, .misconfigured),
        row(70005, "the response type is not supported", .clientsMistake, .failed),
        row(70007, "the response mode is not supported", .clientsMistake, .failed),
        row(
            70011, "invalid scope, or .default for a personal account",
            "check the API's scopes; for personal accounts, name each scope", .misconfigured),
        row(700_022, "scopes of two resources were requested", "request a token for each API", .misconfigured),
        row(90006, "the service is not available", "wait and try again", .retryLater),
        row(90014, "a field is missing", .clientsMistake, .failed),
        row(90023, "the request is not valid", "check the scopes and the options of the sign-in", .misconfigured),
        row(90024, "the service is busy", "wait and try again", .retryLater),
        row(90033, "the directory is not available", "wait and try again", .retryLater),
        row(90055, "too many requests", "wait and try again", .retryLater),
        row(900_144, "a parameter is missing", .clientsMistake, .failed),
        row(901_002, "the parameter “resource” is not supported", resource, .misconfigured),
        row(901_007, "the server requires another way to sign in", .clientsMistake, .failed),
        row(9_000_411, "a parameter is repeated", .clientsMistake, .failed),
        row(9_010_010, "the parameter “resource” does not name the API of the scopes", resource, .misconfigured),
        row(9_002_313, "the request is malformed", .clientsMistake, .failed),
    ]

    private static func row(
        _ number: Int, _ meaning: String, _ remedy: Remedy, _ consequence: Consequence
    ) -> ErrorCode {
        ErrorCode("AADSTS\(number)", meaning, remedy, consequence)
    }
}
