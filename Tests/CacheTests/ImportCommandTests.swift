import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Import and export with the built program: a token of another program becomes an account at its first use.
@Suite("Import and export", .inTurn, .timeLimit(.minutes(5)))
struct ImportCommandTests {
    /// The tokens of another program: a sign-in in another home, exported.
    struct Foreign {
        let text: String
        let refreshToken: String
        let home: String
        let clientID: String

        init(_ text: String) throws {
            let cache = try JSONNode(parsing: text.utf8)
            let entry = try #require(cache["RefreshToken"]?.members.first?.node)
            self.text = text
            refreshToken = try #require(entry["secret"]?.string)
            home = try #require(entry["home_account_id"]?.string)
            clientID = try #require(entry["client_id"]?.string)
        }

        /// Returns an ADAL cache with the same refresh token.
        func adal(at origin: String, objectID: Bool = true, user: String = "ana@contoso.example") -> String {
            let identity = HomeAccountID(home)
            let oid = objectID ? #""oid": "\#(identity?.objectID ?? "")", "tenantId": "\#(identity?.utid ?? "")","# : ""
            return """
                [{"_authority": "\(origin)/contoso.onmicrosoft.com/B2C_1_susi", "_clientId": "\(clientID)", \(oid)
                  "userId": "\(user)", "resource": "https://contoso.onmicrosoft.com/hello/", "isMRRT": true,
                  "accessToken": "x", "refreshToken": "\(refreshToken)", "expiresOn": "2020-01-01 10:00:00"}]
                """
        }
    }

    /// Signs a person in with another home, and returns the exported cache.
    static func foreign(_ tenant: LocalTenant, _ person: LocalTenant.Person = .ana) async throws -> Foreign {
        let other = ["SUSI_HOME": tenant.susi.home.folder.appending("other-\(person)").string]
        let config = ["--config", tenant.susi.home.policiesFile.string]
        let signedIn = try await tenant.interact(["sign-in"] + config, as: person, environment: other)
        #expect(signedIn.status == 0, "\(signedIn)")
        let export = try await tenant.susi.command(
            ["export", "--format", "msal", "--yes"] + config, environment: other
        ).run()
        #expect(export.status == 0, "\(export)")
        return try Foreign(export.standardOutput)
    }

