import SusiTestSupport
import Testing

@testable import SusiCommand

/// The request log of `susi emulator run`.
@Suite("Request log of emulator run", .inTurn, .timeLimit(.minutes(5)))
struct RequestLineTests {
    private func shown(_ text: String, width: Int? = nil, isColored: Bool = false) -> String {
        RequestLine(time: 1_800_000_000, text: text).shown(Style(isColored: isColored, width: width))
    }

    @Test(
        "a line has the status first, then time and request; status and reason are in the color of the outcome",
        arguments: [("200 GET /a", 32), ("303 POST /a AADB2C90118 forgotten", 33), ("400 GET /a not registered", 31)])
    func colorsOutcome(text: String, color: Int) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        let colored = { (text: String) in "\u{1b}[\(color)m\(text)\u{1b}[0m" }
        let expected =
            [colored(words[0]), "\u{1b}[2m08:00:00Z\u{1b}[0m"] + words[1...2] + words.dropFirst(3).map(colored)
        #expect(shown(text, isColored: true) == expected.joined(separator: " "))
        #expect(shown(text) == "\(words[0]) 08:00:00Z \(words[1...].joined(separator: " "))")
    }

    private static let base = "/contoso.onmicrosoft.com/B2C_1_susi"

    @Test(
        "a terminal folds lines between words; only a path that is longer than a line is folded, at a slash",
        arguments: [
            (
                80, "200 GET \(base)/v2.0/.well-known/openid-configuration",
                ["200 08:00:00Z GET", "  \(base)/v2.0/.well-known/openid-configuration"]
            ),
            (
                60, "200 GET \(base)/v2.0/.well-known/openid-configuration",
                ["200 08:00:00Z GET \(base)/v2.0/", "  .well-known/openid-configuration"]
            ),
            (
                60, "400 GET \(base)/oauth2/v2.0/authorize AADB2C90068 no application 1111",
                ["400 08:00:00Z GET", "  \(base)/oauth2/v2.0/authorize", "  AADB2C90068 no application 1111"]
            ),
            (
                80, "400 POST \(base)/oauth2/v2.0/token AADB2C90008 no client",
                ["400 08:00:00Z POST \(base)/oauth2/v2.0/token", "  AADB2C90008 no client"]
            ),
            (
                20, "200 GET /\(String(repeating: "p", count: 30))",
                ["200 08:00:00Z GET", "  /\(String(repeating: "p", count: 30))"]
            ),
        ])
    func foldsBetweenWords(width: Int, text: String, lines: [String]) {
        #expect(shown(text, width: width) == lines.joined(separator: "\n"))
        // A file gets one line.
        #expect(!shown(text).contains("\n"))
    }

    @Test("on a terminal outcomes have colors, unless these are turned off", arguments: [nil, "--no-color"])
    func colorsOutcomesOnTerminals(off: String?) async throws {
        try await withSusi { susi in
            let options = off == "--no-color" ? ["--no-color"] : []
            let command = try susi.command(["emulator", "run", "--port", "0"] + options).inTerminal()
            try await command.start { program in
                let line = try await program.waitForLine(containing: " listens at ")
                let origin = try #require(line.firstMatch(of: #/http:\/\/localhost:\d+/#)?.0)
                _ = try await PlainVisit.get("\(origin)/")
                let shown = try await program.waitForLine(containing: "GET /")
                #expect(shown.contains("\u{1b}[32m200") == (off == nil), "\(shown)")
                #expect(shown.contains("\u{1b}") == (off == nil), "\(shown)")
            }
        }
    }
}
