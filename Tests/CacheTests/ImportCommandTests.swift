import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// Import and export with the built program: the tokens of other programs are redeemed, and signed responses make the accounts.
@Suite("Import and export", .inTurn, .timeLimit(.minutes(5)))
struct ImportCommandTests {
    private func write(_ text: String, _ tenant: LocalTenant) throws -> String {
        let file = tenant.susi.home.work("cache.json")
        try file.write(text)
        return file.string
    }

    private static let tokenPath = "/oauth2/v2.0/token"

    private func accounts(_ susi: SusiBinary) async throws -> [JSONNode] {
        let list = try await susi.run("accounts", "--json")
        return try list.json()["accounts"]?.array ?? []
    }

    @Test("MSAL: a dry run sends nothing, the import makes the account, and a second one sends nothing")
    func redeemsCacheOfMSAL() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Foreign(tenant)
            let file = try write(foreign.text, tenant)
            let susi = tenant.susi
            let before = tenant.requestLines.count
            try await susi.run("import", file, "--dry-run").exits(
                0, printing: "ana@contoso.example under B2C_1_susi", "redeemed at \(tenant.emulator.origin)/contoso")
            #expect(!susi.home.file("store.sqlite").exists)
            #expect(tenant.requestLines.count == before, "a server was contacted")

            try await susi.run("import", file).exits(
                0, error: "  next: susi accounts\n", printing: "Imported ana@contoso.example under B2C_1_susi of local",
                "rm ")
            #expect(try susi.home.susiHome.files(containing: foreign.refreshToken) == [])
            #expect(try String(contentsOfFile: file, encoding: .utf8) == foreign.text, "the file changed")
            #expect(tenant.requests("POST", Self.tokenPath) == 2, "the other program's sign-in, and the import")
            let account = try #require(try await accounts(susi).first)
            #expect(account["homeAccountId"]?.string == foreign.home && account["isCurrent"]?.bool == true)

