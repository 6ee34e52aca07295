import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Sessions that print every kind of JSON result.
struct JSONSession {
    let tenant: LocalTenant

    /// Adds a policy for passwords, and a custom one, which has a userinfo endpoint.
    static func policies(_ text: String) -> String {
        addingPasswordPolicy(to: text).replacing(
            "\"B2C_1_edit_profile\"",
            with:
                "\"B2C_1A_custom\": { \"kind\": \"signUpOrSignIn\", \"scopes\": [\"https://contoso.onmicrosoft.com/hello/demo.read\"] }, \"B2C_1_edit_profile\"",
            maxReplacements: 1
        ).replacing("\"editProfile\"", with: "\"editProfile\", \"scopes\": [\"unused\"]")
    }

    private static let byPassword = [
        "sign-in", "-p", "B2C_1_ropc", "--username", LocalTenant.Person.ana.email, "--password-stdin", "--json",
    ]

    private var susi: SusiBinary { tenant.susi }

    private func run(
        _ title: String, _ words: [String], _ results: inout JSONResults, status: Int32? = 0, input: String? = nil,
        environment: [String: String] = [:], on other: SusiBinary? = nil
    ) async throws {
        let outcome = try await (other ?? susi).command(
            words, environment: environment, input: input.map(Program.Input.text) ?? .none
        ).run()
        guard status == nil || outcome.status == status else {
            Issue.record("\(outcome)")
            return
        }
        try add(title, outcome, &results)
    }

    /// Adds a result, which has no token unless the command prints one.
    private func add(_ title: String, _ outcome: ProgramOutcome, _ results: inout JSONResults) throws {
        #expect(title == "token -f json" || !outcome.standardOutput.contains("eyJ"), "\(title): \(outcome)")
        let result = try outcome.json()
        #expect(result["schemaVersion"]?.lenientInteger.map { (1...2).contains($0) } == true, "\(title): \(outcome)")
        results.add(title, result)
    }

    private func browse(
        _ title: String, _ words: [String], as person: LocalTenant.Person, typing: [String: String] = [:],
        _ results: inout JSONResults
    ) async throws {
        let outcome = try await tenant.interact(words + ["--json"], as: person, typing: typing).exits(0)
        try add(title, outcome, &results)
    }

