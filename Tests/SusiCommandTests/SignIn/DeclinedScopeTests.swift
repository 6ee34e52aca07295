import Foundation
import Susi
import SusiEmulator
import SusiStartup
import SusiTestSupport
import Testing

/// Scopes that were not granted, as commands report them. Which scopes a token has: `ScopeTests` of the library.
@Suite("Scopes", .inTurn, .timeLimit(.minutes(5)))
struct DeclinedScopeTests {
    private static let read = "https://contoso.onmicrosoft.com/hello/demo.read"
    private static let write = "https://contoso.onmicrosoft.com/hello/demo.write"

    /// Runs a tenant of the built-in application with two scopes of its API.
    private static func withTwoScopes(
        declining declined: [String], _ body: (LocalTenant) async throws -> Void
    ) async throws {
        let edit = { (text: String) in text.replacing("[\"\(read)\"]", with: "[\"\(read)\", \"\(write)\"]") }
        try await withLocalTenant(policies: edit, configure: { $0.declines = declined }, body)
    }

    private static func fastPath(_ arguments: [String], _ tenant: LocalTenant) -> [String] {
        var delivered: [String] = []
        FastPath.token(arguments[...], in: tenant.susi.processEnvironment()) { delivered.append($0) }
        return delivered
    }

    @Test("--scope names a scope in every command; the fast path prints a token that has more than the file's")
    func requestsScopeByOption() async throws {
        let addScope = { (tenant: inout TenantConfiguration) in
            for index in tenant.apis.indices where tenant.apis[index].scopes.contains("demo.read") {
                tenant.apis[index].scopes.append("demo.write")
            }
        }
        try await withLocalTenant(configure: addScope) { tenant, susi in
            #expect(try await tenant.interact(["sign-in", "--scope", Self.write], as: .ana).status == 0)
            let token = try await susi.run("token", "hello", "--scope", Self.write).standardOutput
            #expect(Self.fastPath(["token", "hello"], tenant) == [token.trimmingCharacters(in: .newlines)])
            try await susi.run(
                "exec", "--api", "hello", "--scope", Self.write, "--", "printenv", "SUSI_ACCESS_TOKEN"
            ).exits(0, output: token)
            try await susi.run("call", "hello", "/me", "--scope", Self.write, "--curl").exits(
                0, printing: "susi token hello -f header --scope \(Self.write)")
            #expect(tenant.requests("POST", "/token") == 1)
        }
    }

    @Test("a token without some scopes of its API is printed with a warning each time")
    func warnsAboutDeclinedScopes() async throws {
        try await Self.withTwoScopes(declining: [Self.write]) { tenant in
            let words = "declined: \(Self.write); granted: \(Self.read)\n"
            let signedIn = try await tenant.interact(["sign-in"], as: .ana)
            #expect(signedIn.status == 0 && signedIn.standardError.hasSuffix(words), "\(signedIn)")
            #expect(Self.fastPath(["token", "hello"], tenant).isEmpty)
            for _ in 1...2 {
                let token = try await tenant.susi.run("token", "hello")
                #expect(token.status == 0 && token.standardOutput.split(separator: ".").count == 3)
                #expect(token.standardError == words, "\(token)")
            }
            try await tenant.susi.run("token", "hello", "--refresh").exits(0, error: words)
            try await tenant.susi.run("call", "hello").exits(0, saying: words)
            try await tenant.susi.run("call", "hello", "--dry-run").exits(0, printing: "; declined: \(Self.write)\n")
            try await tenant.susi.run("exec", "--", "true").exits(0, error: words)
            for arguments in [["token", "--json"], ["token", "-f", "json"]] {
                let report = try await tenant.susi.command(arguments).run().json()
                #expect(report["grantedScopes"]?.strings == [Self.read])
                #expect(report["declinedScopes"]?.strings == [Self.write])
            }
        }
    }

    @Test("a token without any of the scopes is an error with both lists, and is not sent to an API")
    func refusesTokenWithoutAnyScope() async throws {
        let edit = onlyApplication("entra", "tailspin.onmicrosoft.com", more: helloAPI)
        try await withLocalTenant(policies: edit, configure: { $0.declines = [Self.read] }) { tenant in
            let json = try await tenant.interact(["sign-in", "--json"], as: .ana)
            let result = try json.json()
            #expect(json.status == 4 && result["account"]?["label"]?.string == "ana@contoso.example", "\(json)")
            #expect(result["grantedScopes"]?.strings == [] && result["declinedScopes"]?.strings == [Self.read])
            for arguments in [["token", "--refresh"], ["call", "hello"], ["exec", "--", "true"]] {
                try await tenant.susi.command(arguments).run().exits(
                    4, output: "", saying: "next: susi sign-in ", "--prompt consent")
            }
            #expect(tenant.requests("GET", "/api/hello") == 0)
            let error = try await refusal(tenant, "hello")
            #expect(error?["exitCode"]?.lenientInteger == 4)
            #expect(error?["grantedScopes"]?.strings == [] && error?["declinedScopes"]?.strings == [Self.read])
        }
    }

    /// Returns the error of a token, which has the code of declined scopes.
    private func refusal(_ tenant: LocalTenant, _ api: String) async throws -> JSONNode? {
        let token = try await tenant.susi.run("token", api, "--json")
        let error = try JSONNode(parsing: token.standardError.utf8)["error"]
        #expect(token.status == 4 && error?["code"]?.string == "scopesDeclined", "\(token)")
        return error
    }

    @Test("a sign-in without an access token reports it, and a later refresh is the same error")
    func reportsSignInWithoutAccessToken() async throws {
        try await Self.withTwoScopes(declining: [Self.read, Self.write]) { tenant in
            try await tenant.interact(["sign-in"], as: .ana).exits(
                4, saying: "\(Self.read) \(Self.write)", printing: "Signed in as")
            let error = try await refusal(tenant, "hello")
            #expect(error?["declinedScopes"]?.strings == [Self.read, Self.write])
            // This kind of tenant has no consent page.
            #expect(error?["next"]?.string?.contains("--prompt") == false)
        }
    }
}
