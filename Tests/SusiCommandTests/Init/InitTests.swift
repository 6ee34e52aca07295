import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `susi init`: a working policies.json from what a portal shows.
@Suite("Init", .inTurn, .timeLimit(.minutes(5)))
struct InitTests {
    private static let tenant = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"

    private static func read(_ susi: SusiBinary, _ name: String = "policies.json") throws -> (String, Application) {
        let path = susi.home.work(name)
        let text = try path.text()
        return (text, try #require(try PoliciesFile(text: text.utf8, source: name).application(nil)))
    }

    @Test func writesPoliciesWithKindsScopesAndAnAPI() async throws {
        try await withSusi { susi in
            let report = try await susi.run(
                "init", "\(Self.tenant)/B2C_1_susi", "--offline", "--client-id", InitSource.id, "--policy",
                "B2C_1_susi",
                "--policy", "B2C_1_edit_profile", "--policy", "b2c_1_password_reset", "--policy", "B2C_1_ropc",
                "--policy", "B2C_1_signin", "--api", "orders=https://api.contoso.example/v1/orders", "--scope",
                "https://contoso.onmicrosoft.com/orders/read", "--name", "staging", "--redirect-port", "8500",
                "--redirect-port", "8501", "--json"
            ).exits(0).json()
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
            // The next command uses the user's own file at once; a changed file needs trust again.
            #expect(report["next"]?.string == "susi sign-in")
            #expect(try await susi.run("accounts").status == 0)
            try susi.home.writeLocalPolicies(text + "\n")
            #expect(try await susi.run("accounts").status == 7)
        }
    }

    /// The configuration may come from a checkout, and it decides where tokens are sent.
    @Test(arguments: ["auth_config.json", "-"])
    func asksForTrustInWhatAFileSays(source: String) async throws {
        let text = """
            { "client_id": "\(InitSource.id)", "authorities": [ { "type": "B2C", "default": true,
                "authority_url": "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1_susi/" } ] }
            """
        try await withSusi { susi in
            if source != "-" {
                try susi.home.work(source).write(text)
            }
            let made = try await susi.run("init", source, "--offline", input: source == "-" ? text : nil)
            #expect(made.status == 0 && made.standardOutput.hasSuffix("next: susi policies trust\n"), "\(made)")
            #expect(try await susi.run("accounts").status == 7)
            let application = try Self.read(susi).1
            #expect(application.authority.spelling == "https://login.contoso.example/contoso.onmicrosoft.com")
            #expect(
                application.policies.map(\.name.spelling) == ["B2C_1_susi"] && application.clientID == InitSource.id)
        }
    }

