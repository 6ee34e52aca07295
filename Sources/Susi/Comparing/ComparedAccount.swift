public import SusiOAuth
public import SusiPolicies
public import SusiStore

/// One side of a comparison: an account with the content of its stored tokens, without the tokens themselves.
public struct ComparedAccount: Sendable {
    /// The account.
    public let account: StoredAccount
    /// The application.
    public let application: Application
    /// The address of the OpenID configuration, by the rules of the authority's kind.
    public let configuration: Endpoint
    /// The address of the signing keys from the stored configuration; `nil` if none is stored.
    public let keys: Endpoint?
    /// The newest ID token.
    public let idToken: ComparedToken
    /// The newest access token, expired or not.
    public let accessToken: ComparedToken

    /// Makes a side.
    public init(
        account: StoredAccount, application: Application, configuration: Endpoint, keys: Endpoint?,
        idToken: ComparedToken, accessToken: ComparedToken
    ) {
        self.account = account
        self.application = application
        self.configuration = configuration
        self.keys = keys
        self.idToken = idToken
        self.accessToken = accessToken
    }

    /// Returns the token of a kind. Refresh tokens are opaque and not compared.
    func token(_ kind: ComparedToken.Kind) -> ComparedToken {
        switch kind {
        case .id: idToken
        case .access: accessToken
        }
    }
}

/// The content of a stored token.
public struct ComparedToken: Hashable, Sendable {
    /// The kinds of token that are compared.
    public enum Kind: String, CaseIterable, Sendable {
        /// The ID token, which is for the application.
        case id
        /// The access token, which is for an API.
        case access
    }

    /// The decoded token; `nil` if none is stored. Its signature is not checked.
    public let content: DecodedToken?
    /// The expiry time in seconds since 1970; `nil` if it is not known.
    public let expiresOn: Int64?
    /// The scopes for which an access token was requested.
    public let scopes: ScopeSet

    /// No stored token.
    public static let missing = ComparedToken(content: nil)

    /// Makes the content of a token.
    public init(content: DecodedToken?, expiresOn: Int64? = nil, scopes: ScopeSet = ScopeSet([])) {
        self.content = content
        self.expiresOn = expiresOn
        self.scopes = scopes
    }

    /// The claims; `nil` if they cannot be read.
    public var claims: JSONNode? { if case .signed(_, let claims) = content { claims } else { nil } }

    /// The header; `nil` if it cannot be read.
    public var header: JSONNode? {
        switch content {
        case .signed(let header, _), .encrypted(let header): header
        case .opaque, nil: nil
        }
    }
}
