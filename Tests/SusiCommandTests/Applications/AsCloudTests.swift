import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

/// `susi emulator exec --as-cloud`: unmodified libraries at a copy of a tenant, with the settings that they have for the cloud.
@Suite("Under the names of the cloud", .inTurn, .timeLimit(.minutes(5)))
struct AsCloudTests {
    // All other hosts are refused, so what succeeds here has reached the copy.
    private static let exec = ["emulator", "exec", "--as-cloud", "--offline"]

    private static let secondTenant = """
        { "tenants": { "fabrikam.onmicrosoft.com": {
          "kind": "entra", "id": "7f0b5c6e-2222-4e4e-9a9a-0123456789ab",
          "applications": { "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680": {
            "redirectUris": ["http://localhost:5000/oauth2/callback"], "secrets": ["local-secret"] } },
          "apis": { "hello": { "clientId": "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e", "scopes": ["api://hello/demo.read"] } },
          "users": [{ "email": "ana@contoso.example", "displayName": "Ana Lima", "attributes": { "roles": ["editor"] } }]
        } } }
        """
    private static let secondPolicies = """
        { "applications": { "work": {
          "kind": "entra", "authority": "https://login.microsoftonline.com/fabrikam.onmicrosoft.com",
          "clientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680" } } }
        """

    private func withB2C(_ body: (SusiBinary, [String: String]) async throws -> Void) async throws {
        let (ownPort, pagePort) = (try await freePort(), try await freePort())
        let file = try ForeignProgram.tenants(pagePort: pagePort)
        try await withSusi { susi in
            try susi.home.work("appsettings.json").write(ForeignProgram.settings)
            try susi.home.work("tenants.json").write(file)
            try await susi.run("init", "appsettings.json", "--offline").exits(0)
            try await body(susi, ["PORT": "\(ownPort)", "SPA_PORT": "\(pagePort)"])
        }
    }

    private func run(_ name: String, _ susi: SusiBinary, _ more: [String: String], origin: String) async throws {
        let words = [
            "sh", "-c", "CA=$SUSI_EMULATOR_CA; export CA; exec sh -eu \"$0\"", ForeignProgram(name).script.string,
        ]
        var program = susi.command(Self.exec + ["--seed", "tenants.json", "--"] + words)
        program.environment = ForeignProgram.environment(susi).merging(more) { $1 }.merging(
            ["ORIGIN": origin, "ISSUER_FORM": "tenant"]) { $1 }
        program.limit = .seconds(240)
        try await program.run().exits(0)
    }

    private static let names = [
        "msal", "identity", "fastapi", "fastapi_msal", "go", "openid_connect", "mod_auth_openidc", "msal_js",
    ]

    @Test("a token of the admin API has the issuer that a sign-in gives it")
    func forgesWithIssuerOfCloud() async throws {
        try await withB2C { susi, _ in
            let order = #"{"user": "ana@contoso.example"}"#
            let curl = #"curl -sf -H "Authorization: Bearer $SUSI_EMULATOR_SECRET" -H "Content-Type: application/json""#
            let script = "\(curl) -d '\(order)' $SUSI_EMULATOR_ADMIN/tokens"
            let words = ["--seed", "tenants.json", "--", "sh", "-c", script]
            let made = try await susi.command(Self.exec + words).run().exits(0)
            let issuer = try made.json()["claims"]?["iss"]?.string
            #expect(issuer?.hasPrefix("https://fabrikam.b2clogin.com/") == true, "\(made)")
        }
    }

    @Test("unmodified libraries with their settings for the cloud", arguments: names)
    func libraries(_ name: String) async throws {
        if await !ForeignProgram(name).canRun { try Test.cancel("\(name): what it needs is missing") }
        try await withB2C { susi, ports in
            try await run(name, susi, ports, origin: "https://fabrikam.b2clogin.com")
        }
    }

