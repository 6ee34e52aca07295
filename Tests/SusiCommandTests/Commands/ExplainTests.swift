import Foundation
import Susi
import SusiTestSupport
import SusiTools
import Testing

@testable import SusiCommand

/// `susi explain`: the error codes of servers, typed or within a pasted text.
@Suite("Explain", .timeLimit(.minutes(5)))
struct ExplainTests {
    private static func report(_ texts: String...) -> ErrorCodeReport {
        ErrorCodeReport(errors: texts.map(PastedError.init))
    }

    private static func lines(_ report: ErrorCodeReport) -> [String] { report.lines(Style(isColored: false)) }

    @Test("every code of the table is explained: meaning, cause, what to do")
    func explainsEveryCode() {
        for row in ErrorCode.table {
            let lines = Self.lines(Self.report(row.name))
            #expect(lines.first == row.name && lines.count > 3, "\(lines)")
            #expect(lines[1] == "  meaning  \(row.meaning)" && lines[2] == "  cause    \(row.cause)", "\(lines)")
            #expect(!row.meaning.isEmpty && !row.cause.isEmpty && lines[3].count > 14, "\(lines)")
        }
    }

    @Test("a code of two words with a space, as people say it", arguments: ["redirect_uri mismatch", "Invalid grant "])
    func findsSpokenCode(_ text: String) {
        let name = text.lowercased().trimmingCharacters(in: .whitespaces).replacing(" ", with: "_")
        #expect(Self.report(text).codes.map(\.name) == [name])
    }

    private static let description = """
        AADB2C90118: The user has forgotten their password.\r
        Correlation ID: 5e0c8a53-0000-4000-8000-1e0d6e1b9a10\r
        Timestamp: 2027-01-15 08:00:00Z\r

        """

    private static var address: String {
        let text = FormEncoding.encode([("error", "access_denied"), ("error_description", description)])
        return "http://localhost:8400/?\(text)&state=secret-state"
    }

    private static let pasted = [
        "AADB2C90118", "aadb2c90118", " AADB2C90118: ", "90118", description, address,
        address.replacing("/?", with: "/#"),
        "susi: the server refused\n  AADB2C90118: x\n  next: susi reset-password",
        #"{"error":"access_denied","error_description":"AADB2C90118: x\r\nCorrelation ID: 1"}"#,
        "GET /?error=access_denied&error_description=AADB2C90118%3a+The+user HTTP/1.1",
    ]

    /// The service's own code is more exact than the error beside it.
    @Test("a code is found in whatever was pasted", arguments: pasted)
    func findsCode(text: String) {
        let report = Self.report(text)
        let shown = Self.lines(report).joined(separator: "\n")
        #expect(report.codes.map(\.name) == ["AADB2C90118"] && report.unknown.isEmpty, "\(shown)")
        #expect(shown.contains("\n  next     susi reset-password") && !shown.contains("secret-state"), "\(shown)")
        guard text.contains("5e0c8a53") else { return }
        #expect(shown.contains("5e0c8a53-0000-4000-8000-1e0d6e1b9a10"), "\(shown)")
        #expect(shown.contains("2027-01-15 08:00:00Z"), "\(shown)")
    }

    @Test("the text is an argument, several arguments or standard input; help error-codes explains a code too")
    func readsTextFromArgumentsOrInput() async throws {
        try await withSusi { susi in
            let expected = Self.lines(Self.report(Self.address)).map { $0 + "\n" }.joined()
            for (words, input) in [
                (["explain", Self.address], nil), (["explain", "-"], Self.address),
                (["help", "error-codes", Self.address], nil),
            ] as [([String], String?)] {
                let input = input.map(SusiTestSupport.Program.Input.text) ?? .none
                try await susi.command(words, input: input).run().exits(0, output: expected)
            }
            let unquoted = Self.pasted[7].split(separator: " ").map(String.init)
            let joined = try await susi.command(["explain"] + unquoted).run()
            #expect(joined.standardOutput.hasPrefix("AADB2C90118\n"), "\(joined)")
            let several = try await susi.run("explain", "--json", "AADB2C90080", "AADSTS65001", "AADB2C90080")
            let codes = try several.json()["codes"]?.array ?? []
            #expect(codes.compactMap { $0["code"]?.string } == ["AADB2C90080", "AADSTS65001"], "\(several)")
            #expect(codes.first?["consequence"]?.string == "signIn", "\(several)")
            let beside = try await susi.run("explain", "invalid_grant: AADSTS999999999: new")
            #expect(beside.status == 0 && beside.standardOutput.hasPrefix("invalid_grant\n"), "\(beside)")
            #expect(beside.standardError.contains("AADSTS999999999"), "\(beside)")
            for words in [["policies", "nope"], ["exit-code"]] {
                #expect(try await susi.command(["help"] + words).run().status == 64, "\(words)")
            }
            // Other topics accept no more words.
            for topic in ["exit-codes", "environment"] {
                try await susi.run("help", topic, "4").exits(64, saying: "next: susi help \(topic)")
            }
        }
    }

