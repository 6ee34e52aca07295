import ArgumentParser
import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The addresses and files that people give to `susi init`: the application that it writes, or why it writes none.
@Suite("Init sources", .timeLimit(.minutes(5)))
struct InitSourceTests {
    /// Writes the file of a source, if it is one, and passes the argument for `init` to `body`.
    private static func with<T>(_ source: InitSource, _ body: (_ argument: String) async throws -> T) async throws -> T
    {
        try await withTemporaryFolder { folder in
            guard let file = source.file else { return try await body(source.text) }
            let path = folder.appending(file).string
            try #require(source.text.data(using: source.isUTF16 ? .utf16 : .utf8)).write(to: URL(filePath: path))
            return try await body(path)
        }
    }

    /// Fills a draft as the command does and makes a file of it.
    private static func file(
        _ argument: String, _ flags: [String], _ draft: inout ApplicationDraft
    ) async throws -> DraftFile {
        let options = try DraftOptions.parse(flags)
        draft.again = options.completing(SuggestedCommand("init", [argument]))
        try options.fill(&draft)
        try await DraftSource.read(argument, into: &draft)
        return try DraftFile(draft)
    }

    private static func lines(_ error: any Error) -> [String] {
        SusiCommand.Program.explained(error, of: [], GivenOptions())?.0.error.lines(Style(isColored: false)) ?? []
    }

    private static func report(_ draft: ApplicationDraft, _ file: DraftFile) -> String {
        let next = SuggestedCommand("sign-in")
        let report = InitReport(
            draft: draft, application: file.application, file: "policies.json", outcomes: [:], isTrusted: false,
            next: next, copy: next)
        return report.lines(Style(isColored: false)).joined(separator: "\n")
    }

    @Test(arguments: InitSource.all)
    func writesTheTenantOrRefuses(source: InitSource) async throws {
        try await Self.with(source) { argument in
            var draft = ApplicationDraft()
            let file: DraftFile
            do { file = try await Self.file(argument, source.flags, &draft) } catch {
                let lines = Self.lines(error) + draft.unclear + ["client \(draft.clientID ?? "-")"]
                let text = lines.joined(separator: "\n")
                #expect(!source.refusal.isEmpty, "\(text)")
                for part in source.refusal { #expect(text.contains(part), "\(text)") }
                return
            }
            #expect(source.refusal.isEmpty, "\(file.text)")
            #expect(InitSource.notation(of: file.application) == InitSource.completed(source.application))
            let report = Self.report(draft, file)
            for part in source.report { #expect(report.contains(part), "\(report)") }
            #expect(!(file.text + report).contains("hunter2"))
        }
    }

    /// Files may end anywhere, and refer to themselves or to much.
    @Test func readsWhatIsNoConfiguration() throws {
        var texts = ["", "{", "\u{feff}", "a='", "x = `${x}`", "a: b: c:", ")]}", "<key>", "<add key=", "=", "A=${A}"]
        for source in InitSource.all {
            texts += stride(from: 0, to: source.text.utf8.count, by: 131).map { String(source.text.prefix($0)) }
        }
        texts.append(String(repeating: "a:{", count: 50_000))
        texts.append(String(repeating: "<key>a</key><dict>", count: 20_000))
        for text in texts {
            // Not named as JSON, so that a broken document is read as source code too.
            var draft = ApplicationDraft()
            guard let reader = try? SettingsReader(Array(text.utf8), named: "x.ts") else { continue }
            try? TenantSettings(reader, named: "x.ts").fill(&draft)
        }
    }

    private static let size = 1 << 16
    /// Files with the reason why they are refused; it is empty if they may be read.
    private static let hostile = [
        ("large.env", String(repeating: "#\n", count: SettingsReader.largest), "larger than 262144 bytes"),
        ("null.env", "CLIENT_ID=\0\n", "not a text file"),
        ("open.ts", "const clientId = \"\(String(repeating: "${", count: size))\"", ""),
        ("name.ts", "\(String(repeating: "a", count: size)) = 'c'\nclientId: a", ""),
        ("dots.ts", "\(String(repeating: "a.", count: size)) = 'c'\nclientId: a", ""),
        ("lists.ts", "clientId: a\n" + String(repeating: "a=[\"b\",", count: size / 8), ""),
        ("types.ts", "clientId: a\n" + String(repeating: "a: b b b b b b\n", count: size / 16), ""),
        ("quotes.ts", "clientId: a\n" + String(repeating: "'\"`", count: size / 3), ""),
        ("comments.ts", "clientId: a\n" + String(repeating: "/*", count: size), ""),
        ("tags.plist", "<key>clientId</key>" + String(repeating: "<string", count: size / 8), ""),
        ("line.env", "CLIENT_ID=x\n\(String(repeating: "a", count: size))=b", ""),
    ]

    /// With a time quadratic in the size, the test would exceed its time limit.
    @Test(arguments: hostile.indices)
    func endsSoonWithAHostileFile(index: Int) async throws {
        let (name, text, reason) = Self.hostile[index]
        try await Self.with(InitSource(file: name, text: text)) { argument in
            var draft = ApplicationDraft()
            do {
                _ = try await Self.file(argument, [], &draft)
                Issue.record("\(name) was accepted")
            } catch {
                let text = Self.lines(error).joined(separator: "\n")
                #expect(reason.isEmpty || text.contains(reason), "\(name): \(text.prefix(500))")
            }
        }
    }
}

extension InitSource {
    static let all = addresses + json + unclear + code + variables

    /// The notation with the ports that `init` writes by default.
    static func completed(_ notation: String) -> String {
        var lines = notation.split(separator: "\n").map(String.init)
        if !lines.contains(where: { $0.hasPrefix("ports ") }) { lines.insert("ports 8400 8401", at: 2) }
        return lines.joined(separator: "\n")
    }

    /// An application in short lines, with everything that `init` writes.
    static func notation(of application: Application) -> String {
        var lines = [
            "\(application.kind.rawValue) \(application.authority.spelling)", "client \(application.clientID)",
            "ports \(application.redirectPorts.map { "\($0)" }.joined(separator: " "))",
        ]
        lines += application.policies.map { policy in
            let scopes = policy.scopes.isEmpty ? "" : " scopes \(policy.scopes.joined(separator: " "))"
            let path = policy.redirectPath == "/" ? "" : " path \(policy.redirectPath)"
            return "policy \(policy.name) \(policy.kind.rawValue)\(path)\(scopes)"
        }
        lines += application.apis.map { "api \($0.name) \($0.baseURL) \($0.scopes.joined(separator: " "))" }
        return lines.joined(separator: "\n")
    }
}
