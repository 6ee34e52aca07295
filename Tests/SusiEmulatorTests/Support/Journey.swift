import SusiBase
import Testing

@testable import SusiEmulator

/// The example of RFC 7636 appendix B.
let vectorVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
let vectorChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

extension EmulatorFixture {
    /// Returns the authorization address of a policy; `changed` replaces parameters, nil removes them.
    func authorize(_ policy: String = "B2C_1_susi", _ changed: [String: String?] = [:]) -> String {
        var fields = [
            "client_id": EmulatorFixture.client, "response_type": "code", "redirect_uri": "http://localhost:8400/",
            "scope": "openid offline_access \(EmulatorFixture.scope)", "state": "a state/&", "nonce": "a-nonce",
            "code_challenge": vectorChallenge, "code_challenge_method": "S256",
        ]
        for (name, value) in changed { fields[name] = value }
        let query = fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        return "\(tenant)/\(policy)/oauth2/v2.0/authorize?\(query)"
    }

    /// Returns that of the usual policy, with other parameters.
    func authorize(_ changed: [String: String?]) -> String { authorize("B2C_1_susi", changed) }

    /// Requests that address with a new browser.
    func ask(_ changed: [String: String?] = [:]) async throws -> Received {
        try await browser().get(authorize(changed))
    }

    /// Signs in by the form and returns the redirect.
    func signIn(
        _ browser: Browser, as email: String = "ana@contoso.example", password: String = "Passw0rd!",
        policy: String = "B2C_1_susi", _ changed: [String: String?] = [:]
    ) async throws -> Received {
        let page = try await browser.get(authorize(policy, changed))
        return try await browser.submit(page, ["signInName": email, "password": password])
    }

    /// Sends a token request; `changed` replaces fields, nil removes them.
    func redeem(_ code: String?, policy: String = "B2C_1_susi", _ changed: [String: String?] = [:]) async throws
        -> Received
    {
        var fields = [
            "grant_type": "authorization_code", "client_id": EmulatorFixture.client,
            "redirect_uri": "http://localhost:8400/",
            "code_verifier": vectorVerifier,
        ]
        fields["code"] = code
        for (name, value) in changed { fields[name] = value }
        return try await browser().post("\(tenant)/\(policy)/oauth2/v2.0/token", fields)
    }

    /// Asks for tokens by name and password, at the policy for that.
    func password(
        _ name: String = "ana@contoso.example", _ password: String = "Passw0rd!", policy: String = "B2C_1_ropc",
        _ changed: [String: String?] = [:]
    ) async throws -> Received {
        let fields: [String: String?] = [
            "grant_type": "password", "username": name, "password": password, "redirect_uri": nil,
            "code_verifier": nil, "scope": "openid offline_access \(EmulatorFixture.scope)",
        ]
        return try await redeem(nil, policy: policy, fields.merging(changed) { $1 })
    }

    func refresh(_ token: String?, policy: String = "B2C_1_susi", _ changed: [String: String?] = [:]) async throws
        -> Received
    {
        var fields = ["grant_type": "refresh_token", "client_id": EmulatorFixture.client]
        fields["refresh_token"] = token
        for (name, value) in changed { fields[name] = value }
        return try await browser().post("\(tenant)/\(policy)/oauth2/v2.0/token", fields)
    }

    /// Signs in, by default Ana, and returns the token response.
    func tokens(
        as email: String = "ana@contoso.example", password: String = "Passw0rd!", policy: String = "B2C_1_susi",
        _ changed: [String: String?] = [:]
    ) async throws -> JSON {
        let redirect = try await signIn(browser(), as: email, password: password, policy: policy, changed)
        let response = try await redeem(try redirect.redirect["code"], policy: policy)
        try #require(response.status == 200, "\(response.text)")
        return try response.json
    }
}

extension JSON {
    /// Returns the claims of a token in a response, unchecked.
    func claims(_ name: String) throws -> JSON {
        let token = try #require(self[name]?.string)
        let part = try #require(token.split(separator: ".").dropFirst().first)
        return try JSON(parsing: try #require(Base64URL.decode(part)))
    }

    /// The AADB2C number of an error response.
    var code: Int? {
        self["error_description"]?.string?.firstMatch(of: #/^AADB2C([0-9]{5}): /#).flatMap { Int($0.1) }
    }

    var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
}
