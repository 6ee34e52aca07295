import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// The sessions of the catalog, in the order of a user's first commands.
extension ReportCatalogTests {
    private static let tenant = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"

    static func setUp(_ recording: Recording) async throws {
        try await withSusi { binary in
            recording.name(binary.home, as: "/new")
            let susi = RecordedProgram(susi: binary, recording: recording)
            recording.section("Setup")
            try await susi.ask(
                "init", "--offline",
                answers: [
                    ("Address of the tenant or of a user flow: ", tenant),
                    ("Application (client) ID: ", "11111111-2222-3333-4444-555555555555"),
                    ("Policy that signs in, for example B2C_1_susi: ", "B2C_1_main"),
                    ("[signUpOrSignIn]: ", ""), ("Another policy", "B2C_1_edit_profile"),
                    ("B2C_1_edit_profile\r\nAnother policy, for example B2C_1_edit_profile (Enter for none): ", ""),
                    ("Base address of a web API (Enter for none): ", "https://api.contoso.example/v1/orders"),
                    ("Scope of the API “orders”: ", "https://contoso.onmicrosoft.com/orders/read"),
                ])
            try await susi.run(
                "init", "https://id.example/realms/a", "--client-id", "app", "--kind", "openid", "--offline", "-o",
                "other.json")
            recording.section("Trust in a policies.json that was found")
            try binary.home.writeLocalPolicies(
                PoliciesFile.builtInText.replacing("http://localhost:8480/api", with: "https://api.contoso.example"))
            try await susi.ask("policies", "trust", answers: [("[y/N] ", "n")])
            try await susi.ask("policies", "trust", answers: [("[y/N] ", "y")])
            try binary.home.writeLocalPolicies(
                PoliciesFile.builtInText.replacing("http://localhost:8480/api", with: "https://api.fabrikam.example"))
            try await susi.ask("policies", "trust", answers: [("[y/N] ", "y")])
            try await susi.run("policies", "trust", "--list")
            try await susi.run("policies", "trust", "--remove")
            try await susi.run("policies", "trust", "--remove")
            try await susi.run("policies", "trust", "--list")
            try binary.home.writeLocalPolicies(PoliciesFile.builtInText)
            try await susi.run("policies", "trust")
        }
    }

