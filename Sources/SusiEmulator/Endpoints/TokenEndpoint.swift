import HTTPTypes
import SusiBase
import SusiJourneys
import SusiPolicies

enum GrantType: String, CaseIterable, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case password
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case oneTimeCode = "oob"
    case factorCode = "mfa_oob"
    case continuation = "continuation_token"

    /// The grants that complete native authentication.
    static let native: Set<GrantType> = [.password, .oneTimeCode, .factorCode, .continuation]

    fileprivate var tokens: @Sendable (TokenRequest) throws -> JSON {
        switch self {
        case .authorizationCode: AuthorizationCodeGrant.tokens
        case .refreshToken: RefreshTokenGrant.tokens
        case .password: PasswordGrant.tokens
        case .clientCredentials: ClientCredentialsGrant.tokens
        case .deviceCode: DeviceCodeGrant.tokens
        case .oneTimeCode, .factorCode, .continuation: NativeGrant.tokens
        }
    }
}

/// The token endpoint (RFC 6749 section 3.2).
enum TokenEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let trace = JourneyTrace()
        var response = try respond(endpoint, context, trace)
        response.facts.journey = trace.lines
        return response
    }

    private static func respond(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, _ trace: JourneyTrace
    ) throws -> Response {
        do {
            let request = try TokenRequest(endpoint: endpoint, context: context, trace)
            let tokens = request.isNative ? NativeGrant.tokens : request.type.tokens
            var response = Response.json(try tokens(request)).setting("Pragma", "no-cache")
            response.facts.clientID = request.clientID
            response.note = request.hint
            return response
        } catch let error as NativeError {
            return try error.response(now: context.now)
        } catch {
            return try endpoint.json(Refusal(error), context)
        }
    }
}

/// A token request with what every grant needs.
struct TokenRequest: Sendable {
    let endpoint: PolicyEndpoint
    let now: Int64
    let form: Parameters
    let type: GrantType
    /// The authenticated client.
    let application: RegisteredApplication
    /// Whether a web page sent the request: only browsers send an origin.
    var isOfPage = false
    /// Whether the request completes native authentication.
    var isNative = false
    /// What the journey of a custom policy may know; nil for a user flow.
    var facts: RequestFacts?
    var trace = JourneyTrace()
}

extension TokenRequest {
    init(endpoint: PolicyEndpoint, context: RequestContext, _ trace: JourneyTrace) throws {
        let form = context.form
        if let repeated = form.repeated { throw Refusal.repeated(repeated) }
        guard let name = form["grant_type"] else { throw Refusal.withoutGrant(context) }
        let application = try endpoint.client(form, context)
        let isNative = endpoint.dialect.traits.servesNativeAuthentication && form["continuation_token"] != nil
        guard let type = endpoint.dialect.grantType(name),
            isNative ? GrantType.native.contains(type) : endpoint.dialect.grants(at: endpoint).contains(type)
        else { throw endpoint.dialect.refusal(ofGrant: name, at: endpoint) }
        self.init(
            endpoint: endpoint, now: context.now, form: form, type: type, application: application,
            isOfPage: context.headers[.origin] != nil, isNative: isNative,
            facts: endpoint.custom.map { _ in
                let parameters = form.all.filter { $0.key != "client_secret" }
                return RequestFacts(endpoint, context, parameters, id: randomGUID())
            }, trace: trace)
    }

    var clientID: String { application.clientID }

    /// What the services would refuse, for the request log: without a type, a page may send the secret of a server.
    var hint: String? {
        let isTyped = endpoint.dialect.traits.redirectTypes == .unsupported || !application.redirectTypes.isEmpty
        guard isOfPage, application.isConfidential, !isTyped else { return nil }
        return "a page sent the client secret, which the services refuse; list its redirect address under “spa”"
    }

