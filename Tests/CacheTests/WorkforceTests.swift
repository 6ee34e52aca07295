import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// ADAL's cache of a workforce tenant, which has resources in place of scopes.
@Suite("From ADAL to scopes", .inTurn, .timeLimit(.minutes(2)))
struct WorkforceTests {
    private static let policies = """
        {
          "current": "work",
          "applications": {
            "work": {
              "kind": "entra",
              "authority": "http://localhost:8480/tailspin.onmicrosoft.com",
              "clientId": "11111111-1111-1111-1111-111111111111",
              "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480/tailspin.onmicrosoft.com"],
              "apis": {
                "hello": {
                  "baseUrl": "http://localhost:8480/api/hello",
                  "scopes": ["https://tailspin.onmicrosoft.com/hello/demo.read"]
                }
              }
            }
          }
        }
        """

    @Test("the first silent token is for the resource's default scope, and creates the account")
    func importsADALResourceAsDefaultScope() async throws {
        try await withLocalTenant(policies: { _ in Self.policies }) { tenant in
            let foreign = try await ImportCommandTests.foreign(tenant)
            let resource = "https://tailspin.onmicrosoft.com/hello"
            let cache = """
                [{"_authority": "\(tenant.emulator.origin)/tailspin.onmicrosoft.com", "_clientId": "\(foreign.clientID)",
                  "userId": "ana@contoso.example", "resource": "\(resource)", "isMRRT": true, "accessToken": "x",
                  "oid": "\(HomeAccountID(foreign.home)?.uid ?? "")", "tenantId": "\(HomeAccountID(foreign.home)?.utid ?? "")",
                  "refreshToken": "\(foreign.refreshToken)", "expiresOn": "2020-01-01 10:00:00"}]
                """
            let susi = tenant.susi
            let imported = try await susi.run("import", "-", input: cache)
            #expect(imported.status == 0 && imported.standardOutput.contains("\(resource)/.default"), "\(imported)")
            let token = try await susi.run("token", "--resource", resource, "-f", "json")
            #expect(token.status == 0, "\(token)")
            let report = try JSONNode(parsing: token.standardOutput.utf8)
            #expect(report["scopes"]?.strings == ["\(resource)/.default"])
            let accounts = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(accounts["accounts"]?.array?.first?["homeAccountId"]?.string == foreign.home)
            #expect(accounts["imported"]?.array == [])
            let before = tenant.requests("POST", "/oauth2/v2.0/token")
            let cached = try await susi.run("token", "--resource", resource)
            #expect(
                cached.status == 0 && tenant.requests("POST", "/oauth2/v2.0/token") == before,
                "the token did not come from the cache")
            let call = try await susi.run("call", "hello")
            #expect(call.status == 0 && call.standardOutput.contains("Hello, Ana Lima"), "\(call)")
        }
    }
}