    private func write(_ text: String, _ tenant: LocalTenant) throws -> String {
        let file = tenant.susi.home.workingFolder.appending("cache.json").string
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    private func stores(_ susi: SusiBinary, _ text: String) throws -> Bool {
        let folder = susi.home.susiHome.string
        return try FileManager.default.subpathsOfDirectory(atPath: folder).contains { name in
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)")
            return bytes?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("MSAL: dry run, import, list; the first token creates the account, and a second import changes nothing")
    func importsMSALCacheAtFirstUse() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let file = try write(foreign.text, tenant)
            let susi = tenant.susi
            let before = tenant.requestLines.count

            let dry = try await susi.run("import", file, "--dry-run")
            #expect(dry.status == 0 && dry.standardOutput.contains("ana@contoso.example under B2C_1_susi"), "\(dry)")
            #expect(!FileManager.default.fileExists(atPath: susi.home.susiHome.appending("store.sqlite").string))

            let imported = try await susi.run("import", file)
            #expect(imported.status == 0, "\(imported)")
            #expect(imported.standardOutput.contains("ana@contoso.example under B2C_1_susi of local"))
            #expect(imported.standardOutput.contains("rm "))
            #expect(imported.standardError.contains("susi token -p B2C_1_susi -a ana@contoso.example"))
            #expect(try !stores(susi, foreign.refreshToken))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == foreign.text, "the file changed")
            let again = try await susi.run("import", file)
            #expect(again.status == 0 && again.standardOutput.contains("Unchanged"))
            let list = try await susi.run("accounts")
            #expect(list.standardOutput.contains("imported, not yet used") && list.standardError.isEmpty)
            let json = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(json["accounts"]?.array == [] && json["imported"]?.array?.count == 1)
            let waiting = try await susi.run("status")
            #expect(waiting.standardOutput.contains("susi accounts"))
            #expect(waiting.standardError.isEmpty, "a sign-in is suggested")
            let counted = try JSONNode(parsing: try await susi.run("status", "--json").standardOutput.utf8)
            #expect(counted["policies"]?.array?.map { $0["imported"]?.lenientInteger } == [1, 0, 0, 0])
            let preview = try await susi.run("call", "hello", "--dry-run")
            #expect(preview.status == 0, "\(preview)")
            #expect(preview.standardOutput.contains("ana@contoso.example under B2C_1_susi"))
            #expect(tenant.requestLines.count == before, "a server was contacted")

            let call = try await susi.run("call", "hello")
            #expect(call.status == 0 && call.standardOutput.contains("Hello, Ana Lima"), "\(call)")
            #expect(
                tenant.requests("POST", "/oauth2/v2.0/token") == 2, "the other program's sign-in, and the first use")
            let status = try await susi.run("status")
            #expect(status.standardOutput.contains("Ana Lima <ana@contoso.example>"))
            #expect(!status.standardOutput.contains("imported"))
            let after = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(after["accounts"]?.array?.first?["homeAccountId"]?.string == foreign.home)
            #expect(after["imported"]?.array == [])
            let known = try await susi.run("import", file)
            #expect(known.status == 0 && known.standardOutput.contains("Known ana@contoso.example"))
            #expect(try !stores(susi, foreign.refreshToken))
        }
    }

    @Test("the suggested command works: a sign-in policy first, and the API is named where there are several")
    func suggestsWorkingCommand() async throws {
        let second = """
            "apis": { "write": { "baseUrl": "http://localhost:8480/w", "scopes": ["https://contoso.onmicrosoft.com/write/all"] },
            """
        let edits: [@Sendable (String) -> String] = [{ $0 }, { $0.replacing("\"apis\": {", with: second) }]
        for edit in edits {
            try await withLocalTenant(policies: edit) { tenant in
                let other = ["SUSI_HOME": tenant.susi.home.folder.appending("other").string]
                let config = ["--config", tenant.susi.home.policiesFile.string]
                for command in [["sign-in", "--api", "hello"], ["edit-profile"]] {
                    let outcome = try await tenant.interact(command + config, as: .ana, environment: other)
                    #expect(outcome.status == 0, "\(outcome)")
                }
                let export = ["export", "--format", "msal", "--all", "--yes"] + config
                let cache = try JSONNode(
                    parsing: try await tenant.susi.command(export, environment: other).run().standardOutput.utf8)
                let tokens = (cache["RefreshToken"]?.members ?? []).compactMap { $0.node["secret"]?.string }
                let homes = (cache["RefreshToken"]?.members ?? []).compactMap { $0.node["home_account_id"]?.string }
                let entries = zip(tokens, homes).map { token, home in
                    (policy: home.contains("edit") ? "B2C_1_edit_profile" : "B2C_1_susi", token: token)
                }.sorted { $0.policy < $1.policy }
                #expect(entries.map(\.policy) == ["B2C_1_edit_profile", "B2C_1_susi"])
                let adal = { (entries: [(policy: String, token: String)]) in
                    let all = entries.map { entry in
                        """
                        {"_authority": "\(tenant.emulator.origin)/contoso.onmicrosoft.com/\(entry.policy)",
                         "_clientId": "11111111-1111-1111-1111-111111111111", "userId": "ana@contoso.example", "isMRRT": true,
                         "resource": "https://contoso.onmicrosoft.com/hello/", "accessToken": "x",
                         "refreshToken": "\(entry.token)", "expiresOn": "2020-01-01 10:00:00"}
                        """
                    }
                    return "[\(all.joined(separator: ","))]"
                }
                for (entries, policy) in [([entries[0]], "B2C_1_edit_profile"), (entries, "B2C_1_susi")] {
                    let imported = try await tenant.susi.run("import", "-", input: adal(entries))
                    let next = try #require(
                        imported.standardError.firstMatch(of: #/next: susi (token .*)\n/#), "\(imported)"
                    ).1
                    #expect(next.contains("-p \(policy)"), "\(imported)")
                    let token = try await tenant.susi.command(next.split(separator: " ").map(String.init)).run()
                    #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(next): \(token)")
                    for account in ["B2C_1_edit_profile", "B2C_1_susi"] {
                        _ = try await tenant.susi.run("remove", "ana@contoso.example", "-p", account, "--yes")
                    }
                }
            }
        }
    }

    @Test(
        "ADAL: the resource becomes the default scope, and the first token creates the account",
        arguments: [true, false])
    func importsADALCacheAtFirstUse(withObjectID: Bool) async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let text = foreign.adal(at: tenant.emulator.origin, objectID: withObjectID)
            let imported = try await tenant.susi.run("import", "-", "--from", "adal", input: text)
            #expect(imported.status == 0, "\(imported)")
            #expect(imported.standardOutput.contains("https://contoso.onmicrosoft.com/hello//.default"))
            let token = try await tenant.susi.run("token", "-a", "ana@contoso.example", "-f", "json")
            #expect(token.status == 0, "\(token)")
            let list = try JSONNode(parsing: try await tenant.susi.run("accounts", "--json").standardOutput.utf8)
            #expect(list["accounts"]?.array?.first?["homeAccountId"]?.string == foreign.home)
            #expect(
                list["accounts"]?.array?.first?["isCurrent"]?.bool == true, "the policy's first account is not current")
            let plain = try await tenant.susi.run("token")
            #expect(plain.status == 0, "\(plain)")
            #expect(list["imported"]?.array == [])
        }
    }

    /// A display name identifies no person.
    @Test func suggestsTheIdentifierOfAnEntryWithADisplayName() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let text = foreign.adal(at: tenant.emulator.origin)
                .replacing(
                    #""userId": "ana@contoso.example""#, with: #""givenName": "Ana", "familyName": "Lima""#)
            let imported = try await tenant.susi.run("import", "-", "--from", "adal", input: text)
            #expect(imported.status == 0 && imported.standardOutput.contains("Imported Ana Lima"), "\(imported)")
            let next = try #require(imported.standardError.firstMatch(of: #/susi (token .*)/#)).1
            let token = try await tenant.susi.command(next.split(separator: " ").map(String.init)).run()
            #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(next): \(token)")
        }
    }

    @Test("a token of another person is refused and not stored; the entry is kept and can be removed")
    func refusesDifferentPerson() async throws {
        try await withLocalTenant { tenant in
            let (ana, ben) = (try await Self.foreign(tenant), try await Self.foreign(tenant, .ben))
            let file = try write(ana.text.replacing(ana.refreshToken, with: ben.refreshToken), tenant)
            let susi = tenant.susi
            #expect(try await susi.run("import", file).status == 0)
            let refused = try await susi.run("token")
            #expect(refused.status == 7 && refused.standardOutput.isEmpty, "\(refused)")
            #expect(refused.standardError.contains("ana@contoso.example"), "\(refused)")
            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(list["accounts"]?.array == [] && list["imported"]?.array?.count == 1)

            let unanswered = try await susi.run("remove", "ana@contoso.example")
            #expect(unanswered.status == 64 && unanswered.standardError.contains("--yes"))
            let dry = try await susi.run("remove", "ana@contoso.example", "--dry-run")
            #expect(dry.standardOutput.contains("Would remove"))
            let removed = try await susi.run("remove", "ana@contoso.example", "--yes")
            #expect(removed.status == 0 && removed.standardOutput.contains("imported, never used"), "\(removed)")
            #expect(try await susi.run("accounts").standardOutput.isEmpty)
        }
    }

    /// Runs `body` with one imported token of this user, which no command can use: there is no server.
    private func withImported(_ user: String, _ body: (SusiBinary) async throws -> Void) async throws {
        try await withSusi { susi in
            let cache = """
                [{"_authority": "http://localhost:8480/contoso.onmicrosoft.com/B2C_1_susi", \(user),
                  "_clientId": "11111111-1111-1111-1111-111111111111", "isMRRT": true, "accessToken": "x",
                  "resource": "https://contoso.onmicrosoft.com/hello/", "oid": "a0a0a0a0-0000-4000-8000-000000000001",
                  "tenantId": "aaaaaaaa-0000-0000-0000-000000000001", "refreshToken": "refresh",
                  "expiresOn": "2020-01-01 10:00:00"}]
                """
            let imported = try await susi.run("import", "-", "--from", "adal", input: cache)
            try #require(imported.status == 0, "\(imported)")
            try await body(susi)
            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(list["imported"]?.array?.count == 1)
        }
    }

    @Test("--yes takes no shortened name of an imported token, even on a terminal")
    func completesNoNameOfImportedTokenWithYes() async throws {
        try await withImported(#""userId": "ana@contoso.example""#) { susi in
            for name in ["ana", "a0a0a0a0"] {
                let dry = try await susi.runInTerminal("remove", name, "--dry-run")
                #expect(dry.status == 0 && dry.standardOutput.contains("ana@contoso.example"), "\(dry)")
                let removed = try await susi.runInTerminal("remove", name, "--yes")
                #expect(removed.status == 5, "\(removed)")
            }
        }
    }

    @Test("the display name of an imported token does not select it")
    func selectsNoImportedTokenByDisplayName() async throws {
        try await withImported(#""givenName": "Ana", "familyName": "Lima""#) { susi in
            let commands = [
                ["token", "-a", "Ana Lima"], ["token", "-a", "ana lima"], ["call", "hello", "-a", "Ana Lima"],
                ["exec", "-a", "Ana Lima", "--", "/bin/true"], ["remove", "Ana Lima", "--yes"],
            ]
            for command in commands {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status == 5 && outcome.standardOutput.isEmpty, "\(command): \(outcome)")
            }
            // The identifier selects it; there is no server.
            let token = try await susi.run("token", "-a", "a0a0a0a0-0000-4000-8000-000000000001")
            #expect(token.status == 3, "\(token)")
        }
    }

    @Test("an expired refresh token needs a sign-in; an unreachable server loses nothing")
    func keepsEntryUntilFinalRefusal() async throws {
        try await withHome { home in
            let port = try await freePort()
            let file = try await withLocalTenant(in: home, port: port) { tenant in
                let foreign = try await Self.foreign(tenant)
                let file = try write(foreign.text, tenant)
                #expect(try await tenant.susi.run("import", file).status == 0)
                return file
            }
            let susi = try SusiBinary(home: home)
            #expect(try await susi.run("token").status == 3)
            #expect(try await susi.run("accounts").standardOutput.contains("imported, not yet used"))
            try await withLocalTenant(in: home, port: port) { tenant in
                tenant.emulator.clock.advance(by: 30 * 86_400)
                let dead = try await susi.run("token")
                #expect(dead.status == 4 && dead.standardError.contains("susi sign-in -p B2C_1_susi"), "\(dead)")
                #expect(try await susi.run("accounts").standardOutput.isEmpty, "an account is listed")
                #expect(try await susi.run("import", file).status == 0)
            }
        }
    }

    @Test("of several imported entries one must be named; of many processes one uses the token")
    func needsANameAmongSeveralEntries() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            for person in [LocalTenant.Person.ana, .ben] {
                let foreign = try await Self.foreign(tenant, person)
                #expect(try await susi.run("import", "-", input: foreign.text).status == 0)
            }
            let which = try await susi.run("token")
            #expect(which.status == 5 && which.standardError.contains("ben@contoso.example"), "\(which)")
            let notYet = try await susi.run("switch", "ben@contoso.example")
            #expect(
                notYet.status == 5 && notYet.standardError.contains("susi token -p B2C_1_susi -a ben@contoso.example"))
            let before = tenant.requests("POST", "/oauth2/v2.0/token")
            let answers = try await withThrowingTaskGroup(of: ProgramOutcome.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await susi.run("token", "-a", "ben@contoso.example") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status) == [0, 0, 0, 0], "\(answers)")
            #expect(Set(answers.map(\.standardOutput)).count == 1)
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == before + 1)
            // The policy's first account becomes current; one that is named later for one command does not replace it.
            #expect(try await susi.run("token", "-a", "ana@contoso.example").status == 0)
            #expect(try await susi.run("token").standardOutput == answers[0].standardOutput)
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
            let outcome = try await susi.run("import", "-", input: text)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!outcome.standardOutput.contains("\u{1b}") && outcome.standardOutput.contains(#"\u{1b}[2Jana"#))
            #expect(outcome.standardOutput.contains(#""clientId": "99999999-9999-9999-9999-999999999999""#))
            #expect(outcome.standardOutput.contains("Damaged RefreshToken r"))
            #expect(!outcome.standardOutput.contains("rm "), "a missing file is suggested for removal")
            let json = try await susi.run("import", "-", "--json", input: text)
            let report = try JSONNode(parsing: json.standardOutput.utf8)
            #expect(report["leftOut"]?.array?.count == 1 && report["damaged"]?.array?.count == 1)
            let wrong = try await susi.run("import", "-", "--from", "adal", input: text)
            #expect(wrong.status == 1 && wrong.standardError.contains("--from msal"))
            let missing = try await susi.run("import", "nothing.json")
            #expect(missing.status == 64 && missing.standardError.contains("“nothing.json”"))
        }
    }

    @Test("an export needs confirmation and writes a new file that only its owner can read")
    func exportsToNewPrivateFile() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            #expect(try await susi.run("export", "--format", "msal", "--all", "--yes").status == 5)
            _ = try await tenant.interact(["sign-in"], as: .ana)
            _ = try await tenant.interact(["sign-in", "-p", "B2C_1_partner"], as: .ana)
            #expect(try await susi.run("export").status == 64)
            let unanswered = try await susi.run("export", "--format", "msal", "-o", "out.json")
            #expect(unanswered.status == 64)
            #expect(unanswered.standardError.contains("susi export --format msal -o out.json --yes"))
            let terminal = try await susi.runInTerminal("export", "--format", "msal", "--yes")
            #expect(terminal.status == 64 && !terminal.standardOutput.contains("secret"))

            let done = try await susi.run("export", "--format", "msal", "--all", "-o", "out.json", "--yes")
            #expect(
                done.status == 0 && done.standardOutput.isEmpty && done.standardError.contains("2 accounts"), "\(done)")
            let file = susi.home.workingFolder.appending("out.json").string
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let cache = try JSONNode(parsing: Data(contentsOf: URL(filePath: file)))
            #expect(cache["Account"]?.members.count == 2 && cache["RefreshToken"]?.members.count == 2)
            let again = try await susi.run("export", "--format", "msal", "-o", "out.json", "--yes")
            #expect(again.status == 64 && again.standardError.contains("the file exists"))
            let late = try await susi.run("export", "--format", "msal", "--yes", environment: ["SUSI_CLOCK": "+2h"])
            let old = try JSONNode(parsing: late.standardOutput.utf8)
            #expect(old["AccessToken"]?.members.isEmpty == true && old["RefreshToken"]?.members.count == 1)
        }
    }

    @Test("--resource requests the default scope, and excludes an API")
    func requestsDefaultScopeOfResource() async throws {
        try await withLocalTenant { tenant in
            let both = try await tenant.susi.run("token", "hello", "--resource", "https://graph.microsoft.com")
            #expect(both.status == 64)
            #expect(try await tenant.susi.run("token", "--resource", "x/.default").status == 64)
            #expect(try await tenant.susi.run("token", "--resource", "").status == 64)
            _ = try await tenant.interact(["sign-in"], as: .ana)
            // B2C has no default scope; its error shows the requested scope.
            for resource in ["https://contoso.onmicrosoft.com/nothing/", "https://contoso.onmicrosoft.com/nothing"] {
                let asked = try await tenant.susi.run("token", "--resource", resource)
                #expect(asked.status != 0 && asked.standardError.contains("'\(resource)/.default'"), "\(asked)")
            }
        }
    }
}
