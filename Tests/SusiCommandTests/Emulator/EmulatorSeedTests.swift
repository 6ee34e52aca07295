import Susi
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// `susi emulator run --seed`, `export`, `reset` and `schema`.
@Suite("Tenant files", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorSeedTests {
    private static let seed = """
        {
          "tenants": {
            "contoso.onmicrosoft.com": {
              "kind": "b2c",
              "users": [{ "email": "lin@contoso.example", "password": "Lin-Lin-1", "displayName": "Lin" }]
            },
            "tailspin.onmicrosoft.com": { "kind": "entra", "users": [] }
          }
        }
        """

    @Test("options override the file, also for a policy's own lifetimes")
    func optionsOverrideTenantFile() async throws {
        try await withSusi { susi in
            let policy = #"{"kind": "signUpOrSignIn", "lifetimes": {"accessToken": "5m", "code": "1m"}}"#
            let seed =
                #"{"tenants": {"contoso.onmicrosoft.com": {"kind": "b2c", "policies": {"B2C_1_a": \#(policy)}}}}"#
            try susi.home.work("tenants.json").write(seed)
            try await susi.start("emulator", "run", "--port", "0", "--seed", "tenants.json") { program in
                _ = try await program.waitForLine(containing: "next ")
            }
            let exported = try await susi.run("emulator", "export", "--seed", "tenants.json", "--access-token", "30s")
            let file = try TenantFile(text: exported.standardOutput.utf8, source: "exported", folder: "/")
            let lifetimes = try #require(try file.tenants().first?.settings(of: PolicyName("B2C_1_a")).lifetimes)
            #expect(lifetimes.accessToken == 30 && lifetimes.idToken == 30 && lifetimes.code == 60)
        }
    }

    @Test("without a policies.json, susi uses the policies of the served file until an emulator runs without it")
    func usesPoliciesOfServedFile() async throws {
        try await withSusi { susi in
            let policy = #"{"B2C_1_mine": {"kind": "signUpOrSignIn", "default": true}}"#
            let seed = #"{"tenants": {"contoso.onmicrosoft.com": {"kind": "b2c", "policies": \#(policy)}}}"#
            try susi.home.work("tenants.json").write(seed)
            try await susi.start("emulator", "run", "--port", "0", "--seed", "tenants.json") { program in
                _ = try await program.waitForLine(containing: "next ")
                try await susi.run("policies", "check").exits(0, printing: "B2C_1_mine")
            }
            try await susi.start("emulator", "run", "--port", "0") { program in
                _ = try await program.waitForLine(containing: "next ")
                try await susi.run("policies", "list").exits(0, printing: "B2C_1_susi", hiding: "B2C_1_mine")
            }
        }
    }

    @Test("the file overrides policies.json, and export writes the current state")
    func fileOverridesPoliciesAndExportWritesState() async throws {
        try await withSusi { susi in
            #expect(try await susi.run("emulator", "export").status == 5)
            #expect(!susi.home.susiHome.exists)
            try susi.home.work("tenants.json").write(Self.seed)
            try await susi.start("emulator", "run", "--port", "0", "--seed", "tenants.json") { program in
                let line = try await program.waitForLine(containing: "listen at")
                #expect(line.hasPrefix("contoso.onmicrosoft.com, tailspin.onmicrosoft.com listen"), "\(line)")
                let users = try await program.waitForLine(containing: "users ")
                #expect(users == "  users     contoso.onmicrosoft.com: lin@contoso.example")
                _ = try await program.waitForLine(containing: "            tailspin.onmicrosoft.com: none")
                #expect(try await program.waitForLine(containing: "password ").contains("Lin-Lin-1"))
                // While the emulator runs: an export, and no reset.
                try await susi.run("emulator", "export", "--seed", "tenants.json", "-o", "out.json").exits(
                    0, output: "")
                try await susi.run("emulator", "reset", "--yes").exits(6, saying: "Ctrl-C")
            }
            let text = try susi.home.work("out.json").text()
            #expect(text.contains("lin@contoso.example") && !text.contains("Lin-Lin-1"), "\(text)")
            let path = susi.home.work("out.json")
            let tenants = try TenantFile(path: path).tenants()
            #expect(tenants.map(\.name) == ["contoso.onmicrosoft.com", "tailspin.onmicrosoft.com"])
            #expect(tenants[0].users.map(\.displayName) == ["Lin"] && tenants[1].users.isEmpty)
            #expect(tenants[0].applications.map(\.clientID) == ["11111111-1111-1111-1111-111111111111"])
            #expect(try await susi.run("emulator", "export", "--seed", "out.json").standardOutput == text)
            try await susi.run("emulator", "export", "-o", "out.json").exits(64, saying: "the file exists")
        }
    }

    @Test("each start lists the current users, also those added since")
    func listsCurrentUsersAtStart() async throws {
        try await withSusi { susi in
            let seed = Self.seed.replacing("Lin\" }", with: "Lin\" }, { \"userName\": \"max\" }")
            try susi.home.work("tenants.json").write(seed.replacing("\"password\": \"Lin-Lin-1\", ", with: ""))
            let start = { (options: [String]) in
                try await susi.command(["emulator", "run", "--port", "0"] + options, input: .open).start { program in
                    _ = try await program.waitForLine(containing: "next ")
                    return await program.text(.output)
                }
            }
            #expect(try await start(["--seed", "tenants.json"]).contains("password  Passw0rd! (for all of them)"))
            let again = try await start([])
            #expect(again.contains("lin@contoso.example, max, ana@contoso.example and 2 "), "\(again)")
            #expect(again.contains("password  Passw0rd! (for all of them)"), "\(again)")
            try susi.home.work("more.json").write(seed.replacing("lin@", with: "eva@"))
            _ = try await start(["--seed", "more.json"])
            let last = try await start([])
            #expect(last.contains("password  Passw0rd! (unless changed)"), "\(last)")
            #expect(!last.contains("as configured"), "\(last)")
        }
    }

    @Test(
        "a start says which users of the tenant file keep older values",
        arguments: [
            ("Lin\" }", "Lina\" }", true), ("Lin-Lin-1", "Lin-Lin-2", true),
            ("Lin\" }", "Lin\", \"attributes\": { \"city\": \"Bonn\" } }", true),
            ("Lin\" }", "Lin\" }, { \"userName\": \"max\" }", false),
        ])
    func namesChangedUsers(old: String, new: String, isNamed: Bool) async throws {
        try await withSusi { susi in
            let start = { (seed: String) in
                try susi.home.work("tenants.json").write(seed)
                let run = ["emulator", "run", "--port", "0", "--seed", "tenants.json"]
                return try await susi.command(run, input: .open).start { program in
                    _ = try await program.waitForLine(containing: "next ")
                    return await program.text(.output)
                }
            }
            let note = "note      1 user is not as configured; susi emulator reset restores all\n"
            let changed = Self.seed.replacing(old, with: new)
            #expect(changed != Self.seed)
            for _ in 1...2 { #expect(try await !start(Self.seed).contains("as configured")) }
            #expect(try await start(changed).contains(note) == isNamed)
            try await susi.run("emulator", "reset", "--yes").exits(0)
            #expect(try await !start(changed).contains("as configured"))
        }
    }

    @Test("the tenant file of the manual for a migration has the same people in two tenants, with other object IDs")
    func migrationFileHasSamePeople() throws {
        let text = try #require(try Manuals.fromB2C.read().block(marked: "file: migration.json"))
        let tenants = try TenantFile(text: text.utf8, source: "migration.json", folder: "/").tenants()
        #expect(tenants.map(\.kind) == [.b2c, .external])
        let people = tenants.map { tenant in tenant.users.map { [$0.email, $0.displayName] } }
        #expect(people[0] == people[1] && people[0].count == 4)
        #expect(Set(tenants.flatMap(\.users).map(\.objectID)).count == 8)
        #expect(tenants.flatMap(\.applications).allSatisfy { $0.allowsNativeAuthentication })
    }

    @Test("the schema is printed unchanged")
    func printsSchema() async throws {
        try await withSusi { susi in
            let schema = try TenantFile.schema() + "\n"
            #expect(try await susi.run("emulator", "schema").standardOutput == schema)
        }
    }
}
