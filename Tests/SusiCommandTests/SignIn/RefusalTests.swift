import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Refused commands: the exit code, the next command, and no side effect.
@Suite("Refusals", .inTurn, .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test("an unknown authority is not contacted")
    func contactsNoUnknownAuthority() async throws {
        let edit = { (text: String) in
            text.replacing(
                "\"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"]",
                with: "\"knownAuthorities\": [\"login.contoso.example\"]")
        }
        try await withLocalTenant(policies: edit) { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let refused = try await tenant.susi.run("sign-in", "--browser", browser.command)
            #expect(refused.status == 7)
            let entry = "\(tenant.emulator.origin)/contoso.onmicrosoft.com"
            #expect(refused.standardError.contains("add \"\(entry)\" to knownAuthorities"))
            #expect(tenant.requestLines.isEmpty)
            #expect(browser.openedURLs.isEmpty)
            // The suggested entry allows it.
            let file = tenant.susi.home.policiesFile.string
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try tenant.susi.home.writePolicies(text.replacing("login.contoso.example", with: entry))
            try await tenant.signIn(.ana)
        }
    }

    @Test("a policies.json that was only found may name this machine alone; one named by option may name any")
    func foundFileMayNameThisMachineOnly() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let token = try await tenant.susi.run("token").standardOutput
            let own = try String(contentsOfFile: tenant.susi.home.policiesFile.string, encoding: .utf8)
            // A checkout brings a file that sends tokens of the same tenant to another host.
            try tenant.susi.home.writeLocalPolicies(
                own.replacing("\(tenant.emulator.origin)/api/hello", with: "https://evil.example/hello"))
            for command in [["token"], ["token", "--policy=B2C_1_susi"], ["call", "hello"], ["sign-in"], ["status"]] {
                let outcome = try await tenant.susi.command(command).run()
                #expect(outcome.status == 7 && outcome.standardOutput.isEmpty, "\(command)")
                #expect(outcome.standardError.contains("next: susi policies trust"))
            }
            let named = try await tenant.susi.run("token", "--config", "./policies.json")
            #expect(named.status == 0 && named.standardOutput == token)
            try tenant.susi.home.writeLocalPolicies(own)
            #expect(try await tenant.susi.run("token").standardOutput == token)
        }
    }

    @Test("a closed reader keeps the exit code of an error and ends output quietly")
    func closedReadersKeepExitCode() async throws {
        try await withSusi { susi in
            let shell = { (line: String) in
                Program(
                    "/bin/sh", ["-c", line], environment: susi.home.environment, workingFolder: susi.home.workingFolder)
            }
            let closed = try await shell("'\(susi.path)' token 2>&-; echo $?").run()
            #expect(closed.standardOutput == "4\n")
            let gone = try await shell("{ '\(susi.path)' token; echo $? > status; } 2>&1 | true; cat status").run()
            #expect(gone.standardOutput == "4\n")
            let quiet = try await shell("'\(susi.path)' policies schema | head -1").run()
            #expect(quiet.standardOutput == "{\n" && quiet.standardError.isEmpty)
        }
    }

    @Test("without the emulator, the default application suggests its start")
    func suggestsStartOfEmulator() async throws {
        try await withSusi { susi in
            // A port without a listener: one that was just closed.
            let port = try await withLocalTenant { $0.emulator.port }
            try susi.home.writePolicies(PoliciesFile.builtInText.replacing("8480", with: "\(port)"))
            let outcome = try await susi.run("sign-in", "--no-browser")
            #expect(outcome.status == 3)
            #expect(outcome.standardError.contains("next: susi emulator run"))
        }
    }

    @Test("an unusable store is reported before the browser opens")
    func checksStoreBeforeBrowser() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let database = tenant.susi.home.susiHome.appending("store.sqlite").string
            try Data("not a database, but long enough to be read as one".utf8).write(to: URL(filePath: database))
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let before = tenant.requestLines.count
            let outcome = try await tenant.susi.run("sign-in", "--browser", browser.command)
            #expect(outcome.status == 6)
            #expect(browser.openedURLs.isEmpty)
            #expect(tenant.requestLines.count == before)
            #expect(try await tenant.susi.run("token").status == 6)
        }
    }

    @Test(
        "an invalid policies.json is reported with line, key, expected value and suggestion",
        arguments: [
            (
                "\"kind\": \"b2c\"", "\"kind\": \"b2b\"",
                ["line 5", "applications.local.kind", "unknown value “b2b”", "“b2c”"]
            ),
            ("\"clientId\"", "\"clientID\"", ["line 7", "applications.local.clientID", "did you mean “clientId”?"]),
            ("[8400,", "[\"8400\",", ["line 8", "redirectPorts.0", "found a string", "a port from 0 to 65535"]),
            ("\"current\": \"local\"", "\"current\": \"locla\"", ["line 2", "did you mean “local”?"]),
            ("\"apis\"", "\"apis", ["line 19", "control character"]),
        ] as [(String, String, [String])])
    func reportsInvalidPoliciesFile(_ old: String, _ new: String, _ expected: [String]) async throws {
        try await withSusi { susi in
            let text = PoliciesFile.writtenOutText
            try susi.home.writePolicies(text.replacing(old, with: new, maxReplacements: 1))
            let outcome = try await susi.run("status")
            #expect(outcome.status == 5)
            for words in expected { #expect(outcome.standardError.contains(words), "\(outcome.standardError)") }
            let made = try FileManager.default.contentsOfDirectory(atPath: susi.home.susiHome.string)
            #expect(made == ["policies.json"], "another file was created")
        }
    }

    @Test(
        "similar names are suggested",
        arguments: [
            (["sing-in"], 64, "did you mean “sign-in”?"),
            (["token", "-p", "B2C_1_suis"], 5, "did you mean “B2C_1_susi”?"),
            (["call", "helo"], 5, "did you mean “hello”?"), (["status", "-A", "lokal"], 5, "did you mean “local”?"),
            (["sign-in", "-p", "B2C_1_edit_profile"], 5, "susi edit-profile -p B2C_1_edit_profile"),
            (["sign-in", "--prompt", "logim"], 64, "did you mean “login”?"), (["accounts", "--jason"], 64, "--json"),
        ] as [([String], Int32, String)])
    func suggestsSimilarNames(_ arguments: [String], _ status: Int32, _ hint: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == status)
            #expect(outcome.standardError.contains(hint), "\(outcome.standardError)")
            #expect(outcome.standardOutput.isEmpty)
        }
    }

    @Test(
        "invalid usage exits with 64 and a reason, without a request",
        arguments: [
            (["help", "policies", "nope"], "no command “policies nope”"),
            (["policies", "lst"], "did you mean “policies list”?"), (["help", "sign-in", "x"], "susi help sign-in"),
            (["helpp"], "did you mean “help”?"),
            (["help", "exit-code"], "did you mean “exit-codes”?"),
            (["sign-in", "--no-browser", "--browser", "x"], "cannot be combined"),
            (["exec", "--env", "PATH", "--", "ls"], "changes how commands run"),
            (["exec", "--env", "LD_PRELOAD", "--", "ls"], "changes how commands run"),
            (["exec", "--env", "SUSI_HOME", "--", "ls"], "changes how commands run"),
            (["token", "--json", "-f", "raw"], "--json and --format raw cannot be combined"),
            (["call", "hello", "/a#b"], "“#” starts a fragment"), (["call", "hello", "/a\tb"], "control character"),
            (["exec"], "missing command to run"), (["exec", "--"], "missing command to run"),
            (["sign-in", "ana@contoso.example", "-a", "ben@contoso.example"], "name the account once"),
        ] as [([String], String)])
    func refusesInvalidUsage(_ arguments: [String], _ hint: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == 64 && outcome.standardOutput.isEmpty)
            #expect(outcome.standardError.contains(hint), "\(outcome)")
        }
    }

    @Test(
        "an unreadable file has one message and one exit code in every command",
        arguments: [
            ["status", "--config", "FILE"], ["import", "FILE"], ["inspect", "@FILE"], ["call", "hello", "-d", "@FILE"],
            ["call", "hello", "-d", "@FILE", "--curl"], ["sign-in", "--claims", "@FILE"],
        ])
    func reportsUnreadableFiles(_ arguments: [String]) async throws {
        try await withSusi { susi in
            for (file, why) in [("nowhere", "no such file or folder"), (".", "it is a folder")] {
                let outcome = try await susi.command(arguments.map { $0.replacing("FILE", with: file) }).run()
                #expect(outcome.status == 64, "\(outcome)")
                let text =
                    "susi: “\(file)” cannot be read\n  \(why)\n  next: check the file's name and its permissions\n"
                #expect(outcome.standardError == text)
            }
        }
    }

    @Test("a policies file without applications is reported")
    func reportsPoliciesWithoutApplications() async throws {
        try await withSusi(policies: #"{ "current": "local", "applications": {} }"#) { susi in
            let outcome = try await susi.run("status")
            #expect(outcome.status == 5)
            #expect(outcome.standardError.contains("“applications”"))
        }
    }

    @Test("an entry for this machine without a scheme means https; both commands explain it in the same words")
    func entryWithoutSchemeMeansHTTPS() async throws {
        try await withLocalTenant { tenant in
            let (susi, origin) = (tenant.susi, tenant.emulator.origin)
            let entry = origin.replacing("http://", with: "")
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            try susi.home.writePolicies(text.replacing("[\"\(origin)", with: "[\"\(entry)"))
            let whole = "\(entry)/contoso.onmicrosoft.com"
            let said = "the entry “\(whole)” has no scheme and means https://\(entry), not \(origin)"
            let checked = try await susi.run("policies", "check", "-p", "B2C_1_susi")
            #expect(checked.status == 7 && checked.standardOutput.contains(said), "\(checked)")
            let explained = try await susi.run("policies", "explain", "\(origin)/contoso.onmicrosoft.com/B2C_1_susi")
            #expect(explained.status == 7 && explained.standardOutput.contains(said), "\(explained)")
            #expect(try await susi.run("sign-in").standardError.contains(said))
        }
    }

    @Test("a policy without its own API: an API is suggested as the command accepts it, if there is one")
    func suggestsAPIInFormOfCommand() async throws {
        let scopes = #"["https://contoso.onmicrosoft.com/hello/demo.read"]"#
        let text = PoliciesFile.builtInText.replacing(
            "\n          \"scopes\": \(scopes)", with: "", maxReplacements: 1
        ).replacing("\"kind\": \"signUpOrSignIn\",\n", with: "\"kind\": \"signUpOrSignIn\"\n").replacing(
            "\"apis\": {",
            with: "\"apis\": { \"other\": { \"baseUrl\": \"http://localhost:8480/api/other\", \"scopes\": [\"a/b\"] },")
        try await withSusi(policies: text) { susi in
            for (command, next) in [
                (["token", "-p", "B2C_1_partner"], "susi token other -p B2C_1_partner"),
                (["exec", "-p", "B2C_1_partner", "--", "a b"], "susi exec --api other -p B2C_1_partner -- 'a b'"),
            ] {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status == 5 && outcome.standardError.contains("    hello\n"), "\(outcome)")
                #expect(outcome.standardError.hasSuffix("next: \(next)\n"), "\(outcome)")
            }
            let apis = try #require(text.firstRange(of: "\"other\": {"))
            try susi.home.writePolicies(text[..<apis.lowerBound] + "} } } }")
            for command in [["token"], ["exec", "--", "ls"]] {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status == 5, "\(outcome)")
                #expect(outcome.standardError.hasSuffix("\n  next: add an API to the application in policies.json\n"))
            }
        }
    }

    @Test("a sign-in that is cancelled on the sign-in page exits with 2 and stores nothing")
    func reportsCancelledSignIn() async throws {
        try await withLocalTenant { tenant in
            let outcome = try await tenant.interact(["sign-in"], as: .ana, presses: ["cancel"])
            #expect(outcome.status == 2)
            #expect(outcome.standardError.contains("AADB2C90091"))
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
        }
    }

    @Test("with --json an error is one JSON object on standard error, with the server's message")
    func printsRefusalsAsJSON() async throws {
        try await withLocalTenant { tenant in
            let outcome = try await tenant.interact(["sign-in", "--json"], as: .ana, presses: ["cancel"])
            #expect(outcome.status == 2 && outcome.standardOutput.isEmpty)
            let start = try #require(outcome.standardError.firstIndex(of: "{"))
            let report = try JSONNode(parsing: outcome.standardError[start...].utf8)
            #expect(report["schemaVersion"]?.lenientInteger == 1)
            let error = try #require(report["error"])
            #expect(error["code"]?.string == "cancelled" && error["exitCode"]?.lenientInteger == 2)
            let server = try #require(error["server"])
            #expect(server["error"]?.string == "access_denied" && server["code"]?.string == "AADB2C90091")
            #expect(server["correlationId"]?.string?.isEmpty == false && server["timestamp"]?.string?.isEmpty == false)
            let unknown = try await tenant.susi.run("accounts", "-p", "unknown", "--json")
            #expect(unknown.status == 5 && unknown.standardError.contains("\"code\" : \"unknownName\""))
            let wrong = try await tenant.susi.run("accounts", "--jsonn", "--json")
            let usage = try #require(try JSONNode(parsing: wrong.standardError.utf8)["error"])
            #expect(wrong.status == 64 && usage["code"]?.string == "usage")
            #expect(usage["what"]?.string == "unknown option “--jsonn”")
            #expect(usage["why"]?.string == "did you mean “--json”?")
            #expect(usage["next"]?.string == "susi accounts --json --json")
            for command in [["export", "--format", "msal"], ["call", "hello"], ["exec", "--json", "--", "ls"]] {
                let arguments = command.contains("--json") ? command : command + ["--json"]
                let refused = try await tenant.susi.command(arguments).run()
                let error = try JSONNode(parsing: refused.standardError.utf8)["error"]
                #expect(
                    error?["exitCode"]?.lenientInteger == Int64(refused.status) && refused.status != 0, "\(refused)")
            }
            try await tenant.signIn(.ana)
            let token = try await tenant.susi.run("token", "--json")
            #expect(token.standardOutput == (try await tenant.susi.run("token", "-f", "json").standardOutput))
            let called = try await tenant.susi.run("call", "hello", "--json")
            #expect(called.standardOutput == (try await tenant.susi.run("call", "hello").standardOutput))
            let answered = try await tenant.susi.run("call", "DELETE", "hello", "--json")
            let api = try JSONNode(parsing: answered.standardError.utf8)["error"]
            #expect(answered.status == 8 && api?["code"]?.string == "api")
            #expect(api?["what"]?.string == "the API “hello” responded with 405 Method Not Allowed")
        }
    }

    @Test("help explains every code of a server's refusal")
    func helpExplainsServerErrors() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "error-codes", environment: ["COLUMNS": "200"]).standardOutput
            for row in ErrorCode.table {
                #expect(
                    help.contains(" \(row.name) ")
                        && help.contains("\(row.meaning); \(GivenOptions.none.text(row.next))\n"), "\(row)")
            }
        }
    }

    @Test("a path outside the API is refused, and no token is sent")
    func refusesPathOutsideAPI() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            for path in ["/../secret", "/a/%2e%2e/secret", "/a\\b", "/%2Fsecret"] {
                let before = tenant.requests("GET", "")
                let outcome = try await tenant.susi.run("call", "hello", path)
                #expect(outcome.status == 7, "\(path): \(outcome.standardError)")
                #expect(tenant.requests("GET", "") == before)
            }
            let unknown = try await tenant.susi.run("call", "hello", "/nothing/?a=1")
            #expect(unknown.status == 8)
            #expect(tenant.requests("GET", "/api/hello/nothing/") == 1, "the last slash is missing")
        }
    }
}
