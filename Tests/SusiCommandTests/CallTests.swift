import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// `call`: to where a token goes, what is said of it, and what an API may answer.
@Suite("Call", .inTurn, .timeLimit(.minutes(2)))
struct CallTests {
    /// A tenant whose application has one more API, `mine`, at a server of the test's.
    private func withAPI(
        _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer,
        _ body: (LocalTenant, ScriptedServer) async throws -> Void
    ) async throws {
        try await ScriptedServer.with(answer) { server in
            let edit = { (text: String) in
                text.replacing(
                    "\"apis\": {",
                    with: """
                        "apis": {
                          "mine": {
                            "baseUrl": "\(server.origin)/v1", "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"]
                          },
                        """)
            }
            try await withLocalTenant(policies: edit) { tenant in
                let signedIn = try await tenant.interact(["sign-in"], as: .ana)
                try #require(signedIn.status == 0, "\(signedIn)")
                try await body(tenant, server)
            }
        }
    }

    private static func token(_ tenant: LocalTenant) async throws -> String {
        try await tenant.susi.run("token").standardOutput.trimmingCharacters(in: .newlines)
    }

    @Test("an address chooses the API that it lies below; outside of every API nothing is sent")
    func addresses() async throws {
        try await withAPI({ .ok($0.head) }) { tenant, server in
            let called = try await tenant.susi.run("call", "\(server.origin)/v1/items/?a=1&b='x'")
            #expect(called.status == 0 && called.standardOutput.hasPrefix("GET /v1/items/?a=1&b='x' "), "\(called)")
            let hello = try await tenant.susi.run("call", "\(tenant.emulator.origin)/api/hello")
            #expect(hello.standardOutput.contains("Hello, Ana Lima"))
            let before = (server.requests.count, tenant.requestLines.count)
            for (address, hint) in [
                ("\(server.origin)/v2/items", "did you mean \(server.origin)/v1?"),
                ("\(server.origin)/", "belongs to no API"),
                ("https://evil.example/v1", "belongs to no API"), ("http://user@127.0.0.1/v1", "names a user"),
                ("\(server.origin)/v1/../x", "change its meaning"), ("\(server.origin)/v1\\x", "a backslash"),
            ] {
                let refused = try await tenant.susi.run("call", address)
                #expect(refused.status == 7 && refused.standardError.contains(hint), "\(address): \(refused)")
            }
            for (words, hint) in [
                (["\(server.origin)/v1", "/x"], "is no call"), (["mine", "/a b"], "write /a%20b"),
                (["mine", "?a=ü"], "write '?a=%C3%BC'"), (["mine", "/a#b"], "never sent"),
                (["\(server.origin)/v1?a=ü"], "percent-encoded"), (["\(server.origin)/v1?a#b"], "never sent"),
            ] {
                let wrong = try await tenant.susi.command(["call"] + words).run()
                #expect(wrong.status == 64 && wrong.standardError.contains(hint), "\(wrong)")
            }
            let after = (server.requests.count, tenant.requestLines.count)
            #expect(before == after)
        }
    }

    @Test("an address of two APIs is ambiguous")
    func ambiguous() async throws {
        let edit = { (text: String) in
            text.replacing(
                "\"apis\": {",
                with: """
                    "apis": { "twin": { "baseUrl": "http://localhost:8480/api/hello", "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"] },
                    """)
        }
        try await withLocalTenant(policies: edit) { tenant in
            let refused = try await tenant.susi.run("call", "\(tenant.emulator.origin)/api/hello")
            #expect(refused.status == 5)
            #expect(refused.standardError.contains("twin") && refused.standardError.contains("hello"))
        }
    }

