import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Import and export with the built program: the tokens of other programs are redeemed, and signed responses make the accounts.
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

    private static let tokenPath = "/oauth2/v2.0/token"

    /// An ADAL cache with entries of several people, each with a token of its own.
    private static func adal(_ tokens: [(user: String, token: String)], at origin: String) -> String {
        let entries = tokens.map { user, token in
            """
            {"_authority": "\(origin)/contoso.onmicrosoft.com/B2C_1_susi", "userId": "\(user)", "isMRRT": true,
             "_clientId": "11111111-1111-1111-1111-111111111111", "resource": "https://contoso.onmicrosoft.com/hello/",
             "accessToken": "x", "refreshToken": "\(token)", "expiresOn": "2020-01-01 10:00:00"}
            """
        }
        return "[\(entries.joined(separator: ","))]"
    }

    private func accounts(_ susi: SusiBinary) async throws -> [JSONNode] {
        let list = try await susi.run("accounts", "--json")
        return try JSONNode(parsing: list.standardOutput.utf8)["accounts"]?.array ?? []
    }

    @Test("MSAL: a dry run sends nothing, the import makes the account, and a second one sends nothing")
    func redeemsCacheOfMSAL() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let file = try write(foreign.text, tenant)
            let susi = tenant.susi
            let before = tenant.requestLines.count
            let dry = try await susi.run("import", file, "--dry-run")
            #expect(dry.status == 0 && dry.standardOutput.contains("ana@contoso.example under B2C_1_susi"), "\(dry)")
            #expect(dry.standardOutput.contains("redeemed at \(tenant.emulator.origin)/contoso"), "\(dry)")
            #expect(!FileManager.default.fileExists(atPath: susi.home.susiHome.appending("store.sqlite").string))
            #expect(tenant.requestLines.count == before, "a server was contacted")

            let imported = try await susi.run("import", file)
            #expect(imported.status == 0, "\(imported)")
            #expect(imported.standardOutput.contains("Imported ana@contoso.example under B2C_1_susi of local"))
            #expect(imported.standardOutput.contains("rm ") && imported.standardError == "  next: susi accounts\n")
            #expect(try !stores(susi, foreign.refreshToken))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == foreign.text, "the file changed")
            #expect(tenant.requests("POST", Self.tokenPath) == 2, "the other program's sign-in, and the import")
            let account = try #require(try await accounts(susi).first)
            #expect(account["homeAccountId"]?.string == foreign.home && account["isCurrent"]?.bool == true)
            let call = try await susi.run("call", "hello")
            #expect(call.status == 0 && call.standardOutput.contains("Hello, Ana Lima"), "\(call)")

            let sent = tenant.requestLines.count
            let known = try await susi.run("import", file)
            #expect(known.status == 0 && known.standardOutput.contains("Known ana@contoso.example"), "\(known)")
            #expect(tenant.requestLines.count == sent, "a server was contacted")
        }
    }

    @Test("ADAL: the resource is shown as the default scope", arguments: [true, false])
    func redeemsCacheOfADAL(withObjectID: Bool) async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let text = foreign.adal(at: tenant.emulator.origin, objectID: withObjectID)
            let imported = try await tenant.susi.run("import", "-", "--from", "adal", input: text)
            #expect(imported.status == 0, "\(imported)")
            #expect(imported.standardOutput.contains("https://contoso.onmicrosoft.com/hello//.default"))
            #expect(try await accounts(tenant.susi).first?["homeAccountId"]?.string == foreign.home)
            let token = try await tenant.susi.run("token")
            #expect(token.status == 0, "\(token)")
        }
    }

    @Test(
        "a name in a cache has to be signed too",
        arguments: [("Ana Lima", 0), ("Ben Okoro", 7), ("ben@contoso.example", 7)])
    func comparesNames(name: String, status: Int32) async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Self.foreign(tenant)
            let text = foreign.adal(at: tenant.emulator.origin, objectID: false, user: name)
            let imported = try await tenant.susi.run("import", "-", "--from", "adal", input: text)
            #expect(imported.status == status, "\(imported)")
            #expect(try await accounts(tenant.susi).count == (status == 0 ? 1 : 0))
        }
    }

    @Test("what a server refuses is named with the next step; the other entries are imported, and none becomes current")
    func reportsRefusedToken() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }) { tenant in
            let (ana, ben) = (try await Self.foreign(tenant), try await Self.foreign(tenant, .ben))
            let text = Self.adal(
                [
                    ("ana@contoso.example", ana.refreshToken), ("chi@contoso.example", "revoked"),
                    ("ben@contoso.example", ben.refreshToken),
                ], at: tenant.emulator.origin)
            let imported = try await tenant.susi.run("import", "-", input: text)
            #expect(imported.status == 4, "\(imported)")
            for line in ["Imported ana@", "Imported ben@", "Failed chi@", "next: susi sign-in"] {
                #expect(imported.standardOutput.contains(line), "\(line): \(imported)")
            }
            let list = try await accounts(tenant.susi)
            #expect(list.map { $0["isCurrent"]?.bool } == [false, false])
            let again = try await tenant.susi.run("import", "-", "--json", input: text)
            try #require(again.status == 4 && !again.standardOutput.isEmpty, "\(again)")
            let taken = try JSONNode(parsing: again.standardOutput.utf8)["taken"]?.array ?? []
            #expect(taken.map { $0["outcome"]?.string } == ["known", "failed", "known"], "\(again)")
            #expect(taken[1]["error"]?["next"]?.string == "susi sign-in")
            let token = try await tenant.susi.run("token", "--refresh", "-a", "ana@contoso.example")
            #expect(token.status == 0, "a spent token was sent again: \(token)")
        }
    }

    @Test("a token of another person is not stored, and the others are")
    func refusesDifferentPerson() async throws {
        try await withLocalTenant { tenant in
            let (ana, ben) = (try await Self.foreign(tenant), try await Self.foreign(tenant, .ben))
            let swapped = try write(ana.text.replacing(ana.refreshToken, with: ben.refreshToken), tenant)
            let refused = try await tenant.susi.run("import", swapped)
            #expect(refused.status == 7 && refused.standardOutput.contains("another person"), "\(refused)")
            #expect(try await accounts(tenant.susi).isEmpty)
        }
    }

    @Test(
        "without a server nothing is sent or stored, and the import works later; a token that has expired needs a sign-in"
    )
    func waitsForServer() async throws {
        try await withHome { home in
            let port = try await freePort()
            let (file, text) = try await withLocalTenant(in: home, port: port) { tenant in
                let foreign = try await Self.foreign(tenant)
                return (try write(foreign.text, tenant), foreign.text)
            }
            let susi = try SusiBinary(home: home)
            let none = try await susi.run("import", file)
            #expect(none.status == 3 && none.standardOutput.isEmpty, "\(none)")
            #expect(try await accounts(susi).isEmpty)
            try await withLocalTenant(in: home, port: port) { tenant in
                #expect(try await susi.run("import", "-", input: text).status == 0)
                #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
                tenant.emulator.clock.advance(by: 30 * 86_400)
                let dead = try await susi.run("import", file)
                #expect(dead.status == 4 && dead.standardOutput.contains("susi sign-in"), "\(dead)")
                #expect(try await accounts(susi).isEmpty)
            }
        }
    }

    @Test("eight tokens are redeemed at the same time; a server that fails gets no further ones")
    func stopsAtFailingServer() async throws {
        let gate = Gate("POST", Self.tokenPath)
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            let people = (0..<20).map { (user: "p\($0)@contoso.example", token: "token-\($0)") }
            let text = Self.adal(people, at: tenant.emulator.origin)
            await gate.holdNext(8)
            _ = tenant.emulator.faults.add(Fault(.status(503), at: .token))
            async let running = tenant.susi.run("import", "-", "--json", input: text)
            await gate.waitUntilFull()
            #expect(tenant.requests("POST", Self.tokenPath) == 0, "more than eight were sent")
            await gate.open()
            let outcome = try await running
            #expect(outcome.status == 3, "\(outcome)")
            let taken = try JSONNode(parsing: outcome.standardOutput.utf8)["taken"]?.array ?? []
            let outcomes = taken.map { $0["outcome"]?.string }
            #expect(outcomes == Array(repeating: "failed", count: 8) + Array(repeating: "notSent", count: 12))
            #expect(tenant.requests("POST", Self.tokenPath) == 8)
        }
    }

    @Test("tokens that are redeemed side by side leave a whole store") func keepsStoreWhole() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ana, .ben, .chi] {
                for policy in ["B2C_1_susi", "B2C_1_partner"] {
                    try await tenant.signIn(person, under: policy)
                }
            }
            let file = tenant.susi.home.workingFolder.appending("all.json").string
            let exported = try await tenant.susi.run("export", "--format", "msal", "--all", "--yes", "-o", file)
            #expect(exported.status == 0, "\(exported)")
            let config = ["--config", tenant.susi.home.policiesFile.string]
            for turn in 0..<6 {
                let home = ["SUSI_HOME": tenant.susi.home.folder.appending("new-\(turn)").string]
                let imported = try await tenant.susi.command(["import", file] + config, environment: home).run()
                #expect(imported.status == 0, "\(imported)")
                let check = try await tenant.susi.command(["store", "check"], environment: home).run()
                #expect(check.status == 0 && check.standardOutput.contains("6 accounts"), "\(check)")
            }
        }
    }

    @Test("of two imports of one file, one redeems the token") func redeemsOnce() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }) { tenant in
            let foreign = try await Self.foreign(tenant)
            let susi = tenant.susi
            let before = tenant.requests("POST", Self.tokenPath)
            let outcomes = try await withThrowingTaskGroup(of: ProgramOutcome.self) { group in
                for _ in 0..<4 { group.addTask { try await susi.run("import", "-", input: foreign.text) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes)")
            #expect(tenant.requests("POST", Self.tokenPath) == before + 1)
        }
    }

    @Test("an interrupted import shows its progress and keeps the accounts whose responses arrived")
    func keepsWhatArrived() async throws {
        let gate = Gate("POST", Self.tokenPath)
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            let (ana, ben) = (try await Self.foreign(tenant), try await Self.foreign(tenant, .ben))
            let text = Self.adal(
                [("ana@contoso.example", ana.refreshToken), ("ben@contoso.example", ben.refreshToken)],
                at: tenant.emulator.origin)
            let file = try write(text, tenant)
            await gate.holdNext(1)
            try await tenant.susi.command(["import", file]).inTerminal().start { running in
                try await running.waitForText("redeeming refresh tokens: 1 of 2")
                try await running.type("\u{3}")
                #expect(try await running.waitUntilExit().status != 0)
            }
            await gate.open()
            #expect(try await accounts(tenant.susi).count == 1)
            let again = try await tenant.susi.run("import", file)
            #expect(again.status == 0 && !again.standardError.contains("redeeming"), "\(again)")
            #expect(try await accounts(tenant.susi).count == 2)
        }
    }

    @Test("into a shared store, tokens of several people or of another person are not sent")
    func sendsNoTokensOfOthersIntoSharedStore() async throws {
        try await withLocalTenant { tenant in
            #expect(try await tenant.susi.run("store", "share").status == 0)
            let (ana, ben) = (try await Self.foreign(tenant), try await Self.foreign(tenant, .ben))
            let tokens = [("ana@contoso.example", ana.refreshToken), ("ben@contoso.example", ben.refreshToken)]
            let before = tenant.requests("POST", Self.tokenPath)
            let both = try await tenant.susi.run("import", "-", input: Self.adal(tokens, at: tenant.emulator.origin))
            #expect(both.status == 7 && both.standardError.contains("several people"), "\(both)")
            #expect(tenant.requests("POST", Self.tokenPath) == before)
            #expect(try await tenant.susi.run("import", "-", input: ana.text).status == 0)
            let other = try await tenant.susi.run("import", "-", input: ben.text)
            #expect(other.status == 7 && other.standardError.contains("is signed in"), "\(other)")
            #expect(tenant.requests("POST", Self.tokenPath) == before + 1)
            #expect(try await tenant.susi.run("import", "-", input: ana.text).standardOutput.contains("Known"))
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
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
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
            try await tenant.signIn(.ana)
            // B2C has no default scope; its error shows the requested scope.
            for resource in ["https://contoso.onmicrosoft.com/nothing/", "https://contoso.onmicrosoft.com/nothing"] {
                let asked = try await tenant.susi.run("token", "--resource", resource)
                #expect(asked.status != 0 && asked.standardError.contains("'\(resource)/.default'"), "\(asked)")
            }
        }
    }
}
