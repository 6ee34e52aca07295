package import SusiPolicies

/// What an API demands of the access tokens that it gets, read from its own settings.
package struct APISettings: Sendable {
    /// The library that applies the rules.
    package enum Library: Hashable, Sendable {
        /// Microsoft.Identity.Web 4 with ASP.NET Core: five minutes of leeway, one of the scopes is enough.
        case identityWeb
        /// fastapi-azure-auth 5, for B2C: everything is compared exactly, and all scopes are needed.
        case fastAPI
    }

    /// A value, and where it can be changed.
    package struct Setting: Hashable, Sendable {
        /// The place for messages: `AzureAdB2C.ClientId (line 4)` or `--audience`.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package let library: Library
    /// The authority whose metadata the API reads, without `/.well-known/openid-configuration`.
    package let authority: WebAddress
    /// The setting that names its host.
    package let host: Setting
    /// The setting that names its tenant, if that is another one.
    package let tenant: Setting?
    /// The setting that names its policy, in Azure AD B2C.
    package let policy: Setting?
    /// The API's own (client) ID, which is the audience unless `audiences` has others.
    package let clientID: Setting?
    package let audiences: [Setting]
    /// Issuers that are accepted beside that of the metadata; for fastapi-azure-auth the only one.
    package let issuers: [Setting]
    package let scopes: [Setting]
    /// Whether a token without scopes and roles is accepted (`AllowWebApiToBeAuthorizedByACL`).
    package let acceptsNoScope: Bool

    package init(
        _ library: Library, authority: WebAddress, host: Setting, tenant: Setting? = nil, policy: Setting? = nil,
        clientID: Setting? = nil,
        audiences: [Setting] = [], issuers: [Setting] = [], scopes: [Setting] = [], acceptsNoScope: Bool = false
    ) {
        self.library = library
        self.authority = authority
        self.host = host
        self.tenant = tenant
        self.policy = policy
        self.clientID = clientID
        self.audiences = audiences
        self.issuers = issuers
        self.scopes = scopes
        self.acceptsNoScope = acceptsNoScope
    }

    /// The accepted audiences of a token. Without explicit ones, Microsoft.Identity.Web takes the client ID, and `api://` with
    /// it for a version 1 token of Entra ID (`RegisterValidAudience`).
    func accepted(version: String?) -> [Setting] {
        guard audiences.isEmpty, let clientID else { return audiences }
        let isPlain = policy != nil || version == "2.0"
        return [isPlain ? clientID : Setting(clientID.name, "api://\(clientID.value)")]
    }

    /// The accepted difference between the clocks, in seconds.
    var leeway: Int64 { library == .identityWeb ? 300 : 0 }

    /// The authority of version 1 tokens: the same without `/v2.0`.
    var firstVersion: WebAddress? {
        let (text, end) = (authority.description, "/v2.0")
        guard library == .identityWeb, text.hasSuffix(end) else { return nil }
        return try? WebAddress(String(text.dropLast(end.count)))
    }
}
