import SusiPolicies

/// The token endpoint (RFC 6749 section 3.2). A new grant is one line in `grants`.
enum TokenEndpoint {
    private static let grants: [String: @Sendable (TokenRequest) throws -> JSON] = [
        "authorization_code": AuthorizationCodeGrant.answer,
        "refresh_token": RefreshTokenGrant.answer,
    ]

    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        do {
            let request = try TokenRequest(place: place, visit: visit)
            guard let grant = grants[request.grantType] else {
                throw Refusal(
                    .grantTypeUnsupported, "The supplied grant_type '\(request.grantType)' is not supported.")
            }
            return try .json(try grant(request)).setting("Pragma", "no-cache")
        } catch let refusal as Refusal {
            return try refusal.json(now: visit.now)
        }
    }
}

/// What every grant needs of a token request.
struct TokenRequest: Sendable {
    let place: Place
    let now: Int64
    let form: Parameters
    let grantType: String
    let clientID: String

    init(place: Place, visit: Visit) throws(Refusal) {
        self.place = place
        now = visit.now
        form = visit.form
        if let repeated = form.repeated {
            throw Refusal(.badParameter, "The request contains the parameter more than once: \(repeated).")
        }
        guard let grantType = form["grant_type"] else { throw .missing("grant_type") }
        guard let clientID = form["client_id"] else {
            throw Refusal(.clientMissing, "The request does not contain a client id parameter.")
        }
        guard let application = place.tenant.application(clientID) else {
            throw Refusal(
                .clientUnknown, "The provided application with ID '\(clientID)' is not valid against this service.")
        }
        self.grantType = grantType
        self.clientID = application.clientID
    }

    /// A grant belongs to one policy and one client (AADB2C90088).
    func check(_ grant: GrantRecord) throws(Refusal) {
        guard grant.policy.lowercased() == place.policy.name.lowercased else {
            throw Refusal(
                .otherPolicy,
                """
                The provided grant has not been issued for this endpoint. Actual Value : \(grant.policy) and \
                Expected Value : \(place.policy.name)
                """)
        }
        guard grant.clientID == clientID else {
            throw Refusal(.otherPolicy, "The provided grant has not been issued for this client.")
        }
        guard !grant.isRevoked else { throw .revoked }
    }

    /// The grant's user.
    func user(of grant: GrantRecord) throws -> User {
        guard let user = try place.tenant.database.user(objectID: grant.objectID) else {
            throw Refusal(
                .accountGone,
                "The account associated with this grant no longer exists. Please reauthenticate and try again.")
        }
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

    /// A new refresh token; it never outlives the sliding window of its sign-in.
    func newRefreshToken(_ grant: GrantRecord, _ scopes: RequestedScopes) throws -> (text: String, expires: Int64)? {
        guard scopes.wantsRefreshToken else { return nil }
        let expires = min(now + place.tenant.configuration.lifetimes.refreshToken, grant.expires)
        return (try place.tenant.database.issueRefreshToken(grant, now: now, expires: expires), expires)
    }
}

extension Refusal {
    /// AADB2C90129.
    static let revoked = Refusal(
        .grantRevoked, "The provided grant has been revoked. Please reauthenticate and try again.")
}
