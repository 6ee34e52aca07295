import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `susi init`: a working policies.json from what a portal shows.
@Suite("Init", .inTurn, .timeLimit(.minutes(5)))
struct InitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let address: String
        var flags: [String] = []
        let kind: String
        let authority: String
        var policies: [String] = ["default"]
        var clientID = InitSource.id
        var redirects: [String] = ["http://localhost:8400/", "http://localhost:8401/"]
        var testDescription: String { address }
    }

    private static let host = "https://contoso.b2clogin.com"
    private static let tenant = "\(host)/contoso.onmicrosoft.com"
    private static let susi = ["B2C_1_susi"]

    static let rows = [
        // “Run user flow” in the portal.
        Row(
            address: "\(tenant)/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
                + "&nonce=defaultNonce&redirect_uri=http%3A%2F%2Flocalhost%3A8765%2Fback&scope=openid"
                + "%20https%3A%2F%2Fcontoso.onmicrosoft.com%2Forders%2Fread&response_type=code&prompt=login",
            flags: ["--client-id", InitSource.id], kind: "b2c", authority: tenant, policies: susi,
            redirects: ["http://localhost:8765/back"]),
        Row(
            address: "\(tenant)/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
                + "&redirect_uri=https%3A%2F%2Fjwt.ms&scope=openid&response_type=id_token",
            kind: "b2c", authority: tenant, policies: susi, clientID: InitSource.id),
        Row(
            address: "\(tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration",
            flags: ["--client-id", InitSource.id],
            kind: "b2c", authority: tenant, policies: susi),
        Row(
            address: "\(tenant)/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
            flags: ["--client-id", InitSource.id],
            kind: "b2c", authority: tenant, policies: susi),
        Row(
            address: "\(host)/tfp/contoso.onmicrosoft.com/B2C_1_susi/",
            flags: ["--client-id", InitSource.id], kind: "b2c", authority: tenant, policies: susi),
        Row(
            address: "contoso.b2clogin.com/contoso.onmicrosoft.com",
            flags: [
                "--client-id", InitSource.id, "--policy", "B2C_1_susi", "--policy", "B2C_1_edit_profile", "--policy",
                "B2C_1_x=passwordReset", "--policy", "B2C_1_partner_signin",
            ], kind: "b2c", authority: tenant,
            policies: ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_x", "B2C_1_partner_signin"]),
        Row(
            address: "https://login.contoso.example/contoso.onmicrosoft.com",
            flags: ["--kind", "b2c", "--policy", "B2C_1A_main", "--client-id", InitSource.id], kind: "b2c",
            authority: "https://login.contoso.example/contoso.onmicrosoft.com", policies: ["B2C_1A_main"]),
        Row(
            address: "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1A_main/oauth2/v2.0/token",
            flags: ["--client-id", InitSource.id], kind: "b2c",
            authority: "https://login.contoso.example/contoso.onmicrosoft.com", policies: ["B2C_1A_main"]),
        Row(
            address: "https://contoso.ciamlogin.com", flags: ["--client-id", InitSource.id], kind: "external",
            authority: "https://contoso.ciamlogin.com", redirects: ["http://localhost"]),
        Row(
            address: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration",
            flags: ["--client-id", InitSource.id, "--redirect-port", "9000"], kind: "external",
            authority: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com", redirects: ["http://localhost:9000/"]),
        Row(
            address: "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
            flags: ["--client-id", InitSource.id], kind: "entra", authority: "https://login.microsoftonline.com/common",
            redirects: ["http://localhost"]),
        Row(
            address: "https://login.partner.microsoftonline.cn/fabrikam.partner.onmschina.cn",
            flags: ["--client-id", InitSource.id], kind: "entra",
            authority: "https://login.partner.microsoftonline.cn/fabrikam.partner.onmschina.cn",
            redirects: ["http://localhost"]),
        Row(
            address: "https://id.example/Realms/A/", flags: ["--client-id", InitSource.id], kind: "openid",
            authority: "https://id.example/Realms/A/"),
        Row(
            address: "https://id.example/Realms/A/.well-known/openid-configuration",
            flags: ["--client-id", InitSource.id],
            kind: "openid", authority: "https://id.example/Realms/A"),
    ]

    private static func read(_ susi: SusiBinary, _ name: String = "policies.json") throws -> (String, Application) {
        let path = susi.home.workingFolder.appending(name).string
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return (text, try #require(try PoliciesFile(text: text.utf8, source: name).application(nil)))
    }

    @Test(arguments: rows)
    func readsValuesOfThePortal(row: Row) async throws {
        try await withSusi { susi in
            let made = try await susi.command(["init", row.address, "--offline"] + row.flags).run()
            #expect(made.status == 0, "\(made)")
            let (text, application) = try Self.read(susi)
            #expect(application.kind.rawValue == row.kind && application.clientID == row.clientID, "\(text)")
            #expect(application.authority.spelling == row.authority, "\(text)")
            #expect(application.policies.map(\.name.spelling) == row.policies, "\(text)")
            for address in row.redirects { #expect(made.standardOutput.contains("  \(address)\n"), "\(made)") }
            #expect(made.standardOutput.hasSuffix("next: susi sign-in\n"), "\(made)")
            // The next command uses the user's own file at once; a changed file needs trust again.
            let listed = try await susi.run("policies", "list", "--json")
            #expect(listed.status == 0 && listed.standardOutput.contains(row.clientID), "\(listed)")
            #expect(try await susi.run("accounts").status == 0)
            try susi.home.writeLocalPolicies(text + "\n")
            #expect(try await susi.run("accounts").status == 7)
        }
    }

    @Test func writesPoliciesWithKindsScopesAndAnAPI() async throws {
        try await withSusi { susi in
            let made = try await susi.run(
                "init", "\(Self.tenant)/B2C_1_susi", "--offline", "--client-id", InitSource.id, "--policy",
                "B2C_1_susi",
                "--policy", "B2C_1_edit_profile", "--policy", "b2c_1_password_reset", "--policy", "B2C_1_ropc",
                "--policy", "B2C_1_signin", "--api", "orders=https://api.contoso.example/v1/orders", "--scope",
                "https://contoso.onmicrosoft.com/orders/read", "--name", "staging", "--redirect-port", "8500",
                "--redirect-port", "8501", "--json")
            #expect(made.status == 0, "\(made)")
            let report = try JSONNode(parsing: made.standardOutput.utf8)
            #expect(report["policies"]?.array?.map { $0["isDefault"]?.bool } == [true, false, false, false, false])
            #expect(report["redirectAddresses"]?.strings == ["http://localhost:8500/", "http://localhost:8501/"])
            #expect(report["isTrusted"]?.bool == true)
            let (text, application) = try Self.read(susi)
            #expect(application.name == "staging" && application.redirectPorts == [8500, 8501])
            #expect(
                application.policies.map(\.kind) == [
                    .signUpOrSignIn, .editProfile, .passwordReset, .resourceOwner, .signUpOrSignIn,
                ])
            #expect(application.defaultPolicy?.name == PolicyName("B2C_1_susi"))
            #expect(application.api("orders")?.scopes == ["https://contoso.onmicrosoft.com/orders/read"])
            // No value that only repeats a default.
            #expect(!text.contains("knownAuthorities") && !text.contains("\"current\""), "\(text)")
        }
    }

    static let android = """
        {
          // as the portal's quickstart writes it
          "client_id": "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6",
          "redirect_uri": "msauth://com.example/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
          "account_mode": "MULTIPLE",
          "authorities": [
            { "type": "B2C", "authority_url": "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1_edit_it/" },
            { "type": "B2C", "authority_url": "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1_susi/",
              "default": true },
            { "type": "B2C", "authority_url": "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1_pw_reset/" },
          ]
        }
        """

    @Test func readsAnAndroidConfiguration() async throws {
        try await withSusi { susi in
            let file = susi.home.workingFolder.appending("auth_config.json").string
            try Data(Self.android.utf8).write(to: URL(filePath: file))
            let made = try await susi.run("init", "auth_config.json", "--offline")
            #expect(made.status == 0, "\(made)")
            // The configuration may come from a checkout, and it decides where tokens are sent.
            #expect(made.standardOutput.hasSuffix("next: susi policies trust\n"), "\(made)")
            #expect(try await susi.run("accounts").status == 7)
            let application = try Self.read(susi).1
            #expect(application.kind == .b2c)
            #expect(application.authority.description == "https://login.contoso.example/contoso.onmicrosoft.com")
            #expect(application.policies.map(\.name.spelling) == ["B2C_1_susi", "B2C_1_edit_it", "B2C_1_pw_reset"])
            #expect(application.policies.map(\.kind) == [.signUpOrSignIn, .editProfile, .passwordReset])
            #expect(application.clientID == "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6")
        }
    }

    @Test func readsAnAndroidConfigurationWithoutAnAddress() async throws {
        let text = """
            { "client_id": "\(InitSource.id)", "authorities": [
                { "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "contoso.onmicrosoft.com" } } ] }
            """
        try await withSusi { susi in
            let made = try await susi.run("init", "-", "--offline", input: text)
            #expect(made.status == 0, "\(made)")
            let application = try Self.read(susi).1
            #expect(application.kind == .entra)
            #expect(application.authority.description == "https://login.microsoftonline.com/contoso.onmicrosoft.com")
        }
    }

    @Test func readsAnMSALConfigurationFromStandardInput() async throws {
        let text = """
            { "auth": { "clientId": "\(InitSource.id)", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
                "knownAuthorities": ["contoso.b2clogin.com"], "redirectUri": "http://localhost:3000/auth" },
              "cache": { "cacheLocation": "sessionStorage" },
              "b2cPolicies": { "authorities": {
                "editProfile": { "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit" } } },
              "apiConfig": { "uri": "https://api.contoso.example/orders",
                "scopes": ["openid", "https://contoso.onmicrosoft.com/orders/read"] } }
            """
        try await withSusi { susi in
            let made = try await susi.run("init", "-", "--offline", input: text)
            #expect(made.status == 0, "\(made)")
            let application = try Self.read(susi).1
            #expect(application.policies.map(\.name.spelling) == ["B2C_1_susi", "B2C_1_edit"])
            #expect(application.policies.map(\.redirectPath) == ["/auth", "/auth"])
            #expect(application.redirectPorts == [3000])
            #expect(application.api("orders")?.scopes == ["https://contoso.onmicrosoft.com/orders/read"])
        }
    }

    @Test func reportsEveryMissingValueAtOnce() async throws {
        try await withSusi { susi in
            let nothing = try await susi.run("init")
            #expect(nothing.status == 64, "\(nothing)")
            #expect(nothing.standardError.contains("the address of the tenant, the client ID"), "\(nothing)")
            let refused = try await susi.run(
                "init", Self.tenant, "--api", "a=https://api.contoso.example", "--offline")
            #expect(refused.status == 64, "\(refused)")
            #expect(
                refused.standardError.contains("missing: the client ID, a policy that signs in, the scope of the API"),
                "\(refused)")
            #expect(
                refused.standardError.contains(
                    "next: susi init \(Self.tenant) --api a=https://api.contoso.example --offline --client-id ID --policy NAME --scope SCOPE"
                ), "\(refused)")
            let kind = try await susi.run("init", "https://login.contoso.example/contoso.onmicrosoft.com")
            #expect(kind.standardError.contains("--kind KIND"), "\(kind)")
            #expect(!SmallFile.exists(susi.home.workingFolder.appending("policies.json").string))
        }
    }

    @Test(
        arguments: [
            (["init", "https://login.microsoftonline.com/c", "--kind", "b2c"], "no longer serves B2C"),
            (["init", "https://contoso.b2clogin.com"], "no tenant: write it after the host"),
            (["init", "no such file"], "is neither a file nor an address"),
            (["init", "auth_config.json"], "is neither a file nor an address"),
            (["init", "my.config/auth_config.json"], "is neither a file nor an address"),
            (["init", "https://a@evil.example/x"], "it contains a user name"),
            (["init", "--kind", "b2b"], "did you mean “b2c”?"),
            (["init", "--client-id", "a\tb"], "expected the application's (client) ID"),
            (["init", "--policy", "a/b"], "expected a policy name of letters"),
            (["init", "--policy", "a=edit"], "supported: signUpOrSignIn, editProfile, passwordReset, resourceOwner"),
            (["init", "--api", "a=http://api.contoso.example"], "expected an https address"),
            (["init", "--scope", "a b"], "expected a scope without spaces"),
            (["init", "--name", "a b"], "expected a name of letters"),
            (
                [
                    "init", "https://login.microsoftonline.com/common", "--client-id", InitSource.id, "--offline",
                    "--scope",
                    "User.Read", "--scope", "api://a/b",
                ], "--offline --scope SCOPE\n"
            ),
        ] as [([String], String)])
    func refusesInvalidValues(arguments: [String], reason: String) async throws {
        try await withSusi { susi in
            let refused = try await susi.command(arguments).run()
            #expect(refused.status == 64 && refused.standardError.contains(reason), "\(refused)")
            #expect(!SmallFile.exists(susi.home.workingFolder.appending("policies.json").string))
        }
    }

    @Test func escapesControlCharactersOfItsInput() async throws {
        try await withSusi { susi in
            for text in [
                #"{ "auth": { "clientId": "\u001b[2J", "authority": "https://\u001b[2Jevil.example/x" } }"#,
                #"{ "auth": { "clientId": "\#(InitSource.id)", "authority": "https://contoso.b2clogin.com/\u001b]0;x" } }"#,
                "{ \u{1b}[2J", "https://evil.example/\u{1b}[2J", #"{ "\u001b[2J": 1 }"#,
            ] {
                let refused = try await susi.run("init", "-", "--offline", "--client-id", InitSource.id, input: text)
                #expect(refused.status != 0 && !refused.description.contains("\u{1b}"), "\(refused)")
            }
        }
    }

    @Test func replacesAFileOnlyWhenForced() async throws {
        try await withSusi { susi in
            let old = PoliciesFile.builtInText
            try susi.home.writeLocalPolicies(old)
            let arguments = ["init", "\(Self.tenant)/B2C_1_susi", "--client-id", InitSource.id, "--offline"]
            let kept = try await susi.command(arguments).run()
            #expect(kept.status == 64 && kept.standardError.contains("exists and was not changed"), "\(kept)")
            #expect(kept.standardError.contains("--force") && kept.standardError.contains("--output"), "\(kept)")
            #expect(try Self.read(susi).0 == old)
            let other = try await susi.command(arguments + ["--output", "other.json"]).run()
            #expect(other.status == 0, "\(other)")
            #expect(other.standardOutput.hasSuffix("next: susi sign-in --config other.json\n"), "\(other)")
            #expect(try Self.read(susi, "other.json").1.clientID == InitSource.id)
            let forced = try await susi.command(arguments + ["--force"]).run()
            #expect(forced.status == 0, "\(forced)")
            #expect(try Self.read(susi).1.clientID == InitSource.id)
            #expect(try await susi.run("policies", "list").status == 0)
        }
    }

    @Test func refusesToReplaceASymbolicLink() async throws {
        try await withSusi { susi in
            let folder = susi.home.workingFolder
            try Data("kept".utf8).write(to: URL(filePath: folder.appending("mine").string))
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending("policies.json").string, withDestinationPath: "mine")
            let refused = try await susi.run(
                "init", "\(Self.tenant)/B2C_1_susi", "--client-id", InitSource.id, "--offline", "--force")
            #expect(refused.status == 64 && refused.standardError.contains("it is a link"), "\(refused)")
            #expect(try String(contentsOfFile: folder.appending("mine").string, encoding: .utf8) == "kept")
        }
    }

    @Test func asksForMissingValuesOnATerminal() async throws {
        try await withSusi { susi in
            let command = susi.command(["init", "--offline"])
            let outcome = try await command.inTerminal().start { program in
                try await program.waitForText("Address of the tenant or of a user flow: ")
                try await program.type("https://contoso.b2clogin.com\n")
                try await program.waitForText("no tenant: write it after the host")
                try await program.type("\(Self.tenant)\n")
                try await program.waitForText("Application (client) ID: ")
                try await program.type("ä\n")
                try await program.waitForText("expected the application's (client) ID")
                try await program.type("c\n")
                try await program.waitForText("expected a GUID")
                try await program.type("\(InitSource.id)\n")
                try await program.waitForText("Policy that signs in, for example B2C_1_susi: ")
                try await program.type("susi\n")
                try await program.waitForText("did you mean “B2C_1_susi”?")
                try await program.type("B2C_1_edit_profile\n")
                try await program.waitForLine(containing: "B2C_1_edit_profile")
                try await program.type("B2C_1_main\n")
                try await program.waitForText("Kind of B2C_1_main: ")
                try await program.waitForText("[signUpOrSignIn]: ")
                try await program.type("\n")
                try await program.waitForText("Another policy")
                try await program.type("b2c_1_MAIN\n")
                try await program.waitForText("is already in the list")
                try await program.type("\n")
                try await program.waitForText("Base address of a web API (Enter for none): ")
                try await program.type("http://api.contoso.example/orders\n")
                try await program.waitForText("expected an https address")
                try await program.type("https://api.contoso.example/v1/orders\n")
                try await program.waitForText("Scope of the API “orders”: ")
                try await program.type("https://contoso.onmicrosoft.com/orders/read\n")
                return try await program.waitUntilExit()
            }
            #expect(outcome.status == 0, "\(outcome)")
            let application = try Self.read(susi).1
            #expect(application.policies.map(\.name.spelling) == ["B2C_1_edit_profile", "B2C_1_main"])
            #expect(application.policies.map(\.kind) == [.editProfile, .signUpOrSignIn])
            #expect(application.api("orders")?.baseURL.description == "https://api.contoso.example/v1/orders")
        }
    }

    @Test func asksForNoValueThatTheAddressHas() async throws {
        try await withSusi { susi in
            let command = susi.command(["init", "https://id.example/a", "--client-id", InitSource.id, "--offline"])
            let outcome = try await command.inTerminal().start { program in
                try await program.waitForText("Base address of a web API")
                try await program.type("\n")
                return try await program.waitUntilExit()
            }
            #expect(outcome.status == 0 && !outcome.standardOutput.contains("Kind of tenant"), "\(outcome)")
        }
    }

    @Test func writesNothingWhenTheQuestionsAreCancelled() async throws {
        try await withSusi { susi in
            let command = try susi.command(["init", Self.tenant, "--offline"]).inTerminal()
            let outcome = try await command.start { program in
                try await program.waitForText("Application (client) ID: ")
                try await program.type("\u{4}")
                return try await program.waitUntilExit()
            }
            #expect(outcome.status == 2 && outcome.standardOutput.contains("nothing was written"), "\(outcome)")
            #expect(!SmallFile.exists(susi.home.workingFolder.appending("policies.json").string))
        }
    }

    @Test func checksThePoliciesAndSignsInAtOnce() async throws {
        try await withLocalTenant { tenant in
            let (susi, origin) = (tenant.susi, tenant.emulator.origin)
            let address =
                "\(origin)/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=11111111-1111-1111-1111-111111111111"
            let made = try await susi.run(
                "init", address, "--redirect-port", "0", "--policy", "B2C_1_susi", "--policy", "B2C_1_edit_typo",
                "--api", "hello=\(origin)/api/hello", "--scope", "https://contoso.onmicrosoft.com/hello/demo.read",
                "--json")
            #expect(made.status == 0, "\(made)")
            let report = try JSONNode(parsing: made.standardOutput.utf8)
            #expect(report["policies"]?.array?.map { $0["check"]?.string } == ["ok", "failed"], "\(made)")
            #expect(report["next"]?.string == "susi policies check", "\(made)")
            #expect(tenant.requests("GET", "/openid-configuration") >= 2)
            try await tenant.signIn(.ana)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Ana Lima"))
            let offline = try await susi.run("init", address, "--offline", "--output", "b.json")
            #expect(offline.standardOutput.contains("not checked"), "\(offline)")
        }
    }

    @Test func usesTheIssuerAsTheProviderSpellsIt() async throws {
        try await withHome { home in
            var tenant = TenantConfiguration(
                kind: .openid, name: "realms/a",
                policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)])
            tenant.issuerForm = .trailingSlash
            let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
            let (susi, folder) = (try SusiBinary(home: home), home.folder.appending("emulator"))
            try await withEmulator(tenant, folder: folder, clock: EmulatorClock(now)) { emulator in
                let made = try await susi.run(
                    "init", "\(emulator.origin)/realms/a/.well-known/openid-configuration", "--client-id", InitSource.id
                )
                #expect(made.status == 0 && made.standardOutput.contains("ok"), "\(made)")
                #expect(try Self.read(susi).1.authority.spelling == "\(emulator.origin)/realms/a/")
            }
        }
    }

    @Test func writesTheFileWhenTheServerIsUnreachable() async throws {
        try await withSusi { susi in
            let port = try await withLocalTenant { $0.emulator.port }
            let made = try await susi.run(
                "init", "http://localhost:\(port)/contoso.onmicrosoft.com/B2C_1_susi", "--client-id", InitSource.id)
            #expect(made.status == 3 && made.standardOutput.contains("not checked"), "\(made)")
            #expect(made.standardOutput.hasSuffix("next: susi policies check\n"), "\(made)")
            #expect(try Self.read(susi).1.name == "development")
        }
    }

    @Test func failsWhenNoPolicyExists() async throws {
        try await withLocalTenant { tenant in
            let made = try await tenant.susi.run(
                "init", "\(tenant.emulator.origin)/contoso.onmicrosoft.com/B2C_1_sus", "--client-id", InitSource.id)
            #expect(made.status == 1 && made.standardOutput.hasSuffix("next: susi policies check\n"), "\(made)")
            #expect(try Self.read(tenant.susi).1.policies.count == 1)
        }
    }

    @Test func saysThatTheFileBelongsUnderVersionControl() async throws {
        try await withSusi { susi in
            let made = try await susi.run(
                "init", "\(Self.tenant)/B2C_1_susi", "--client-id", InitSource.id, "--offline")
            #expect(
                made.standardOutput.contains("The file has no secrets: commit it to version control."), "\(made)")
            let manual = try Manuals.policiesFile.read().text
            #expect(manual.contains("has no secrets and belongs in version control"))
        }
    }

    @Test func keepsTheOptionsInTheSuggestedCommand() async throws {
        try await withSusi { susi in
            let refused = try await susi.run("init", Self.tenant, "-o", "b.json", "--offline", "--policy", "B2C_1_edit")
            #expect(refused.status == 64, "\(refused)")
            #expect(
                refused.standardError.contains(
                    "next: susi init \(Self.tenant) --policy B2C_1_edit -o b.json --offline --client-id ID --policy NAME"
                ),
                "\(refused)")
        }
    }
}