    @Test(
        "MSAL.js starts signed in, after a sign-in that a script makes in place of a person",
        .enabled("MSAL.js, Chromium, Node.js or Playwright is missing", { await ForeignProgram("signed_in").canRun }))
    func startsSignedIn() async throws {
        let manual = try Manuals.yourApplication.read()
        let own = manual.blocks.filter { $0.mark == "run by: AsCloudTests/startsSignedIn" }.map(\.text)
        try #require(own.count == 5)
        let (susiPort, pagePort) = ("\(try await freePort())", "\(try await freePort())")
        try await withSusi { susi in
            try await Self.makeApplication(susi, pagePort: pagePort)
            let local = { (text: String) in
                text.replacing("5173", with: pagePort).replacing("8400", with: susiPort)
            }
            for (name, text) in [
                ("init.sh", own[0]), ("sign-in.mjs", own[2]),
                ("signed-in.sh", own[3]), ("run.sh", own[4]),
                ("test_local.py", try #require(try Manuals.otherPrograms.read().blocks("python").first)),
            ] { try susi.home.work(name).write(local(text)) }
            var program = Program(
                "/bin/sh", ["-eu", ForeignProgram("signed_in").script.string],
                environment: ForeignProgram.environment(susi), workingFolder: susi.home.workingFolder,
                limit: .seconds(240))
            program.environment.merge(
                ["ORIGIN": "https://fabrikam.b2clogin.com", "SPA_PORT": pagePort, "SUSI_PORT": susiPort]
            ) { $1 }
            try await program.run().exits(0)
        }
    }

    @Sendable private static func hasBrowserAndPython() async -> Bool {
        guard TestEnvironment.program("chromium") != nil else { return false }
        return await TestEnvironment.hasPython("playwright, pytest")
    }

    @Test(
        "the last step of the manual's job: sessions of two people with a second factor, then tests",
        .enabled("Chromium, Playwright or pytest is missing", hasBrowserAndPython))
    func jobSignsInWithSecondFactor() async throws {
        let manual = try Manuals.emulator.read()
        let own = manual.blocks.filter { $0.mark == "run by: AsCloudTests/jobSignsInWithSecondFactor" }.map(\.text)
        let factor = try #require(manual.prose.firstMatch(of: #/`("multiFactor": [^`]+)`/#)?.1)
        let step = try #require(manual.blocks("yaml").joined().firstMatch(of: #/- run: (susi .*)\n/#)?.1)
        let chromium = try #require(TestEnvironment.program("chromium"))
        try #require(own.count == 2)
        let (susiPort, pagePort) = ("\(try await freePort())", "\(try await freePort())")
        try await withSusi { susi in
            try await Self.makeApplication(susi, pagePort: pagePort)
            let refused = try await susi.run(
                "init", "api/appsettings.json", "web/src/authConfig.ts", "--copy", "tenants.json", "--offline",
                "--redirect-port", susiPort
            ).exits(64)
            let proposed = try #require(refused.standardError.split(separator: "next: ").last)
            try await susi.script(String(proposed)).run().exits(0)
            let tenants = try susi.home.work("tenants.json").text()
            for (name, text) in [
                (
                    "tenants.json",
                    tenants.replacing("\"signUpOrSignIn\"", with: "\"signUpOrSignIn\", \(factor)")
                ),
                (
                    "sign_in.py",
                    own[0].replacing("8400", with: susiPort).replacing(
                        "proxy=proxy", with: "proxy=proxy, executable_path='\(chromium)', args=['--no-sandbox']")
                ),
                ("signed-in.sh", own[1].replacing("5173", with: pagePort)), ("test_sessions.py", Self.testOfSessions),
            ] { try susi.home.work(name).write(text) }
            try await susi.script(String(step).replacing("--as-cloud", with: "--as-cloud --offline")).run().exits(
                0, printing: "1 passed")
        }
    }

    private static let testOfSessions = """
        import json


        def test_sessions():
            for name in ["ana", "ben"]:
                [origin] = json.load(open(f"{name}.json"))["origins"]
                assert any(f"{name}@contoso.example" in entry["value"] for entry in origin["localStorage"])
        """

    // An API and a page, with the settings that the manual shows.
    private static func makeApplication(_ susi: SusiBinary, pagePort: String) async throws {
        for folder in ["api", "web/src"] { try susi.home.work(folder).makeFolder() }
        try susi.home.work("api/appsettings.json").write(settingsOfAPI)
        let manual = try Manuals.yourApplication.read()
        let page = try #require(manual.blocks.first { $0.text.contains("msalConfig") }?.text)
        try susi.home.work("web/src/authConfig.ts").write(page.replacing("5173", with: pagePort))
    }

    private static let settingsOfAPI = """
        { "AzureAdB2C": {
          "Instance": "https://fabrikam.b2clogin.com", "Domain": "fabrikam.onmicrosoft.com",
          "ClientId": "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e", "SignUpSignInPolicyId": "B2C_1_signin", "Scopes": "demo.read"
        } }
        """

    @Test(
        "django-auth-adfs, at an Entra tenant",
        .enabled("it is missing", { await ForeignProgram("django_auth_adfs").canRun }))
    func django() async throws {
        try await withSusi { susi in
            try susi.home.work("policies.json").write(Self.secondPolicies)
            try susi.home.work("tenants.json").write(Self.secondTenant)
            try await run("django_auth_adfs", susi, [:], origin: "https://login.microsoftonline.com")
        }
    }
}
