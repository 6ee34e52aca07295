import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Discovery and keys", .inTurn, .timeLimit(.minutes(5)))
struct DiscoveryTests {
    @Test("serves a document for each policy; names compare without case, addresses have lower case")
    func servesPolicyMetadata() async throws {
        try await withFixture { fixture in
            for policy in ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"] {
                let asked = policy.uppercased()
                let answer = try await fixture.browser().get(
                    "\(fixture.emulator.origin)/CONTOSO.onmicrosoft.com/\(asked)/v2.0/.well-known/openid-configuration")
                #expect(answer.status == 200)
                let json = try answer.json
                let base = "\(fixture.tenant)/\(policy.lowercased())"
                #expect(json["authorization_endpoint"] == .string("\(base)/oauth2/v2.0/authorize"))
                #expect(json["token_endpoint"] == .string("\(base)/oauth2/v2.0/token"))
                #expect(json["end_session_endpoint"] == .string("\(base)/oauth2/v2.0/logout"))
                #expect(json["jwks_uri"] == .string("\(base)/discovery/v2.0/keys"))
                let id = derivedGUID("contoso.onmicrosoft.com")
                #expect(json["issuer"] == .string("\(fixture.emulator.origin)/\(id)/v2.0/"))
                #expect(json["userinfo_endpoint"] == nil)
            }
        }
    }

    @Test("announces the user-info endpoint for a custom policy")
    func announcesUserInfoForCustomPolicy() async throws {
        try await withFixture {
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        } _: { fixture in
            let json = try await fixture.browser().get(
                "\(fixture.tenant)/b2c_1a_susi/v2.0/.well-known/openid-configuration"
            ).json
            #expect(json["userinfo_endpoint"] == .string("\(fixture.tenant)/b2c_1a_susi/openid/v2.0/userinfo"))
        }
    }

    @Test("serves every form of an address", arguments: ["tfp", "guid", "query"])
    func servesAddressForms(form: String) async throws {
        try await withFixture { fixture in
            let origin = fixture.emulator.origin
            let id = derivedGUID("contoso.onmicrosoft.com")
            let (address, keys) =
                switch form {
                case "tfp":
                    (
                        "\(origin)/tfp/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
                        "\(origin)/tfp/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys"
                    )
                case "guid":
                    (
                        "\(origin)/\(id)/B2C_1_SUSI/v2.0/.well-known/openid-configuration",
                        "\(origin)/\(id)/b2c_1_susi/discovery/v2.0/keys"
                    )
                default:
                    (
                        "\(fixture.tenant)/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
                        "\(fixture.tenant)/discovery/v2.0/keys?p=b2c_1_susi"
                    )
                }
            let json = try await fixture.browser().get(address).json
            #expect(json["jwks_uri"] == .string(keys))
            #expect(try await fixture.browser().get(keys).status == 200)
        }
    }

    @Test("serves the issuer form that agrees with OpenID Connect Discovery")
    func servesPolicyIssuer() async throws {
        try await withFixture {
            $0.issuerForm = .policy
        } _: { fixture in
            let json = try await fixture.browser().get(
                "\(fixture.tenant)/b2c_1_susi/v2.0/.well-known/openid-configuration"
            ).json
            let id = derivedGUID("contoso.onmicrosoft.com")
            #expect(json["issuer"] == .string("\(fixture.emulator.origin)/tfp/\(id)/B2C_1_susi/v2.0/"))
            #expect(try await fixture.tokens().claims("id_token")["iss"] == json["issuer"])
        }
    }

    @Test("publishes public RSA keys only")
    func publishesPublicKeysOnly() async throws {
        try await withFixture { fixture in
            let json = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/discovery/v2.0/keys").json
            guard case .array(let keys)? = json["keys"], case .object(let key)? = keys.first else {
                Issue.record("no keys in \(json)")
                return
            }
            #expect(Set(key.keys) == ["kid", "nbf", "use", "kty", "e", "n"])
            #expect(key["e"] == "AQAB")
            #expect(key["n"]?.string.flatMap { bytes(base64URL: $0) }?.count == 256)
        }
    }

    @Test(
        "reports an unknown address with 404, as JSON for programs and as a page for people",
        arguments: [
            "/contoso.onmicrosoft.com/B2C_1_other/v2.0/.well-known/openid-configuration",
            "/fabrikam.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "/contoso.onmicrosoft.com/B2C_1_susi/nothing", "/contoso.onmicrosoft.com", "/favicon.ico",
        ])
    func reportsUnknownAddress(path: String) async throws {
        try await withFixture { fixture in
            let json = try await fixture.browser().get(fixture.emulator.origin + path)
            #expect(json.status == 404)
            #expect(try json.json["error"] == "not_found")
            let page = try await fixture.browser().get(fixture.emulator.origin + path, [("Accept", "text/html")])
            #expect(page.status == 404)
            #expect(page.text.contains("<h1>Not found</h1>"))
        }
    }

    @Test("lists the allowed methods for a wrong one")
    func listsAllowedMethods() async throws {
        try await withFixture { fixture in
            let answer = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token")
            #expect(answer.status == 405)
            #expect(answer.header("allow") == "POST, OPTIONS")
        }
    }
}