    @Test("--dry-run says what would be sent and as whom, and asks nobody")
    func dryRun() async throws {
        try await withAPI({ _ in .ok("") }) { tenant, server in
            let token = try await Self.token(tenant)
            let asked = tenant.requestLines.count
            let dry = [
                "call", "PUT", "mine", "/x?a=1", "-d", "twelve bytes", "-H", "Cookie: a=hunter2", "-H", "X-A: 1",
            ]
            let fresh = try await tenant.susi.command(dry + ["--dry-run"]).run()
            #expect(fresh.status == 0)
            for line in [
                "PUT \(server.origin)/v1/x?a=1", "Authorization: Bearer [hidden]", "Cookie: [hidden]", "X-A: 1",
                "Content-Type: text/plain; charset=utf-8", "body     12 B",
                "account  ana@contoso.example under B2C_1_susi (the only account)", "token    valid ",
                "Nothing was sent.",
            ] { #expect(fresh.standardOutput.contains(line), "\(line) in \(fresh.standardOutput)") }
            #expect(!fresh.standardOutput.contains(token) && !fresh.standardOutput.contains("hunter2"))
            let late = try await tenant.susi.command(
                ["call", "mine", "--dry-run", "-a", "ana@contoso.example"], environment: ["SUSI_CLOCK": "+2h"]
            ).run()
            #expect(late.standardOutput.contains("refreshed first") && late.standardOutput.contains("(named by -a)"))
            #expect(server.requests.isEmpty && tenant.requestLines.count == asked)
            #expect(try await tenant.susi.run("call", "mine", "--dry-run", "-a", "nobody").status == 5)
        }
    }

    @Test(
        "--curl prints a command that does the same, without the token",
        .enabled(if: Surroundings.program("curl") != nil))
    func curl() async throws {
        try await withAPI({ .ok("\($0.head)\n\($0.body)") }) { tenant, server in
            let token = try await Self.token(tenant)
            let file = tenant.susi.home.workingFolder.appending("it's a file.json")
            try Data(#"{"a":"it's"}"#.utf8).write(to: URL(filePath: file.string))
            let shell = { (line: String) async throws -> String in
                var environment = tenant.susi.home.environment
                environment["PATH"] = "\(tenant.susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
                let program = Program(
                    "/bin/sh", ["-c", line], environment: environment, workingFolder: tenant.susi.home.workingFolder)
                let outcome = try await program.run()
                #expect(outcome.status == 0, "\(line): \(outcome)")
                return outcome.standardOutput
            }
            for arguments in [
                ["mine", "/x?a=1&b=$HOME"], ["POST", "mine", "-d", #"{"text":"it's; $(id)"}"#],
                ["PUT", "mine", "/y", "-d", "@it's a file.json", "-H", "X-A: it's", "-p", "B2C_1_susi"],
                ["DELETE", "\(server.origin)/v1/z"],
            ] {
                let count = server.requests.count
                let line = try await tenant.susi.command(["call"] + arguments + ["--curl"]).run().standardOutput
                #expect(server.requests.count == count, "nothing is sent")
                #expect(line.hasPrefix("susi token mine -f header ") && line.contains(" | curl -H @- "))
                #expect(!line.contains("$(susi"))
                #expect(!line.contains(token))
                _ = try await shell(line)
                _ = try await tenant.susi.command(["call"] + arguments).run()
                let (ours, theirs) = (server.requests[count + 1], server.requests[count])
                #expect(ours.head.prefix { !$0.isNewline } == theirs.head.prefix { !$0.isNewline })
                #expect(ours.body == theirs.body)
                for name in ["Authorization", "Content-Type", "Accept", "X-A"] {
                    #expect(ours.header(name) == theirs.header(name), "\(name)")
                }
                #expect(theirs.header("Authorization") == "Bearer \(token)")
            }
            let line = try await tenant.susi.command(["call", "POST", "mine", "-d", "@-", "--curl"]).run()
            _ = try await shell("printf 'from a pipe' | \(line.standardOutput)")
            let sent = try #require(server.requests.last)
            #expect(sent.body == "from a pipe" && sent.header("Authorization") == "Bearer \(token)")
        }
    }

    @Test("a demand for claims is exit 4 with what is wanted, and the next sign-in asks for it")
    func claims() async throws {
        let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
        let challenge = """
            WWW-Authenticate: Negotiate, Bearer realm="", authorization_uri="https://login.example/authorize", \
            error="insufficient_claims", claims="\(Data(claims.utf8).base64EncodedString())"
            """
        try await withAPI({ _ in .status("401 Unauthorized", "no", headers: [challenge]) }) { tenant, server in
            let called = try await tenant.susi.run("call", "mine")
            #expect(called.status == 4 && called.standardOutput.isEmpty)
            #expect(called.standardError.contains("demands more") && called.standardError.contains(claims))
            #expect(called.standardError.contains("next: susi sign-in -p B2C_1_susi"))
            #expect(server.requests.count == 1)
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            try await tenant.susi.start("sign-in", "--browser", browser.command) { _ in
                let url = try await browser.nextURL()
                #expect(url.contains("acrs"))
            }
        }
    }

    @Test("a refused token among several challenges is refreshed once; the second refusal is shown")
    func refusedToken() async throws {
        let challenges = [
            "WWW-Authenticate: Basic realm=\"a, b\", Bearer error=\"invalid_token\", error_description=\"x\""
        ]
        try await withAPI({ _ in .status("401 Unauthorized", "no", headers: challenges) }) { tenant, server in
            let before = tenant.requests("POST", "/oauth2/v2.0/token")
            let called = try await tenant.susi.run("call", "mine")
            #expect(called.status == 8 && called.standardOutput == "no")
            #expect(server.requests.count == 2)
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == before + 1)
            #expect(Set(server.requests.map { $0.header("Authorization") }).count == 2)
        }
    }

    @Test(
        "an answer that breaks off leaves no file; a whole one is there byte for byte, and nothing is drawn off a terminal"
    )
    func output() async throws {
        let whole = String(repeating: "0123456789", count: 300_000)
        let broken = ScriptedServer.Answer.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        try await withAPI({ $0.head.contains("/broken") ? broken : .ok(whole) }) { tenant, _ in
            let file = tenant.susi.home.folder.appending("body").string
            let failed = try await tenant.susi.run("call", "mine", "/broken", "-o", file)
            #expect(failed.status == 3 && !FileManager.default.fileExists(atPath: file), "\(failed)")
            let kept = try await tenant.susi.run("call", "mine", "-o", file)
            #expect(kept.status == 0 && kept.standardOutput.isEmpty && kept.standardError.isEmpty)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == whole)
            let sent = try await tenant.susi.run("call", "PUT", "mine", "-d", "@\(file)", "-i")
            #expect(sent.status == 0)
            let line = "'\(tenant.susi.path)' call mine | head -c 7; exit ${PIPESTATUS[0]}"
            let closed = try await Program(
                "/bin/bash", ["-c", line], environment: tenant.susi.home.environment,
                workingFolder: tenant.susi.home.workingFolder
            ).run()
            #expect(closed.status == 0 && closed.standardOutput == "0123456" && closed.standardError.isEmpty)
        }
    }

    @Test("a body that is larger than memory should hold is sent from its file")
    func upload() async throws {
        try await withAPI({ .ok("\($0.body.utf8.count)") }) { tenant, server in
            let file = tenant.susi.home.folder.appending("large").string
            try Data(repeating: UInt8(ascii: "x"), count: 3 << 20).write(to: URL(filePath: file))
            let sent = try await tenant.susi.run("call", "PUT", "mine", "-d", "@\(file)")
            #expect(sent.standardOutput == "\(3 << 20)", "\(sent.standardError)")
            #expect(server.requests.last?.header("Content-Type") == "application/octet-stream")
        }
    }

    @Test("how far a long answer has come")
    func progress() {
        var line = ProgressLine(total: 200_000_000)
        let start = ContinuousClock.now
        #expect(line.advance(by: 1_000_000, now: start) == nil, "not at once")
        #expect(line.wiped == nil)
        let drawn = line.advance(by: 49_000_000, now: start + .seconds(2))
        #expect(drawn == "\r██████░░░░░░░░░░░░░░░░░░ 25 %  50.0 MB of 200.0 MB  25.0 MB/s")
        #expect(line.advance(by: 1, now: start + .milliseconds(2_050)) == nil, "not for every piece")
        #expect(line.wiped?.allSatisfy { $0 == " " || $0 == "\r" } ?? false)
        var unknown = ProgressLine(total: nil)
        _ = unknown.advance(by: 10, now: start)
        #expect(unknown.advance(by: 1_990, now: start + .seconds(1)) == "\r2.0 kB  2.0 kB/s")
        #expect(
            [0, 999, 1_000, 999_949, 999_950, 1_500_000_000].map(ProgressLine.size) == [
                "0 B", "999 B", "1.0 kB", "999.9 kB", "1.0 MB", "1.5 GB",
            ])
    }
}
