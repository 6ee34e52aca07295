package import Susi

/// What an API demands of the access tokens that it gets, read from its own settings.
package struct APISettings: Sendable {
    /// A value, and where it can be changed.
    package struct Setting: Hashable, Sendable {
        /// The place for messages, for example `AzureAdB2C.ClientId (appsettings.json, line 4)` or `--audience`.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The scopes or roles of which an action of the API demands one; all scopes if the API ``isExact``.
    package struct Permission: Hashable, Sendable {
        package let name: String
        package let scopes: [String]
        package let roles: [String]

        package init(_ name: String, scopes: [String], roles: [String] = []) {
            (self.name, self.scopes, self.roles) = (name, scopes, roles)
        }
    }

    /// A claim that the API reads, as a value of one type, or as one of some values.
    package struct Claim: Hashable, Sendable {
        package let name: String
        package let type: String?
        package let values: [String]?
        package let isOptional: Bool

        package init(_ name: String, type: String? = nil, values: [String]? = nil, isOptional: Bool = false) {
            (self.name, self.type, self.values, self.isOptional) = (name, type, values, isOptional)
        }
    }

    /// The authority whose metadata the API reads, without `/.well-known/openid-configuration`.
    package var authority: WebAddress
    /// The settings that make that address.
    package var places: [String]
    /// Whether everything is compared as it is written, only the named issuers are accepted, and clocks must agree. Else the
    /// API accepts what ASP.NET Core with Microsoft.Identity.Web accepts: five minutes between the clocks, a slash at the end
    /// of an audience, the issuer of the metadata, and tokens of version 1.
    package var isExact: Bool
    package var audiences: [Setting] = []
    /// The audiences of tokens of version 1, if they are others.
    package var firstVersionAudiences: [Setting]?
    package var issuers: [Setting] = []
    package var claims: [Claim] = []
    /// The claim in which the API reads the scopes.
    package var scopeClaim = "scp"
    package var permissions: [Permission] = []
    /// Whether a token without scopes and roles is accepted.
    package var acceptsNoScope = false

    package init(_ authority: WebAddress, places: [String], isExact: Bool) {
        (self.authority, self.places, self.isExact) = (authority, places, isExact)
    }

    /// Returns the settings of an API that uses the local copy of a tenant: what is at the tenant's origin moves to that of
    /// the copy.
    package func moved(from tenant: WebAddress, to copy: WebAddress) -> APISettings {
        let move = { (text: String) in
            text.hasPrefix(tenant.origin + "/") ? copy.origin + text.dropFirst(tenant.origin.count) : text
        }
        var moved = self
        moved.authority = (try? WebAddress(move(authority.description))) ?? authority
        moved.issuers = issuers.map { Setting($0.name, move($0.value)) }
        return moved
    }

    /// The addresses of the authority for a token, the first one first. Entra ID has metadata for version 1 tokens too.
    func authorities(issuer: String) -> [WebAddress] {
        let (text, end) = (authority.description, "/v2.0")
        guard !isExact, !issuer.hasSuffix(end), !issuer.hasSuffix(end + "/"), text.hasSuffix(end),
            let first = try? WebAddress(String(text.dropLast(end.count)))
        else { return [authority] }
        return [first, authority]
    }
}
