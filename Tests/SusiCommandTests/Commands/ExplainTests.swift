import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// `susi explain`: the error codes of servers, typed or within a pasted text.
@Suite("Explain", .timeLimit(.minutes(5)))
struct ExplainTests {
    @Test("every code of the table is explained: meaning, cause, what to do")
    func explainsEveryCode() async throws {
        try await withSusi { susi in
            for start in stride(from: 0, to: ErrorCode.table.count, by: 40) {
                let rows = ErrorCode.table[start...].prefix(40)
                let outcome = try await susi.command(["explain"] + rows.map(\.name)).run()
                #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
                let parts = outcome.standardOutput.components(separatedBy: "\n\n")
                #expect(parts.count == rows.count, "\(outcome)")
                for (part, row) in zip(parts, rows) {
                    let lines = part.split(separator: "\n").map(String.init)
                    #expect(lines.first == row.name, "\(part)")
                    #expect(lines.count > 3 && lines[1] == "  meaning  \(row.meaning)", "\(part)")
                    #expect(lines[2] == "  cause    \(row.cause)" && !row.cause.isEmpty, "\(part)")
                    #expect(lines[3].hasPrefix("  to do    ") && lines[3].count > 14, "\(part)")
                }
            }
        }
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

    @Test(
        "a code is found in whatever was pasted",
        arguments: [
            "AADB2C90118", "aadb2c90118", " AADB2C90118: ", "90118", description, address,
            address.replacing("/?", with: "/#"),
            "susi: the server refused\n  AADB2C90118: x\n  next: susi reset-password",
            #"{"error":"access_denied","error_description":"AADB2C90118: x\r\nCorrelation ID: 1"}"#,
            "GET /?error=access_denied&error_description=AADB2C90118%3a+The+user HTTP/1.1",
        ])
    func findsCode(text: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.run("explain", text)
            #expect(outcome.status == 0 && outcome.standardOutput.hasPrefix("AADB2C90118\n"), "\(outcome)")
            #expect(outcome.standardOutput.contains("\n  meaning  "), "\(outcome)")
            #expect(outcome.standardOutput.contains("  next     susi reset-password"), "\(outcome)")
            #expect(!outcome.standardOutput.contains("access_denied"), "the service's own code is exact: \(outcome)")
            #expect(!outcome.standardOutput.contains("secret-state"), "\(outcome)")
            if text.contains("5e0c8a53") {
                #expect(outcome.standardOutput.contains("5e0c8a53-0000-4000-8000-1e0d6e1b9a10"), "\(outcome)")
                #expect(outcome.standardOutput.contains("2027-01-15 08:00:00Z"), "\(outcome)")
            }
            let piped = try await susi.run("explain", "-", input: text)
            #expect(piped.standardOutput == outcome.standardOutput, "\(piped)")
            let words = text.split(separator: " ").map(String.init)
            let unquoted = try await susi.command(["explain"] + words).run()
            #expect(unquoted.standardOutput.hasPrefix("AADB2C90118\n"), "\(unquoted)")
        }
    }

    @Test("errors of OAuth and of Entra ID, and several codes at once")
    func explainsOtherServices() async throws {
        try await withSusi { susi in
            let entra = try await susi.run("explain", "invalid_grant: AADSTS50173: revoked. Trace ID: 1")
            #expect(entra.standardOutput.hasPrefix("AADSTS50173\n"), "\(entra)")
            #expect(entra.standardOutput.contains("  next     susi sign-in"), "\(entra)")
            // Codes of personal accounts.
            for (code, remedy) in [
                ("AADSTS9002331", "name consumers as the tenant"),
                ("AADSTS9002332", "name organizations or the tenant"),
                ("AADSTS90023", "check the scopes and the options"),
                ("AADSTS70011", "for personal accounts, name each scope"),
                ("AADSTS500208", "https://NAME.ciamlogin.com/common/oauth2/deviceauth"),
            ] {
                let explained = try await susi.run("explain", code)
                let words = explained.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(words.hasPrefix(code) && words.contains(remedy), "\(explained)")
            }
            let oauth = try await susi.run("explain", "invalid_grant")
            #expect(oauth.standardOutput.hasPrefix("invalid_grant\n"), "\(oauth)")
            let several = try await susi.run("explain", "--json", "AADB2C90080", "AADSTS65001", "AADB2C90080")
            let json = try JSONNode(parsing: several.standardOutput.utf8)
            let codes = json["codes"]?.array ?? []
            #expect(codes.compactMap { $0["code"]?.string } == ["AADB2C90080", "AADSTS65001"], "\(several)")
            #expect(codes.first?["consequence"]?.string == "signIn", "\(several)")
            for name in ["meaning", "cause", "toDo"] {
                #expect(codes.allSatisfy { $0[name]?.string?.isEmpty == false }, "\(several)")
            }
        }
    }

    @Test("a number alone is explained for each service that has it")
    func explainsNumberOfEachService() async throws {
        try await withSusi { susi in
            for (number, names) in [
                ("90006", ["AADB2C90006", "AADSTS90006"]), ("50173", ["AADSTS50173"]), ("90118", ["AADB2C90118"]),
            ] {
                let outcome = try await susi.run("explain", "--json", number)
                let codes = try JSONNode(parsing: outcome.standardOutput.utf8)["codes"]?.array ?? []
                #expect(outcome.status == 0 && codes.compactMap { $0["code"]?.string } == names, "\(outcome)")
            }
            let unknown = try await susi.run("explain", "99999")
            #expect(unknown.status == 5, "\(unknown)")
            for name in ["AADB2C99999", "AADSTS99999"] {
                #expect(unknown.standardError.contains(name), "\(name): \(unknown)")
            }
        }
    }

