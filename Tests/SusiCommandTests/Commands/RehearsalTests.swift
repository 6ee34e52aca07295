import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Applications of policies.json with local copies of their tenants.
@Suite("Rehearsal", .inTurn, .timeLimit(.minutes(5)))
struct RehearsalTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let kind: String
        let authority: String
        /// The path of the copy's authority.
        let path: String
        let scope: String
        var more = ""
        var testDescription: String { "\(kind) \(authority)" }
    }

    static let kinds = [
        Kind(
            kind: "b2c", authority: "https://login.cloud.invalid/contoso.onmicrosoft.com",
            path: "/contoso.onmicrosoft.com", scope: "https://contoso.onmicrosoft.com/orders/read",
            more: #""policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "redirectPath": "/back" } },"#),
        Kind(
            kind: "b2c", authority: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com",
            path: "/tfp/contoso.onmicrosoft.com", scope: "https://contoso.onmicrosoft.com/orders/read",
            more: #""policyIn": "query", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },"#),
        Kind(
            kind: "external", authority: "https://contoso.ciamlogin.com", path: "/contoso.onmicrosoft.com",
            scope: "api://orders/read"),
        Kind(
            kind: "entra", authority: "https://login.microsoftonline.com/common", path: "/common",
            scope: "api://orders/read"),
        Kind(kind: "openid", authority: "https://id.cloud.invalid/realms/A/", path: "/realms/A", scope: "orders.read"),
    ]

    /// Returns policies with applications of a tenant in the cloud; the first one is current.
    static func policies(_ kind: Kind, names: String...) -> String {
        let applications = names.map { name in
            """
            "\(name)": { "kind": "\(kind.kind)", "authority": "\(kind.authority)", "clientId": "client-\(name)",
              "redirectPorts": [0], \(kind.more)
              "apis": { "orders": { "baseUrl": "https://api.cloud.invalid/v2", "scopes": ["\(kind.scope)"] } } }
            """
        }
        return "{ \"current\": \"\(names[0])\", \"applications\": { \(applications.joined(separator: ",\n")) } }"
    }

    /// Signs a person in through the pages of the tenant that `susi` uses.
    static func signIn(
        _ susi: SusiBinary, _ more: String..., as person: LocalTenant.Person = .ana,
        environment: [String: String] = [:], by command: [String] = ["sign-in"]
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        let form = FormBrowser(answers: person.answers)
        let command = susi.command(command + ["--browser", browser.command] + more, environment: environment)
        return try await command.start { run in
            try await form.open(try await browser.nextURL())
            return try await run.waitUntilExit()
        }
    }

    static func withCopy(
        _ susi: SusiBinary, _ arguments: String..., body: (_ origin: String) async throws -> Void
    ) async throws {
        let command = susi.command(["emulator", "run", "--port", "0"] + arguments, input: .open)
        try await command.start { program in
            let line = try await program.waitForLine(containing: "listens at http://localhost:")
            _ = try await program.waitForLine(containing: "next ")
            try await body(try #require(line.split(separator: " ").last).description)
        }
    }

    @Test(arguments: kinds)
    func usesACopyOfEveryKindAndSendsNothingToTheCloud(kind: Kind) async throws {
        let target = try await withLocalTenant { Int($0.emulator.port) }
        try await ConnectProxy.with(leadingTo: target) { proxy in
            try await withSusi(policies: Self.policies(kind, names: "production")) { susi in
                var susi = susi
                susi.environment["HTTPS_PROXY"] = "http://127.0.0.1:\(proxy.port)"
                try await Self.withCopy(susi, "-A", "production") { origin in
                    try await Self.signIn(susi, "--rehearse").exits(0)
                    let called = try await susi.run("call", "orders", "--rehearse").exits(0, printing: "Ana Lima")
                    #expect(!called.standardError.isEmpty, "the sample API is not announced")
                    try await susi.run("token", "--refresh", "--rehearse").exits(0)
                    let listed = try await susi.run("policies", "list", "--rehearse", "--json")
                    let policies = try listed.json()
                    #expect(policies["clientId"]?.string == "client-production")
                    #expect(policies["apis"]?.array?[0]["baseUrl"]?.string == "\(origin)/api/orders")
                    #expect(
                        policies["policies"]?.array?[0]["authority"]?.string?.hasPrefix(origin + kind.path) == true,
                        "\(listed)")
                    #expect(try await susi.run("policies", "check", "--rehearse").status == 0)
                    #expect(try await susi.run("sign-out", "--rehearse", "--yes").status == 0)
                }
            }
            #expect(proxy.requestLines.isEmpty)
        }
    }

    /// The local tenant acts as the cloud: it has its own accounts under the same client id and policies.
    @Test func keepsAccountsApart() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            let token = try await susi.run("token").standardOutput
            let rehearsing = ["SUSI_REHEARSE": "1"]
            for environment in [[:], rehearsing] {
                let flag = environment.isEmpty ? ["--rehearse"] : []
                for arguments in [["token"], ["token", "--format=raw"]] {
                    try await susi.command(arguments + flag, environment: environment).run().exits(4, output: "")
                }
                #expect(try await susi.refusal(["call", "hello"] + flag, environment: environment).status == 4)
            }
            try await Self.withCopy(susi, "--rehearse") { _ in
                let signIn = ["token", "--sign-in"]
                try await Self.signIn(susi, "--rehearse", as: .ben, by: signIn).exits(0, saying: "Rehearsal: ")
                let expect = { (flags: [String], shown: String, hidden: String) async throws -> Void in
                    try await susi.command(["accounts", "--json"] + flags).run().exits(
                        0, printing: "\(shown)@", hiding: "\(hidden)@")
                }
                try await expect(["--rehearse"], "ben", "ana")
                try await expect([], "ana", "ben")
                // A store that does not separate the copy from the tenant would find one account.
                #expect(try await Self.signIn(susi, as: .ana, environment: rehearsing).status == 0)
                #expect(try await susi.run("token").standardOutput == token)
                #expect(try await susi.run("token", environment: rehearsing).standardOutput != token)
                try await susi.run("remove", "ana@contoso.example", "--yes", environment: rehearsing).exits(0)
                #expect(try await susi.run("sign-out", "--all", "--yes", "--rehearse").status == 0)
                try await expect([], "ana", "ben")
                #expect(try await susi.run("token").standardOutput == token)
                #expect(try await Self.signIn(susi, "--rehearse", as: .chi).status == 0)
                #expect(try await susi.run("sign-out", "--all", "--yes").status == 0)
                try await expect(["--rehearse"], "chi", "ana")
            }
        }
    }

    @Test func namesTheRehearsalInOutput() async throws {
        try await withSusi(policies: Self.policies(Self.kinds[0], names: "production")) { susi in
            let authority = Self.kinds[0].authority
            let json = try await susi.run("status", "--rehearse", "--json").json()
            #expect(json["rehearsalOf"]?.string == authority)
            #expect(try await susi.run("status", "--json").json()["rehearsalOf"] == nil)
            // No copy runs, and the next step starts one.
            try await susi.refusal("sign-in", "--rehearse", "--no-browser").exits(
                3, saying: "next: susi emulator run --rehearse")
        }
    }

    @Test func sharesACopyAmongTheApplicationsOfOneTenant() async throws {
        try await withSusi(policies: Self.policies(Self.kinds[0], names: "web", "cli")) { susi in
            try await Self.withCopy(susi) { origin in
                for name in ["web", "cli"] {
                    try await Self.signIn(susi, "-A", name, "--rehearse").exits(0)
                }
                // A separate folder: the built-in tenant of the same name is not affected.
                #expect(susi.home.file("rehearsal/emulator/emulator.sqlite").exists)
                #expect(!susi.home.file("emulator").exists)
            }
        }
    }

    @Test func contactsOnlyThisMachineWithAForgedRecord() async throws {
        try await withSusi(policies: Self.policies(Self.kinds[0], names: "production")) { susi in
            let folder = susi.home.file("rehearsal/emulator")
            try folder.makeFolder()
            for record in [#"{"\#(Self.kinds[0].authority)": "https://evil.example"}"#, "{", "[1]"] {
                try folder.appending("copies.json").write(record)
                try await susi.run("policies", "list", "--rehearse", "--json").exits(
                    0, printing: "http://localhost:8490/contoso.onmicrosoft.com", hiding: "evil")
            }
        }
    }

    /// A file from a checkout decides where tokens are sent; a rehearsal sends none.
    @Test func needsNoTrust() async throws {
        try await withSusi { susi in
            try susi.home.writeLocalPolicies(Self.policies(Self.kinds[0], names: "production"))
            #expect(try await susi.run("accounts").status == 7)
            #expect(try await susi.run("accounts", "--rehearse").status == 0)
            try await Self.withCopy(susi) { _ in
                try await Self.signIn(susi, "--rehearse").exits(0)
            }
            #expect(try await susi.run("accounts").status == 7)
        }
    }
}