    /// A misspelled name of a file, and a page of Vite whose values are in the file of its variables.
    @Test func namesTheFileThatIsMeant() async throws {
        try await withSusi { susi in
            let folder = URL(filePath: susi.home.workingFolder.string)
            try susi.home.work("src").makeFolder()
            let variables =
                "VITE_ISSUER=https://id.acme.example\nISSUER_LOGO_URL=https://cdn.example/a.png\nVITE_CLIENT_ID=web\n"
            for (name, text) in [
                (".env", variables), ("package.json", "{}"),
                (
                    "src/auth.ts",
                    "export const c = { issuer: import.meta.env.VITE_ISSUER, clientId: import.meta.env.VITE_CLIENT_ID }"
                ),
            ] { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let misspelled = try await susi.run("init", "src/auht.ts", "--offline")
            #expect(
                misspelled.status == 64 && misspelled.standardError.hasSuffix("next: susi init src/auth.ts --offline\n")
            )
            let page = try await susi.run("init", "src/auth.ts", "--offline")
            #expect(
                page.status == 64 && page.standardError.hasSuffix("next: susi init src/auth.ts .env --offline\n"),
                "\(page)")
            try await susi.run("init", "src/auth.ts", ".env", "--offline").exits(0)
            let application = try Self.read(susi).1
            #expect(application.authority.spelling == "https://id.acme.example" && application.clientID == "web")
        }
    }

    @Test func escapesControlCharactersOfItsInput() async throws {
        try await withSusi { susi in
            for text in [
                #"{ "auth": { "clientId": "\u001b[2J", "authority": "https://\u001b[2Jevil.example/x" } }"#,
                "https://evil.example/\u{1b}[2J",
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
            try await susi.command(arguments).run().exits(64, saying: "--force")
            // A link leads to another file, which --force does not mean.
            try FileManager.default.createSymbolicLink(
                atPath: susi.home.workingFolder.appending("link.json").string, withDestinationPath: "policies.json")
            try await susi.command(arguments + ["--force", "--output", "link.json"]).run().exits(64)
            #expect(try Self.read(susi).0 == old)
            let other = try await susi.command(arguments + ["--output", "other.json"]).run().exits(0)
            #expect(other.standardOutput.hasSuffix("next: susi sign-in --config other.json\n"), "\(other)")
            #expect(try Self.read(susi, "other.json").1.clientID == InitSource.id)
            try await susi.command(arguments + ["--force"]).run().exits(0)
            #expect(try Self.read(susi).1.clientID == InitSource.id)
            #expect(try await susi.run("policies", "list").status == 0)
        }
    }

    /// People write users and client IDs into the tenant file.
    @Test func keepsAnExistingTenantFile() async throws {
        try await withSusi { susi in
            let (api, page) = (susi.home.work("api.json"), susi.home.work("page.ts"))
            try api.write(
                """
                { "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com",
                  "ClientId": "\(InitSource.otherID)", "SignUpSignInPolicyId": "B2C_1_susi", "Scopes": "read" } }
                """)
            let text = "clientId = '\(InitSource.id)', redirectUri = 'http://localhost:5173/'"
            try page.write("\(text), scopes = ['https://contoso.onmicrosoft.com/todo/read']")
            let scope = "https://contoso.onmicrosoft.com/todo/read"
            let arguments = [
                "init", "api.json", "page.ts", "--copy", "tenants.json", "--offline", "--client-id", InitSource.id,
                "--scope", scope,
            ]
            try await susi.command(arguments).run().exits(0)
            for name in ["policies.json", "tenants.json"] {
                let mode = try FileManager.default.attributesOfItem(atPath: susi.home.work(name).string)
                #expect(mode[.posixPermissions] as? Int == 0o644)
            }
            let written = try susi.home.work("tenants.json").text()
            try await susi.command(arguments).run().exits(
                64, saying: "“policies.json” exists", "“tenants.json” exists too, and is kept", "--force")
            let whole = try await susi.command(arguments + ["--force"]).run().exits(0, printing: "Kept tenants.json")
            #expect(!whole.standardOutput.contains("add:") && !whole.standardOutput.contains("lacks"), "\(whole)")
            #expect(whole.standardOutput.hasSuffix("next: susi emulator exec --as-cloud -- pytest\n"), "\(whole)")
            #expect(try susi.home.work("tenants.json").text() == written)
            let edited = """
                { "tenants": { "contoso.onmicrosoft.com": { "kind": "b2c", "id": "\(InitSource.tenantID)",
                  "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
                  "applications": { "\(InitSource.id)": { "redirectUris": ["http://localhost:8400/"] } },
                  "apis": { "mine": { "scopes": ["https://contoso.onmicrosoft.com/todo/write"] } },
                  "users": [ { "email": "ana@contoso.example" } ] } } }

                """
            try susi.home.work("tenants.json").write(edited)
            let kept = try await susi.command(arguments + ["--force", "--json"]).run().exits(0).json()
            #expect(try susi.home.work("tenants.json").text() == edited)
            #expect(
                kept["notCopied"]?.strings == [
                    "the policy B2C_1_ropc",
                    "the application \(InitSource.id) with http://localhost:8401/, http://localhost:5173/",
                    "the scope https://contoso.onmicrosoft.com/todo/read of the API todo",
                    "clientId \(InitSource.otherID) of the API todo",
                ])
            try await susi.command(arguments + ["--force"]).run().exits(
                0, printing: "Kept tenants.json: a local copy of the tenant, which lacks what the files say",
                "add: the policy B2C_1_ropc")
            try susi.home.work("tenants.json").write("{ \"name\": \"another program's\" }")
            try await susi.command(arguments + ["--force"]).run().exits(5, saying: "tenants.json")
        }
    }

    /// A server has a secret, and the copy of its tenant needs no registration for susi.
    @Test func makesUpAClientIDForACopy() async throws {
        try await withSusi { susi in
            try susi.home.work("server.json").write(
                """
                { "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com",
                  "ClientId": "\(InitSource.otherID)", "ClientSecret": "hunter2", "SignUpSignInPolicyId": "B2C_1_susi" } }
                """)
            try await susi.run("init", "server.json", "--offline").exits(
                64, saying: "missing: the client ID;", "AzureAdB2C.ClientSecret (line 2)")
            let made = try await susi.run("init", "server.json", "--offline", "--copy", "tenants.json").exits(0)
            #expect(made.standardOutput.contains("made up for the copy; the tenant does not know it"), "\(made)")
            #expect(try Self.read(susi).1.clientID == "53555349-0000-4000-8000-000000000001")
            let tenants = try susi.home.work("tenants.json").text()
            #expect(tenants.contains("53555349-0000-4000-8000-000000000001") && !tenants.contains("hunter2"))
            // With an ID of its own, it is used.
            try await susi.run(
                "init", "server.json", "--offline", "--copy", "tenants.json", "--force", "--client-id", InitSource.id
            ).exits(0)
            #expect(try Self.read(susi).1.clientID == InitSource.id)
        }
    }

    /// What source code says needs a person; no option confirms it.
    @Test func confirmsOnATerminalWhatCodeSays() async throws {
        try await withSusi { susi in
            try susi.home.work("page.ts").write(
                "const clientId = '\(InitSource.id)'\nconst authority = '\(Self.tenant)/B2C_1_susi'\n")
            try await susi.run("init", "page.ts", "--offline", "--force").exits(64, saying: "need your confirmation")
            try await susi.command(["init", "page.ts", "--offline", "--no-input"]).inTerminal().run().exits(64)
            #expect(!susi.home.work("policies.json").exists)
            try await susi.command(["init", "page.ts", "--offline"]).inTerminal().start { program in
                try await program.waitForText("found client ID \(InitSource.id) in clientId (line 1)")
                try await program.type("n\n", at: "Use these values? [y/N]: ")
                try await program.type("\u{4}", at: "Address of the tenant or of a user flow: ")
                try await program.waitUntilExit().exits(2)
            }
            #expect(!susi.home.work("policies.json").exists)
            try await susi.command(["init", "page.ts", "--offline"]).inTerminal().start { program in
                try await program.type("y\n", at: "Use these values? [y/N]: ")
                try await program.waitUntilExit().exits(0)
            }
            let application = try Self.read(susi).1
            #expect(application.clientID == InitSource.id && application.authority.spelling == Self.tenant)
            #expect(application.policies.map(\.name.spelling) == ["B2C_1_susi"])
        }
    }

    /// Custom policies are a format that a later version reads; what they name is in the command.
    @Test func recognizesCustomPolicies() async throws {
        try await withSusi { susi in
            try susi.home.work("policies").makeFolder()
            try susi.home.work("empty").makeFolder()
            try susi.home.work("policies/SignIn.xml").write(
                """
                <TrustFrameworkPolicy PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com"
                  PolicyId="B2C_1A_signin"><BasePolicy><PolicyId>B2C_1A_Base</PolicyId></BasePolicy></TrustFrameworkPolicy>
                """)
            for source in ["policies", "policies/SignIn.xml"] {
                let refused = try await susi.run("init", source, "--offline").exits(
                    64, saying: "“policies/SignIn.xml” is a custom policy, which susi init does not read yet")
                let proposed = try #require(refused.standardError.split(separator: "next: ").last)
                #expect(proposed == "susi init contoso.onmicrosoft.com --offline -p B2C_1A_signin --client-id ID\n")
                try await susi.script(String(proposed.replacing("ID\n", with: InitSource.id))).run().exits(0)
                #expect(try Self.read(susi).1.authority.spelling == Self.tenant)
                try FileManager.default.removeItem(atPath: susi.home.work("policies.json").string)
            }
            try await susi.run("init", "empty", "--offline").exits(64, saying: "“empty” is a folder")
        }
    }

    @Test func asksForMissingValuesOnATerminal() async throws {
        try await withSusi { susi in
            let command = susi.command(["init", "--offline"])
            try await command.inTerminal().start { program in
                try await program.type(
                    "https://contoso.b2clogin.com\n", at: "Address of the tenant or of a user flow: ")
                try await program.type("\(Self.tenant)\n", at: "no tenant: write it after the host")
                try await program.type("ä\n", at: "Application (client) ID: ")
                try await program.type("c\n", at: "expected the application's (client) ID")
                try await program.type("\(InitSource.id)\n", at: "expected a GUID")
                try await program.type("susi\n", at: "Policy that signs in, for example B2C_1_susi: ")
                try await program.type("B2C_1_edit_profile\n", at: "did you mean “B2C_1_susi”?")
                try await program.waitForLine(containing: "B2C_1_edit_profile")
                try await program.type("B2C_1_main\n")
                try await program.waitForText("Kind of B2C_1_main: ")
                try await program.type("\n", at: "[signUpOrSignIn]: ")
                try await program.type("b2c_1_MAIN\n", at: "Another policy")
                try await program.type("\n", at: "is already in the list")
                try await program.type(
                    "http://api.contoso.example/orders\n", at: "Base address of a web API (Enter for none): ")
                try await program.type("https://api.contoso.example/v1/orders\n", at: "expected an https address")
                try await program.type(
                    "https://contoso.onmicrosoft.com/orders/read\n", at: "Scope of the API “orders”: ")
                try await program.waitUntilExit().exits(0)
            }
            let application = try Self.read(susi).1
            #expect(application.policies.map(\.name.spelling) == ["B2C_1_edit_profile", "B2C_1_main"])
            #expect(application.policies.map(\.kind) == [.editProfile, .signUpOrSignIn])
            #expect(application.api("orders")?.baseURL.description == "https://api.contoso.example/v1/orders")
        }
    }

    @Test func asksForNothingThatTheOptionsSay() async throws {
        try await withSusi { susi in
            let options = ["--offline", "--client-id", InitSource.id, "--policy", "B2C_1_susi"]
            let api = ["--api", "orders=https://api.contoso.example/orders"]
            try await susi.command(["init"] + options + api).inTerminal().start { program in
                try await program.type("contoso.onmicrosoft.com\n", at: "Address of the tenant or of a user flow: ")
                try await program.type("api://orders/read\n", at: "Scope of the API “orders”: ")
                try await program.waitUntilExit().exits(0)
            }
            let scope = ["--scope", "api://orders/read", "-o", "other.json"]
            try await susi.command(["init", Self.tenant] + options + scope).inTerminal().run().exits(0)
        }
    }

    @Test func writesNothingWhenTheQuestionsAreCancelled() async throws {
        try await withSusi { susi in
            let address = "https://login.contoso.example/contoso.onmicrosoft.com"
            try await susi.command(["init", address, "--offline"]).inTerminal().start { program in
                try await program.type("\u{4}", at: "[b2c]: ")
                try await program.waitUntilExit().exits(2, printing: "[b2c]: \r\n", "nothing was written")
            }
            #expect(!susi.home.work("policies.json").exists)
        }
    }

    @Test func checksThePoliciesAndSignsInAtOnce() async throws {
        try await withLocalTenant { tenant in
            let (susi, origin) = (tenant.susi, tenant.emulator.origin)
            let address =
                "\(origin)/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=11111111-1111-1111-1111-111111111111"
            let report = try await susi.run(
                "init", address, "--redirect-port", "0", "--policy", "B2C_1_susi", "--policy", "B2C_1_edit_typo",
                "--api", "hello=\(origin)/api/hello", "--scope", "https://contoso.onmicrosoft.com/hello/demo.read",
                "--json"
            ).exits(0).json()
            #expect(report["policies"]?.array?.map { $0["check"]?.string } == ["ok", "failed"])
            #expect(report["next"]?.string == "susi policies check")
            #expect(tenant.requests("GET", "/openid-configuration") >= 2)
            try await tenant.signIn(.ana)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Ana Lima"))
            let before = tenant.requestLines.count
            #expect(try await susi.run("init", address, "--offline", "--output", "b.json").status == 0)
            #expect(tenant.requestLines.count == before)
            // No policy exists.
            let absent = try await susi.run(
                "init", "\(origin)/contoso.onmicrosoft.com/B2C_1_sus", "--client-id", InitSource.id, "-o", "c.json")
            #expect(
                absent.status == 1 && absent.standardOutput.hasSuffix("next: susi policies check --config c.json\n"))
            #expect(try Self.read(susi, "c.json").1.policies.count == 1)
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
                try await susi.run(
                    "init", "\(emulator.origin)/realms/a/.well-known/openid-configuration", "--client-id", InitSource.id
                ).exits(0)
                #expect(try Self.read(susi).1.authority.spelling == "\(emulator.origin)/realms/a/")
            }
        }
    }

    @Test func writesTheFileWhenTheServerIsUnreachable() async throws {
        try await withSusi { susi in
            let port = try await withLocalTenant { $0.emulator.port }
            let made = try await susi.run(
                "init", "http://localhost:\(port)/contoso.onmicrosoft.com/B2C_1_susi", "--client-id", InitSource.id)
            #expect(made.status == 3 && made.standardOutput.hasSuffix("next: susi policies check\n"), "\(made)")
            #expect(try Self.read(susi).1.name == "development")
        }
    }
}
