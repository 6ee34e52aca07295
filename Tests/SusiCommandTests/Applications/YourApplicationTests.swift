import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// The manual *Your application*: unmodified libraries of other stacks at a copy of a tenant, over https, with the settings
/// that the manual shows.
@Suite("Your application", .inTurn, .timeLimit(.minutes(5)))
struct YourApplicationTests {
    private static let programs = FilePath(#filePath).removingLastComponent().appending("programs")
    private static let settings = """
        {
          "AzureAdB2C": {
            "Instance": "https://fabrikam.b2clogin.com",
            "Domain": "fabrikam.onmicrosoft.com",
            "ClientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
            "SignUpSignInPolicyId": "B2C_1_signin",
            "EditProfilePolicyId": "B2C_1_edit"
          }
        }
        """

    // What a program needs is in its first line. Required if `SUSI_DEMAND_FOREIGN` is set.
    @Sendable private static func has(_ name: String) async -> Bool {
        if TestEnvironment.variable("SUSI_DEMAND_FOREIGN") != nil { return true }
        let text = try? String(contentsOfFile: programs.appending("\(name).sh").string, encoding: .utf8)
        guard let needs = text?.prefixMatch(of: #/# needs: ([^\n]+)/#)?.1 else { return true }
        return
            (try? await Program(
                "/bin/sh", ["-c", String(needs)], environment: ["PATH": TestEnvironment.variable("PATH") ?? ""]
            ).run().status) == 0
    }

    /// Serves the copy of the manual's own tenant file, with free ports and further redirect addresses.
    private func serve(_ issuerForm: String, _ body: (SusiBinary, [String: String]) async throws -> Void) async throws {
        let page = try #require(try Manuals.yourApplication.read().blocks("json").first)
        let (ownPort, pagePort, susiPort) = (try await freePort(), try await freePort(), try await freePort())
        let more = ["getAToken", "callback"].map { "\"http://localhost:5000/\($0)\", " }.joined()
        let file = page.replacing("\"kind\": \"b2c\",", with: "\"kind\": \"b2c\", \"issuerForm\": \"\(issuerForm)\",")
            .replacing(
                "\"redirectUris\": [\"http://localhost:5000/",
                with: "\"redirectPorts\": \"any\", \"redirectUris\": [\(more)\"http://localhost:5000/"
            )
            .replacing(
                "\"http://localhost:5173/\"",
                with: "\"http://localhost:\(pagePort)/\", \"http://localhost:\(susiPort)/\"")
        try #require(file.contains("callback") && file.contains("\(pagePort)/"))
        try await withSusi { susi in
            let folder = susi.home.workingFolder
            for (name, text) in [("appsettings.json", Self.settings), ("tenants.json", file)] {
                try Data(text.utf8).write(to: URL(filePath: folder.appending(name).string))
            }
            try await susi.run("init", "appsettings.json", "--offline").exits(0)
            let run = ["emulator", "run", "--tls", "--port", "0", "--seed", "tenants.json"]
            try await susi.command(run).start { running in
                let line = try await running.waitForLine(containing: " listens at ")
                let trust = try await susi.run("emulator", "trust", "--rehearse", "--pem")
                try Data(trust.standardOutput.utf8).write(to: URL(filePath: folder.appending("ca.pem").string))
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
                try Data(text.utf8).write(to: URL(filePath: susi.home.workingFolder.appending(name).string))
            }
            let support = ReadmeTests.root.appending("Tests/SusiEmulatorTests").string
            let own = [
                "TENANT": "fabrikam.onmicrosoft.com", "TENANT_ID": "7f0b5c6e-2222-4e4e-9a9a-0123456789ab",
                "POLICY": "B2C_1_signin", "CLIENT_ID": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
                "SPA_ID": "8d7c4b52-1a0e-4c39-8f6d-2e9b0c7a5d14", "SECRET": "local-secret",
                "API_ID": "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e",
                "SCOPE": "https://fabrikam.onmicrosoft.com/hello/demo.read", "WORK": susi.home.workingFolder.string,
                "HERE": Self.programs.string, "PYTHONPATH": "\(support):\(Self.programs)",
                "PYTHONDONTWRITEBYTECODE": "1", "SUSI": susi.path.string, "VISITOR": "\(support)/visitor.py",
                // Beside the program, so that Go compiles its own library once.
                "GO_CACHE": susi.path.removingLastComponent().appending("go-cache").string,
            ]
            let environment = susi.home.environment.merging(own) { $1 }.merging(copy) { $1 }
            try await Program(
                "/bin/sh", ["-eu", Self.programs.appending("\(name).sh").string], environment: environment,
                workingFolder: susi.home.workingFolder, limit: .seconds(240)
            ).run().exits(0)
        }
    }

    @Test("MSAL for Python", .enabled("msal is missing", { await has("msal") })) func msal() async throws {
        try await run("msal")
    }

    @Test("Microsoft's identity, with Flask", .enabled("identity is missing", { await has("identity") }))
    func identity() async throws { try await run("identity") }

    @Test("fastapi-azure-auth", .enabled("fastapi-azure-auth is missing", { await has("fastapi") }))
    func fastapi() async throws { try await run("fastapi") }

    @Test("jose for Node.js", .enabled("node-jose is missing", { await has("jose") }))
    func jose() async throws { try await run("jose") }

    @Test("go-oidc", .enabled("go-oidc is missing", { await has("go") }), arguments: ["tenant", "policy"])
    func goOIDC(form: String) async throws { try await run("go", issuerForm: form) }

    @Test(
        "Ruby's openid_connect", .enabled("openid_connect is missing", { await has("openid_connect") }),
        arguments: ["tenant", "policy"])
    func openIDConnect(form: String) async throws { try await run("openid_connect", issuerForm: form) }

    @Test("mod_auth_openidc", .enabled("mod_auth_openidc is missing", { await has("mod_auth_openidc") }))
    func modAuthOpenIDC() async throws { try await run("mod_auth_openidc") }

    @Test("MSAL.js in Chromium", .enabled("MSAL.js or Chromium is missing", { await has("msal_js") }))
    func msalJS() async throws { try await run("msal_js") }

    @Test(
        "MSAL.js starts signed in, in Playwright's browser",
        .enabled("MSAL.js, Chromium or Playwright is missing", { await has("playwright") }))
    func playwright() async throws {
        let manual = try Manuals.otherPrograms.read().blocks("python")
        try #require(manual.count == 2)
        try await run("playwright", files: ["local.py": manual[0], "session.py": manual[1]])
    }

    @Test(
        "inspect and fastapi-azure-auth accept the same tokens, in 60 cases",
        .enabled("fastapi-azure-auth is missing", { await has("verdicts") }))
    func verdicts() async throws { try await run("verdicts") }

    @Test("the emulator's page shows the settings of the manual, for the tenant that it serves")
    func pageShowsSettingsOfManual() async throws {
        try await serve("tenant") { susi, copy in
            let (origin, authority) = (try #require(copy["ORIGIN"]), try #require(copy["CA"]))
            let visit = try await Program(
                "/usr/bin/env", ["curl", "-fsS", "--cacert", authority, origin + "/"],
                environment: ["PATH": TestEnvironment.variable("PATH") ?? ""]
            ).run()
            let page = visit.standardOutput.replacing("&quot;", with: "\"")
            var settings: [Substring] = []
            for (language, mark) in [("js", "// after\n"), ("python", "# after\n")] {
                let blocks = try Manuals.yourApplication.read().blocks(language)
                settings += try #require(blocks.lazy.compactMap { $0.split(separator: mark).dropFirst().first }.first)
                    .split(separator: "\n")
            }
            #expect(settings.count == 3)
            for setting in settings {
                let line = setting.replacing("https://localhost:8490", with: origin)
                    .replacing("localhost:8490", with: origin.dropFirst("https://".count))
                    .replacing("'", with: "\"").replacing(" = ", with: "=")
                #expect(page.contains(line), "\(line)\n\(page)")
            }
        }
    }

    @Test("without --rehearse, trust names the option if only the copy has a certificate")
    func namesCertificateOfCopy() async throws {
        try await serve("tenant") { susi, _ in
            let outcome = try await susi.run("emulator", "trust")
            #expect(
                outcome.status == 5 && outcome.standardError.contains("next: susi emulator trust --rehearse\n"),
                "\(outcome)")
        }
    }
}
