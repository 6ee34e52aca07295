import Susi

/// What the documented name of a setting says about its value.
enum SettingMeaning: Hashable {
    case clientID
    /// Only a server has it.
    case secret
    /// Only an API has it.
    case api
    /// Whom an API expects tokens to be for; a page may request it too.
    case audience
    case redirect
    /// An authority or an issuer.
    case authority
    /// An address that counts only if its form shows the authority, such as one of the metadata.
    case metadata
    /// A part of an address; the others are in the same section.
    case host, domain, tenantID
    /// A policy; without a kind, its own name shows the kind.
    case policy(PolicyKind?)
    case scope
    case apiAddress

    /// The value that is missing if this one is not literal.
    var need: DraftNeed? {
        switch self {
        case .clientID: .clientID
        case .policy: .policy
        case .secret, .api, .audience, .redirect, .scope, .apiAddress: nil
        case .authority, .metadata, .host, .domain, .tenantID: .tenant
        }
    }

    private static let names: [SettingMeaning: [String]] = [
        // Auth.js has `AUTH_OKTA_ID`. fastapi-azure-auth has `APP_CLIENT_ID`, Auth0's samples have `API_IDENTIFIER`: an
        // API's. What a page publishes is its own.
        .clientID: [
            "clientid", "clientoptionsidentifier", "oidckey", "oktaid", "auth0id", "keycloakid", "zitadelid",
            "entraidid", "applicationid", "expopublicappclientid", "nextpublicappclientid", "viteappclientid",
        ],
        .secret: ["secret", "clientcredential", "clientoptionssecret", "sourcetype"],
        // They check the tokens that an API receives.
        .api: ["bearerstrategy", "addmicrosoftidentitywebapi", "addjwtbearer", "oauth2resourceserver"],
        .audience: ["audience", "audiences", "apiaudience", "apiidentifier", "appclientid", "apiclientid"],
        .redirect: ["redirecturi", "redirecturl", "callbackurl", "clientoptionsredirecturi"],
        .authority: ["authority", "authorityurl", "issuer", "issueruri", "issuerurl", "issuerbaseurl", "oidcendpoint"],
        .metadata: [
            "authurl", "authorizeurl", "authorizationurl", "authorizationurltemplate", "authorizationendpoint",
            "authorizationuri", "tokenuri", "providerurl",
            "accesstokenurl", "tokenurl", "tokenendpoint", "wellknown", "wellknownurl", "metadataaddress", "metadata",
            "metadataurl", "servermetadataurl", "identitymetadata", "openidconfiguration", "discoveryurl",
            "discoveryuri", "discoverydocumenturi", "wellknownopenidconfiguration", "baseuri", "authserverurl",
        ],
        .host: ["instance", "aadinstance", "baseazureurl"],
        .domain: ["domain", "tenant", "tenantname", "tenantdomain"],
        .tenantID: ["tenantid", "directoryid"],
        .scope: ["scope", "scopes", "apiscope", "apiscopes"],
        .apiAddress: ["apiurl", "apiuri", "apibaseurl", "apibaseuri", "apiendpoint", "webapiurl", "uri", "endpoint"],
    ]
    private static let meanings = Dictionary(
        names.flatMap { meaning, names in names.map { ($0, meaning) } }, uniquingKeysWith: { first, _ in first })

    private static let policyKinds: [String: PolicyKind?] = [
        "": nil, "default": nil, "signupsignin": .signUpOrSignIn, "signuporsignin": .signUpOrSignIn,
        "signinsignup": .signUpOrSignIn, "signinorsignup": .signUpOrSignIn, "susi": .signUpOrSignIn,
        "signin": .signUpOrSignIn, "signup": .signUpOrSignIn, "login": .signUpOrSignIn, "primary": .signUpOrSignIn,
        "resetpassword": .passwordReset, "passwordreset": .passwordReset, "forgotpassword": .passwordReset,
        "reset": .passwordReset, "editprofile": .editProfile, "profileedit": .editProfile, "edit": .editProfile,
        "ropc": .resourceOwner,
    ]