    @Test("a custom policy's own code keeps its spelling, and an error with it is no cancellation")
    func keepsCodesOfCustomPolicies() async throws {
        try await withSusi { susi in
            for code in ["AAD_Custom_1234", "U123456", "AADB2C90118_own"] {
                for text in [code, "\(code): You are not allowed"] {
                    let outcome = try await susi.run("explain", text)
                    #expect(outcome.status == 5 && outcome.standardError.contains("“\(code)”"), "\(outcome)")
                }
                let fields = FormEncoding.encode([("error", "access_denied"), ("error_description", "\(code): no")])
                let outcome = try await susi.run("explain", "--json", "http://localhost:8400/?\(fields)")
                let codes = try JSONNode(parsing: outcome.standardOutput.utf8)["codes"]?.array ?? []
                #expect(codes.compactMap { $0["code"]?.string } == ["access_denied"], "\(outcome)")
                #expect(codes.first?["consequence"]?.string == "failed", "\(outcome)")
            }
        }
    }

    @Test("an unknown code says so, with exit code 5; the error beside it is explained")
    func reportsUnknownCodes() async throws {
        try await withSusi { susi in
            let unknown = try await susi.run("explain", "AADB2C90119")
            #expect(unknown.status == 5 && unknown.standardOutput.isEmpty, "\(unknown)")
            #expect(unknown.standardError.contains("“AADB2C90119”"), "\(unknown)")
            #expect(unknown.standardError.contains("susi help error-codes"), "\(unknown)")
            let beside = try await susi.run("explain", "invalid_grant: AADSTS999999999: new")
            #expect(beside.status == 0 && beside.standardOutput.hasPrefix("invalid_grant\n"), "\(beside)")
            #expect(beside.standardError.contains("AADSTS999999999"), "\(beside)")
            let near = try await susi.run("explain", "invalid_grnt")
            #expect(near.status == 5 && near.standardError.contains("“invalid_grant”"), "\(near)")
            for text in ["", "what now", "http://localhost:8400/?code=secret-code&state=secret-state"] {
                let none = try await susi.run("explain", text)
                #expect(none.status == 64 && none.standardOutput.isEmpty, "\(none)")
                #expect(none.standardError.contains("no error code"), "\(none)")
                #expect(!none.standardError.contains("secret"), "\(none)")
            }
            let hostile = try await susi.run("explain", "AADB2C90118: \u{1b}[31m\u{202e} Correlation ID: \u{1b}[31mx")
            #expect(hostile.standardOutput.unicodeScalars.allSatisfy { $0 == "\n" || DisplayText.isHarmless($0) })
        }
    }

    @Test("help error-codes explains a code too; other topics accept no more words")
    func helpExplainsCode() async throws {
        try await withSusi { susi in
            let explained = try await susi.run("explain", "AADB2C90118")
            let help = try await susi.run("help", "error-codes", "AADB2C90118")
            #expect(help.status == 0 && help.standardOutput == explained.standardOutput, "\(help)")
            let unknown = try await susi.run("help", "error-codes", "AADB2C90119")
            #expect(unknown.status == 5 && unknown.standardOutput.isEmpty, "\(unknown)")
            for topic in ["exit-codes", "environment"] {
                let more = try await susi.run("help", topic, "4")
                #expect(more.status == 64 && more.standardOutput.isEmpty, "\(more)")
                #expect(more.standardError.contains("next: susi help \(topic)"), "\(more)")
            }
        }
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("each code that the sources of inspect and the manuals name is explained")
    func explainsCodesOfAPIs() async throws {
        var named: Set<String> = []
        for path in [
            "Susi/Inspecting/APICheck.swift", "Susi/Susi.docc/OtherPrograms.md",
            "SusiEmulator/SusiEmulator.docc/YourApplication.md",
        ] {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            named.formUnion(text.matches(of: #/(?:IDX|IDW)[0-9]{5}/#).map { String($0.output) })
        }
        #expect(named.count > 10)
        try await withSusi { susi in
            for code in named.sorted() {
                let outcome = try await susi.run("explain", code)
                #expect(outcome.status == 0 && outcome.standardOutput.hasPrefix("\(code)\n"), "\(outcome)")
            }
            let log =
                "Microsoft.IdentityModel.Tokens.SecurityTokenInvalidAudienceException: IDX10214: Audience validation failed."
            let pasted = try await susi.run("explain", log)
            #expect(pasted.standardOutput.hasPrefix("IDX10214\n"), "\(pasted)")
            #expect(pasted.standardOutput.contains("  next     susi inspect --for-api appsettings.json"), "\(pasted)")
            let unknown = try await susi.run("explain", "IDX99999: x")
            #expect(unknown.status == 5 && unknown.standardError.contains("“IDX99999”"), "\(unknown)")
        }
    }

    @Test("codes are completed")
    func completesCodes() async throws {
        try await withSusi { susi in
            let found = try await CompletionTests.names(susi, ["explain"], "positional@0")
            #expect(found.standardOutput.contains("AADB2C90118\t"), "\(found)")
        }
    }
}
