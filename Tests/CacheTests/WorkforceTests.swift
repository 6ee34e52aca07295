import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import Testing

/// ADAL's cache of a workforce tenant, which has resources in place of scopes.
@Suite("From ADAL to scopes", .inTurn, .timeLimit(.minutes(5)))
struct WorkforceTests {
    private static func policies(_ applications: (name: String, tenant: String)...) -> String {
        let all = applications.map { name, tenant in
            """
            "\(name)": {
              "kind": "entra",
              "authority": "http://localhost:8480/\(tenant)",
              "clientId": "11111111-1111-1111-1111-111111111111",
              "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480/\(tenant)"],
              "apis": {
                "hello": {
                  "baseUrl": "http://localhost:8480/api/hello",
                  "scopes": ["https://tailspin.onmicrosoft.com/hello/demo.read"]
                }
              }
            }
            """
        }
        return "{ \"current\": \"\(applications[0].name)\", \"applications\": { \(all.joined(separator: ",")) } }"
    }

    /// Returns ADAL's cache with the token of a sign-in; `more` are members of its entry.
    private func cache(_ foreign: Foreign, _ tenant: LocalTenant, _ more: String = "") -> String {
        """
        [{"_authority": "\(tenant.emulator.origin)/tailspin.onmicrosoft.com", "_clientId": "\(foreign.clientID)", \(more)
          "userId": "ana@contoso.example", "resource": "\(Self.resource)", "isMRRT": true, "accessToken": "x",
          "refreshToken": "\(foreign.refreshToken)", "expiresOn": "2020-01-01 10:00:00"}]
        """
    }

    private static let resource = "https://tailspin.onmicrosoft.com/hello"

    @Test("a personal account is imported and refreshed at the address of personal accounts")
    func importsPersonalAccount() async throws {
        try await withLocalTenant(
            policies: { _ in Self.policies(("common", "common")) },
            configure: { $0.users[0].homeTenant = "9188040d-6c67-4c5b-b112-36a304b66dad" },
            { tenant in
                let foreign = try await Foreign(tenant)
                let client = try tenant.client()
                #expect(try await client.importCache(try Fixture.file(foreign.text)).outcomes == ["added"])
                #expect(tenant.requests("POST", "/consumers/oauth2/v2.0/token") == 1, "\(tenant.requestLines)")
                _ = try await client.token(api: "hello", of: AccountSelection())
                #expect(tenant.requests("POST", "/consumers/oauth2/v2.0/token") == 2)
                #expect(tenant.requests("POST", "/common/oauth2/v2.0/token") == 1)
            })
    }

    @Test("the first token is for the resource's default scope")
    func importsADALResourceAsDefaultScope() async throws {
        try await withLocalTenant(policies: { _ in Self.policies(("work", "tailspin.onmicrosoft.com")) }) { tenant in
            let foreign = try await Foreign(tenant)
            let home = HomeAccountID(foreign.home)
            let cache = cache(foreign, tenant, #""oid": "\#(home?.uid ?? "")", "tenantId": "\#(home?.utid ?? "")","#)
            let client = try tenant.client()
            let imported = try await client.importCache(try Fixture.file(cache))
            #expect(imported.outcomes == ["added"])
            #expect(imported.taken.first?.match.entry.scopes == ["\(Self.resource)/.default"])
            let token = try await client.token(resource: Self.resource, of: AccountSelection())
            // The response names the scopes that `.default` stands for.
            #expect(token.scopes.granted.scopes == ["\(Self.resource)/.default", "\(Self.resource)/demo.read"])
            #expect(token.account.homeAccountID == home)
            let before = tenant.requests("POST", "/oauth2/v2.0/token")
            _ = try await client.token(resource: Self.resource, of: AccountSelection())
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == before, "the token did not come from the cache")
            _ = try await client.token(api: "hello", of: AccountSelection())
        }
    }
}