    @Test(
        "errors of OAuth and of Entra ID, and codes of personal accounts",
        arguments: [
            ("invalid_grant: AADSTS50173: revoked. Trace ID: 1", "AADSTS50173", "susi sign-in"),
            ("AADSTS9002331", "AADSTS9002331", "name consumers as the tenant"),
            ("AADSTS9002332", "AADSTS9002332", "name organizations or the tenant"),
            ("AADSTS90023", "AADSTS90023", "check the scopes and the options"),
            ("AADSTS70011", "AADSTS70011", "for personal accounts, name each scope"),
            ("AADSTS500208", "AADSTS500208", "https://NAME.ciamlogin.com/common/oauth2/deviceauth"),
            ("invalid_grant", "invalid_grant", "susi sign-in"),
        ])
    func explainsOtherServices(text: String, code: String, remedy: String) {
        let lines = Self.lines(Self.report(text))
        #expect(lines.first == code && lines.joined(separator: "\n").contains(remedy), "\(lines)")
    }

    @Test(
        "a number alone is explained for each service that has it",
        arguments: [
            ("90006", ["AADB2C90006", "AADSTS90006"]), ("50173", ["AADSTS50173"]), ("90118", ["AADB2C90118"]),
        ])
    func explainsNumberOfEachService(number: String, names: [String]) {
        #expect(Self.report(number).codes.map(\.name) == names)
    }

    @Test("a custom policy's own code keeps its spelling, and an error with it is no cancellation")
    func keepsCodesOfCustomPolicies() {
        for code in ["AAD_Custom_1234", "U123456", "AADB2C90118_own"] {
            for text in [code, "\(code): You are not allowed"] {
                #expect(Self.report(text).codes.isEmpty && Self.report(text).unknown == [code], "\(text)")
            }
            let fields = FormEncoding.encode([("error", "access_denied"), ("error_description", "\(code): no")])
            let report = Self.report("http://localhost:8400/?\(fields)")
            #expect(report.codes.map(\.name) == ["access_denied"])
            #expect(report.codes.first?.consequence == .failed)
        }
    }

    @Test("control characters of a pasted text are escaped")
    func escapesPastedText() {
        let hostile = Self.lines(Self.report("AADB2C90118: \u{1b}[31m\u{202e} Correlation ID: \u{1b}[31mx"))
        #expect(hostile.joined().unicodeScalars.allSatisfy(DisplayText.isHarmless), "\(hostile)")
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("each code that the sources of inspect and the manuals name is explained")
    func explainsCodesOfAPIs() throws {
        var named: Set<String> = []
        for path in [
            "SusiTools/Inspect/APIRule.swift", "Susi/Susi.docc/Troubleshooting.md",
            "../Tests/Examples/Stacks.md",
        ] {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            named.formUnion(text.matches(of: #/(?:IDX|IDW)[0-9]{5}/#).map { String($0.output) })
        }
        #expect(named.count > 10)
        for code in named { #expect(Self.report(code).codes.map(\.name) == [code]) }
        let log =
            "Microsoft.IdentityModel.Tokens.SecurityTokenInvalidAudienceException: IDX10214: Audience validation failed."
        let lines = Self.lines(Self.report(log))
        #expect(lines.first == "IDX10214", "\(lines)")
        #expect(lines.contains("  next     susi inspect --for-api appsettings.json"), "\(lines)")
    }

    @Test func completesCodes() async throws {
        try await withSusi { susi in
            let found = try await CompletionTests.names(susi, ["explain"], "positional@0")
            #expect(found.standardOutput.contains("AADB2C90118\t"), "\(found)")
        }
    }
}
