import SusiEmulator
import SusiTestSupport
import Testing

@testable import Susi
@testable import SusiStore
@testable import SusiTools

/// Accounts as MSAL.js keeps them in the browser. `YourApplicationTests` starts the library with them.
@Suite("Export for the browser", .inTurn, .timeLimit(.minutes(5)))
struct BrowserExportTests {
    private func entries(_ tenant: LocalTenant, after seconds: Int64 = 0) async throws -> [String: JSONNode] {
        let now = TestEnvironment.realTime() + seconds
        let client = try tenant.client(time: now)
        let text = try await client.export(try await client.accounts(), as: .browser(origin: nil)).text
        let members = try JSONNode(parsing: text.utf8).members
        return Dictionary(
            uniqueKeysWithValues: try members.map { ($0.name, try JSONNode(parsing: ($0.node.string ?? "").utf8)) })
    }

    /// The keys and members that MSAL.js 3.26.1 was seen to write at a tenant of B2C, without its own `clientInfo`.
    @Test("entries have the keys and members of MSAL.js 3.26.1") func writesLayoutOfLibrary() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let found = try await entries(tenant)
            let client = try tenant.client()
            let account = try await client.account(AccountSelection())
            let token = try await client.token(api: nil, of: AccountSelection()).secret
            let (home, id) = (account.homeAccountID.description, account.account.clientID)
            let host = tenant.emulator.origin.replacing("http://", with: "")
            let utid = account.homeAccountID.utid
            let named: Set = [
                "authorityType", "homeAccountId", "environment", "realm", "localAccountId", "username", "name",
                "tenantProfiles",
            ]
            let credential: Set = ["credentialType", "homeAccountId", "environment", "clientId", "secret"]
            let known: [(key: String, members: Set<String>)] = [
                ("\(home)-\(host)-\(utid)", named),
                ("\(home)-\(host)-idtoken-\(id)-b2c_1_susi---", credential.union(["realm"])),
                ("\(home)-\(host)-refreshtoken-\(id)----", credential),
                ("msal.account.keys", []), ("msal.token.keys.\(id)", ["idToken", "accessToken", "refreshToken"]),
                ("msal.\(id).active-account-filters", ["homeAccountId", "localAccountId", "tenantId"]),
            ]
            for (key, members) in known {
                #expect(Set(found[key]?.members.map(\.name) ?? []) == members, "\(key): \(found.keys)")
            }
            #expect(found.count == known.count + 1)
            let access = try #require(found.first { $0.key.contains("-accesstoken-\(id)-b2c_1_susi-") })
            #expect(access.key.hasSuffix("--") && access.key == access.key.lowercased())
            #expect(access.value["secret"]?.string == token && access.value["realm"]?.string == "B2C_1_susi")
            #expect(access.value["expiresOn"]?.string.flatMap { Int($0) } ?? 0 > 0)
            let entry = try #require(found["\(home)-\(host)-\(utid)"])
            #expect(entry["localAccountId"]?.string == account.homeAccountID.uid)
            #expect(entry["tenantProfiles"]?.array?.first?["tenantId"]?.string == "B2C_1_susi")
            #expect(found["msal.account.keys"]?.strings == ["\(home)-\(host)-\(utid)"])
            #expect(found["msal.token.keys.\(id)"]?["accessToken"]?.strings == [access.key])
        }
    }

    @Test("without policies, the tenant is the realm of all entries") func namesTenantAsRealm() async throws {
        let policies = MSALWitnessTests.policies("external", "fabrikam.onmicrosoft.com")
        try await withLocalTenant(policies: policies, configure: { $0.algorithm = .rs256 }, signedIn: [.ana]) {
            tenant in
            let found = try await entries(tenant)
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

    @Test("an account of a provider whose id tokens name no tenant is refused") func refusesPlainProvider() async throws
    {
        let policies = MSALWitnessTests.policies("openid", "login")
        try await withLocalTenant(policies: policies, configure: { $0.algorithm = .rs256 }, signedIn: [.ana]) {
            tenant in
            await expectRefusal(.failed) { try await entries(tenant) }
        }
    }

    @Test("an access token is left out if it has five minutes or less") func leavesOutLateToken() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let token = try await tenant.client().token(api: nil, of: AccountSelection()).info
            let end = try #require(token.expiresOn)
            for (left, isWritten) in [(Int64(301), true), (300, false)] {
                let client = try tenant.client(time: end - left)
                let export = try await client.export(try await client.accounts(), as: .browser(origin: nil))
                #expect(export.accessTokens == (isWritten ? 1 : 0) && export.refreshTokens == 1)
                #expect(export.text.contains("-accesstoken-") == isWritten, "\(left)")
            }
            try await tenant.susi.run(
                "export", "--format", "msal-browser", "--yes",
                environment: ["SUSI_CLOCK": "+\(end - token.savedOn - 200)s"]
            ).exits(0, saying: "next: susi token --min-valid 30m")
        }
    }

    @Test(
        "a storage state has the same entries for one origin; nothing is written without a confirmation or exact name")
    func writesStorageState() async throws {
        try await withLocalTenant { tenant, susi in
            let export = ["export", "--format", "playwright", "--origin", "http://localhost:5173/", "-o", "state.json"]
            #expect(try await susi.command(export + ["--yes"]).run().status == 4)
            let page = ["export", "--format", "playwright", "--origin", "http://localhost:5173/orders", "--yes"]
            #expect(try await susi.command(page).run().status == 64)
            try await tenant.signIn(.ana)
            let silent = try await susi.command(export).run()
            let next = (["susi"] + export + ["--yes"]).joined(separator: " ")
            #expect(silent.status == 64 && silent.standardError.contains("next: \(next)\n"), "\(silent)")
            #expect(try await susi.command(export + ["-a", "ana", "--yes"]).run().status == 5)
            let file = susi.home.work("state.json")
            #expect(!file.exists)

            try await susi.command(export + ["--yes"]).run().exits(
                0, output: "", saying: "unencrypted", "1 access token")
            #expect(try file.permissions() == 0o600)
            let state = try JSONNode(parsing: try file.text().utf8)
            #expect(state["cookies"]?.array?.isEmpty == true && state["origins"]?.array?.count == 1)
            let origin = try #require(state["origins"]?.array?.first)
            #expect(origin["origin"]?.string == "http://localhost:5173")
            let items = (origin["localStorage"]?.array ?? []).map { [$0["name"]?.string, $0["value"]?.string] }
            let entries = try await susi.run("export", "--format", "msal-browser", "--yes").json().members.map {
                [$0.name, $0.node.string]
            }
            #expect(items == entries && items.count > 5)
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
}
