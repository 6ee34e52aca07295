import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// MSAL for Python, unmodified: it reads exported caches, and its own caches are imported.
@Suite("MSAL for Python", .inTurn, .timeLimit(.minutes(5)))
struct MSALWitnessTests {
    @Sendable static func isWanted() async -> Bool { await TestEnvironment.hasPython("msal") }

    private func msal(
        _ mode: String, _ tenant: LocalTenant, kind: String = "b2c",
        path: String = "contoso.onmicrosoft.com/B2C_1_susi", input: String
    ) async throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "msal_witness.py")
        let application = try PoliciesFile.builtIn().applications[0]
        let scope = try #require(application.apis.first?.scopes.first)
        let words = [script.path, mode, kind, tenant.emulator.origin, path, application.clientID, scope]
        let environment = ProcessInfo.processInfo.environment.merging(["PATH": TestEnvironment.path]) { $1 }
        return try await Program("/usr/bin/env", ["python3"] + words, environment: environment, input: .text(input))
            .run().exits(0).standardOutput
    }

    /// Returns the token of the current account, and the exported cache.
    private func exported(_ tenant: LocalTenant) async throws -> (token: String, cache: String) {
        let client = try tenant.client()
        let token = try await client.token(api: nil, of: AccountSelection()).secret
        return (token, try await client.export(try await client.accounts(), as: .msal).text)
    }

    private func tokenRequests(_ tenant: LocalTenant) -> Int { tenant.requests("POST", "/oauth2/v2.0/token") }

    @Test(
        "a round trip: MSAL's cache is imported, used, exported, and read by MSAL again",
        .enabled("msal is missing", isWanted))
    func msalReadsCacheAfterImportAndExport() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Foreign(tenant)
            let written = try await msal("redeem", tenant, input: foreign.refreshToken)
            #expect(try await tenant.client().importCache(try Fixture.file(written)).outcomes == ["added"])
            let (token, export) = try await exported(tenant)
            let read = try JSONNode(
                parsing: try await msal("read", tenant, path: "contoso.onmicrosoft.com/b2c_1_susi", input: export).utf8)
            #expect(read["tokens"]?.array?.first?["access_token"]?.string == token)
            #expect(read["tokens"]?.array?.first?["source"]?.string == "cache")
            #expect(read["accounts"]?.array?.first?["home_account_id"]?.string == foreign.home)
            // MSAL's entry and the exported entry of the same sign-in have the same members.
            let (own, ours) = (try JSONNode(parsing: written.utf8), try JSONNode(parsing: export.utf8))
            for section in ["AccessToken", "Account", "IdToken", "RefreshToken", "AppMetadata"] {
                let names = { (cache: JSONNode) in
                    Set((cache[section]?.members.first?.node.members ?? []).map(\.name))
                        .subtracting(["target", "account_source", "refresh_on"])
                }
                #expect(names(own) == names(ours), "\(section)")
                #expect(
                    section == "RefreshToken"
                        || own[section]?.members.map(\.name) == ours[section]?.members.map(\.name),
                    "\(section): \(own[section]?.members.map(\.name) ?? []) \(ours[section]?.members.map(\.name) ?? [])"
                )
            }
        }
    }

    /// Tenants of the other kinds, and of B2C at its other address: each has another realm.
    static let kinds: [(kind: String, path: String)] = [
        ("b2c", "tfp/contoso.onmicrosoft.com/B2C_1_susi"), ("external", "fabrikam.onmicrosoft.com"),
        ("entra", "tailspin.onmicrosoft.com"), ("entra", "common"), ("openid", "login"),
    ]

    @Test("the round trip in tenants of other kinds", .enabled("msal is missing", isWanted), arguments: kinds)
    func msalReadsCachesOfOtherKinds(kind: String, path: String) async throws {
        let base = path.hasPrefix("tfp/") ? "tfp/contoso.onmicrosoft.com" : path
        try await withLocalTenant(policies: Self.policies(kind, base), configure: { $0.algorithm = .rs256 }) { tenant in
            let foreign = try await Foreign(tenant)
            let written = try await msal("redeem", tenant, kind: kind, path: path, input: foreign.refreshToken)
            #expect(try await tenant.client().importCache(try Fixture.file(written)).outcomes == ["added"])
            let (token, export) = try await exported(tenant)
            let before = tokenRequests(tenant)
            let read = try JSONNode(parsing: try await msal("read", tenant, kind: kind, path: path, input: export).utf8)
            #expect(read["tokens"]?.array?.first?["access_token"]?.string == token)
            #expect(tokenRequests(tenant) == before)
        }
    }

    static func policies(_ kind: String, _ path: String) -> @Sendable (String) -> String {
        let policies = kind == "b2c" ? #""policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },"# : ""
        let scope = "https://contoso.onmicrosoft.com/hello/demo.read"
        let api = #""apis": { "hello": { "baseUrl": "http://localhost:8480/api/hello", "scopes": ["\#(scope)"] } },"#
        return onlyApplication(kind, path, more: policies + api)
    }
}
