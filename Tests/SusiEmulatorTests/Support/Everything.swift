import SusiBase
import SusiPolicies
import SystemPackage

@testable import SusiEmulator

/// Tenants that use every key of a tenant file.
enum Everything {
    static let tenants: [TenantConfiguration] = [b2c, provider, successor]

    private static var b2c: TenantConfiguration {
        var tenant = TenantConfiguration(
            kind: .b2c, name: "fabrikam.onmicrosoft.com", id: "12345678-1234-4234-8234-123456789abc",
            policies: [
                Policy(
                    name: PolicyName("B2C_1_susi"), kind: .signUpOrSignIn, isDefault: true, scopes: ["openid"],
                    redirectPath: "/back", responseMode: .formPost, sendsIDTokenHint: true),
                Policy(name: PolicyName("B2C_1_reset"), kind: .passwordReset),
                Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn),
            ],
            applications: [application],
            apis: [
                RegisteredAPI(name: "hello", resource: "https://x/hello", scopes: ["a", "b"], path: "/api/hello"),
                other,
            ],
            users: users)
        tenant.settings = [PolicyName("b2c_1_SUSI"): settings]
        tenant.settings[PolicyName("B2C_1A_susi")] = PolicySettings()
        tenant.settings[PolicyName("B2C_1A_susi")]?.callouts = callouts(.restTechnicalProfiles)
        tenant.settings[PolicyName("B2C_1A_susi")]?.invitations = .init()
        tenant.settings[PolicyName("B2C_1A_susi")]?.invitations?.metadata = "https://code.example/metadata?v=2"
        tenant.settings[PolicyName("B2C_1_reset")] = PolicySettings()
        tenant.settings[PolicyName("B2C_1_reset")]?.invitations = .init()
        tenant.settings[PolicyName("B2C_1_reset")]?.invitations?.issuer = "https://app.contoso.example"
        tenant.settings[PolicyName("B2C_1_reset")]?.invitations?.secret = "shared"
        tenant.allowedHosts = ["code.example"]
        tenant.trustedCertificates = "/folder/authorities.pem"
        tenant.policyFolder = PolicyFolderSettings(
            path: "/folder/policies", environment: "Test", settings: ["ApiUrl": "http://localhost:5000"])
        tenant.policyKeys = ["B2C_1A_RestKey": "shared"]
        tenant.extensionsAppID = "99999999-1111-4111-8111-999999999999"
        tenant.attributeTypes = ["extension_isVip": .boolean, "extension_Level": .integer, "extension_Tags": .strings]
        tenant.listsUsers = false
        tenant.usersFile = "/folder/users.jsonl"
        tenant.lifetimes = lifetimes
        tenant.refreshRotation = .strict
        tenant.issuerForm = .policy
        tenant.redirectPorts = .any
        tenant.issuerParameter = .unannounced
        tenant.algorithm = .ps256
        tenant.numbersAsStrings = true
        tenant.refreshGivesIDToken = false
        tenant.declines = ["x"]
        tenant.administratorConsent = ["z"]
        tenant.claimedParameters = ["ui_locales"]
        tenant.errors = ["AADB2C90055": "invalid_request", "AADB2C90088": "invalid_client"]
        return tenant
    }

    private static var provider: TenantConfiguration {
        var tenant = TenantConfiguration(
            kind: .openid, name: "realms/a",
            policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)],
            applications: [RegisteredApplication(clientID: "cli", redirectAddresses: [])], users: [])
        tenant.issuerForm = .trailingSlash
        tenant.userConsent = ["y"]
        return tenant
    }

    private static var successor: TenantConfiguration {
        var tenant = TenantConfiguration(
            kind: .external, name: "fabrikam",
            policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)])
        tenant.usersOf = b2c.name
        tenant.groupLimit = 2
        tenant.allowedHosts = ["code.example"]
        tenant.settings[PolicyName("default")] = PolicySettings()
        tenant.settings[PolicyName("default")]?.callouts = callouts(.authenticationExtensions)
        return tenant.sharing(b2c)
    }

    private static var application: RegisteredApplication {
        var application = RegisteredApplication(
            clientID: "one", redirectAddresses: ["http://localhost:8400/back", "app://back"])
        application[.web] = ["https://one.example/back"]
        application[.spa] = ["http://localhost:3000/"]
        application[.native] = ["one://back"]
        application.name = "One"
        application.redirectPorts = .exact
        application.origins = ["http://localhost:3000"]
        application.allowsImplicit = true
        application.demandsChallenge = false
        application.coopEnforcement = true
        application.secrets = ["an old secret", "a new secret"]
        application.allowsNativeAuthentication = false
        return application
    }

    private static var other: RegisteredAPI {
        var api = RegisteredAPI(name: "other", resource: "", scopes: ["read"], path: "/v1")
        api.address = try? WebAddress("http://localhost:5000/v1")
        api.roles = ["admin"]
        api.clientID = "66666666-6666-6666-6666-666666666666"
        return api
    }

    private static var settings: PolicySettings {
        var settings = PolicySettings()
        settings.offer = .signIn
        settings.identifier = .either
        settings.identityProviders = [.local, .social]
        settings.attributes = [.init("city", label: "Town", isRequired: true, choices: ["Köln", "Kyoto"])]
        settings.verifiesEmail = true
        settings.multiFactor = .always
        settings.forgottenPassword = .inline
        settings.lockoutFailures = 0
        settings.lockoutSeconds = 90
        settings.session.scope = .application
        settings.session.seconds = 3_600
        settings.session.isRolling = false
        settings.session.keepSeconds = 30 * 86_400
        settings.session.requiresIDToken = true
        settings.claims = ["name", "signInNames.userName", "extension_isVip", "city", "oid"]
        settings.refreshReadsUser = true
        settings.policyClaim = .acr
        settings.invitations = .init()
        settings.invitations?.issuer = "https://app.contoso.example"
        settings.invitations?.audience = "invited"
        settings.invitations?.keys = ["keys": [["kid": "k", "kty": "EC"]]]
        settings.subject = .notSupported
        settings.applicationSubject = .objectID
        settings.lifetimes = lifetimes
        settings.lifetimes?.code = 7
        settings.template = "/folder/page.html"
        settings.callouts = callouts(.apiConnectors)
        return settings
    }

    private static func callouts(_ group: Callout.Group) -> [Callout.Step: Callout] {
        var callout = Callout()
        callout.url = "https://code.example/api?code=1"
        callout.username = "emulator"
        callout.password = "secret"
        callout.clientCertificate = "/folder/client.pem"
        callout.inputClaims = ["givenName": "first"]
        callout.outputClaims = ["extension_Level": "level"]
        callout.appID = "77777777-7777-7777-7777-777777777777"
        callout.certificate = "/folder/code.pem"
        callout.migrationProperty = "extension_toBeMigrated"
        callout.timeLimit = 600
        let steps = Callout.Step.allCases.filter { $0.group == group }
        return Dictionary(uniqueKeysWithValues: steps.map { ($0, callout) })
    }

    private static var lifetimes: Lifetimes {
        var lifetimes = Lifetimes(code: 1, accessToken: 120, idToken: 7_200, refreshToken: 86_400, slidingWindow: 61)
        lifetimes.refreshIn = 30
        lifetimes.metadata = 86_400
        lifetimes.devicePause = 0
        lifetimes.deviceCode = 600
        return lifetimes
    }

    private static var users: [User] {
        var ida = User(
            objectID: "00000000-0000-4000-8000-000000000001", email: "ida@fabrikam.example", userName: "ida",
            password: "Ida-Ida-1", displayName: "Ida \"I\" Ito", givenName: "Ida", surname: "Ito",
            homeTenant: "12345678-1234-4234-8234-123456789abd")
        ida.phone = "+49 30 901820"
        ida.factorEmail = "ida@home.example"
        ida.totpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        ida.attributes = [
            "city": "Kyoto", "extension_Loyalty": "7", "extension_isVip": .bool(true), "extension_Level": -3,
            "extension_Tags": ["a", "b, c"], "extension_Undeclared": .bool(false), "roles": [],
        ]
        ida.mustResetPassword = true
        ida.isBlocked = true
        var jan = User(
            objectID: "00000000-0000-4000-8000-000000000002", userName: "jan", password: "",
            displayName: "Jan", givenName: "", surname: "")
        jan.passwordHash = PasswordHash(salt: [1, 2, 3], hash: [UInt8](repeating: 0xfe, count: 32))
        var kim = User(
            objectID: "00000000-0000-4000-8000-000000000003", email: "ida@fabrikam.example", password: "",
            displayName: "Kim", givenName: "Kim", surname: "")
        kim.identityProvider = "social.example"
        return [ida, jan, kim]
    }
}

