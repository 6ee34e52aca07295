import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
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

    @Test(
        "of two applications with one client ID, the one with the exact tenant gets the entry",
        arguments: [true, false])
    func prefersExactTenant(isCommonFirst: Bool) async throws {
        let (common, work) = (("common", "common"), ("work", "tailspin.onmicrosoft.com"))
        let policies = isCommonFirst ? Self.policies(common, work) : Self.policies(work, common)
        try await withLocalTenant(policies: { _ in policies }) { tenant in
            let foreign = try await ImportCommandTests.foreign(tenant)
            let cache = """
                [{"_authority": "\(tenant.emulator.origin)/tailspin.onmicrosoft.com", "_clientId": "\(foreign.clientID)",
                  "userId": "ana@contoso.example", "resource": "https://tailspin.onmicrosoft.com/hello", "isMRRT": true,
                  "accessToken": "x", "refreshToken": "\(foreign.refreshToken)", "expiresOn": "2020-01-01 10:00:00"}]
                """
            let dry = try await tenant.susi.run("import", "-", "--dry-run", "--json", input: cache)
            let taken = try JSONNode(parsing: dry.standardOutput.utf8)["taken"]?.array ?? []
            #expect(taken.map { $0["application"]?.string } == ["work"], "\(dry)")
            let imported = try await tenant.susi.run("import", "-", input: cache)
            #expect(imported.status == 0, "\(imported)")
            #expect(imported.standardOutput.contains("ana@contoso.example under default of work"), "\(imported)")
            #expect(imported.standardError.contains("-A work") == isCommonFirst, "\(imported)")
            let token = try await tenant.susi.run("token", "-A", "work")
            #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(token)")
        }
    }

    @Test("a personal account is imported and refreshed at the address of personal accounts")
    func importsPersonalAccount() async throws {
        try await withLocalTenant(
            policies: { _ in Self.policies(("common", "common")) },
            configure: { $0.users[0].homeTenant = "9188040d-6c67-4c5b-b112-36a304b66dad" },
            { tenant in
                let foreign = try await ImportCommandTests.foreign(tenant)
                let imported = try await tenant.susi.run("import", "-", input: foreign.text)
                #expect(imported.status == 0, "\(imported)")
                #expect(tenant.requests("POST", "/consumers/oauth2/v2.0/token") == 1, "\(tenant.requestLines)")
                let token = try await tenant.susi.run("token", "hello")
                #expect(token.status == 0, "\(token)")
                #expect(tenant.requests("POST", "/consumers/oauth2/v2.0/token") == 2)
                #expect(tenant.requests("POST", "/common/oauth2/v2.0/token") == 1)
            })
    }

    @Test("the first token is for the resource's default scope")
    func importsADALResourceAsDefaultScope() async throws {
        try await withLocalTenant(policies: { _ in Self.policies(("work", "tailspin.onmicrosoft.com")) }) { tenant in
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
            // The response names the scopes that `.default` stands for.
            #expect(report["scopes"]?.strings == ["\(resource)/.default", "\(resource)/demo.read"])
            let accounts = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(accounts["accounts"]?.array?.first?["homeAccountId"]?.string == foreign.home)
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
