import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi
@testable import SusiStore

/// Accounts as MSAL.js keeps them in the browser. `YourApplicationTests` starts the library with them.
@Suite("Export for the browser", .inTurn, .timeLimit(.minutes(5)))
struct BrowserExportTests {
    private static let formats = [
        ["--format", "msal-browser"], ["--format", "playwright", "--origin", "http://localhost:5173/"],
    ]

    private func entries(_ outcome: ProgramOutcome) throws -> [String: JSONNode] {
        #expect(outcome.status == 0, "\(outcome)")
        let members = try JSONNode(parsing: outcome.standardOutput.utf8).members
        return Dictionary(
            uniqueKeysWithValues: try members.map { ($0.name, try JSONNode(parsing: ($0.node.string ?? "").utf8)) })
    }

    /// The keys and members that MSAL.js 3.26.1 was seen to write at a tenant of B2C, without its own `clientInfo`.
    @Test("entries have the keys and members of MSAL.js 3.26.1") func writesLayoutOfLibrary() async throws {
        try await withLocalTenant { tenant in
            _ = try await tenant.interact(["sign-in", "--api", "hello"], as: .ana)
            let found = try entries(try await tenant.susi.run("export", "--format", "msal-browser", "--yes"))
            let status = try JSONNode(parsing: try await tenant.susi.run("accounts", "--json").standardOutput.utf8)
            let account = try #require(status["accounts"]?.array?.first)
            let home = try #require(account["homeAccountId"]?.string)
            let host = tenant.emulator.origin.replacing("http://", with: "")
            let client = try PoliciesFile.builtIn().applications[0].clientID
            let utid = String(home.split(separator: ".").last ?? "")
            let token = try await tenant.susi.run("token").standardOutput.dropLast()
            let known: [(key: String, members: Set<String>)] = [
                (
                    "\(home)-\(host)-\(utid)",
                    [
                        "authorityType", "homeAccountId", "environment", "realm", "localAccountId", "username", "name",
                        "tenantProfiles",
                    ]
                ),
                (
                    "\(home)-\(host)-idtoken-\(client)-b2c_1_susi---",
                    ["credentialType", "homeAccountId", "environment", "clientId", "secret", "realm"]
                ),
                (
                    "\(home)-\(host)-refreshtoken-\(client)----",
                    ["credentialType", "homeAccountId", "environment", "clientId", "secret"]
                ),
                ("msal.account.keys", []), ("msal.token.keys.\(client)", ["idToken", "accessToken", "refreshToken"]),
                ("msal.\(client).active-account-filters", ["homeAccountId", "localAccountId", "tenantId"]),
            ]
            for (key, members) in known {
                #expect(Set(found[key]?.members.map(\.name) ?? []) == members, "\(key): \(found.keys)")
            }
            #expect(found.count == known.count + 1)
            let access = try #require(found.first { $0.key.contains("-accesstoken-\(client)-b2c_1_susi-") })
            #expect(access.key.hasSuffix("--") && access.key == access.key.lowercased())
            #expect(access.value["secret"]?.string == String(token) && access.value["realm"]?.string == "B2C_1_susi")
            #expect(access.value["expiresOn"]?.string.flatMap { Int($0) } ?? 0 > 0)
            let entry = try #require(found["\(home)-\(host)-\(utid)"])
            #expect(entry["localAccountId"]?.string == String(home.split(separator: ".").first ?? ""))
            #expect(entry["tenantProfiles"]?.array?.first?["tenantId"]?.string == "B2C_1_susi")
            #expect(found["msal.account.keys"]?.strings == ["\(home)-\(host)-\(utid)"])
            #expect(found["msal.token.keys.\(client)"]?["accessToken"]?.strings == [access.key])
        }
    }

    @Test("without policies, the tenant is the realm of all entries") func namesTenantAsRealm() async throws {
        let policies = MSALWitnessTests.policies("external", "http://localhost:8480/fabrikam.onmicrosoft.com")
        try await withLocalTenant(policies: { _ in policies }, configure: { $0.algorithm = .rs256 }) { tenant in
            _ = try await tenant.interact(["sign-in", "--api", "hello"], as: .ana)
            let found = try entries(try await tenant.susi.run("export", "--format", "msal-browser", "--yes"))
            let account = try #require(found.first { $0.value["tenantProfiles"] != nil }?.value)
            let tenantID = try #require(account["realm"]?.string)
            #expect(tenantID.isGUID && account["homeAccountId"]?.string?.hasSuffix(".\(tenantID)") == true)
            let profile = try #require(account["tenantProfiles"]?.array?.first)
            #expect(profile["tenantId"]?.string == tenantID && profile["isHomeTenant"]?.bool == true)
            for type in ["accesstoken", "idtoken"] {
                let key = try #require(found.keys.first { $0.contains("-\(type)-") })
                #expect(key.contains("-\(tenantID)-") && found[key]?["realm"]?.string == tenantID, "\(key)")
            }
        }
    }