/// A mistake in an otherwise correct tenant file.
struct TenantMistake: Sendable, CustomStringConvertible {
    let old: String
    let new: String
    let line: Int
    let key: String
    let words: String
    /// Whether a JSON Schema can detect it.
    let isInSchema: Bool

    init(_ old: String, _ new: String, _ line: Int, _ key: String, _ words: String, isInSchema: Bool = true) {
        (self.old, self.new, self.line, self.words, self.isInSchema) = (old, new, line, words, isInSchema)
        self.key = "tenants" + (key.isEmpty ? "" : ".") + key
    }

    var description: String { "\(old) → \(new)" }

    func text() throws -> String {
        let text = Self.correct.replacing(old, with: new, maxReplacements: 1)
        guard text != Self.correct else { throw Unchanged() }
        return text
    }

    struct Unchanged: Error {}

    static let correct = """
        {
          "tenants": {
            "contoso.onmicrosoft.com": {
              "kind": "b2c",
              "policies": {
                "B2C_1_susi": {
                  "kind": "signUpOrSignIn", "default": true,
                  "identifier": "email",
                  "attributes": [{ "name": "city", "choices": ["Kyoto"] }, { "name": "surname" }],
                  "lockout": { "failures": 3, "time": "5m" },
                  "session": { "scope": "tenant", "time": "1h" }
                },
                "B2C_1_reset": { "kind": "passwordReset", "identifier": "either" }
              },
              "applications": { "one": { "redirectUris": ["http://localhost:8400/"] } },
              "apis": { "hello": { "baseUrl": "/api/hello", "scopes": ["https://x/hello/read"] } },
              "users": [
                { "email": "ana@contoso.example" },
                { "userName": "ben", "password": "Passw0rd!" }
              ],
              "issuerForm": "policy"
            },
            "fabrikam.onmicrosoft.com": { "kind": "external" }
          }
        }
        """

