import SusiBase
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
                let response = try await fixture.browser().get(
                    "/CONTOSO.onmicrosoft.com/\(asked)/v2.0/.well-known/openid-configuration"
                ).expecting(200)
                let json = try response.json
                let base = "\(fixture.tenant)/\(policy.lowercased())"
                // A capture shows the other addresses.
                #expect(json["token_endpoint"] == .string("\(base)/oauth2/v2.0/token"))
                let id = derivedGUID("contoso.onmicrosoft.com")
                #expect(json["issuer"] == .string("\(fixture.emulator.origin)/\(id)/v2.0/"))
                #expect(json["userinfo_endpoint"] == nil)
            }
        }
    }

    @Test func servesAddressForms() async throws {
        try await withFixture { fixture in
            let (origin, id) = (fixture.emulator.origin, derivedGUID("contoso.onmicrosoft.com"))
            let configuration = "v2.0/.well-known/openid-configuration"
            for (address, keys) in [
                (
                    "\(origin)/tfp/contoso.onmicrosoft.com/B2C_1_susi/\(configuration)",
                    "\(origin)/tfp/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys"
                ),
                ("\(origin)/\(id)/B2C_1_SUSI/\(configuration)", "\(origin)/\(id)/b2c_1_susi/discovery/v2.0/keys"),
                (
                    "\(fixture.tenant)/\(configuration)?p=B2C_1_susi",
                    "\(fixture.tenant)/discovery/v2.0/keys?p=b2c_1_susi"
                ),
            ] {
                let json = try await fixture.browser().get(address).json
                #expect(json["jwks_uri"] == .string(keys))
                #expect(try await fixture.browser().get(keys).status == 200)
            }
        }
    }

    @Test("reports an unknown address with 404, as JSON for programs and as a page for people")
    func reportsUnknownAddress() async throws {
        try await withFixture { fixture in
            for path in [
                "/contoso.onmicrosoft.com/B2C_1_other/v2.0/.well-known/openid-configuration",
                "/fabrikam.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
                "/contoso.onmicrosoft.com/B2C_1_susi/nothing", "/contoso.onmicrosoft.com", "/favicon.ico",
            ] {
                let json = try await fixture.browser().get(path).expecting(404)
                #expect(try json.json["error"] == "not_found")
                let page = try await fixture.browser().get(path, [("Accept", "text/html")])
                #expect(page.status == 404 && page.text.contains("<h1>Not found</h1>"), "\(path)")
                let isPolicy = path.contains("B2C_1_other")
                let reason = isPolicy ? "contoso.onmicrosoft.com has no policy B2C_1_other." : "nothing at this"
                #expect(json.text.contains(reason) && page.text.contains(reason), "\(path)")
                let log = fixture.log.lines.suffix(2)
                #expect(log.allSatisfy { $0.contains(reason) == isPolicy }, "\(log)")
            }
        }
    }
}
