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

    @Test("an invalid policies.json is reported with line, key and expected value, and nothing else is created")
    func reportsInvalidPoliciesFile() async throws {
        try await withSusi { susi in
            let text = PoliciesFile.writtenOutText
            try susi.home.writePolicies(text.replacing("\"kind\": \"b2c\"", with: "\"kind\": \"b2b\""))
            let outcome = try await susi.run("status")
            #expect(outcome.status == 5)
            for words in ["line 5", "applications.local.kind", "“b2b”", "“b2c”"] {
                #expect(outcome.standardError.contains(words), "\(outcome.standardError)")
            }
            let made = try FileManager.default.contentsOfDirectory(atPath: susi.home.susiHome.string)
            #expect(made == ["policies.json"], "another file was created")
        }
    }

    @Test(
        "similar names are suggested, and invalid usage exits with 64",
        arguments: [
            (["sing-in"], 64, "“sign-in”"), (["token", "-p", "B2C_1_suis"], 5, "“B2C_1_susi”"),
            (["call", "helo"], 5, "“hello”"), (["status", "-A", "lokal"], 5, "“local”"),
            (["sign-in", "-p", "B2C_1_edit_profile"], 5, "susi edit-profile -p B2C_1_edit_profile"),
            (["accounts", "--jason"], 64, "--json"), (["policies", "lst"], 64, "“policies list”"),
            (["help", "policies", "nope"], 64, "“policies nope”"), (["help", "exit-code"], 64, "“exit-codes”"),
            (["call", "hello", "/a#b"], 64, "“#”"), (["call", "hello", "/a\tb"], 64, "control character"),
        ] as [([String], Int32, String)])
    func suggestsSimilarNames(_ arguments: [String], _ status: Int32, _ hint: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == status && outcome.standardOutput.isEmpty, "\(outcome)")
            #expect(outcome.standardError.contains(hint), "\(outcome.standardError)")
        }
    }

    @Test(
        "combinations of options that cannot be are refused before anything runs",
        arguments: [
            (["sign-in", "--no-browser", "--browser", "x"], "cannot be combined"),
            (["sign-in", "--prompt", "logim"], "“login”"),
            (["exec", "--env", "PATH", "--", "ls"], "changes how commands run"),
            (["exec", "--env", "LD_PRELOAD", "--", "ls"], "changes how commands run"),
            (["exec", "--env", "SUSI_HOME", "--", "ls"], "changes how commands run"),
            (["token", "--json", "-f", "raw"], "--json and --format raw cannot be combined"),
            (["exec", "--"], "missing command to run"),
            (["sign-in", "ana@contoso.example", "-a", "ben@contoso.example"], "name the account once"),
        ] as [([String], String)])
    func refusesInvalidUsage(_ arguments: [String], _ hint: String) throws {
        let error = #expect(throws: (any Error).self) { try SusiCommand.Program.parse(arguments) }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains(hint), "\(message)")
    }

    @Test(
        "an unreadable file has one message and one exit code in every command",
        arguments: [
            ["status", "--config", "nowhere"], ["import", "."], ["inspect", "@nowhere"], ["call", "hello", "-d", "@."],
            ["call", "hello", "-d", "@nowhere", "--curl"], ["sign-in", "--claims", "@."],
        ])
    func reportsUnreadableFiles(_ arguments: [String]) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            let isFolder = arguments.contains { $0.hasSuffix(".") }
            let (file, why) = isFolder ? (".", "it is a folder") : ("nowhere", "no such file or folder")
            let text = "susi: “\(file)” cannot be read\n  \(why)\n  next: check the file's name and its permissions\n"
            #expect(outcome.status == 64 && outcome.standardError == text, "\(outcome)")
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
            #expect(try await tenant.client().accounts().isEmpty)
            let wrong = try await tenant.susi.run("accounts", "--jsonn", "--json")
            let usage = try #require(try JSONNode(parsing: wrong.standardError.utf8)["error"])
            #expect(wrong.status == 64 && usage["code"]?.string == "usage")
            #expect(usage["what"]?.string == "unknown option “--jsonn”")
            #expect(usage["why"]?.string == "did you mean “--json”?")
            #expect(usage["next"]?.string == "susi accounts --json --json")
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
            let client = try tenant.client()
            for path in ["/../secret", "/a/%2e%2e/secret", "/a\\b", "/%2Fsecret"] {
                await expectRefusal(.outsideAPI) {
                    let call = try CallRequest(api: "hello", path: path).resolved(in: client.application)
                    return try await client.call(call, of: AccountSelection()) { _, _ in }
                }
            }
            let refused = try await tenant.susi.run("call", "hello", "/../secret")
            #expect(refused.status == 7 && tenant.requests("GET", "secret") == 0, "\(refused)")
            let unknown = try await tenant.susi.run("call", "hello", "/nothing/?a=1")
            #expect(unknown.status == 8)
            #expect(tenant.requests("GET", "/api/hello/nothing/") == 1, "the last slash is missing")
        }
    }
}
