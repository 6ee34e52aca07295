import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// `susi init` with the files and addresses that people have: the file that it writes, or why it writes none.
@Suite("Init sources", .inTurn, .timeLimit(.minutes(5)))
struct InitSourceTests {
    private static func run(_ source: InitSource, _ susi: SusiBinary) async throws -> ProgramOutcome {
        if let file = source.file {
            let path = susi.home.workingFolder.appending(file).string
            try #require(source.text.data(using: source.isUTF16 ? .utf16 : .utf8)).write(to: URL(filePath: path))
        }
        return try await susi.command(["init", source.file ?? source.text, "--offline"] + source.flags).run()
    }

    @Test(arguments: InitSource.all)
    func writesTheTenantOrRefuses(source: InitSource) async throws {
        try await withSusi { susi in
            let made = try await Self.run(source, susi)
            let path = susi.home.workingFolder.appending("policies.json").string
            guard source.refusal.isEmpty else {
                #expect(made.status != 0 && !SmallFile.exists(path), "\(made)")
                for part in source.refusal { #expect(made.standardError.contains(part), "\(made)") }
                return
            }
            #expect(made.status == 0, "\(made)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let application = try #require(try PoliciesFile(text: text.utf8, source: "policies.json").application(nil))
            #expect(InitSource.notation(of: application) == InitSource.completed(source.application), "\(text)")
            for part in source.report { #expect(made.standardOutput.contains(part), "\(made)") }
            #expect(!made.description.contains("hunter2") && !text.contains("hunter2"), "\(made)")
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

    struct Hostile: Sendable, CustomTestStringConvertible {
        let file: String
        let text: String
        /// A part of the error; empty if the file may be read.
        var refusal = ""
        var testDescription: String { "\(file), \(refusal)" }
    }

    private static let size = 1 << 16
    private static let hostile = [
        Hostile(
            file: "many.json",
            text: "{\(((1...10_001).map { "\"a\($0)\": \"\($0)\"" }).joined(separator: ","))}",
            refusal: "more than 10000 values"),
        Hostile(
            file: "large.env", text: String(repeating: "#\n", count: SettingsReader.largest),
            refusal: "larger than 262144 bytes"),
        Hostile(file: "null.env", text: "CLIENT_ID=\0\n", refusal: "not a text file"),
        Hostile(file: "open.ts", text: "const clientId = \"\(String(repeating: "${", count: size))\""),
        Hostile(file: "name.ts", text: "\(String(repeating: "a", count: size)) = 'c'\nclientId: a"),
        Hostile(file: "dots.ts", text: "\(String(repeating: "a.", count: size)) = 'c'\nclientId: a"),
        Hostile(file: "lists.ts", text: "clientId: a\n" + String(repeating: "a=[\"b\",", count: size / 8)),
        Hostile(file: "types.ts", text: "clientId: a\n" + String(repeating: "a: b b b b b b\n", count: size / 16)),
        Hostile(file: "quotes.ts", text: "clientId: a\n" + String(repeating: "'\"`", count: size / 3)),
        Hostile(file: "comments.ts", text: "clientId: a\n" + String(repeating: "/*", count: size)),
        Hostile(file: "tags.plist", text: "<key>clientId</key>" + String(repeating: "<string", count: size / 8)),
        Hostile(file: "line.env", text: "CLIENT_ID=x\n\(String(repeating: "a", count: size))=b"),
    ]

    /// With a time quadratic in the size, the command would exceed its time limit.
    @Test(arguments: hostile)
    func endsSoonWithAHostileFile(source: Hostile) async throws {
        try await withSusi { susi in
            let path = susi.home.workingFolder.appending(source.file).string
            try Data(source.text.utf8).write(to: URL(filePath: path))
            let outcome = try await susi.command(["init", source.file, "--offline"], limit: .seconds(100)).run()
            #expect(outcome.status != 0 && outcome.status < 128, "\(outcome.status)")
            let isRefused = source.refusal.isEmpty || outcome.standardError.contains(source.refusal)
            #expect(isRefused, "\(outcome.standardError.prefix(500))")
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
            "\(application.kind.rawValue) \(application.authority)", "client \(application.clientID)",
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