    private static let contoso = "contoso.onmicrosoft.com"
    private static let susi = "\(contoso).policies.B2C_1_susi"

    static let all = ofShape + ofMeaning

    private static let ofShape = [
        TenantMistake("\"tenants\"", "\"tenant\"", 2, "", "did you mean “tenants”?").at("tenant"),
        TenantMistake("\"identifier\"", "\"identifer\"", 8, "\(susi).identifer", "did you mean “identifier”?"),
        TenantMistake("\"email\",", "\"mail\",", 8, "\(susi).identifier", "one of “email”, “userName”, “either”"),
        TenantMistake(
            "3, \"time\"", "-3, \"time\"", 10, "\(susi).lockout.failures",
            "found -3; expected a whole number from 0 to 4294967295"),
        TenantMistake(
            "3, \"time\"", "\"3\", \"time\"", 10, "\(susi).lockout.failures",
            "found a string; expected a whole number from 0 to 4294967295"),
        TenantMistake("\"5m\"", "\"0s\"", 10, "\(susi).lockout.time", "a time of one second or more"),
        TenantMistake("\"1h\"", "\"000\"", 11, "\(susi).session.time", "a time of one second or more"),
        TenantMistake("\"1h\"", "\"-5s\"", 11, "\(susi).session.time", "such as “30s”"),
        TenantMistake("\"5m\"", "300", 10, "\(susi).lockout.time", "such as “30s”"),
        TenantMistake("\"5m\"", "\"5 minutes\"", 10, "\(susi).lockout.time", "such as “30s”"),
        TenantMistake("\"1h\"", "\"1w\"", 11, "\(susi).session.time", "such as “30s”"),
        TenantMistake("\"tenant\", \"time\"", "\"host\", \"time\"", 11, "\(susi).session.scope", "“suppressed”"),
        TenantMistake("{ \"name\": \"surname\" }", "{}", 9, "\(susi).attributes.1", "“name” is missing"),
        TenantMistake("[\"Kyoto\"]", "\"Kyoto\"", 9, "\(susi).attributes.0.choices", "a list"),
        TenantMistake("\"kind\": \"b2c\",", "", 3, contoso, "“kind” is missing"),
        TenantMistake("\"b2c\"", "\"b2b\"", 4, "\(contoso).kind", "did you mean “b2c”?"),
        TenantMistake("B2C_1_reset", "B2C 1", 13, "\(contoso).policies", "invalid key “B2C 1”"),
        TenantMistake(
            "\"http://localhost:8400/\"", "\"localhost\"", 15, "\(contoso).applications.one.redirectUris.0",
            "a whole redirect address"),
        TenantMistake(
            "http://localhost:8400/", "https://{tenant}.example/back", 15,
            "\(contoso).applications.one.redirectUris.0", "without placeholders"),
        TenantMistake(
            "http://localhost:8400/", "https://<your-app>/back", 15, "\(contoso).applications.one.redirectUris.0",
            "without placeholders"),
        TenantMistake(
            "\"/api/hello\"", "\"api\"", 16, "\(contoso).apis.hello.baseUrl",
            "an address, or a path that begins with “/”"),
        TenantMistake("[\"https://x/hello/read\"]", "[]", 16, "\(contoso).apis.hello.scopes", "empty"),
        TenantMistake(
            "\"users\": [", "\"userAttributes\": { \"extension_isVip\": \"Bolean\" }, \"users\": [", 17,
            "\(contoso).userAttributes.extension_isVip", "did you mean “Boolean”?"),
        attribute("1.5", "found a number; expected true or false, or a whole number"),
        attribute("[1]", "found a list; expected true or false, or a whole number"),
        attribute("{}", "found an object; expected true or false, or a whole number"),
        TenantMistake("ana@contoso.example", "ana", 18, "\(contoso).users.0.email", "an email address"),
        TenantMistake(
            "\"ben\"", "\"ben\", \"totpSecret\": \"GEZDGNBVGY3TQOJ1\"", 19, "\(contoso).users.1.totpSecret", "base32"),
        TenantMistake("\"ben\"", "\"b@n\"", 19, "\(contoso).users.1.userName", "without @"),
        TenantMistake(
            "\"issuerForm\": \"policy\"", "\"numbersAsStrings\": \"yes\"", 21, "\(contoso).numbersAsStrings",
            "true or false"),
        TenantMistake("\"issuerForm\": \"policy\"", "\"id\": \"contoso\"", 21, "\(contoso).id", "a GUID"),
        TenantMistake(
            "\"issuerForm\": \"policy\"", "\"errors\": { \"AADB2C90088\": \"invalid grant\" }", 21,
            "\(contoso).errors.AADB2C90088", "an OAuth error such as “invalid_grant”"),
        TenantMistake("\"policy\"\n", "\"polcy\"\n", 21, "\(contoso).issuerForm", "did you mean “policy”?"),
    ]

