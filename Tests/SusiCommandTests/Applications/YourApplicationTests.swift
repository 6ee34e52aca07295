import SusiTestSupport
import SystemPackage
import Testing

/// The manual *Your application*: unmodified libraries of other stacks at a copy of a tenant, over https, with the settings
/// that the manual shows.
@Suite("Your application", .inTurn, .timeLimit(.minutes(5)))
struct YourApplicationTests {
    /// Serves the copy of the manual's own tenant file, with free ports and further redirect addresses.
    private func serve(_ issuerForm: String, _ body: (SusiBinary, [String: String]) async throws -> Void) async throws {
        let (ownPort, pagePort, susiPort) = (try await freePort(), try await freePort(), try await freePort())
        let file = try ForeignProgram.tenants(issuerForm: issuerForm, pagePort: pagePort, susiPort: susiPort)
        try await withSusi { susi in
            let folder = susi.home.workingFolder
            for (name, text) in [("appsettings.json", ForeignProgram.settings), ("tenants.json", file)] {
                try folder.appending(name).write(text)
            }
            try await susi.run("init", "appsettings.json", "--offline").exits(0)
            let run = ["emulator", "run", "--tls", "--port", "0", "--seed", "tenants.json"]
            try await susi.command(run).start { running in
                let line = try await running.waitForLine(containing: " listens at ")
                let trust = try await susi.run("emulator", "trust", "--pem")
                try folder.appending("ca.pem").write(trust.standardOutput)
                let origin = try #require(line.firstMatch(of: #/https:\S+/#)).output
                try await body(
                    susi,
                    [
                        "ORIGIN": String(origin), "CA": folder.appending("ca.pem").string, "ISSUER_FORM": issuerForm,
                        "PORT": "\(ownPort)", "SPA_PORT": "\(pagePort)", "SUSI_PORT": "\(susiPort)",
                    ])
            }
        }
    }

    private func run(_ name: String, issuerForm: String = "tenant", files: [String: String] = [:]) async throws {
        try await serve(issuerForm) { susi, copy in
            for (name, text) in files {
                try susi.home.work(name).write(text)
            }
            let environment = ForeignProgram.environment(susi).merging(copy) { $1 }
            try await Program(
                "/bin/sh", ["-eu", ForeignProgram(name).script.string], environment: environment,
                workingFolder: susi.home.workingFolder, limit: .seconds(240)
            ).run().exits(0)
        }
    }

    @Test("MSAL for Python", .enabled("msal is missing", { await ForeignProgram("msal").canRun })) func msal()
        async throws
    {
        try await run("msal")
    }

    private static let others = [
        ("identity", "tenant"), ("fastapi", "tenant"), ("jose", "tenant"), ("go", "tenant"), ("go", "policy"),
        ("openid_connect", "tenant"), ("openid_connect", "policy"), ("mod_auth_openidc", "tenant"),
    ]

    @Test("the page of other stacks names the programs that run here")
    func pageNamesPrograms() throws {
        let page = try Manuals.stacks.read()
        let named = page.text.matches(of: #/\*Run by (?:a test|tests), [^:]*/#).flatMap { sentence in
            sentence.output.matches(of: #/`(\w+)\.sh`/#).map { String($0.1) }
        }
        #expect(Set(named + ["fastapi"]) == Set(Self.others.map(\.0) + ["msal"]))
    }

    @Test("other libraries, with the issuer forms that they accept", arguments: others)
    func libraries(name: String, form: String) async throws {
        if await !ForeignProgram(name).canRun { try Test.cancel("\(name): what it needs is missing") }
        try await run(name, issuerForm: form)
    }

    @Test("MSAL.js in Chromium", .enabled("MSAL.js or Chromium is missing", { await ForeignProgram("msal_js").canRun }))
    func msalJS() async throws { try await run("msal_js") }

    @Test(
        "MSAL.js starts signed in, in Playwright's browser",
        .enabled("MSAL.js, Chromium or Playwright is missing", { await ForeignProgram("playwright").canRun }))
    func playwright() async throws {
        let manual = try Manuals.otherPrograms.read().blocks("python")
        try #require(manual.count == 2)
        try await run("playwright", files: ["local.py": manual[0], "session.py": manual[1]])
    }

    @Test(
        "inspect and fastapi-azure-auth accept the same tokens, in 60 cases",
        .enabled("fastapi-azure-auth is missing", { await ForeignProgram("verdicts").canRun }))
    func verdicts() async throws { try await run("verdicts") }
}
