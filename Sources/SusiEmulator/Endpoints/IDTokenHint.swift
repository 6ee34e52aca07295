import SusiBase
import SusiPolicies

/// An ID token that names the user of a request (OpenID Connect Core section 3.1.2.1). It may have expired; its signature and
/// its issuer must be valid.
struct IDTokenHint: Sendable {
    /// The user; nil if deleted.
    let user: User?
    /// The client that the token was issued for.
    let clientID: String

    init(_ token: String, _ endpoint: PolicyEndpoint, now: Int64) throws {
        let claims: JSON
        do { claims = try endpoint.tenant.verifier(now: now).signedClaims(of: token) } catch is TokenVerifier.Refused {
            throw Refusal.hintSignature
        }
        let expected = endpoint.dialect.issuer(ofToken: claims, in: endpoint.tenant, origin: endpoint.origin)
        guard expected != nil, claims["iss"]?.string == expected, let clientID = claims["aud"]?.string,
            endpoint.registered(clientID) != nil
        else {
            throw Refusal.hintIssuer(endpoint.issuer)
        }
        user = try endpoint.tenant.user(ofToken: claims)
        self.clientID = clientID
    }
}