    @Test("a storage state has the same entries for one origin, in a private file")
    func writesStorageState() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let flat = try await susi.run("export", "--format", "msal-browser", "--yes")
            let done = try await susi.command(["export"] + Self.formats[1] + ["-o", "state.json", "--yes"]).run()
            #expect(done.status == 0 && done.standardOutput.isEmpty, "\(done)")
            #expect(done.standardError.contains("unencrypted") && done.standardError.contains("1 access token"))
            let file = susi.home.workingFolder.appending("state.json").string
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let state = try JSONNode(parsing: Data(contentsOf: URL(filePath: file)))
            #expect(state["cookies"]?.array?.isEmpty == true && state["origins"]?.array?.count == 1)
            let origin = try #require(state["origins"]?.array?.first)
            #expect(origin["origin"]?.string == "http://localhost:5173")
            let items = (origin["localStorage"]?.array ?? []).map { [$0["name"]?.string, $0["value"]?.string] }
            let entries = try JSONNode(parsing: flat.standardOutput.utf8).members.map { [$0.name, $0.node.string] }
            #expect(items == entries)
            #expect(items.count > 5)
        }
    }

    @Test("nothing is written without a confirmation, or without an account that is named exactly")
    func needsConfirmation() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            #expect(try await susi.command(["export"] + Self.formats[0] + ["--yes"]).run().status == 4)
            try await tenant.signIn(.ana)
            for format in Self.formats {
                let silent = try await susi.command(["export"] + format + ["-o", "x.json"]).run()
                let next = (["susi", "export"] + format + ["-o", "x.json", "--yes"]).joined(separator: " ")
                #expect(silent.status == 64 && silent.standardError.contains("next: \(next)\n"), "\(silent)")
                let shortened = try await susi.command(["export"] + format + ["-a", "ana", "-o", "x.json", "--yes"])
                    .run()
                #expect(shortened.status == 5, "\(shortened)")
            }
            #expect(!FileManager.default.fileExists(atPath: susi.home.workingFolder.appending("x.json").string))
        }
    }

    @Test(
        "options that do not belong together are refused",
        arguments: [
            (["--format", "playwright"], "--format playwright needs --origin"),
            (["--format", "msal", "--origin", "http://localhost"], "--origin needs --format playwright"),
            (["--format", "msal-browser", "--origin", "http://localhost"], "--origin needs --format playwright"),
            (["--format", "msal-browser", "--all"], "--all needs --format msal"),
            (["--format", "msal-browser", "--passphrase-file", "x"], "--passphrase-file needs --format susi"),
            (["--format", "playwright", "--origin", "localhost:5173"], "write scheme, host and port"),
            (["--format", "playwright", "--origin", "https://user@host"], "write scheme, host and port"),
            (["--format", "playwright", "--origin", "http://localhost:5173/orders"], "write scheme, host and port"),
        ])
    func refusesOptions(_ options: [String], reason: String) async throws {
        try await withSusi { susi in
            let refused = try await susi.command(["export"] + options + ["-o", "x.json", "--yes"]).run()
            #expect(refused.status == 64 && refused.standardError.contains(reason), "\(refused)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: susi.home.workingFolder.string).isEmpty)
        }
    }

    @Test("of tokens that would serve the same request, the one with more scopes is written")
    func writesEachScopeOnce() {
        let tokens = [["a"], ["a", "b"], ["c"], ["b", "c", "d"]].enumerated().map { number, scopes in
            StoredToken(
                secret: "\(number)",
                info: StoredTokenInfo(
                    kind: .access, scopes: ScopeSet(scopes), granted: ScopeSet(scopes), expiresOn: 1, refreshOn: nil,
                    savedOn: 0))
        }
        #expect(BrowserCacheWriter.distinct(tokens).map(\.secret) == ["3", "0"])
        #expect(BrowserCacheWriter.distinct(Array(tokens.prefix(2))).map(\.secret) == ["1"])
    }

    @Test("an access token is left out, with a warning, if it has five minutes or less") func leavesOutLateToken()
        async throws
    {
        try await withLocalTenant { tenant in
            _ = try await tenant.interact(["sign-in", "--api", "hello"], as: .ana)
            let export = ["export", "--format", "msal-browser", "--yes"]
            let fresh = try await tenant.susi.command(export).run()
            let token = try #require(try entries(fresh).first { $0.key.contains("-accesstoken-") }?.value)
            let times = ["expiresOn", "cachedAt"].compactMap { token[$0]?.string.flatMap { Int($0) } }
            try #require(times.count == 2)
            #expect(!fresh.standardError.contains("--min-valid"), "\(fresh)")
            let late = try await tenant.susi.command(
                export, environment: ["SUSI_CLOCK": "+\(times[0] - times[1] - 200)s"]
            ).run()
            #expect(try entries(late).keys.allSatisfy { !$0.contains("-accesstoken-") }, "\(late)")
            #expect(late.standardError.contains("0 access tokens"), "\(late)")
            #expect(late.standardError.contains("next: susi token --min-valid 30m, and export again"), "\(late)")
        }
    }

    @Test("an account of a provider whose id tokens name no tenant is refused") func refusesPlainProvider() async throws
    {
        let policies = MSALWitnessTests.policies("openid", "http://localhost:8480/login")
        try await withLocalTenant(policies: { _ in policies }, configure: { $0.algorithm = .rs256 }) { tenant in
            try await tenant.signIn(.ana)
            let refused = try await tenant.susi.run("export", "--format", "msal-browser", "--yes")
            #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
            #expect(refused.standardError.contains("names no tenant and no policy"), "\(refused)")
        }
    }
}
