/// The validated content of a token response. Times are in seconds since 1970.
public struct TokenGrant: Hashable, Sendable {
    /// The account, from the signed claims of the id token.
    public let account: Account
    /// The account's identifier, from `client_info` if the server sent it.
    public private(set) var homeAccountID: HomeAccountID
    /// Whether the server sent that identifier.
    public let namesHome: Bool
    /// The origin under which accounts of the configured authority are stored. The issuer's may differ.
    public let scopeOrigin: String
    /// The tenant in the configuration: a domain name, a GUID, a name for several tenants, or an issuer.
    public let tenantName: String
    /// The person's profile, from the signed claims.
    public let profile: Profile
    /// The id token's claims as signed JSON text; `nil` if a refresh returned no id token.
    public let claims: String?
    /// The raw id token; `nil` if a refresh returned none.
    public let idToken: String?
    /// The expiry of the id token.
    public let idTokenExpiresOn: Int64?
    /// The access token; `nil` if no scope of an API was requested.
    public private(set) var accessToken: AccessToken?
    /// The refresh token; `nil` if `offline_access` was not granted.
    public let refreshToken: RefreshToken?
    /// The time of the response.
    public let receivedOn: Int64

    /// An access token with its scopes and times.
    public struct AccessToken: Hashable, Sendable {
        /// The token.
        public let secret: String
        /// The requested scopes, without those of OpenID Connect: the key.
        public fileprivate(set) var scopes: ScopeSet
        /// The granted scopes.
        public let granted: ScopeSet
        /// The requested scopes that were not granted.
        public var declined: ScopeSet { scopes.declined(granted: granted) }
        /// Whether it can be used for these scopes.
        public func serves(_ wanted: ScopeSet) -> Bool { granted.serves(wanted, asked: scopes) }
        /// The expiry.
        public let expiresOn: Int64
        /// The time at which the server suggests a refresh.
        public let refreshOn: Int64?

        /// Makes an access token.
        public init(secret: String, scopes: ScopeSet, granted: ScopeSet, expiresOn: Int64, refreshOn: Int64? = nil) {
            self.secret = secret
            self.scopes = scopes
            self.granted = granted
            self.expiresOn = expiresOn
            self.refreshOn = refreshOn
        }
    }

    /// A refresh token with its expiry.
    public struct RefreshToken: Hashable, Sendable {
        /// The token.
        public let secret: String
        /// The expiry, if the server sent one.
        public let expiresOn: Int64?

        /// Makes a refresh token.
        public init(secret: String, expiresOn: Int64? = nil) {
            self.secret = secret
            self.expiresOn = expiresOn
        }
    }

    /// Returns the grant as if no other scopes had been requested.
    package func withoutScopes(beside wanted: ScopeSet) -> TokenGrant {
        var grant = self
        grant.accessToken?.scopes = ScopeSet((accessToken?.scopes.scopes ?? []).filter(wanted.scopes.contains))
        return grant
    }

    /// Returns the grant with another spelling of the identifier, or with one that the response left out.
    package func with(_ homeAccountID: HomeAccountID) -> TokenGrant {
        var grant = self
        grant.homeAccountID = homeAccountID
        return grant
    }

    /// Makes a grant from checked responses.
    public init(
        account: Account, homeAccountID: HomeAccountID, namesHome: Bool = false, tenantName: String, profile: Profile,
        claims: String?,
        idToken: String?, idTokenExpiresOn: Int64?, accessToken: AccessToken?, refreshToken: RefreshToken?,
        receivedOn: Int64, scopeOrigin: String? = nil
    ) {
        self.account = account
        self.homeAccountID = homeAccountID
        self.namesHome = namesHome
        self.scopeOrigin = scopeOrigin ?? account.person.tenant.origin
        self.tenantName = Tenant.canonical(tenantName)
        self.profile = profile
        self.claims = claims
        self.idToken = idToken
        self.idTokenExpiresOn = idTokenExpiresOn
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.receivedOn = receivedOn
    }
}
