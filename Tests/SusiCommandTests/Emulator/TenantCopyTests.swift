import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Local copies of the tenants of policies.json, each with a home of its own.
@Suite("Copies of tenants", .inTurn, .timeLimit(.minutes(5)))
struct TenantCopyTests {
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

    /// Serves the copy of the tenant in use; `body` gets the program with the variables of the line that the emulator prints.
    static func withCopy(
        _ susi: SusiBinary, _ arguments: String..., body: (_ copy: SusiBinary, _ origin: String) async throws -> Void
    ) async throws {
        let command = susi.command(["emulator", "run", "--port", "0"] + arguments, input: .open)
        try await command.start { program in
            let origin = try await program.waitForLine(containing: "listens at http").split(separator: " ").last
            let line = try await program.waitForLine(containing: "  use       export ")
            _ = try await program.waitForLine(containing: "next ")
            var copy = susi
            for word in line.split(separator: " ").dropFirst(2) {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                copy.environment[parts[0]] = parts[1]
            }
            #expect(Set(copy.environment.keys).isSuperset(of: ["SUSI_HOME", "SUSI_CONFIG"]))
            try await body(copy, String(try #require(origin)))
        }
    }

    static func withProduction(_ body: (SusiBinary) async throws -> Void) async throws {
        try await withSusi(policies: policies(kinds[0], names: "production"), body)
    }

    @Test(arguments: kinds)
    func servesACopyOfEveryKindAndSendsNothingToTheCloud(kind: Kind) async throws {
        let target = try await withLocalTenant { Int($0.emulator.port) }
        try await ConnectProxy.with(leadingTo: target) { proxy in
            try await withSusi(policies: Self.policies(kind, names: "production")) { susi in
                var susi = susi
                susi.environment["HTTPS_PROXY"] = "http://127.0.0.1:\(proxy.port)"
                try await Self.withCopy(susi, "-A", "production") { copy, origin in
                    try await Self.signIn(copy).exits(0, saying: "is a local copy of \(kind.authority)")
                    try await copy.run("call", "orders").exits(
                        0, saying: "is a local copy of \(kind.authority)", printing: "Ana Lima")
                    try await copy.run("token", "--refresh").exits(0)
                    let listed = try await copy.run("policies", "list", "--json")
                    let policies = try listed.json()
                    #expect(policies["clientId"]?.string == "client-production")
                    #expect(policies["apis"]?.array?[0]["baseUrl"]?.string == "\(origin)/api/orders")
                    #expect(
                        policies["policies"]?.array?[0]["authority"]?.string?.hasPrefix(origin + kind.path) == true,
                        "\(listed)")
                    #expect(try await copy.run("policies", "check").status == 0)
                    #expect(try await copy.run("status", "--json").json()["copyOf"]?.string == kind.authority)
                    #expect(try await copy.run("sign-out", "--yes").status == 0)
                }
            }
            #expect(proxy.requestLines.isEmpty)
        }
    }

    /// The local tenant acts as the cloud: it has its own accounts under the same client id and policies.
    @Test func keepsAccountsApart() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            let token = try await susi.run("token").standardOutput
            try await Self.withProduction { production in
                try await Self.withCopy(production) { copy, _ in
                    for arguments in [["token"], ["token", "--format=raw"], ["call", "orders"]] {
                        try await copy.command(arguments).run().exits(4, output: "")
                    }
                    try await Self.signIn(copy, as: .ben, by: ["token", "--sign-in"]).exits(0)
                    try await copy.run("accounts", "--json").exits(0, printing: "ben@", hiding: "ana@")
                    // Without the variables, the tenant in the cloud is meant, where no person is signed in.
                    try await production.run("accounts", "--json").exits(0, hiding: "ben@")
                    try await production.run("token", "--no-input").exits(4)
                    try await copy.run("sign-out", "--all", "--yes").exits(0)
                }
            }
            #expect(try await susi.run("token").standardOutput == token)
        }
    }

    @Test("the applications of one tenant share its copy, in a folder of its own")
    func sharesACopyAmongTheApplicationsOfOneTenant() async throws {
        try await withSusi(policies: Self.policies(Self.kinds[0], names: "web", "cli")) { susi in
            try await Self.withCopy(susi) { copy, _ in
                for name in ["web", "cli"] { try await Self.signIn(copy, "-A", name).exits(0) }
                // The built-in tenant of the same name is not affected.
                #expect(
                    susi.home.file("copies/login.cloud.invalid-contoso.onmicrosoft.com/emulator/emulator.sqlite").exists
                )
                #expect(!susi.home.file("emulator").exists)
            }
        }
    }

    @Test("a policies file of another machine is no reason to serve the copy elsewhere")
    func namesNoOtherMachine() async throws {
        try await Self.withProduction { susi in
            let folder = susi.home.file("copies/login.cloud.invalid-contoso.onmicrosoft.com")
            try folder.makeFolder()
            let forged = Self.policies(Self.kinds[0], names: "production").replacing(
                Self.kinds[0].authority, with: "https://evil.example/contoso.onmicrosoft.com")
            for text in [forged, "{", "[1]"] {
                try folder.appending("policies.json").write(text, mode: 0o600)
                try await susi.run("emulator", "ready").exits(text == forged ? 3 : 5, hiding: "evil")
                try await Self.withCopy(susi) { copy, origin in
                    try await copy.run("policies", "list").exits(0, printing: origin, hiding: "evil")
                }
            }
            let marked = forged.replacing(
                "\"kind\": \"b2c\",", with: "\"kind\": \"b2c\", \"copyOf\": \"https://a.example/b\",")
            try susi.home.writePolicies(marked)
            try await susi.run("status").exits(5, saying: "copyOf”: the authority is not on this machine")
        }
    }

    /// A file from a checkout decides where tokens are sent; a copy sends none.
    @Test func needsNoTrust() async throws {
        try await withSusi { susi in
            try susi.home.writeLocalPolicies(Self.policies(Self.kinds[0], names: "production"))
            #expect(try await susi.run("accounts").status == 7)
            try await Self.withCopy(susi) { copy, _ in try await Self.signIn(copy).exits(0) }
            #expect(try await susi.run("accounts").status == 7)
        }
    }

    @Test("a policy of another tenant is not in the copy of this one, and the emulator says so")
    func leavesOutPolicyOfOtherTenant() async throws {
        let host = "https://login.microsoftonline.com"
        let policies = """
            { "applications": { "work": {
                "kind": "entra", "authority": "\(host)/common", "clientId": "11111111-1111-1111-1111-111111111111",
                "redirectPorts": [0], "knownAuthorities": ["\(host)/common", "\(host)/tailspin.onmicrosoft.com"],
                "policies": {
                    "default": { "kind": "signUpOrSignIn", "default": true },
                    "partner": { "kind": "signUpOrSignIn", "authority": "\(host)/tailspin.onmicrosoft.com" } },
                "apis": { "graph": { "baseUrl": "https://graph.microsoft.com/v1.0", "scopes": ["User.Read"] } } } } }
            """
        try await withSusi(policies: policies) { susi in
            let command = susi.command(["emulator", "run", "--port", "0"], input: .open)
            try await command.start { program in
                try await program.waitForLine(containing: "  without   partner, a policy of tailspin.onmicrosoft.com")
            }
            try await Self.withCopy(susi) { copy, _ in
                try await copy.run("policies", "list").exits(0, printing: "default", hiding: "partner")
            }
        }
    }

    @Test("the folder of a copy is exported, reset, trusted and asked by the same option, here and there")
    func exportsAndResetsTheCopy() async throws {
        try await Self.withProduction { susi in
            try await susi.refusal("emulator", "ready", "-A", "production").exits(
                3, saying: "susi emulator run -A production")
            try await susi.refusal("emulator", "trust", "-A", "production").exits(
                5, saying: "susi emulator run --tls -A production")
            var inside = susi
            try await Self.withCopy(susi, "--tls") { copy, origin in
                inside = copy
                let ready = try await susi.run("emulator", "ready", "-A", "production", "--json").json()
                #expect(ready["address"]?.string == origin)
                #expect(ready["home"]?.string == copy.environment["SUSI_HOME"])
                #expect(ready["config"]?.string == copy.environment["SUSI_CONFIG"])
                let named = ["--config", susi.home.policiesFile.string, "--json"]
                let again = try await copy.command(["emulator", "ready", "-A", "production"] + named).run().json()
                #expect(again["home"]?.string == copy.environment["SUSI_HOME"], "asked where the copy is in use")
                let line = "eval \"$('\(susi.path)' emulator ready --shell)\" && '\(susi.path)' status --json"
                #expect(try await susi.shell(line).run().json()["copyOf"]?.string == Self.kinds[0].authority)
                let trust = try await susi.run("emulator", "trust", "-A", "production", "--pem").exits(0)
                #expect(try await copy.run("emulator", "trust", "--pem").standardOutput == trust.standardOutput)
                try await susi.run("emulator", "reset", "--yes").exits(6, saying: "is in use")
            }
            for program in [susi, inside] {
                let exported = try await program.run("emulator", "export").exits(0)
                #expect(
                    try exported.json()["tenants"]?.members.count == 1
                        && exported.standardOutput.contains("ana@contoso.example"), "\(exported)")
            }
            try await susi.refusal("emulator", "reset").exits(64, saying: "next: susi emulator reset --yes")
            let database = susi.home.file(
                "copies/login.cloud.invalid-contoso.onmicrosoft.com/emulator/emulator.sqlite")
            for suffix in ["-wal", "-shm"] { SmallFile.remove(database.string + suffix) }
            try database.write("not a database")
            try await susi.run("emulator", "run", "-A", "production", "--port", "0").exits(
                6, saying: "susi emulator reset -A production")
            // The own emulator has nothing to delete.
            try await susi.run("emulator", "reset", "--yes", "-A", "local").exits(0)
            #expect(database.exists)
            try await susi.run("emulator", "reset", "--yes", "-A", "production").exits(0)
            #expect(!database.exists)
        }
    }

    @Test("where the copy is in use, the emulator starts again with the settings of its tenant file, at the same port")
    func startsAgainWhereTheCopyIsUsed() async throws {
        let tenants = """
            { "tenants": { "contoso.onmicrosoft.com": { "kind": "b2c",
              "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "lifetimes": { "accessToken": "7m" } } },
              "users": [{ "email": "yan@contoso.example" }] } } }
            """
        try await Self.withProduction { susi in
            try susi.home.work("seed.json").write(tenants)
            var (inside, first) = (susi, "")
            try await Self.withCopy(susi, "--seed", "seed.json") { (inside, first) = ($0, $1) }
            try await inside.refusal("sign-in", "--no-browser").exits(
                3, saying: "next: susi emulator run    (in another")
            for (program, arguments) in [(inside, ["-A", "production"]), (susi, [])] {
                let command = program.command(["emulator", "run"] + arguments, input: .open)
                try await command.start { run in
                    let line = try await run.waitForLine(containing: "listens at ")
                    #expect(line.hasSuffix(" \(first)"))
                    try await run.waitForLine(containing: "copy of")
                    try await run.waitForLine(containing: "yan@contoso.example")
                    _ = try await run.waitForLine(containing: "next ")
                    // Elsewhere, the tenant file is the one that is named.
                    let isInside = program.environment["SUSI_CONFIG"] != nil
                    let exported = try await inside.run("emulator", "export").standardOutput
                    #expect(exported.contains("\"accessToken\": \"7m\"") == isInside, "\(exported)")
                }
            }
        }
    }

    @Test("printed commands, commands of exec, recordings and completions stay at the copy")
    func staysAtTheCopy() async throws {
        let target = try await withLocalTenant { Int($0.emulator.port) }
        try await ConnectProxy.with(leadingTo: target) { proxy in
            try await Self.withProduction { susi in
                var susi = susi
                susi.environment["HTTPS_PROXY"] = "http://127.0.0.1:\(proxy.port)"
                try await Self.withCopy(susi) { copy, _ in
                    try await Self.signIn(copy).exits(0)
                    let config = try #require(copy.environment["SUSI_CONFIG"])
                    try await copy.run("call", "orders", "--curl").exits(
                        0, printing: "susi token orders -f header --config \(config) |")
                    // Pasted elsewhere, the line brings no token of the tenant itself.
                    try await susi.run("token", "orders", "--config", config, "--no-input").exits(4, output: "")
                    let inner = try await copy.run("exec", "--", "/bin/sh", "-c", "'\(susi.path)' token").exits(0)
                    #expect(try await copy.run("token").standardOutput == inner.standardOutput)
                    let names = try await CompletionTests.names(copy, ["switch"], "positional@0").standardOutput
                    #expect(names == "ana@contoso.example\tAna Lima\n")
                    try await copy.run("doctor", "--record", "a.json", "policies", "check").exits(0, saying: "Wrote ")
                }
            }
            #expect(proxy.requestLines.isEmpty)
        }
    }

    @Test("the option and the variable of earlier versions are refused, with the command that replaces them")
    func refusesRehearsal() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            for (arguments, variables) in [
                (["token", "--rehearse"], [:]), (["--rehearse", "status"], [:]),
                (["store", "status", "--rehearse"], [:]),
                (["token"], ["SUSI_REHEARSE": "1"]), (["emulator", "exec", "true"], ["SUSI_REHEARSE": "yes"]),
            ] as [([String], [String: String])] {
                try await susi.command(arguments, environment: variables).run().exits(
                    64, output: "", saying: "susi emulator run -A NAME")
            }
            try await susi.run("token", environment: ["SUSI_REHEARSE": "0"]).exits(0)
            try await susi.run("exec", "--", "echo", "--rehearse").exits(0, output: "--rehearse\n")
        }
    }
}
