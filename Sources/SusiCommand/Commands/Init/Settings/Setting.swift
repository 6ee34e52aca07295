import Susi
import SusiBase

/// A value in the configuration of another program.
struct Setting {
    /// The names that lead to it, outermost first.
    let path: [String]
    let text: String
    /// The place for messages: `AzureAdB2C.ClientId (line 4)`.
    let label: String
    /// Whether the file marks it as the default one of several.
    var isDefault = false
    /// Whether the text is the whole value, whatever the program does.
    var isWhole = true
    /// Whether another literal may say the same value.
    var isReplaceable = false

    init(path: [String], text: some StringProtocol, line: Int) {
        self.path = path
        self.text = DraftSource.withoutSpace(String(text))
        label = "\(path.joined(separator: ".")) (line \(line))"
    }

    /// The names in lower case, without what separates words. Left out are the container of a variable, and the names that
    /// an application of Spring gives its registrations.
    var name: String {
        var own = path[...]
        if let start = path.lastIndex(where: { ["environment", "provider", "registration"].contains($0.lowercased()) })
        {
            own = path[(start + 1)...]
            if path[start].lowercased() != "environment", own.count > 1 { own = own.dropFirst() }
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
            /(?:^|[^a-z])(?:your|(?:enter|insert|replace|placeholder|tenant[-_]?(?:name|id))(?![a-z])|change_?me|xxx)|_here/
        return isTemplate || text.contains(words)
    }
}

/// What the documented name of a setting says about its value.
enum SettingMeaning {
    case clientID
    /// Only a server has it, or the settings of an API.
    case secret
    case redirect
    /// An authority or an issuer.
    case authority
    /// An address that counts only if its form shows the authority, such as one of the metadata.
    case metadata
    /// A host, for a tenant in the same section.
    case instance
    case domain, tenantID
    /// The accounts that an application of MSAL for Android accepts, in place of a tenant.
    case audience
    case policy(PolicyKind)

    /// The value that is missing if this one is not literal.
    var need: ApplicationDraft.Need? {
        switch self {
        case .clientID: .clientID
        case .policy: .policy
        case .secret, .redirect, .audience: nil
        case .authority, .metadata, .instance, .domain, .tenantID: .tenant
        }
    }

    private static let names: [String: SettingMeaning] = [
        "clientid": .clientID, "clientsecret": .secret, "secret": .secret, "sourcetype": .secret,
        "redirecturi": .redirect, "redirecturl": .redirect, "callbackurl": .redirect,
        "authority": .authority, "authorityurl": .authority, "issuer": .authority, "issueruri": .authority,
        "issuerurl": .authority, "issuerbaseurl": .authority,
        "authurl": .metadata, "accesstokenurl": .metadata, "wellknown": .metadata, "metadataaddress": .metadata,
        "discoveryurl": .metadata, "discoveryuri": .metadata, "wellknownopenidconfiguration": .metadata,
        "baseuri": .metadata,
        "instance": .instance, "aadinstance": .instance, "domain": .domain, "tenant": .domain, "tenantid": .tenantID,
        "tenantname": .domain, "authoritiesaudiencetype": .audience,
        "signupsigninpolicyid": .policy(.signUpOrSignIn), "primaryuserflow": .policy(.signUpOrSignIn),
        "userflowssignuporsignin": .policy(.signUpOrSignIn), "resetpasswordpolicyid": .policy(.passwordReset),
        "userflowspasswordreset": .policy(.passwordReset), "editprofilepolicyid": .policy(.editProfile),
        "userflowsprofileedit": .policy(.editProfile),
        // They check the tokens that an API receives.
        "bearerstrategy": .secret, "addmicrosoftidentitywebapi": .secret, "addjwtbearer": .secret,
        "oauth2resourceserver": .secret,
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
            if let meaning = names[String(rest)] { return (meaning, section) }
            // In the section of Microsoft.Identity.Web, these are what the API requires.
            let isAPI =
                section.contains("azuread") && ["scopes", "audience", "allowwebapi"].contains(where: rest.hasPrefix)
            if isAPI { return (.secret, section) }
            // Auth.js has `AUTH_OKTA_ID`.
            if rest == "id", ["okta", "auth0", "keycloak", "zitadel", "entraid"].contains(where: section.hasSuffix) {
                return (.clientID, section)
            }
            guard let word = words.first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(word.count)
        }
        return nil
    }
}
