import Susi
import SusiBase

/// A value in the configuration of another program.
struct Setting {
    /// The names that lead to it, outermost first; of an element of a list, its number.
    let path: [String]
    let text: String
    let line: Int
    /// The file, where several are read.
    var file: String?
    /// Whether the file marks it as the default one of several.
    var isDefault = false
    var state = State.literal

    /// How the file gives the value.
    enum State {
        case literal
        /// By a name; a literal elsewhere in the file may be the value.
        case reference
        /// By a variable of the program's surroundings; another file may be that of the variables.
        case variable
        /// In another way, or as one of several.
        case expression
    }

    init(path: [String], text: some StringProtocol, line: Int) {
        self.path = path
        self.text = DraftSource.trimmed(text, and: "")
        self.line = line
    }

    /// The place for messages: `AzureAdB2C.ClientId (line 4)`.
    var label: String { "\(names.joined(separator: ".")) (\(file.map { "\($0), " } ?? "")line \(line))" }

    var names: [String] { path.filter { Int($0) == nil } }

    /// The names in lower case, without what separates words. Left out are the container of a variable, and the names that
    /// an application of Spring gives its registrations.
    var name: String {
        var own = names[...]
        if let start = names.lastIndex(where: { ["environment", "provider", "registration"].contains($0.lowercased()) })
        {
            own = names[(start + 1)...]
            if names[start].lowercased() != "environment", own.count > 1 { own = own.dropFirst() }
        }
        return Self.normalized(own.joined())
    }

    static func normalized(_ name: String) -> String {
        String(decoding: name.utf8.filter(\.isAlphanumeric), as: UTF8.self).lowercased()
    }

    /// Whether the text has gaps that are filled elsewhere: `https://{tenant}.b2clogin.com`, `%TENANT%`, `<client id>`.
    var isTemplate: Bool { text.contains(/[{}<>\\`]|%[@a-zA-Z]|\$[A-Za-z_(]/) }

    /// Whether a sample leaves the value to fill in: `YOUR_TENANT_ID`, `Enter_the_Tenant_Info_Here`, or the GUID of a
    /// documentation such as aaaabbbb-0000-cccc-….
    var isPlaceholder: Bool {
        let text = text.lowercased()
        if text.isGUID {
            let digits = Array(text.utf8.filter(\.isAlphanumeric))
            return stride(from: 0, to: digits.count, by: 4).allSatisfy { Set(digits[$0..<($0 + 4)]).count == 1 }
        }
        let words =
            /(?:^|[^a-z])(?:your|(?:enter|insert|replace|placeholder|tenant[-_]?(?:name|id))(?![a-z])|change_?me|xxx)|_here|^\[/
        return isTemplate || text.contains(words)
    }
}

/// What the documented name of a setting says about its value.
enum SettingMeaning {
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
    case part(Part)
    case policy(PolicyKind)

    enum Part { case host, domain, id }

    /// The value that is missing if this one is not literal.
    var need: ApplicationDraft.Need? {
        switch self {
        case .clientID: .clientID
        case .policy: .policy
        case .secret, .api, .audience, .redirect: nil
        case .authority, .metadata, .part: .tenant
        }
    }

    /// Whether it counts in source code, where a part of an address may be put together with others.
    var countsInSource: Bool {
        switch self {
        case .part, .policy: false
        case .clientID, .secret, .api, .audience, .redirect, .authority, .metadata: true
        }
    }

    private static let names: [String: SettingMeaning] = [
        "clientid": .clientID,
        // Auth.js has `AUTH_OKTA_ID`.
        "oktaid": .clientID, "auth0id": .clientID, "keycloakid": .clientID, "zitadelid": .clientID,
        "entraidid": .clientID,
        "clientsecret": .secret, "secret": .secret, "sourcetype": .secret,
        // fastapi-azure-auth has `APP_CLIENT_ID`, Auth0's samples have `API_IDENTIFIER`. What a page publishes is its own.
        "expopublicappclientid": .clientID, "nextpublicappclientid": .clientID, "viteappclientid": .clientID,
        "audience": .audience, "audiences": .audience, "apiaudience": .audience, "apiidentifier": .audience,
        "appclientid": .audience, "apiclientid": .audience,
        "redirecturi": .redirect, "redirecturl": .redirect, "callbackurl": .redirect,
        "authority": .authority, "authorityurl": .authority, "issuer": .authority, "issueruri": .authority,
        "issuerurl": .authority, "issuerbaseurl": .authority,
        "authurl": .metadata, "accesstokenurl": .metadata, "wellknown": .metadata, "metadataaddress": .metadata,
        "discoveryurl": .metadata, "discoveryuri": .metadata, "wellknownopenidconfiguration": .metadata,
        "baseuri": .metadata,
        "instance": .part(.host), "aadinstance": .part(.host), "domain": .part(.domain), "tenant": .part(.domain),
        "tenantname": .part(.domain), "tenantid": .part(.id),
        "signupsigninpolicyid": .policy(.signUpOrSignIn), "primaryuserflow": .policy(.signUpOrSignIn),
        "userflowssignuporsignin": .policy(.signUpOrSignIn), "resetpasswordpolicyid": .policy(.passwordReset),
        "userflowspasswordreset": .policy(.passwordReset), "editprofilepolicyid": .policy(.editProfile),
        "userflowsprofileedit": .policy(.editProfile),
        // They check the tokens that an API receives.
        "bearerstrategy": .api, "addmicrosoftidentitywebapi": .api, "addjwtbearer": .api, "oauth2resourceserver": .api,
    ]

    // Names of frameworks, providers and sections before the documented one. Others, such as `google` and `api`, belong to
    // another application.
    private static let words = [
        "aad", "activedirectory", "audience", "auth", "auth0", "authentication", "authorities", "azure", "azuread",
        "azureadb2c", "b2c",
        "clientcredentials", "cloud", "com", "config", "credential", "credentials", "entra", "entraexternalid",
        "entraid",
        "environment", "expopublic", "ida", "k", "keycloak", "microsoft", "msal", "nextpublic", "oauth", "oauth2",
        "oidc",
        "okta", "openid", "profile", "quarkus", "reactapp", "resourceserver", "jwt", "spring", "security", "values",
        "vite", "zitadel",
    ].sorted { $0.count > $1.count }

    /// The meaning of a setting, and the names of the section that it is in; `nil` for any other name.
    static func of(_ setting: Setting) -> (meaning: SettingMeaning, section: String)? {
        let name = setting.name
        var rest = Substring(name)
        while rest.utf8.count < 200 {
            let section = String(name.dropLast(rest.count))
            // In the section of Microsoft.Identity.Web, these are what the API requires.
            let isAPI =
                section.contains("azuread") && ["scopes", "audience", "allowwebapi"].contains(where: rest.hasPrefix)
            if isAPI { return (.api, section) }
            if let meaning = names[String(rest)] { return (meaning, section) }
            guard let word = words.first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(word.count)
        }
        return nil
    }
}
