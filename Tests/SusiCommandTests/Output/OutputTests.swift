import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Output streams and formats.
@Suite("Output", .inTurn, .timeLimit(.minutes(5)))
struct OutputTests {
    @Test(
        "JSON on a terminal has names and texts in color, and the same characters",
        arguments: [
            (#"{"a\"b": "c\\", "d": [1, true, "e: \"f\""]}"#, 4), (#"{"#, 0), (#"{"a"#, 1), (#"{"a\"#, 1), ("", 0),
            (#""x""#, 1),
        ])
    func colorsJSON(json: String, texts: Int) {
        let colored = Style(isColored: true).json(json)
        #expect(colored.replacing(#/\u{1b}\[[0-9]*m/#, with: "") == json)
        #expect(colored.components(separatedBy: Style.end).count - 1 == texts)
        #expect(Style(isColored: false).json(json) == json)
    }

    @Test("call prints the body unchanged when redirected, readable on a terminal, and the status of errors")
    func callPrintsBodyOrReadableForm() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let posted = try await tenant.susi.run("call", "POST", "hello", "-d", #"{"text":"x"}"#, "-i")
            #expect(posted.standardOutput.hasPrefix("HTTP/1.1 200 OK\n"))
            #expect(posted.standardOutput.contains(#""body":{"text":"x"}"#))
            let terminal = try await tenant.susi.runInTerminal("call", "hello").exits(0, printing: "200 OK")
            let (name, text) = (#""message""#, #""Hello, Ana Lima""#)
            #expect(
                terminal.standardOutput.contains("\u{1b}[1m\(name)\u{1b}[0m: \u{1b}[32m\(text)\u{1b}[0m"), "\(terminal)"
            )
            try await tenant.susi.runInTerminal("call", "hello", "--no-color").exits(
                0, printing: "\(name): \(text)")
            try await tenant.susi.run("call", "POST", "hello", "-d", "@-", input: "plain text").exits(
                8, printing: "The body is not valid JSON")
            try await tenant.susi.run("call", "POST", "hello", "-d", "@-", input: #"{"from":"stdin"}"#).exits(
                0, printing: #""body":{"from":"stdin"}"#)
            try await tenant.susi.run("call", "DELETE", "hello").exits(8, saying: "405")
        }
    }

    @Test("colors appear on a terminal only, and can be turned off")
    func usesColorsOnTerminalsOnly() async throws {
        try await withSusi { susi in
            try await susi.run("policies").exits(0, hiding: "\u{1b}")
            #expect(try await susi.runInTerminal("policies").standardOutput.contains("\u{1b}[1m"))
            try await susi.runInTerminal("policies", environment: ["NO_COLOR": "1"]).exits(0, hiding: "\u{1b}")
            #expect(!(try await susi.runInTerminal("policies", "--no-color").standardOutput.contains("\u{1b}")))
            #expect(
                !(try await susi.runInTerminal("policies", environment: ["TERM": "dumb"]).standardOutput.contains(
                    "\u{1b}")))
        }
    }

    /// A port that susi picks is not part of the address to register.
    @Test func printsTheRedirectAddressWithoutAPort() async throws {
        let ports = "\"redirectPorts\": [8400, 8401, 53682]"
        try await withSusi(policies: PoliciesFile.builtInText.replacing(ports, with: "\"redirectPorts\": [0]")) {
            susi in
            let list = try await susi.run("policies", "list")
            #expect(list.standardOutput.hasSuffix("(mobile and desktop):\n    http://localhost\n"), "\(list)")
            let json = try await susi.run("policies", "list", "--json").json()
            #expect(json["redirectAddresses"]?.strings == ["http://localhost"], "\(list)")
        }
    }

    @Test(
        "durations with units are parsed, and others refused",
        arguments: [
            ("90", 90), ("90s", 90), ("5m", 300), ("2h", 7_200), ("14d", 1_209_600), ("", nil), ("m", nil),
            ("-5m", nil),
            ("5x", nil), ("1.5h", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func parsesDurations(_ text: String, _ seconds: Int64?) {
        #expect(Duration.seconds(in: text) == seconds)
    }

    /// What it shows is in the catalog of reports.
    @Test func demoLeavesNothingBehind() async throws {
        try await withSusi { susi in
            let temporary = susi.home.folder.appending("tmp").string
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            try await susi.run("demo", environment: ["TMPDIR": temporary]).exits(0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
            #expect(!susi.home.susiHome.exists)
        }
    }
}
