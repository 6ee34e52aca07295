import SusiPolicies

/// What a custom policy reads from an ID token that an application signed (Microsoft, “Define an ID token hint technical
/// profile”).
struct Invitation: Codable, Sendable {
    let email: String?
    let name: String?

    /// Checks a token by the policy's rules. Without an audience in the rules, it must be for the client of the request.
    init(_ token: String?, _ rules: PolicySettings.Invitations, clientID: String, now: Int64) throws {
        guard let token else { throw Refusal.hintMissing.because("The policy requires an invitation") }
        let claims: JSON
        do { claims = try TokenVerifier(keys: rules.keys, now: now).signedClaims(of: token) } catch {
            let reason = (error as? TokenVerifier.Refused)?.reason ?? "\(error)"
            throw Refusal.hintSignature.because(
                "\(reason): compare its kid and signature with the “jwks” of “invitations”")
        }
        let issuer = claims["iss"]?.string
        guard issuer == rules.issuer else {
            throw Refusal.hintIssuer(rules.issuer).because("Its iss is \(issuer.map { "“\($0)”" } ?? "missing")")
        }
        let audience = rules.audience ?? clientID
        guard claims["aud"]?.string == audience else {
            throw Refusal(
                .hintForAnother,
                """
                The provided id_token_hint parameter does not contain an accepted audience. Valid audience values: \
                '\(audience)'. Please provide another token and try again.
                """
            ).because("Its aud is \(claims["aud"]?.string.map { "“\($0)”" } ?? "missing")")
        }
        guard let end = claims["exp"]?.integer, now < end else {
            throw Refusal(
                .hintExpired,
                "The provided id_token_hint parameter is expired. Please provide another token and try again.")
        }
        email = claims["email"]?.string.flatMap { isEmailAddress($0) ? $0 : nil }
        name = claims["name"]?.string
    }
}

extension Refusal {
    /// AADB2C90272.
    static let hintMissing = Refusal(
        .hintMissing,
        "The id_token_hint parameter has not been specified in the request. Please provide token and try again.")

    /// AADB2C90233.
    static let hintSignature = Refusal(
        .hintInvalid,
        "The provided id_token_hint parameter failed signature validation. Please provide another token and try again.")

    /// AADB2C90232.
    static func hintIssuer(_ expected: String) -> Refusal {
        Refusal(
            .hintOfAnotherIssuer,
            """
            The provided id_token_hint parameter does not contain an accepted issuer. Valid issuers: '\(expected)'. Please \
            provide another token and try again.
            """)
    }
}
