import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiOAuth

/// What the client must trust, as real services were seen to send it: configurations and tokens, with keys of the test's own.
@Suite("Replayed configurations and tokens")
struct CaptureTrustTests {
    // The others are excerpts without an endpoint that a sign-in needs.
    private static let configurations = Replayed.all(["metadata"]).filter { message in
        ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"].allSatisfy(message.has)
    }

    @Test("has captures of each kind") func hasCaptures() {
        #expect(Self.configurations.count >= 12 && Replayed.all(["id-token"]).count >= 15)
        #expect(Replayed.all(["access-token"]).count >= 15)
    }

    @Test("accepts each captured configuration with all its endpoints", arguments: configurations)
    func readsConfiguration(message: Replayed) throws {
        let authority = try message.authority()
        let metadata = try ProviderMetadata(parsing: message.body, of: authority)
        for name in EndpointName.allCases {
            let address = try metadata.endpoint(name)?.description
            #expect(address?.lowercased() == message.text(name.rawValue)?.lowercased(), "\(name)")
        }
        #expect(ProviderMetadata.violations(in: message.body, of: authority, known: KnownAuthorities([])) == [])
        // None of these services announces PKCE, which they all support.
        #expect(!message.has("code_challenge_methods_supported"))
    }

    @Test("takes the person of each captured ID token", arguments: Replayed.all(["id-token"]))
    func readsIDToken(message: Replayed) throws {
        let person = try message.check()
        let claims = try message.claims()
        #expect(person.subject == claims["oid"] as? String ?? claims["sub"] as? String)
        #expect(person.tenant.id == Replayed.guid)
    }

    @Test(
        "a token of B2C may leave out the policy, but not name another one",
        arguments: Replayed.all(["id-token"]).filter { $0.service == "b2c" })
    func readsPolicyOfToken(message: Replayed) throws {
        let person = try message.check()
        #expect(try message.check(changing: ["tfp": nil, "acr": nil]) == person)
        for other in ["B2C_1_other", "", 1] as [any Sendable] {
            #expect(throws: ProtocolViolation.self) { try message.check(changing: ["tfp": other]) }
            #expect(throws: ProtocolViolation.self) { try message.check(changing: ["tfp": nil, "acr": other]) }
        }
    }

    @Test(
        "decodes each captured token, and knows which claims are times",
        arguments: Replayed.all(["id-token", "access-token"]))
    func decodesToken(message: Replayed) throws {
        let token = try Signer.main.get().token(String(decoding: message.body, as: UTF8.self))
        guard case .signed(_, let claims) = DecodedToken(token) else {
            Issue.record("not decoded")
            return
        }
        #expect(claims["iss"]?.string == message.text("iss"))
        #expect(message.times.filter { ClaimMeaning.row($0)?.isTime != true } == [])
    }
}

extension Replayed {
    /// The authority whose configuration this is.
    fileprivate func authority() throws -> Authority {
        let place = try #require(text("authorization_endpoint"))
        var base = place.prefix { $0 != "?" }.replacing("/oauth2/v2.0/authorize", with: "")
        let isInQuery = place.contains("?p=")
        switch service {
        case "b2c":
            if !isInQuery { base.removeLast("/B2C_1_susi".count) }
            return Authority(
                kind: .b2c, base: try WebAddress(String(base)), policy: PolicyName("B2C_1_susi"),
                policyPlace: isInQuery ? .query : .path)
        case "external": return try Self.external()
        default: return Authority(kind: .entra, base: try WebAddress(String(base)), policy: PolicyName("default"))
        }
    }

    private static func external() throws -> Authority {
        let base = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
        return Authority(kind: .external, base: try WebAddress(base), policy: PolicyName("default"))
    }

    /// The claims of the token, for the application and the time of the tests.
    fileprivate func claims() throws -> [String: Any] {
        var claims = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        claims["aud"] = Contoso.client
        claims["exp"] = Contoso.now + 3_600
        if claims["azp"] != nil { claims["azp"] = Contoso.client }
        return claims
    }

    /// Checks the token as the response to a code, signed with the test's key; nil removes a claim.
    fileprivate func check(changing changes: [String: (any Sendable)?] = [:]) throws -> Person {
        let original = try claims()
        var claims = original
        for (name, value) in changes { claims[name] = value }
        let issuer = try #require(original["iss"] as? String)
        let policy = PolicyName(original["tfp"] as? String ?? original["acr"] as? String ?? "B2C_1_susi")
        let authority = try signer(of: issuer, policy)
        let metadata = try KindTokenTests.metadata(authority, issuer, at: authority.base.description)
        let rules = IDTokenRules(
            authority: authority, metadata: metadata, clientID: Contoso.client, nonce: original["nonce"] as? String,
            now: Contoso.now)
        let signer = try Signer.main.get()
        let text = String(decoding: try JSONSerialization.data(withJSONObject: claims), as: UTF8.self)
        let token = try SignedToken(parsing: try signer.token(text))
        try signer.keys().verify(token)
        return try rules.check(token, accessToken: nil)
    }

    // The authority that signed the token.
    private func signer(of issuer: String, _ policy: PolicyName) throws -> Authority {
        switch service {
        case "b2c":
            Authority(
                kind: .b2c, base: try WebAddress(try WebAddress(issuer).origin + "/contoso.onmicrosoft.com"),
                policy: policy)
        case "external": try Self.external()
        default:
            Authority(
                kind: .entra, base: try WebAddress("https://login.microsoftonline.com/\(Self.guid)"),
                policy: PolicyName("default"))
        }
    }
}
