import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Discovery and keys", .inTurn, .timeLimit(.minutes(2)))
struct DiscoveryTests {
    @Test("each policy has its own document, its name without case and in lower case in the addresses")
    func documents() async throws {
        try await withScene { scene in
            for policy in ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"] {
                let asked = policy.uppercased()
                let answer = try await scene.browser().get(
                    "\(scene.emulator.origin)/CONTOSO.onmicrosoft.com/\(asked)/v2.0/.well-known/openid-configuration")
                #expect(answer.status == 200)
                let json = try answer.json
                let base = "\(scene.tenant)/\(policy.lowercased())"
                #expect(json["authorization_endpoint"] == .string("\(base)/oauth2/v2.0/authorize"))
                #expect(json["token_endpoint"] == .string("\(base)/oauth2/v2.0/token"))
                #expect(json["end_session_endpoint"] == .string("\(base)/oauth2/v2.0/logout"))
                #expect(json["jwks_uri"] == .string("\(base)/discovery/v2.0/keys"))
                let id = derivedGUID("contoso.onmicrosoft.com")
                #expect(json["issuer"] == .string("\(scene.emulator.origin)/\(id)/v2.0/"))
                #expect(json["userinfo_endpoint"] == nil)
            }
        }
    }

    @Test("a custom policy has a user-info endpoint")
    func customPolicy() async throws {
        try await withScene {
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        } _: { scene in
            let json = try await scene.browser().get(
                "\(scene.tenant)/b2c_1a_susi/v2.0/.well-known/openid-configuration"
            ).json
            #expect(json["userinfo_endpoint"] == .string("\(scene.tenant)/b2c_1a_susi/openid/v2.0/userinfo"))
        }
    }

    @Test("the forms of an address", arguments: ["tfp", "guid", "query"])
    func forms(form: String) async throws {
        try await withScene { scene in
            let origin = scene.emulator.origin
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
                        "\(scene.tenant)/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
                        "\(scene.tenant)/discovery/v2.0/keys?p=b2c_1_susi"
                    )
                }
            let json = try await scene.browser().get(address).json
            #expect(json["jwks_uri"] == .string(keys))
            #expect(try await scene.browser().get(keys).status == 200)
        }
    }

    @Test("the issuer's compliant form")
    func policyIssuer() async throws {
        try await withScene {
            $0.issuerForm = .policy
        } _: { scene in
            let json = try await scene.browser().get(
                "\(scene.tenant)/b2c_1_susi/v2.0/.well-known/openid-configuration"
            ).json
            let id = derivedGUID("contoso.onmicrosoft.com")
            #expect(json["issuer"] == .string("\(scene.emulator.origin)/tfp/\(id)/B2C_1_susi/v2.0/"))
            #expect(try await scene.tokens().claims("id_token")["iss"] == json["issuer"])
        }
    }

    @Test("keys are public RSA keys and nothing more")
    func keys() async throws {
        try await withScene { scene in
            let json = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys").json
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
        "what does not exist is 404, with JSON for programs and a page for people",
        arguments: [
            "/contoso.onmicrosoft.com/B2C_1_other/v2.0/.well-known/openid-configuration",
            "/fabrikam.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "/contoso.onmicrosoft.com/B2C_1_susi/nothing", "/contoso.onmicrosoft.com", "/favicon.ico",
        ])
    func unknown(path: String) async throws {
        try await withScene { scene in
            let json = try await scene.browser().get(scene.emulator.origin + path)
            #expect(json.status == 404)
            #expect(try json.json["error"] == "not_found")
            let page = try await scene.browser().get(scene.emulator.origin + path, [("Accept", "text/html")])
            #expect(page.status == 404)
            #expect(page.text.contains("<h1>Not found</h1>"))
        }
    }

    @Test("a wrong method is told which ones there are")
    func method() async throws {
        try await withScene { scene in
            let answer = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token")
            #expect(answer.status == 405)
            #expect(answer.header("allow") == "POST, OPTIONS")
        }
    }
}