            let sent = tenant.requestLines.count
            try await susi.run("import", file).exits(0, printing: "Known ana@contoso.example")
            #expect(tenant.requestLines.count == sent, "a server was contacted")
        }
    }

    @Test("a refresh token alone is redeemed at the policy's authority, and its response makes the account")
    func redeemsRefreshTokenAlone() async throws {
        try await withLocalTenant { tenant in
            let (susi, foreign) = (tenant.susi, try await Foreign(tenant))
            let words = ["import", "-", "--from", "refresh-token", "-p"]
            for (policy, token, status) in [
                ("B2C_1_susi", "revoked", Int32(4)), ("B2C_1_partner", foreign.refreshToken, 1),
                ("B2C_1_susi", "two words", 64),
            ] {
                try await susi.command(words + [policy], input: .text(token)).run().exits(
                    status, hiding: foreign.refreshToken)
            }
            #expect(try await accounts(susi).isEmpty)
            // Some editors write a byte order mark.
            let input = Program.Input.text("\u{feff}\(foreign.refreshToken)\n")
            try await susi.command(words + ["B2C_1_susi"], input: input).run().exits(0, printing: "Signed in as")
            let account = try #require(try await accounts(susi).first)
            #expect(account["homeAccountId"]?.string == foreign.home && account["isCurrent"]?.bool == true)
            // What is exported can be imported again.
            let export = ["export", "--format", "refresh-token", "-a", "ana@contoso.example", "--yes", "-o", "-"]
            let exported = try await susi.command(export).run().exits(0)
            #expect(exported.standardOutput.split(separator: "\n").count == 1)
            try await susi.run("remove", "ana@contoso.example", "--yes").exits(0)
            let again = Program.Input.text(exported.standardOutput)
            try await susi.command(words + ["B2C_1_susi"], input: again).run().exits(0, printing: "Signed in as")
        }
    }

    @Test("a refresh token alone names no person: in a shared store the refusal says that it was sent")
    func tellsOfSentToken() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Foreign(tenant, .ben)
            try tenant.share()
            try await tenant.signIn(.ana)
            let before = tenant.requests("POST", Self.tokenPath)
            let outcome = try await tenant.susi.command(
                ["import", "-", "--from", "refresh-token"], input: .text(foreign.refreshToken)
            ).run().exits(
                7, saying: "ana@contoso.example is signed in", "only the response shows whose the token is",
                "so it was sent", "has to sign in again")
            #expect(!outcome.standardError.contains("nothing was sent"), "\(outcome)")
            #expect(tenant.requests("POST", Self.tokenPath) == before + 1)
            #expect(try await accounts(tenant.susi).map { $0["label"]?.string } == ["ana@contoso.example"])
        }
    }

    @Test("an account without a refresh token is exported to other libraries; alone there is nothing to write")
    func exportsAccountWithoutRefreshToken() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let client = try tenant.client()
            let account = try #require(try await client.accounts().first)
            let store = try AccountStore(opening: StoreFolder(tenant.susi.home.susiHome.string))
            let token = try #require(try store.secret(.refresh(account.account))).secret
            try store.dropRefreshToken(account.account, ifStill: token)
            let accounts = try await client.accounts()
            for form in [CacheForm.msal, .browser(origin: nil)] {
                let export = try await client.export(accounts, as: form)
                #expect(export.accessTokens == 1 && export.refreshTokens == 0 && !export.text.contains(token))
            }
            await expectRefusal(.signInNeeded, why: "no refresh token of “ana@contoso.example” is stored") {
                try await client.export(accounts, as: .refreshToken)
            }
        }
    }

    @Test("an import of entries of which no application has one is no success")
    func failsWithoutApplication() async throws {
        try await withLocalTenant { tenant in
            let text = try await Foreign(tenant).text
            try tenant.susi.home.changePolicies { $0.replacing("/contoso.onmicrosoft.com", with: "/other.example") }
            for more in [[], ["--dry-run"]] {
                let command = tenant.susi.command(["import", "-"] + more, input: .text(text))
                try await command.run().exits(
                    5, printing: more.isEmpty ? "0 imported, 1 skipped" : "0 to import, 1 skipped")
            }
        }
    }

    @Test("a refused token and one of another person: each with its exit code and the next step")
    func reportsFailedEntries() async throws {
        try await withLocalTenant { tenant in
            let (ana, ben) = (try await Foreign(tenant), try await Foreign(tenant, .ben))
            let swapped = ana.text.replacing(ana.refreshToken, with: ben.refreshToken)
            #expect(try await tenant.susi.run("import", "-", input: swapped).status == 7)
            let tokens = [("chi@contoso.example", "revoked"), ("ben@contoso.example", ben.refreshToken)]
            let refused = try await tenant.susi.run(
                "import", "-", "--json", input: Foreign.adal(tokens, at: tenant.emulator.origin)
            ).exits(4)
            let taken = try refused.json()["taken"]?.array ?? []
            #expect(taken.map { $0["outcome"]?.string } == ["failed", "added"], "\(refused)")
            let counts = try ["imported", "skipped", "failed"].map { try refused.json()[$0]?.lenientInteger }
            #expect(counts == [1, 0, 1])
            #expect(taken.first?["error"]?["next"]?.string == "susi sign-in")
            // The exit code is that of the first failure.
            let both = [("chi@contoso.example", "revoked"), ("ana@contoso.example", ben.refreshToken)]
            try await tenant.susi.run("import", "-", input: Foreign.adal(both, at: tenant.emulator.origin)).exits(4)
        }
    }

    @Test("an interrupted import shows its progress and keeps the accounts whose responses arrived")
    func keepsWhatArrived() async throws {
        let gate = Gate("POST", Self.tokenPath)
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            let (ana, ben) = (try await Foreign(tenant), try await Foreign(tenant, .ben))
            let text = Foreign.adal(
                [("ana@contoso.example", ana.refreshToken), ("ben@contoso.example", ben.refreshToken)],
                at: tenant.emulator.origin)
            let file = try write(text, tenant)
            await gate.holdNext(1)
            try await tenant.susi.command(["import", file]).inTerminal().start { running in
                try await running.type("\u{3}", at: "redeeming refresh tokens: 1 of 2")
                #expect(try await running.waitUntilExit().status != 0)
            }
            await gate.open()
            #expect(try await accounts(tenant.susi).count == 1)
            try await tenant.susi.run("import", file).exits(0, hiding: "redeeming")
            #expect(try await accounts(tenant.susi).count == 2)
        }
    }

    @Test("an entry of no application is reported with a remedy; a hostile name is escaped")
    func reportsUnmatchedEntriesWithRemedy() async throws {
        try await withSusi { susi in
            let text = #"""
                {"Account": {"a": {"home_account_id": "x.y", "environment": "login.example.com", "username": "\u001b[2Jana"}},
                 "RefreshToken": {"r\u001b]0;x\u0007": 1, "good": {"home_account_id": "x.y", "environment": "login.example.com",
                    "client_id": "99999999-9999-9999-9999-999999999999", "secret": "refresh"}}}
                """#
            try await susi.run("import", "-", input: text).exits(
                5, printing: #"\u{1b}[2Jana"#, #""clientId": "99999999-9999-9999-9999-999999999999""#,
                "Damaged RefreshToken r", hiding: "\u{1b}", "rm ")
            try await susi.run("import", "-", "--from", "adal", input: text).exits(1, saying: "--from msal")
            try await susi.run("import", "nothing.json").exits(64, saying: "“nothing.json”")
        }
    }

    @Test("an export needs confirmation and writes a new file that only its owner can read")
    func exportsToNewPrivateFile() async throws {
        try await withLocalTenant { tenant, susi in
            #expect(try await susi.run("export", "--format", "msal", "--all", "--yes").status == 5)
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            #expect(try await susi.run("export").status == 64)
            try await susi.run("export", "--format", "msal", "-o", "out.json").exits(
                64, saying: "susi export --format msal -o out.json --yes")
            try await susi.runInTerminal("export", "--format", "msal", "--yes").exits(64, hiding: "secret")

            let done = try await susi.run("export", "--format", "msal", "--all", "-o", "out.json", "--yes")
            #expect(
                done.status == 0 && done.standardOutput.isEmpty && done.standardError.contains("2 accounts"), "\(done)")
            let file = susi.home.work("out.json")
            #expect(try file.permissions() == 0o600)
            let cache = try JSONNode(parsing: file.text().utf8)
            #expect(cache["Account"]?.members.count == 2 && cache["RefreshToken"]?.members.count == 2)
            try await susi.run("export", "--format", "msal", "-o", "out.json", "--yes").exits(
                64, saying: "the file exists")
            let late = try tenant.client(ahead: 7_200)
            let old = try JSONNode(parsing: try await late.export(try await late.accounts(), as: .msal).text.utf8)
            #expect(old["AccessToken"]?.members.isEmpty == true && old["RefreshToken"]?.members.count == 2)
        }
    }
}
