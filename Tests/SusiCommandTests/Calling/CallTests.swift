import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import SusiCommand

/// The targets, output and responses of `call`.
@Suite("Call", .inTurn, .timeLimit(.minutes(5)))
struct CallTests {
    /// Runs a tenant whose application has one more API, `mine`, at `server`.
    static func withAPI(
        _ response: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response,
        _ body: (LocalTenant, ScriptedServer) async throws -> Void
    ) async throws {
        try await ScriptedServer.with(response) { server in
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
            try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
                try await body(tenant, server)
            }
        }
    }

    private static func token(_ tenant: LocalTenant) async throws -> String {
        try await tenant.client().token(api: nil, of: AccountSelection()).secret
    }

    @Test("an address selects the API that contains it; outside of all APIs nothing is sent")
    func choosesAPIByAddress() async throws {
        try await Self.withAPI({ .ok($0.head) }) { tenant, server in
            let called = try await tenant.susi.run("call", "\(server.origin)/v1/items/?a=1&b='x'")
            #expect(called.status == 0 && called.standardOutput.hasPrefix("GET /v1/items/?a=1&b='x' "), "\(called)")
            try await tenant.susi.run("call", "\(tenant.emulator.origin)/api/hello").exits(
                0, printing: "Hello, Ana Lima")
            let before = (server.requests.count, tenant.requestLines.count)
            for (address, hint) in [
                ("\(server.origin)/v2/items", "did you mean \(server.origin)/v1?"), ("\(server.origin)/", ""),
                ("https://evil.example/v1", ""), ("http://user@127.0.0.1/v1", "contains a user name"),
                ("\(server.origin)/v1/../x", "change its meaning"), ("\(server.origin)/v1\\x", "a backslash"),
            ] {
                let refused = try await tenant.susi.refusal("call", address).exits(7, code: "outsideAPI")
                #expect(refused.error.why.contains(hint) || hint.isEmpty, "\(refused)")
            }
            for words in [["\(server.origin)/v1", "/x"], ["mine", "/a#b"], ["\(server.origin)/v1?a#b"]] {
                #expect(try await tenant.susi.refusal(["call"] + words).status == 64, "\(words)")
            }
            let after = (server.requests.count, tenant.requestLines.count)
            #expect(before == after)
        }
    }

    @Test("a path behind the API’s name is corrected, and nothing is sent")
    func correctsPathInName() async throws {
        try await Self.withAPI({ .ok($0.head) }) { tenant, server in
            try await tenant.susi.refusal("call", "mine/items?a=1").exits(
                5, saying: "next: susi call mine '/items?a=1'\n")
            #expect(try await tenant.susi.refusal("call", "yours/items").status == 5)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("waits for a silent API as long as --timeout says")
    func waitsForTimeout() async throws {
        try await withListener { port in
            let edit = { (text: String) in
                text.replacing("\"http://localhost:8480/api/hello\"", with: "\"http://127.0.0.1:\(port)/silent\"")
            }
            try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
                let start = ContinuousClock.now
                try await tenant.susi.run("call", "hello", "--timeout", "1s").exits(3, saying: "127.0.0.1")
                // Without the option, an API may be silent for 30 seconds.
                #expect(start.duration(to: .now) < .seconds(25))
            }
        }
    }

    @Test("standard output gets the body unchanged; in a log of both streams, a line feed ends it")
    func endsLineOfLog() async throws {
        try await Self.withAPI({ request in .ok(request.head.contains("/line") ? "body\n" : "body") }) { tenant, _ in
            for (path, output, log) in [("/plain", "body", "body\n"), ("/line", "body\n", "body\n")] {
                try await tenant.susi.run("call", "mine", path).exits(0, output: output, error: "")
                let script = "'\(tenant.susi.path)' call mine \(path) > both.log 2>&1; cat both.log"
                #expect(try await tenant.susi.shell("cd && \(script)").run().standardOutput == log)
            }
        }
    }

    @Test("--dry-run shows the request and the account, and sends nothing")
    func dryRunSendsNothing() async throws {
        try await Self.withAPI({ _ in .ok("") }) { tenant, server in
            let token = try await Self.token(tenant)
            let asked = tenant.requestLines.count
            let dry = [
                "call", "PUT", "mine", "/x?a=1", "-d", "twelve bytes", "-H", "Cookie: a=hunter2", "-H", "X-A: 1",
            ]
            try await tenant.susi.command(dry + ["--dry-run"]).run().exits(0, hiding: token, "hunter2")
            try await tenant.susi.command(
                ["call", "mine", "--dry-run", "-a", "ana@contoso.example"], environment: ["SUSI_CLOCK": "+2h"]
            ).run().exits(0, printing: "would be refreshed", "(named by -a)")
            #expect(server.requests.isEmpty && tenant.requestLines.count == asked)
        }
    }

    /// The parts of a request that susi and curl must send alike.
    private struct Sent: Equatable, CustomStringConvertible {
        let line: String
        let headers: [String]
        let body: String

        init(_ request: ScriptedServer.Request) {
            let lines = request.head.split(whereSeparator: \.isNewline).map(String.init)
            line = lines.first ?? ""
            // Header names are case-insensitive, and their order does not matter (RFC 9110 section 5.3).
            headers = lines.dropFirst().map { header in
                let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return "\(parts[0].lowercased()):\(parts.dropFirst().joined().drop { $0 == " " })"
            }.sorted()
            body = request.body
        }

        var description: String { ([line] + headers + [body.debugDescription]).joined(separator: "\n") }
    }

    /// Runs a line in a shell with this `susi` on the path.
    static func run(_ line: String, by shell: FilePath = "/bin/bash", _ tenant: LocalTenant) async throws {
        try await tenant.susi.script(line, by: shell).run().exits(0)
    }

    private static let hasCurl = TestEnvironment.program("curl") != nil
    private static let shells = ["bash", "zsh"].compactMap { TestEnvironment.program($0) }

    @Test("--curl prints a command that sends the same request without the token in it", .enabled(if: hasCurl))
    func curlCommandSendsSameRequest() async throws {
        try await Self.withAPI({ $0.head.hasPrefix("HEAD ") ? .ok("") : .ok("\($0.head)\n\($0.body)") }) {
            tenant, server in
            let token = try await Self.token(tenant)
            let folder = tenant.susi.home.workingFolder
            try folder.appending("it's a file.json").write(#"{"a":"it's"}"#)
            try Data(repeating: UInt8(ascii: "x"), count: 3 << 20)
                .write(to: URL(filePath: folder.appending("large").string))
            for arguments in [
                ["mine", "/x?a=1&b=$HOME"], ["POST", "mine", "-d", #"{"text":"it's; $(id)"}"#],
                ["PUT", "mine", "/y", "-d", "@it's a file.json", "-H", "X-A: it's", "-p", "B2C_1_susi"],
                ["PUT", "mine", "-d", "@large"], ["DELETE", "\(server.origin)/v1/z"],
                ["DELETE", "mine", "/echo/[1-3]"], ["DELETE", "mine", "/{a,b}/c?d={1,2}&e[]=[0-9]"],
                ["mine", "/100%"], ["mine", "/a%20b%C3%A9;v=1/?c=100%&d=%zz|^`&up=/../y/./z&e="], ["mine", "/v?"],
                ["POST", "mine", "-d", "two\nlines\t\u{1b}[31m 'quoted' \\ \u{202e}7\u{9b}1!$(id)é日\r\u{7f}"],
                ["POST", "mine", "-d", "it'\u{301}; touch P; '\u{301}"], ["POST", "mine", "-d", " @text"],
                ["POST", "mine", "-d", ""],
                ["POST", "mine"], ["PATCH", "mine"], ["OPTIONS", "mine"], ["HEAD", "mine", "/h"],
                ["GET", "mine", "-d", "x"], ["DELETE", "mine", "-d", ""], ["DELETE", "mine", "-d", "x"],
                [
                    "mine", "-H", "X-Empty: ", "-H", "X-None:", "-H", "X-Two: 1", "-H", "X-Two: 2", "-H",
                    "User-Agent: me; you ",
                ],
                ["mine", "-H", "Accept: text/plain", "-a", "ana@contoso.example", "-i"],
            ] {
                let count = server.requests.count
                let printed = try await tenant.susi.command(["call"] + arguments + ["--curl"]).run()
                let line = printed.standardOutput
                #expect(server.requests.count == count, "--curl sent a request")
                #expect(line.contains("susi token mine -f header ") && line.contains(" | curl "), "\(printed)")
                #expect(!line.contains("$(susi") && !line.contains(token))
                #expect(line.dropLast().unicodeScalars.allSatisfy(DisplayText.isHarmless), "\(line)")
                try await Self.run(line, tenant)
                _ = try await tenant.susi.command(["call"] + arguments).run()
                guard server.requests.count == count + 2 else {
                    Issue.record("\(server.requests.count - count) requests for \(line)")
                    continue
                }
                let (theirs, ours) = (Sent(server.requests[count]), Sent(server.requests[count + 1]))
                #expect(theirs == ours, "\(line)\ncurl sent\n\(theirs)\nsusi sent\n\(ours)")
                #expect(ours.headers.contains("authorization:Bearer \(token)"))
            }
        }
    }

    @Test(
        "with standard input as the body, --curl leaves the input to the printed command", .enabled(if: hasCurl),
        .shells)
    func curlReadsStandardInput() async throws {
        try await Self.withAPI({ _ in .ok("") }) { tenant, server in
            let token = try await Self.token(tenant)
            for (name, program) in Self.shells.flatMap({ [("@-", $0), ("@/dev/stdin", $0)] }) {
                let printed = try await tenant.susi.command(
                    ["call", "POST", "mine", "-d", name, "--curl"], input: .text("from a pipe")
                ).run()
                try await Self.run("printf 'from a pipe' | \(printed.standardOutput)", by: program, tenant)
                let sent = try #require(server.requests.last)
                #expect(
                    sent.body == "from a pipe" && sent.header("Authorization") == "Bearer \(token)",
                    "\(program): \(printed)")
            }
            // zsh expands `=name` to a path.
            for program in Self.shells {
                let printed = try await tenant.susi.run("call", "POST", "mine", "/[1-3]", "-d", "=a", "--curl")
                try await Self.run(printed.standardOutput, by: program, tenant)
                let sent = try #require(server.requests.last)
                #expect(sent.body == "=a" && sent.head.contains("/%5B1-3%5D "), "\(program): \(sent)")
            }
        }
    }

    @Test("a step-up challenge exits with 4; the next sign-in meets it, and its token is used")
    func stepUpChallengeLeadsToStrongerSignIn() async throws {
        let challenge = """
            WWW-Authenticate: Bearer error="insufficient_user_authentication", \
            error_description="A different authentication level is required", acr_values="urn:x:gold urn:x:silver", \
            max_age="600"
            """
        let isMet = Mutex(false)
        let response = { @Sendable (_: ScriptedServer.Request) -> ScriptedServer.Response in
            isMet.withLock { $0 } ? .ok("fine") : .status("401 Unauthorized", "no", headers: [challenge])
        }
        try await Self.withAPI(response) { tenant, server in
            let before = try await Self.token(tenant)
            let called = try await tenant.susi.run("call", "mine").exits(
                4, output: "", saying: "urn:x:gold urn:x:silver", "10 min")
            #expect(
                called.standardError.contains("next: susi sign-in -p B2C_1_susi --api mine -a ana@contoso.example\n"),
                "\(called)")
            #expect(server.requests.count == 1)
            let signIn = ["sign-in", "--api", "mine"]
            let demanded = try await SignInOptionTests.asked(signIn, tenant)
            #expect(demanded["acr_values"] == "urn:x:gold urn:x:silver" && demanded["max_age"] == "600")
            #expect(demanded["claims"] == nil)
            try await tenant.interact(signIn, as: .ana).exits(0)
            isMet.withLock { $0 = true }
            #expect(try await tenant.susi.run("call", "mine").standardOutput == "fine")
            #expect(server.requests.last?.header("Authorization") != "Bearer \(before)")
            let free = try await SignInOptionTests.asked(signIn, tenant)
            #expect(free["acr_values"] == nil && free["max_age"] == nil)
        }
    }

    @Test("a step-up challenge without parameters leads to a sign-in with credentials")
    func stepUpWithoutParametersAsksForCredentials() async throws {
        let challenge = "WWW-Authenticate: Bearer error=\"insufficient_user_authentication\""
        try await Self.withAPI({ _ in .status("401 Unauthorized", "no", headers: [challenge]) }) { tenant, _ in
            let called = try await tenant.susi.refusal("call", "mine")
            #expect(called.status == 4 && called.next.contains("--prompt login"), "\(called)")
            let asked = try await SignInOptionTests.asked(["call", "mine", "--sign-in"], tenant)
            #expect(asked["prompt"] == "login", "\(asked)")
        }
    }

    @Test("a refused token is refreshed once; the second refusal is shown")
    func refreshesRefusedTokenOnce() async throws {
        let challenges = [
            "WWW-Authenticate: Basic realm=\"a, b\", Bearer error=\"invalid_token\", error_description=\"x\""
        ]
        try await Self.withAPI({ _ in .status("401 Unauthorized", "no", headers: challenges) }) { tenant, server in
            let before = tenant.requests("POST", "/oauth2/v2.0/token")
            // Two tokens of the same second would be equal.
            tenant.emulator.clock.advance(by: 5)
            try await tenant.susi.run("call", "mine").exits(
                8, output: "no", saying: "susi token mine | susi inspect - --for-api appsettings.json")
            #expect(server.requests.count == 2)
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == before + 1)
            #expect(Set(server.requests.map { $0.header("Authorization") }).count == 2)
        }
    }

    @Test("a truncated response leaves no file; a complete one is written byte for byte, without progress")
    func writesCompleteFilesOnly() async throws {
        let whole = String(repeating: "0123456789", count: 300_000)
        let broken = ScriptedServer.Response.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        try await Self.withAPI({ $0.head.contains("/broken") ? broken : .ok(whole) }) { tenant, _ in
            let file = tenant.susi.home.folder.appending("body").string
            let failed = try await tenant.susi.run("call", "mine", "/broken", "-o", file)
            #expect(failed.status == 3 && !FileManager.default.fileExists(atPath: file), "\(failed)")
            try await tenant.susi.run("call", "mine", "-o", file).exits(0, output: "", error: "")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == whole)
            try await tenant.susi.run("call", "PUT", "mine", "-d", "@\(file)", "-i").exits(0)
            let line = "'\(tenant.susi.path)' call mine | head -c 7; exit ${PIPESTATUS[0]}"
            try await tenant.susi.shell(line, by: "/bin/bash").run().exits(0, output: "0123456", error: "")
        }
    }

    @Test("a disk that becomes full leaves no file, not even an incomplete one")
    func leavesNoFileOnFullDisk() async throws {
        let whole = String(repeating: "0123456789", count: 100_000)
        try await Self.withAPI({ _ in .ok(whole) }) { tenant, _ in
            // The disk has room for the index of the store, not for the body.
            let script = "trap '' XFSZ; ulimit -f 256; exec \"$0\" call mine -o body"
            try await tenant.susi.shell(script).run().exits(1, saying: "“body” cannot be written")
            #expect(try tenant.susi.home.workingFolder.names() == [])
        }
    }

    @Test("a long response has a progress line")
    func showsProgressOfLongResponses() {
        var line = ProgressLine(total: 200_000_000)
        let start = ContinuousClock.now
        #expect(line.advance(by: 1_000_000, now: start) == nil, "drawn too early")
        #expect(line.wiped == nil)
        let drawn = line.advance(by: 49_000_000, now: start + .seconds(2))
        #expect(drawn == "\r██████░░░░░░░░░░░░░░░░░░ 25 %  50.0 MB of 200.0 MB  25.0 MB/s")
        #expect(line.advance(by: 1, now: start + .milliseconds(2_050)) == nil, "drawn for every chunk")
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
