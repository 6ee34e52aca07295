import SusiTestSupport
import Testing

@testable import SusiCommand

/// The request log of `susi emulator run`.
@Suite("Request log of emulator run", .inTurn, .timeLimit(.minutes(5)))
struct RequestLineTests {
    @Test(
        "a line has the time, the request, and the outcome in its color",
        arguments: [
            ("GET /a 200", "GET /a \u{1b}[32m200\u{1b}[0m"),
            ("POST /a 303 AADB2C90118 forgotten", "POST /a \u{1b}[33m303 AADB2C90118 forgotten\u{1b}[0m"),
            ("GET /a 400 AADB2C90006 not registered", "GET /a \u{1b}[31m400 AADB2C90006 not registered\u{1b}[0m"),
            ("GET /a 503", "GET /a \u{1b}[31m503\u{1b}[0m"),
        ])
    func colorsOutcome(text: String, shown: String) {
        let line = RequestLine(time: 1_800_000_000, text: text)
        #expect(line.shown(Style(isColored: true)) == "\u{1b}[2m08:00:00Z\u{1b}[0m \(shown)")
        #expect(line.shown(Style(isColored: false)) == "08:00:00Z \(text)")
    }

    @Test("the start names the developer page; without a terminal lines have times and no color")
    func logsWithoutColorOffTerminal() async throws {
        try await withSusi { susi in
            try await susi.start("emulator", "run", "--port", "0") { program in
                let origin = try await program.waitForLine(containing: " listens at ").split(separator: " ").last ?? ""
                let page = try await program.waitForLine(containing: "  page ")
                #expect(page == "  page      \(origin)/")
                #expect(try await PlainVisit.get("\(origin)/").body.contains("Local emulator"))
                let line = try await program.waitForLine(containing: "GET / 200")
                #expect(line.wholeMatch(of: #/\d\d:\d\d:\d\dZ GET / 200/#) != nil, "\(line)")
            }
        }
    }

    @Test(
        "on a terminal outcomes have colors, unless these are turned off", arguments: [nil, "--no-color", "NO_COLOR"])
    func colorsOutcomesOnTerminals(off: String?) async throws {
        try await withSusi { susi in
            let environment = off == "NO_COLOR" ? ["NO_COLOR": "1"] : [:]
            let options = off == "--no-color" ? ["--no-color"] : []
            let command = try susi.command(["emulator", "run", "--port", "0"] + options, environment: environment)
                .inTerminal()
            try await command.start { program in
                let line = try await program.waitForLine(containing: " listens at ")
                let origin = try #require(line.firstMatch(of: #/http:\/\/localhost:\d+/#)?.0)
                _ = try await PlainVisit.get("\(origin)/")
                let shown = try await program.waitForLine(containing: "GET / ")
                #expect(shown.contains("\u{1b}[32m200") == (off == nil), "\(shown)")
                #expect(shown.contains("\u{1b}") == (off == nil), "\(shown)")
            }
        }
    }
}
