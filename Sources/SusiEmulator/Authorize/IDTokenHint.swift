import SusiPolicies

/// An id token that a request carries to say who it is about (OpenID Connect Core section 3.1.2.1). It may have expired;
/// its signature and its issuer must be right all the same.
struct IDTokenHint: Sendable {
    /// The person's object id.
    let person: String
    /// The client that the token was issued for.
    let clientID: String

    init(_ token: String, _ place: Place, now: Int64) throws {
        let claims: JSON
        do { claims = try place.tenant.verifier(now: now).signedClaims(of: token) } catch is TokenVerifier.Refused {
            throw Refusal(
                .hintInvalid,
                "The provided id_token_hint parameter failed signature validation. Please provide another token and try again."
            )
        }
        let expected = place.shape.issuer(ofToken: claims, in: place.tenant, origin: place.origin)
        guard expected != nil, claims["iss"]?.string == expected, let clientID = claims["aud"]?.string,
            place.registered(clientID) != nil
        else {
            throw Refusal(
                .hintOfAnotherIssuer,
                """
                The provided id_token_hint parameter does not contain an accepted issuer. Valid issuers: \
                '\(place.issuer)'. Please provide another token and try again.
                """)
        }
        guard let person = try place.tenant.user(ofToken: claims) else { throw Refusal.userUnknown }
        self.person = person.objectID
        self.clientID = clientID
    }
}