    func signIn(_ results: inout JSONResults) async throws {
        let result = try await tenant.interact(["sign-in", "--json"], as: .ana).json()
        results.add(JSONResults.account, try #require(result["account"]))
        results.add("sign-in", result)
        let named = try await susi.command(Self.byPassword, input: .text(LocalTenant.Person.ana.user.password)).run()
            .json()
        results.add(JSONResults.account, try #require(named["account"]))
        try await browse("sign-in", ["sign-in"], as: .ben, &results)
        try await browse("sign-in", ["sign-in", "-p", "B2C_1_partner"], as: .ana, &results)
        try await browse("sign-in", ["sign-in", "-p", "B2C_1A_custom"], as: .ana, &results)
        try await browse("edit-profile", ["edit-profile", "-a", "ana@contoso.example"], as: .ana, &results)
        let password = [
            "email": LocalTenant.Person.chi.email, "newPassword": "Secret-7-lamps", "reenterPassword": "Secret-7-lamps",
        ]
        try await browse("reset-password", ["reset-password"], as: .chi, typing: password, &results)
        try await run("accounts", ["accounts", "--json"], &results)
        try await run("switch", ["switch", "ana@contoso.example", "--json"], &results)
        try await run("switch", ["switch", "ana@contoso.example", "--person", "--json"], &results)
        try await run("status", ["status", "--all", "--claims", "--json"], &results)
        try await run("status", ["status", "--profile", "-p", "B2C_1A_custom", "--json"], &results)
    }

    func useTokens(_ results: inout JSONResults) async throws {
        try await run("token -f json", ["token", "-f", "json"], &results)
        try await run("token -f json", ["token", "--id", "-f", "json"], &results)
        let words = ["call", "POST", "hello", "-d", #"{"text":"good morning"}"#, "--dry-run", "--json"]
        try await run("call --dry-run", words, &results)
        try await run("inspect", ["inspect", "--json"], &results)
        let token = try await susi.run("token").standardOutput
        let changed = token.split(separator: ".").dropLast().joined(separator: ".") + ".d3Jvbmc"
        try await run("inspect", ["inspect", "-", "--json"], &results, status: 7, input: changed)
        let settings = """
            {"AzureAdB2C": {"Instance": "\(tenant.emulator.origin)", "Domain": "contoso.onmicrosoft.com", "ClientId": "wrong",
              "SignUpSignInPolicyId": "B2C_1_susi", "RequireHttpsMetadata": false}}
            """
        try susi.home.work("api.json").write(settings)
        let check = ["inspect", "-", "--for-api", "api.json", "--json"]
        try await run("inspect --for-api", check, &results, status: 7, input: token)
        let compared = ["compare", "ana@contoso.example", "/B2C_1_ropc:ana@contoso.example", "--json"]
        try await run("compare", compared, &results, status: 1)
    }

    func readPolicies(_ results: inout JSONResults) async throws {
        let home = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
        let made = ["init", "\(home)/B2C_1_susi", "--client-id", "11111111-2222-3333-4444-555555555555", "--offline"]
        try await run("init", made + ["-o", "made.json", "--copy", "copy.json", "--json"], &results)
        try await run("emulator ready", ["emulator", "ready", "--json"], &results)
        try await checkPolicies(&results)
        try await run("policies list", ["policies", "list", "--json"], &results)
        try await run("policies check", ["policies", "check", "--json"], &results)
        for address in ["\(tenant.emulator.origin)/contoso.onmicrosoft.com/B2C_1_susi", "\(home)/B2C_1_susi"] {
            let status: Int32 = address.hasPrefix(home) ? 7 : 0
            try await run("policies explain", ["policies", "explain", address, "--json"], &results, status: status)
        }
        try susi.home.writeLocalPolicies(
            PoliciesFile.builtInText.replacing("http://localhost:8480/api", with: "https://api.contoso.example"))
        try await run("policies trust", ["policies", "trust", "--yes", "--json"], &results)
        try await run("policies trust", ["policies", "trust", "--list", "--json"], &results)
        try susi.home.work("policies.json").remove()
        try await run("doctor", ["doctor", "--json"], &results, environment: ["BROWSER": "true"])
        try await run(
            "explain", ["explain", "AADB2C90118: The user has forgotten their password. Correlation ID: x", "--json"],
            &results)
        try await run("help", ["help", "--json"], &results)
    }

    // A folder with a finding, an environment and a file that is no policy.
    private func checkPolicies(_ results: inout JSONResults) async throws {
        let (folder, originals) = (susi.home.work("custom"), "Tests/SusiJourneysTests/Policies")
        try folder.makeFolder()
        for name in ["Base.xml", "SignUp.xml"] {
            let text = try ReadmeTests.root.appending(originals).appending(name).text()
            try folder.appending(name).write(text.replacing("\"EMAIL\"", with: "\"mail\""))
        }
        try folder.appending("other.xml").write("<a/>")
        try folder.appending("appsettings.json").write(#"{"Environments": [{"Name": "Test"}]}"#)
        try await run("emulator check", ["emulator", "check", "custom", "--json"], &results, status: 1)
    }

    func move(_ results: inout JSONResults) async throws {
        let folder = susi.home.folder
        let (cache, sealed) = (folder.appending("cache.json").string, folder.appending("a.susi").string)
        let secret = folder.appending("pass")
        try secret.write("correct horse\n", mode: 0o600)
        let given = [
            "SUSI_EXPORT_PASSPHRASE_FILE": secret.string, "SSL_CERT_FILE": tenant.emulator.authority?.path.string ?? "",
        ]
        #expect(try await susi.run("export", "--format", "msal", "--all", "--yes", "-o", cache).status == 0)
        try await susi.run("export", "--format", "susi", "-o", sealed, environment: given).exits(0)
        try await withHome { home in
            try home.writePolicies(try susi.home.policiesFile.text())
            let other = try SusiBinary(home: home)
            try await run("import", ["import", cache, "--json"], &results, environment: given, on: other)
            // Of another application.
            let text = try String(contentsOfFile: cache, encoding: .utf8)
                .replacing("11111111-1111-1111-1111-111111111111", with: "22222222-2222-2222-2222-222222222222")
            try Data(text.utf8).write(to: URL(filePath: cache))
            try await run(
                "import", ["import", cache, "--dry-run", "--json"], &results, status: nil, environment: given, on: other
            )
            try await run("import", ["import", sealed, "--json"], &results, environment: given, on: other)
        }
    }

    func checkStore(_ results: inout JSONResults) async throws {
        for word in ["status", "lock", "unlock", "check"] {
            try await run("store \(word)", ["store", word, "--json"], &results)
        }
        try await run("store repair", ["store", "repair", "--dry-run", "--json"], &results)
        try await run("store backup", ["store", "backup", "copy.sqlite", "--json"], &results)
        try await run("store rekey", ["store", "rekey", "--json"], &results)
        try await withHome { home in
            let new = try SusiBinary(home: home)
            for word in ["share", "unshare"] {
                try await run("store \(word)", ["store", word, "--json"], &results, on: new)
            }
        }
    }

    /// Reads what the emulator left.
    static func checkWithoutServer(_ susi: SusiBinary, _ results: inout JSONResults) async throws {
        for words in [["policies", "check"], ["emulator", "trust"]] {
            let outcome = try await susi.command(words + ["--json"]).run()
            results.add(words.joined(separator: " "), try outcome.json())
        }
    }

    func remove(_ results: inout JSONResults) async throws {
        try await run("remove", ["remove", "ben@contoso.example", "--dry-run", "--json"], &results)
        try await run("sign-out", ["sign-out", "-p", "B2C_1_susi", "--dry-run", "--json"], &results)
        try await run("sign-out", ["sign-out", "--all", "--yes", "--json"], &results)
        try await run("status", ["status", "--json"], &results, status: 4)
        let wrong = try await susi.run("token", "--json", environment: ["SUSI_POLICY": "unknown"])
        results.add(JSONResults.error, try JSONNode(parsing: wrong.standardError.utf8))
        let refused = try await susi.command(Self.byPassword, input: .text("wrong\n")).run()
        let error = try JSONNode(parsing: refused.standardError.utf8)
        #expect(error["error"]?["code"]?.string == "wrongPassword", "\(refused)")
        results.add(JSONResults.error, error)
    }
}