    /// Checks that the grant belongs to this policy and client (AADB2C90088) and is not revoked.
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
        try checkClient(grant)
    }

    /// Checks that the grant belongs to this client and is not revoked.
    func checkClient(_ grant: GrantRecord) throws(Refusal) {
        guard grant.clientID == clientID else {
            throw Refusal(
                .otherClient,
                "The provided client ID '\(clientID)' does not match the client ID that issued the grant."
            ).because("The grant was issued to client \(grant.clientID) and sent by client \(clientID)")
        }
        guard !grant.isRevoked else { throw .revoked.because("The sign-in of this grant was revoked") }
    }

    func user(of grant: GrantRecord) throws -> User {
        // A journey may end without a user of the directory.
        if grant.details.journey != nil {
            let found = try endpoint.tenant.database.user(objectID: grant.objectID)
            guard found?.isBlocked != true else { throw Refusal.revoked }
            return found ?? User(objectID: grant.objectID)
        }
        return try user(try endpoint.tenant.database.user(objectID: grant.objectID), of: grant)
    }

    /// Checks the grant's user, who is nil if deleted.
    func user(_ user: User?, of grant: GrantRecord) throws(Refusal) -> User {
        guard let user else {
            throw Refusal.accountGone.because("The user \(grant.objectID) no longer exists")
        }
        guard !user.isBlocked else { throw Refusal.revoked }
        return user
    }

    /// An expired grant (AADB2C90080), with the three times that the service reports. The last one is that of the code or token, or
    /// the end of the sliding window.
    func expired(issued: Int64, at end: Int64, isWindow: Bool = false) -> Refusal {
        Refusal(
            .grantExpired,
            """
            The provided grant has expired. Please re-authenticate and try again. Current time: \(now), \
            Grant issued time: \(issued), Grant \(isWindow ? "sliding window " : "")expiration time: \(end)
            """)
    }

    func scopes(_ text: String) throws(Refusal) -> RequestedScopes {
        try RequestedScopes(text, clientID: clientID, endpoint.tenant.configuration)
    }

    /// Throws if a scope needs a consent, for which there is no page here.
    func checkConsent(_ user: User, _ scopes: RequestedScopes) throws {
        let consent = Consent(tenant: endpoint.tenant, clientID: clientID, scopes: scopes)
        if let refusal = try consent.refusal(user) { throw refusal }
    }

    /// Stores the grant of a sign-in at this endpoint, or of one at the user's `home` tenant.
    func newGrant(
        _ user: User, scope: String, isNewUser: Bool = false, home: GrantRecord? = nil, journey: JourneyClaims? = nil
    ) throws -> GrantRecord {
        let end = now + endpoint.lifetimes.slidingWindow
        let grant = GrantRecord(
            clientID: clientID, policy: endpoint.policy.name.spelling, objectID: user.objectID, scope: scope,
            nonce: form["nonce"], authTime: home?.authTime ?? now, isNewUser: isNewUser,
            expires: min(end, home?.expires ?? end),
            details: GrantRecord.Details(
                redirectType: home?.details.redirectType, userClaims: try endpoint.claimsToRepeat(of: user),
                codeClaims: try endpoint.codeClaims(user, clientID: clientID, now: now), journey: journey))
        return try endpoint.tenant.database.add(grant, now: now)
    }

    /// The response with the tokens of a grant for these scopes; `old` is the refresh token that was redeemed for them.
    func issue(
        _ grant: GrantRecord, to user: User, scopes: RequestedScopes, redeeming old: String? = nil
    ) throws -> JSON {
        let configuration = endpoint.tenant.configuration
        let scopes = try endpoint.tenant.granted(scopes, to: clientID, by: user)
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: try grant.details.adding(to: user), scopes: scopes, now: now,
            type: type, wantsClientInfo: form["client_info"] == "1")
        let givesOne = scopes.wants("offline_access") && !configuration.declines.contains("offline_access")
        let token = givesOne ? RandomBytes.text() : nil
        // A refresh token never outlives the sliding window of its sign-in.
        let expires = min(now + endpoint.lifetimes.refreshToken, grant.expires)
        let isKept = try endpoint.tenant.database.keep(
            refreshToken: token, expires: expires, replacing: old,
            isStrict: configuration.refreshRotation == .strict, of: grant, now: now)
        guard isKept else {
            throw Refusal.revoked.because("The refresh token was already used; all tokens of its sign-in are revoked")
        }
        return try issuer.response(refreshToken: token.map { ($0, expires) })
    }
}

extension Refusal {
    // The service reads no other body than a form, and does not say so.
    fileprivate static func withoutGrant(_ context: RequestContext) -> Refusal {
        let refusal = Refusal.missing("grant_type")
        guard !context.body.isEmpty, !context.isForm else { return refusal }
        let type = context.headers[.contentType].map { "is \($0)" } ?? "is missing"
        return refusal.because("The Content-Type \(type); a token request is application/x-www-form-urlencoded")
    }

    /// AADB2C90128: the user was deleted.
    static let accountGone = Refusal(
        .accountGone, "The account associated with this grant no longer exists. Please reauthenticate and try again.")

    /// AADB2C90129: the grant was revoked.
    static let revoked = Refusal(
        .grantRevoked, "The provided grant has been revoked. Please reauthenticate and try again.")
}