    static func signIn(_ susi: RecordedProgram) async throws {
        susi.recording.section("Sign-in")
        try await susi.run("status")
        try await susi.run("accounts")
        try await susi.ask("token", answers: [("Sign in now? [Y/n] ", "n")])
        try await susi.browse("sign-in", as: .ana)
        try await susi.browse("sign-in", as: .ben)
        try await susi.browse("sign-in", "-p", "B2C_1_partner", as: .ana)
        try await susi.browse("sign-in", "--no-switch", as: .chi)
        try await susi.browse("sign-in", "-a", "ana@contoso.example", as: .ben)
        try await susi.browse("sign-in", as: .chi, presses: ["cancel"])
        try await susi.ask(
            "sign-in", "-p", "B2C_1_ropc", "--username", "ana@contoso.example",
            answers: [("Password for ana@contoso.example: ", "Passw0rd!")])
        try await visit(susi, ["sign-in", "--no-browser"], [:])
        try await visit(susi, ["sign-in"], ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"], inTerminal: true)
        try await visit(susi, ["sign-in", "--no-input"], ["container": "podman"], inTerminal: true)
        try await susi.run("sign-in", environment: ["container": "podman"])
    }

    /// Signs in at the address that is printed.
    private static func visit(
        _ susi: RecordedProgram, _ arguments: [String], _ environment: [String: String], inTerminal: Bool = false
    ) async throws {
        let plain = ["TERM": "dumb", "NO_COLOR": "1"]
        var command = susi.susi.command(arguments, environment: environment.merging(plain) { $1 }, input: .open)
        if inTerminal { command = try command.inTerminal(columns: 120) }
        let outcome = try await command.start { run in
            let line = try await run.waitForLine(containing: "/go/")
            let address = try #require(line.firstMatch(of: #/http:\S+\/go\/\w+/#)?.0)
            try await run.waitForText("Waiting for the sign-in")
            try await FormBrowser(answers: LocalTenant.Person.ana.answers).open(String(address))
            return try await run.waitUntilExit()
        }
        let variables = environment.map { "\($0.key)=… " }.joined()
        let note = inTerminal ? "    # on a terminal" : ""
        susi.recording.add("\(variables)susi \(arguments.joined(separator: " "))\(note)", outcome)
    }

    static func showAccounts(_ susi: RecordedProgram) async throws {
        susi.recording.section("Accounts")
        try await susi.run("accounts")
        try await susi.run("accounts", "ana", "--limit", "1")
        try await susi.run("accounts", "unknown")
        try await susi.run("status")
        try await susi.run("status", "--all")
        try await susi.run("status", "--claims", "-p", "B2C_1_susi", environment: ["SUSI_CLOCK": "+2h"])
        try await susi.run("status", "--profile", "-p", "B2C_1_susi")
        try await susi.run("status", "--all", environment: ["SUSI_ACCOUNT": "ben@contoso.example"])
        try await susi.run("status", environment: ["SUSI_CLOCK": "+30d"])
        try await susi.run("switch", "ben@contoso.example")
        try await susi.run("switch", "-")
        try await susi.run("switch", "ana@contoso.example", "--person")
        try await susi.run("switch")
    }

    static func useTokens(_ susi: RecordedProgram) async throws {
        susi.recording.section("Tokens and calls")
        try await susi.run("token")
        for format in ["header", "env", "json", "exec-credential"] { try await susi.run("token", "-f", format) }
        try await susi.run("token", "--id", "-f", "env")
        try await susi.run("token", "--refresh", "-v")
        try await susi.run("token", "--refresh", "--debug") { line in
            !["host", "date", "server", "content-length"].contains { line.lowercased().contains(" \($0):") }
        }
        try await susi.run("call", "hello")
        try await susi.run("call", "hello", "-i") { !$0.lowercased().hasPrefix("date:") }
        try await susi.ask("call", "hello", answers: [])
        try await susi.run("call", "POST", "hello", "-d", #"{"text":"good morning"}"#, "--dry-run")
        try await susi.run("call", "hello", "--dry-run", environment: ["SUSI_CLOCK": "+2d"])
        try await susi.run("call", "hello", "--dry-run", environment: ["SUSI_CLOCK": "+30d"])
        try await susi.run("call", "hello", "-a", "ben@contoso.example", "--curl")
        try await susi.run("exec", "sh", "-c", "echo $SUSI_ACCESS_TOKEN; exit 3")
    }

    static func inspect(_ susi: RecordedProgram) async throws {
        susi.recording.section("Inspect")
        try await susi.run("inspect")
        let token = try await susi.susi.run("token").standardOutput
        try await susi.run("inspect", "-", input: token, note: "an access token")
        let headline = { (line: String) in line.contains(":") && !line.hasPrefix("  ") }
        try await susi.run("inspect", "-", "--offline", input: token, shown: headline)
        try await inspectForAPI(susi, token: token)
        try await susi.run("inspect", environment: ["SUSI_CLOCK": "+2d"]) { line in
            line.contains("valid") || line.contains("expired") || line.contains(" exp ")
        }
        try await susi.run("inspect", "-", input: "0.AXoAsome-refresh-token", note: "a refresh token")
        try await susi.run("compare", "ana@contoso.example", "/B2C_1_partner:ana@contoso.example")
        try await susi.run("compare", "ana@contoso.example", "ben@contoso.example") { !$0.contains(" both ") }
        let encrypted = "\(base64(#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#)).a.b.c.d"
        try await susi.run("inspect", "-", input: encrypted, note: "an encrypted token")
        let stranger = [
            #"{"alg":"RS256","kid":"1"}"#, #"{"iss":"https://evil.example/","aud":"x"}"#, "x",
        ].map(base64).joined(separator: ".")
        try await susi.run("inspect", "-", input: stranger, note: "a token of another issuer")
        let wrong = token.split(separator: ".").dropLast().joined(separator: ".") + ".\(base64("wrong"))"
        try await susi.run("inspect", "-", input: wrong, note: "a wrong signature", shown: headline)
    }

    private static func inspectForAPI(_ susi: RecordedProgram, token: String) async throws {
        guard case .signed(_, let claims) = DecodedToken(token.split(separator: "\n").joined()),
            let audience = claims["aud"]?.string, let issuer = claims["iss"]?.string
        else { return }
        let instance = issuer.split(separator: "/").prefix(2).joined(separator: "//")
        for (name, id, scope) in [("good", audience, "demo.read"), ("wrong", "api://\(audience)", "demo.write")] {
            let text = """
                {"AzureAdB2C": {"Instance": "\(instance)", "Domain": "contoso.onmicrosoft.com", "ClientId": "\(id)",
                  "SignUpSignInPolicyId": "B2C_1_susi", "Scopes": "\(scope)", "RequireHttpsMetadata": false}}
                """
            let file = susi.susi.home.work("\(name).json")
            try file.write(text)
            // A key's id differs between runs.
            try await susi.run("inspect", "-", "--for-api", "\(name).json", input: token) { !$0.contains("✓ key") }
        }
    }

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }

    static func changeProfiles(_ susi: RecordedProgram) async throws {
        susi.recording.section("Profile and password")
        try await susi.browse("edit-profile", as: .ana, typing: ["displayName": "Ana Maria Lima"])
        try await susi.browse("edit-profile", as: .ana, presses: ["cancel"])
        let password = [
            "email": LocalTenant.Person.chi.email, "newPassword": "Secret-7-lamps", "reenterPassword": "Secret-7-lamps",
        ]
        try await susi.browse("reset-password", as: .chi, typing: password)
        try await susi.run("accounts", "--all")
    }

    static func checkPolicies(_ susi: RecordedProgram) async throws {
        susi.recording.section("Policies")
        try await susi.run("policies", "list")
        try await susi.run("policies", "list", "-A", "production")
        try await susi.run("policies", "check", "-p", "B2C_1_susi")
        for address in [
            "\(tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration", "\(tenant)/B2C_1_main",
            "https://login.fabrikam.example/a",
            "https://login.microsoftonline.com/contoso.onmicrosoft.com",
            "https://contoso.b2clogin.com.evil.example/contoso.onmicrosoft.com/B2C_1_susi",
        ] { try await susi.run("policies", "explain", address, "-A", "production") }
        try await susi.run("policies", "explain", "\(tenant)/oauth2/v2.0/authorize?p=B2C_1_susi")
    }

    static func move(_ susi: RecordedProgram) async throws {
        susi.recording.section("Export and import")
        try await withHome { home in
            susi.recording.name(home, as: "/ben")
            let policies = try susi.susi.home.policiesFile.text()
            try home.writePolicies(policies)
            let other = RecordedProgram(susi: try SusiBinary(home: home), recording: susi.recording)
            let (sealed, cache) = (
                home.folder.appending("accounts.susi").string, home.folder.appending("cache.json").string
            )
            try await susi.ask(
                "export", "--format", "susi", "-o", sealed,
                answers: [
                    ("Passphrase for the export: ", "correct horse"), ("Repeat the passphrase: ", "correct horse"),
                ])
            try await susi.ask(
                "export", "--format", "msal", "-p", "B2C_1_susi", "-a", "ben@contoso.example", "-o", cache,
                answers: [("Write the export? [y/N] ", "y")])
            try await other.run("import", cache, "--dry-run")
            try await other.run("import", cache)
            try await other.run("import", cache)
            try await other.ask("remove", "ben@contoso.example", answers: [("[y/N] ", "y")])
            let foreign = try String(contentsOfFile: cache, encoding: .utf8)
                .replacing("11111111-1111-1111-1111-111111111111", with: "22222222-2222-2222-2222-222222222222")
            try home.folder.appending("foreign.json").write(foreign)
            try await other.run("import", home.folder.appending("foreign.json").string)
            try await other.ask(
                "import", sealed, "--dry-run", answers: [("Passphrase for the export: ", "correct horse")])
            try await other.ask("import", sealed, answers: [("Passphrase for the export: ", "correct horse")])
            try await other.ask("import", sealed, answers: [("Passphrase for the export: ", "correct horse")])
            try await susi.run("import", "-", input: "{}")
        }
    }

    static func checkStore(_ susi: RecordedProgram) async throws {
        susi.recording.section("Store")
        try await susi.run("store", "status")
        try await susi.run("store", "lock")
        try await susi.run("store", "check")
        try await susi.run("store", "repair")
        try await susi.run("store", "backup", "copy.sqlite")
        try await susi.run("store", "rekey")
        let database = try Connection(path: susi.susi.home.file("store.sqlite").string, mode: .readWrite)
        let damage = """
            UPDATE %s WHERE account IN (SELECT a.id FROM accounts AS a JOIN persons AS p ON p.id = a.person
                WHERE p.emails LIKE '%chi@contoso.example%' AND a.policy_key = 'b2c_1_susi')
            """
        try database.execute(damage.replacing("%s", with: "tokens SET secret = zeroblob(60)"))
        try await susi.run("store", "check")
        try await susi.run("store", "repair", "--dry-run")
        try await susi.ask("store", "rekey", "--drop-damaged", answers: [("[y/N] ", "n")])
        try await susi.ask("store", "repair", answers: [("[y/N] ", "n")])
        try await susi.ask("store", "repair", answers: [("[y/N] ", "y")])
        try await susi.run("store", "check")
    }

    static func diagnose(_ susi: RecordedProgram) async throws {
        susi.recording.section("Doctor")
        try await susi.run("doctor", environment: ["BROWSER": "true"], shown: dependsOnNoMachine)
    }

    private static func dependsOnNoMachine(_ line: String) -> Bool {
        !line.contains(" kernel keyring ") && !line.contains(" key service ")
    }

    static func removeAccounts(_ susi: RecordedProgram) async throws {
        susi.recording.section("Removal")
        try await susi.run("remove", "ben@contoso.example", "--dry-run")
        try await susi.ask("remove", "ben@contoso.example", answers: [("[y/N] ", "n")])
        try await susi.ask("remove", "ben@contoso.example", answers: [("[y/N] ", "y")])
        try await susi.run("remove", "ana@contoso.example", "--person", "--dry-run")
        try await susi.run("sign-out", "-p", "B2C_1_partner", "--dry-run")
        try await susi.ask("sign-out", "-p", "B2C_1_partner", answers: [("[y/N] ", "y")])
        try await susi.run("sign-out", "-p", "B2C_1_susi", "--browser", "--dry-run")
        try await susi.browse("sign-out", "-p", "B2C_1_susi", "--browser", "--yes", as: .ana)
        try await susi.ask("sign-out", "--all", answers: [("[y/N] ", "y")])
        try await susi.run("sign-out", "--all", "--yes")
    }

    static func changeKeys(_ susi: RecordedProgram) async throws {
        let passphrase = "correct horse battery"
        susi.recording.section("Passphrase")
        try await susi.ask(
            "store", "rekey", "--to", "passphrase", "--lifetime", "9h",
            answers: [("New passphrase for the store: ", passphrase), ("Repeat the passphrase: ", passphrase)])
        try await susi.run("store", "status")
        try await susi.run("status", "--all")
        try await susi.run("store", "lock")
        try await susi.run("store", "lock")
        try await susi.run("store", "status")
        try await susi.ask(
            "accounts",
            answers: [
                ("Passphrase for the store: ", "wrong"), ("Wrong passphrase\r\nPassphrase for the store: ", passphrase),
            ])
        try await susi.run("store", "lock")
        try await susi.ask("store", "unlock", "--lifetime", "0", answers: [("Passphrase for the store: ", passphrase)])
    }

    static func emulate(_ recording: Recording) async throws {
        try await withSusi { binary in
            recording.name(binary.home, as: "/local")
            recording.section("Emulator")
            let susi = RecordedProgram(susi: binary, recording: recording)
            try await susi.run("emulator", "reset", "--yes")
            try await start(susi, ["emulator", "run", "--port", "0"])
            try await start(
                susi, ["emulator", "run", "--port", "0", "--listen", "0.0.0.0", "--public-url", "https://idp.example"])
            try await start(susi, ["emulator", "run", "--port", "0", "--access-token", "30s"])
            try await start(susi, ["emulator", "run", "--port", "0", "--tls"])
            try await susi.run("emulator", "trust")
            try await susi.ask("emulator", "reset", answers: [("[y/N] ", "n")])
            try await susi.ask("emulator", "reset", answers: [("[y/N] ", "y")])
            recording.section("Copy of a tenant")
            try binary.home.writePolicies(policies(PoliciesFile.writtenOutText).replacing("[8400]", with: "[0]"))
            var copy: [String: String] = [:]
            try await start(susi, ["emulator", "run", "-A", "production", "--port", "0"]) {
                let ready = try await binary.run("emulator", "ready", "-A", "production", "--json").json()
                copy = [
                    "SUSI_HOME": ready["home"]?.string ?? "", "SUSI_CONFIG": ready["config"]?.string ?? "",
                ]
                try await susi.browse("sign-in", as: .ana, environment: copy)
                try await susi.run("status", "--all", environment: copy)
            }
            recording.section("Doctor, with problems")
            try await susi.run(
                "doctor", environment: copy.merging(["BROWSER": "/missing/browser"]) { $1 },
                shown: dependsOnNoMachine)
        }
    }

    /// Runs an emulator with its start screen until Ctrl-C, after `body`.
    private static func start(
        _ susi: RecordedProgram, _ arguments: [String], _ body: () async throws -> Void = {}
    ) async throws {
        let outcome = try await susi.susi.command(arguments).start { run in
            let line = try await run.waitForLine(containing: " listens at ")
            if let port = line.firstMatch(of: #/localhost:(\d+)/#)?.1 {
                susi.recording.name(UInt16(port) ?? 0, as: "8480")
            }
            try await run.waitForLine(containing: "Ctrl-C")
            try await body()
            try await run.interrupt()
            return try await run.waitUntilExit()
        }
        let requests = #/^\d{3} \d\d:\d\d:\d\dZ [A-Z]+ /#
        let quiet = outcome.standardError.split(separator: "\n").filter { !$0.contains(requests) }
        susi.recording.add(
            "susi \(arguments.joined(separator: " "))", outcome.standardOutput, quiet.joined(separator: "\n"),
            outcome.status)
    }

    static func signInOnAnotherDevice(_ recording: Recording) async throws {
        let policies = """
            { "applications": { "other": { "kind": "external", "authority": "http://localhost:8480/fabrikam.onmicrosoft.com",
              "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0] } } }
            """
        try await withLocalTenant(policies: { _ in policies }) { tenant in
            recording.section("Sign-in on another device")
            recording.name(tenant.emulator.port, as: "8480")
            let outcome = try await tenant.susi.command(["sign-in", "--device"]).start { run in
                try await run.waitForLine(containing: "Waiting for the sign-in")
                try await run.interrupt()
                return try await run.waitUntilExit()
            }
            recording.add("susi sign-in --device    # then Ctrl-C", outcome)
        }
    }

    static func demonstrate(_ recording: Recording) async throws {
        recording.section("Demonstration")
        try await withSusi { binary in
            _ = try await RecordedProgram(susi: binary, recording: recording).run("demo")
        }
    }
}
