import HTTPTypes
import SusiPolicies

/// The token endpoint (RFC 6749 section 3.2). A new grant is one line in `grants`.
enum TokenEndpoint {
    private static let grants: [GrantType: @Sendable (TokenRequest) throws -> JSON] = [
        .authorizationCode: AuthorizationCodeGrant.answer,
        .refreshToken: RefreshTokenGrant.answer,
        .password: PasswordGrant.answer,
        .deviceCode: DeviceCodeGrant.answer,
        .clientCredentials: ClientCredentialsGrant.answer,
    ]

    private static func grant(_ request: TokenRequest) throws(Refusal) -> @Sendable (TokenRequest) throws -> JSON {
        if request.isNative { return NativeGrant.respond }
        guard let grant = grants[request.type] else { throw request.unsupported }
        return grant
    }

    static func answer(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        do {
            let request = try TokenRequest(endpoint: endpoint, context: context)
            var answer = try Response.json(try grant(request)(request)).setting("Pragma", "no-cache")
            answer.facts.clientID = request.clientID
            return answer
        } catch let error as NativeError {
            return try error.response(ExternalDialect(), now: context.now)
        } catch {
            return try endpoint.json(Refusal(error), context)
        }
    }
}

/// What every grant needs of a token request.
struct TokenRequest: Sendable {
    let endpoint: PolicyEndpoint
    let now: Int64
    let form: Parameters
    let type: GrantType
    /// Who asks, after it has shown its secret where it has one.
    let application: RegisteredApplication
    /// Whether a web page sends it: browsers name the page's origin, other programs have none.
    let isOfPage: Bool
    /// Whether it ends a sign-in, a sign-up or a reset without a browser.
    let isNative: Bool

    init(endpoint: PolicyEndpoint, context: RequestContext) throws(Refusal) {
        self.endpoint = endpoint
        now = context.now
        form = context.form
        if let repeated = form.repeated { throw .repeated(repeated) }
        guard let name = form["grant_type"] else { throw .missing("grant_type") }
        application = try endpoint.client(form, context)
        isOfPage = context.headers[.origin] != nil
        isNative = endpoint.dialect.servesNativeAuthentication && form["continuation_token"] != nil
        guard let type = endpoint.dialect.grantType(name),
            isNative ? GrantType.native.contains(type) : endpoint.dialect.takes(type, at: endpoint)
        else { throw Self.unsupported(name) }
        self.type = type
    }

    /// Its client id.
    var clientID: String { application.clientID }

    private static func unsupported(_ name: String) -> Refusal {
        Refusal(.grantTypeUnsupported, "The supplied grant_type '\(name)' is not supported.")
    }

    /// The refusal of this request's grant.
    var unsupported: Refusal { Self.unsupported(type.rawValue) }

    /// A grant belongs to one policy and one client (AADB2C90088).
    func check(_ grant: GrantRecord) throws(Refusal) {
        guard grant.policy.lowercased() == endpoint.policy.name.lowercased else {
            throw Refusal(
                .otherPolicy,
                """
                The provided grant has not been issued for this endpoint. Actual Value : \(grant.policy) and \
                Expected Value : \(endpoint.policy.name)
                """
            ).because("The grant was issued under policy \(grant.policy) and sent to policy \(endpoint.policy.name)")
        }
        guard grant.clientID == clientID else {
            throw Refusal(
                .otherClient,
                "The provided client ID '\(clientID)' does not match the client ID that issued the grant."
            ).because("The grant was issued to client \(grant.clientID) and sent by client \(clientID)")
        }
        guard !grant.isRevoked else { throw .revoked.because("The sign-in of this grant was revoked") }
    }

    /// The grant's user.
    func user(of grant: GrantRecord) throws -> User {
        try user(try endpoint.tenant.database.user(objectID: grant.objectID), of: grant)
    }

    /// The grant's user, who was looked up: nil when there is none.
    func user(_ user: User?, of grant: GrantRecord) throws(Refusal) -> User {
        guard let user else {
            throw Refusal(
                .accountGone,
                "The account associated with this grant no longer exists. Please reauthenticate and try again."
            ).because("The user \(grant.objectID) no longer exists")
        }
        guard !user.isBlocked else { throw Refusal.revoked }
        return user
    }

    /// A grant whose time is over (AADB2C90080), with the three times that the service names.
    func expired(issued: Int64, window: Int64) -> Refusal {
        Refusal(
            .grantExpired,
            """
            The provided grant has expired. Please re-authenticate and try again. Current time: \(now), \
            Grant issued time: \(issued), Grant sliding window expiration time: \(window)
            """)
    }

    /// A scope text of this client, sorted out.
    func scopes(_ text: String) throws(Refusal) -> RequestedScopes {
        try RequestedScopes(text, clientID: clientID, endpoint.tenant.configuration)
    }

    /// Without a page nobody can be asked to agree.
    func checkConsent(_ user: User, _ scopes: RequestedScopes) throws {
        let consent = Consent(tenant: endpoint.tenant, clientID: clientID, scopes: scopes)
        if let refusal = try consent.refusal(user) { throw refusal }
    }

    /// The tokens of a grant, for these scopes, for a refresh token where one is redeemed.
    func answer(
        _ grant: GrantRecord, _ user: User, _ scopes: RequestedScopes, redeeming old: String? = nil
    ) throws -> JSON {
        let configuration = endpoint.tenant.configuration
        let scopes = try endpoint.tenant.granted(scopes, to: clientID, by: user)
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: user, scopes: scopes, now: now, type: type,
            wantsClientInfo: form["client_info"] == "1")
        let givesOne = scopes.wants("offline_access") && !configuration.declines.contains("offline_access")
        let token = givesOne ? randomSecret() : nil
        // A refresh token never outlives the sliding window of its sign-in.
        let expires = min(now + endpoint.lifetimes.refreshToken, grant.expires)
        let isKept = try endpoint.tenant.database.keep(
            refreshToken: token, expires: expires, replacing: old,
            isStrict: configuration.refreshRotation == .strict, of: grant, now: now)
        guard isKept else {
            throw Refusal.revoked.because("The refresh token was already used; all tokens of its sign-in are revoked")
        }
        return try issuer.answer(refreshToken: token.map { ($0, expires) })
    }
}

extension Refusal {
    /// AADB2C90129.
    static let revoked = Refusal(
        .grantRevoked, "The provided grant has been revoked. Please reauthenticate and try again.")
}
