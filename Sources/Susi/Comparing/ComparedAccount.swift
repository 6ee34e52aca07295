package import SusiOAuth
package import SusiPolicies
package import SusiStore

/// One side of a comparison: an account with the content of its stored tokens, without the tokens themselves.
package struct ComparedAccount: Sendable {
    package let account: StoredAccount
    package let application: Application
    /// The address of the OpenID configuration, by the rules of the authority's kind.
    package let configuration: Endpoint
    /// The address of the signing keys from the stored configuration; `nil` if none is stored.
    package let keys: Endpoint?
    /// The newest ID token.
    package let idToken: ComparedToken
    /// The newest access token, expired or not.
    package let accessToken: ComparedToken

    package init(
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
package struct ComparedToken: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The ID token, which is for the application.
        case id
        /// The access token, which is for an API.
        case access
    }

    /// The decoded token; `nil` if none is stored. Its signature is not checked.
    package let content: DecodedToken?
    /// The expiry time in seconds since 1970; `nil` if it is not known.
    package let expiresOn: Int64?
    /// The scopes for which an access token was requested.
    package let scopes: ScopeSet

    package static let missing = ComparedToken(content: nil)

    package init(content: DecodedToken?, expiresOn: Int64? = nil, scopes: ScopeSet = ScopeSet([])) {
        self.content = content
        self.expiresOn = expiresOn
        self.scopes = scopes
    }

    /// The claims; `nil` if they cannot be read.
    package var claims: JSONNode? { if case .signed(_, let claims) = content { claims } else { nil } }

    /// The header; `nil` if it cannot be read.
    package var header: JSONNode? {
        switch content {
        case .signed(let header, _), .encrypted(let header): header
        case .opaque, nil: nil
        }
    }
}