    private static let ofMeaning = [
        ofMeaning("\"1h\"", "\"40000d\"", 11, "\(susi).session.time", "a time of one second or more"),
        ofMeaning(
            "\"email\",", "\"email\", \"claims\": [\"sub\", \"city\", \"given_nam\"],", 8, "\(susi).claims.2",
            "did you mean “given_name”?"),
        ofMeaning(
            "\"email\",", "\"email\", \"claims\": [\"surname\"],", 8, "\(susi).claims.0",
            "unknown claim “surname”; expected emails, family_name, given_name, idp, name, newUser"),
        ofMeaning(
            "\"users\": [",
            "\"userAttributes\": { \"a\": \"Boolean\" }, \"users\": [{ \"userName\": \"x\", \"attributes\": { \"a\": \"yes\" } },",
            17, "\(contoso).users.0.attributes.a", "found a string; expected true or false"),
        ofMeaning(
            "\"ben\"", "\"ben\", \"attributes\": { \"roles\": \"admin\" }", 19, "\(contoso).users.1.attributes.roles",
            "found a string; expected a list"),
        ofMeaning(
            "\"issuerForm\": \"policy\"", "\"groupLimit\": 2", 21, "\(contoso).groupLimit",
            "not supported for the kind “b2c”"),
        ofMeaning("\"surname\"", "\"city\"", 9, "\(susi).attributes", "duplicate attribute “city”"),
        ofMeaning(
            "\"passwordReset\"", "\"passwordReset\", \"default\": true", 13, "\(contoso).policies.B2C_1_reset.default",
            "cannot be the default"),
        ofMeaning("B2C_1_reset", "b2c_1_SUSI", 13, "\(contoso).policies.b2c_1_SUSI", "only in upper and lower case"),
        ofMeaning(
            "\"one\": {", "\"ONE\": {}, \"one\": {", 15, "\(contoso).applications.one", "only by case"),
        ofMeaning(
            "\"https://x/hello/read\"", "\"https://x/read\", \"https://y/read\"", 16, "\(contoso).apis.hello.scopes",
            "several resources"),
        ofMeaning(
            "\"userName\": \"ben\"", "\"email\": \"ANA@contoso.example\"", 19, "\(contoso).users.1",
            "duplicate name “ana@contoso.example”"),
        ofMeaning("\"userName\": \"ben\", ", "", 19, "\(contoso).users.1", "“email” or “userName” is missing"),
        ofMeaning(
            "\"ben\"", "\"ben\", \"identityProvider\": \"social.example\"", 19, "\(contoso).users.1", "needs an “email”"
        ),
        ofMeaning(
            "\"password\": ", "\"passwordHash\": { \"salt\": \"AA==\", \"hash\": \"AA==\" }, \"displayName\": ", 19,
            "\(contoso).users.1", "“hash” has 1 bytes, not 32"),
        ofMeaning(
            "\"issuerForm\": \"policy\"", "\"errors\": { \"AADB2C90188\": \"invalid_grant\" }", 21,
            "\(contoso).errors.AADB2C90188", "did you mean “AADB2C90088”?"),
        ofMeaning(
            "\"external\" }", "\"external\", \"errors\": { \"AADB2C90088\": \"invalid_grant\" } }", 23,
            "fabrikam.onmicrosoft.com.errors", "not supported for the kind “external”"),
        ofMeaning(
            "\"external\" }", "\"external\", \"policies\": { \"default\": { \"kind\": \"signUp\" } } }", 23,
            "fabrikam.onmicrosoft.com.policies.default.kind", "has no policy of kind “signUp”"),
        ofMeaning(
            "\"policy\"\n", "\"trailingSlash\"\n", 21, "\(contoso).issuerForm",
            "not supported for the kind “b2c”; expected “tenant”"),
        ofMeaning(
            "fabrikam.onmicrosoft.com\": { \"kind\": \"external\"", "a/b\": { \"kind\": \"external\"", 23, "a/b",
            "expected a name without “/”"),
        ofMeaning(
            "fabrikam.onmicrosoft.com\": { \"kind\": \"external\"",
            "CONTOSO.onmicrosoft.com\": { \"kind\": \"b2c\", \"policies\": { \"a\": { \"kind\": \"signUpOrSignIn\" } }",
            23, "CONTOSO.onmicrosoft.com", "duplicate of the tenant “contoso.onmicrosoft.com”"),
        ofMeaning(
            "\"fabrikam.onmicrosoft.com\": { \"kind\": \"external\" }", "\"x\": { \"kind\": \"b2c\" }", 23, "x",
            "“policies” is missing"),
    ]

    private static func attribute(_ value: String, _ words: String) -> TenantMistake {
        TenantMistake(
            "\"ben\"", "\"ben\", \"attributes\": { \"extension_Level\": \(value) }", 19,
            "\(contoso).users.1.attributes.extension_Level", words)
    }

    private static func ofMeaning(
        _ old: String, _ new: String, _ line: Int, _ key: String, _ words: String
    ) -> TenantMistake { TenantMistake(old, new, line, key, words, isInSchema: false) }

    private func at(_ key: String) -> TenantMistake { TenantMistake(self, key) }

    private init(_ other: TenantMistake, _ key: String) {
        (old, new, line, words, isInSchema) = (other.old, other.new, other.line, other.words, other.isInSchema)
        self.key = key
    }
}