    // `SignUpSignInPolicyId`, `AUTH_POLICY_NAME`, `user-flows.sign-up-or-sign-in`, `PolicyEditProfile`.
    // The name of a policy says itself that it is one: `signUpSignIn: 'B2C_1_susi'`.
    private static func policy(_ name: Substring, _ value: String) -> SettingMeaning? {
        if value.lowercased().hasPrefix("b2c_1"), let kind = policyKinds[String(name)] ?? nil {
            return .policy(kind)
        }
        let beginning = ["userflows", "policies", "policy"].first(where: name.hasPrefix)
        let end = ["policyid", "policyname", "policy", "userflowid", "userflowname", "userflow"].first(
            where: name.hasSuffix)
        let kinds = [end.map { name.dropLast($0.count) }, beginning.map { name.dropFirst($0.count) }]
        return kinds.lazy.compactMap { $0.flatMap { policyKinds[String($0)] } }.first.map { .policy($0) }
    }

    // Names of frameworks, providers and sections before the documented one. Others, such as `google` and `api`, belong to
    // another application.
    private static let words = """
        aad aadb2c activedirectory ad app application audience auth auth0 authconfig authentication authorities azure
        azuread azureadb2c b2c ciam client clientcredentials cloud com config configuration connectionparameters credential credentials
        customparameters default development dict entra entraexternalid entraid environments expopublic external
        externalid frontend gatsby ida identity k keycloak login micronaut microsoft microsoftentraid msal msalconfig
        next nextpublic nuxtpublic oauth oauth2 oauth2proxy oauthsettings oidc oidcconfig okta op openid openidconnect options
        plist production profile properties provider providers proxy public quarkus reactapp resourceserver jwt rp settings social spa
        spring security sso staging token values vite vueapp web webapp zitadel
        """.split { $0.isWhitespace }.map(String.init).sorted { $0.count > $1.count }

    /// The meaning of a setting, and the names of the section that it is in; `nil` for any other name. A section that has
    /// an address of Microsoft's may have any name.
    static func of(_ setting: Setting, inOwnSection isOwn: Bool = false) -> (meaning: SettingMeaning, section: String)?
    {
        let last = Setting.normalized(setting.names.last ?? "")
        if last == "clienttype" { return setting.text.lowercased() == "confidential" ? (.secret, "") : nil }
        let name = isOwn ? last : setting.name
        var rest = Substring(name)
        while rest.utf8.count < 200 {
            let section = String(name.dropLast(rest.count))
            // In the section of Microsoft.Identity.Web, these are what the API requires.
            let isRequired = ["scopes", "audience", "allowwebapi"].contains(where: rest.hasPrefix)
            let ofOpenID = setting.text.split(separator: " ").map(String.init).allSatisfy(OpenIDScopes.all.contains)
            if section.contains("azuread"), isRequired, !ofOpenID {
                return (.api, section)
            }
            // Quarkus has services, which are APIs, and servers of pages.
            if rest == "applicationtype", ["service", "web-app", "hybrid"].contains(setting.text) {
                return (setting.text == "service" ? .api : .secret, section)
            }
            // Keycloak's address has no realm, that of Quarkus is the issuer.
            if section.contains("quarkus"), rest == "authserverurl" { return (.authority, section) }
            // `client-secret-file`, `clientSecret.enabled`; but an API signs its own tokens with `JWT_SECRET`.
            if rest.hasPrefix("clientsecret"), !rest.hasSuffix("settingname") { return (.secret, section) }
            if rest == "secret", ["auth", "jwt"].contains(section) { return nil }
            // Android has an `applicationId` too.
            if rest == "applicationid", !setting.text.lowercased().isGUID { return nil }
            if let meaning = meanings[String(rest)] ?? policy(rest, setting.text) { return (meaning, section) }
            guard let word = words.first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(word.count)
        }
        return nil
    }
}
