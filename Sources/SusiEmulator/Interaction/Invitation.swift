import SusiBase
import SusiPolicies

/// What a custom policy reads from an ID token that an application signed (Microsoft, “Define an ID token hint technical
/// profile”).
struct Invitation: Codable, Sendable {
    let email: String?
    let name: String?

    /// Checks a token by the policy's rules. Without an audience in the rules, it must be for the client of the request.
    init(_ token: String?, _ rules: PolicySettings.Invitations, _ tenant: Tenant, clientID: String, now: Int64) throws {
        guard let token else { throw Refusal.hintMissing.because("The policy requires an invitation") }
        let claims = try Self.claims(token, rules, tenant, clientID: clientID, now: now)
        email = claims["email"]?.string.flatMap { isEmailAddress($0) ? $0 : nil }
        name = claims["name"]?.string
    }

    /// The claims of a valid token.
    static func claims(
        _ token: String, _ rules: PolicySettings.Invitations, _ tenant: Tenant, clientID: String, now: Int64
    ) throws -> JSON {
        let (expected, keys) = try source(rules, tenant)
        let claims: JSON
        do { claims = try TokenVerifier(keys: keys, secret: rules.secret, now: now).signedClaims(of: token) } catch {
            let reason = (error as? TokenVerifier.Refused)?.reason ?? "\(error)"
            throw Refusal.hintSignature.because(
                "\(reason): compare its kid and signature with the keys of “invitations”")
        }
        // The service has no other error for it (azure-ad-b2c/samples#261).
        if let start = claims["nbf"]?.integer, start > now {
            throw Refusal.hintSignature.because("Its nbf is in the future")
        }
        let issuer = claims["iss"]?.string
        guard issuer == expected else {
            throw Refusal.hintIssuer(expected).because("Its iss is \(issuer.map { "“\($0)”" } ?? "missing")")
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
        return claims
    }

    /// The accepted issuer and the public keys. An issuer in the rules replaces the one of the document.
    private static func source(_ rules: PolicySettings.Invitations, _ tenant: Tenant) throws -> (String, keys: JSON) {
        guard let address = rules.metadata else { return (rules.issuer ?? "", rules.keys) }
        let metadata = try document(at: address, "metadata", tenant)
        guard let issuer = rules.issuer ?? metadata["issuer"]?.string, let keys = metadata["jwks_uri"]?.string else {
            throw Refusal.hintSignature.because("The document at “metadata” has no issuer or no jwks_uri")
        }
        guard tenant.configuration.mayCall(keys) else {
            throw Refusal.hintSignature.because("The host of jwks_uri is another machine, not in “allowedHosts”")
        }
        return (issuer, try document(at: keys, "jwks_uri", tenant))
    }

    private static func document(at address: String, _ name: String, _ tenant: Tenant) throws -> JSON {
        let response = try? tenant.callouts.get(address, for: name, seconds: 10, tenant.configuration.tls())
        guard let response, response.status == 200, let body = response.body else {
            throw Refusal.hintSignature.because("The address “\(name)” does not respond with a JSON document")
        }
        return body
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
