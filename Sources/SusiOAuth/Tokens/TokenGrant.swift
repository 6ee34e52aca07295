/// What a validated answer of the token endpoint gives to keep. Times are in seconds since 1970.
public struct TokenGrant: Hashable, Sendable {
    /// Whose tokens these are, by the signed claims of the id token.
    public let account: Account
    /// The cache's handle, from `client_info` when there was one.
    public let homeAccountID: HomeAccountID
    /// The origin under which the configured authority's accounts are looked up. The tenant's own may be another one.
    public let scopeOrigin: String
    /// How the configuration names the tenant: a domain name, a GUID, a name for several tenants, or an issuer.
    public let tenantName: String
    /// What the signed claims say of the person.
    public let profile: Profile
    /// The id token's claims as the JSON text that was signed; nil when a refresh brought no id token.
    public let claims: String?
    /// The raw id token; nil when a refresh brought none.
    public let idToken: String?
    /// When the id token ends.
    public let idTokenExpiresOn: Int64?
    /// The access token; nil when no API scope was asked.
    public let accessToken: AccessToken?
    /// The refresh token; nil when `offline_access` was not granted.
    public let refreshToken: RefreshToken?
    /// When the answer came.
    public let receivedOn: Int64

    /// An access token with what is known of it.
    public struct AccessToken: Hashable, Sendable {
        /// The token.
        public let secret: String
        /// The scopes that were asked, without those of OpenID Connect: the key.
        public let scopes: ScopeSet
        /// The scopes that were granted.
        public let granted: ScopeSet
        /// The asked scopes that were not granted.
        public var declined: ScopeSet { scopes.declined(granted: granted) }
        /// Whether it serves a request for these scopes, too.
        public func serves(_ wanted: ScopeSet) -> Bool { granted.serves(wanted, asked: scopes) }
        /// When it ends.
        public let expiresOn: Int64
        /// When the server would like it to be refreshed; nil when it did not say.
        public let refreshOn: Int64?

        /// Makes one.
        public init(secret: String, scopes: ScopeSet, granted: ScopeSet, expiresOn: Int64, refreshOn: Int64? = nil) {
            self.secret = secret
            self.scopes = scopes
            self.granted = granted
            self.expiresOn = expiresOn
            self.refreshOn = refreshOn
        }
    }

    /// A refresh token with what is known of it.
    public struct RefreshToken: Hashable, Sendable {
        /// The token.
        public let secret: String
        /// When it ends; nil when the server did not say.
        public let expiresOn: Int64?

        /// Makes one.
        public init(secret: String, expiresOn: Int64? = nil) {
            self.secret = secret
            self.expiresOn = expiresOn
        }
    }

    /// Makes a grant from answers that were checked.
    public init(
        account: Account, homeAccountID: HomeAccountID, tenantName: String, profile: Profile, claims: String?,
        idToken: String?, idTokenExpiresOn: Int64?, accessToken: AccessToken?, refreshToken: RefreshToken?,
        receivedOn: Int64, scopeOrigin: String? = nil
    ) {
        self.account = account
        self.homeAccountID = homeAccountID
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
