import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `--tenant`: what commands show of an account in another tenant. Which account that is: `TenantTests` of the library.
@Suite("Commands in another tenant", .inTurn, .timeLimit(.minutes(5)))
struct TenantCommandTests {
    private static let tailspin = "tailspin.onmicrosoft.com"
    private static let there = ["--tenant", tailspin]

    private static func policies(_: String) -> String {
        let base = "http://localhost:8480"
        return """
            { "current": "common", "applications": {
                "common": { "kind": "entra", "authority": "\(base)/common",
                    "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
                    "knownAuthorities": ["\(base)/common", "\(base)/contoso.onmicrosoft.com", "\(base)/\(tailspin)"],
                    "apis": { "graph": { "baseUrl": "\(base)/v1.0", "scopes": ["User.Read"] } } },
                "contoso": { "kind": "entra", "authority": "\(base)/contoso.onmicrosoft.com",
                    "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0] },
                "tailspin": { "kind": "entra", "authority": "\(base)/\(tailspin)",
                    "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0] },
                "own": { "kind": "external", "authority": "\(base)/fabrikam.onmicrosoft.com",
                    "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0] } } }
            """
    }

    private static func guests(_ tenant: inout TenantConfiguration) {
        guard tenant.name == tailspin else { return }
        let home = TenantConfiguration(kind: .entra, name: "contoso.onmicrosoft.com").id
        tenant.users = [
            User(
                objectID: "9a9a9a9a-0000-4000-8000-000000000009", email: "ana@contoso.example",
                displayName: "Ana of Contoso", identityProvider: home),
            User(
                objectID: "9b9b9b9b-0000-4000-8000-000000000009", email: "ben@contoso.example",
                displayName: "Ben of Contoso", identityProvider: home),
        ]
    }

    private func withTenants(
        configure more: (inout TenantConfiguration) -> Void = { _ in }, _ body: (LocalTenant) async throws -> Void
    ) async throws {
        try await withLocalTenant(
            policies: Self.policies,
            configure: {
                Self.guests(&$0)
                more(&$0)
            }, body)
    }

    @Test("every command that shows an account in another tenant names the tenant, until it is removed")
    func namesTenant() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let run = { (arguments: [String]) in try await susi.command(arguments).run() }
            let place = "default at \(Self.tailspin)"
            try await run(["sign-out"] + Self.there).exits(5, saying: place)
            try await run(["token", "graph"] + Self.there).exits(4, saying: "sign-in --tenant \(Self.tailspin)")
            try await tenant.signIn(.ana)
            try await run(["call", "graph", "/me"] + Self.there).exits(
                0, printing: "ana_contoso.example#EXT#@\(Self.tailspin)")
            let (ana, name) = ("ana@contoso.example", "Ana of Contoso")
            for (arguments, status, shown) in [
                (["accounts"], 0, place), (["switch", ana] + Self.there, 0, place),
                (["status", "--all"] + Self.there, 0, place), (["inspect"] + Self.there, 0, name),
                (["compare", ana, ana] + Self.there, 1, name),
                (["sign-out", "--all", "--dry-run"], 0, "access tokens"),
                (["remove", ana, "--yes"], 0, "kept: 1 other account"),
                (["remove", ana, "--yes"], 5, "--tenant \(Self.tailspin)"),
            ] as [([String], Int32, String)] {
                let outcome = try await run(arguments)
                #expect(outcome.status == status && "\(outcome)".contains(shown), "\(arguments): \(outcome)")
            }
            let out = try await run(["sign-out", "--all", "--yes", "--json"])
            let report = try out.json()
            #expect(report["removed"]?.array?.count == 1, "\(out)")
            #expect(report["accessTokensValidUntil"]?.members.isEmpty == false, "\(out)")
        }
    }
}
