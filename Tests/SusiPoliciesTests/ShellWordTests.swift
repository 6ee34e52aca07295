import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// Words for a shell: each POSIX shell, and fish, reads exactly the text, and runs nothing of it.
@Suite("Shell words", .timeLimit(.minutes(5)))
struct ShellWordTests {
    private static let shells = ["dash", "bash", "zsh", "sh", "fish"].compactMap { TestEnvironment.program($0) }

    private static let texts = [
        "plain", "", "two words", "it's", "a\\b", "=name", "-n", "$HOME `id` $(id)", "a!b", "é日",
        "it'\u{301}; touch pwned",
        "x\n'; touch pwned #", "x\\\n'; touch pwned '", "\n'\\''; touch pwned #",
        "\u{1b}[31m!! %s %d %% \\n 'quoted' \"x\"",
        "tab\t", "\r", "\u{7f}\u{9b}1m", "\u{202e}abc", "a\u{1}2", "-e \u{1}", "%\u{1}", "`id`\u{1}$(touch pwned)",
        "a\n\nb",
        "$'\u{1}\\'; touch pwned #", "é\u{1}日", "\\'; touch pwned #", "\\", "\\\\'; touch pwned #", "a\\nb",
    ]

    private func read(_ word: String, by shell: FilePath, in folder: FilePath) async throws -> ProgramOutcome {
        try await Program(
            shell, ["-c", "printf '%s.' \(word)"], environment: ["PATH": "/usr/bin:/bin"], workingFolder: folder
        ).run()
    }

    @Test("dash, bash, zsh and fish read the text", arguments: texts)
    func isReadByEveryShell(text: String) async throws {
        let word = text.shellWord
        #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f && $0 != "\u{202e}" }, "\(word)")
        // Between single quotes, fish reads a backslash before a quote as an escape.
        #expect(!text.contains("\\") || text.shellQuoted.hasPrefix("\"$(printf '"), "\(text.shellQuoted)")
        try await withTemporaryFolder { folder in
            for shell in Self.shells {
                let outcome = try await read(word, by: shell, in: folder)
                #expect(outcome.status == 0 && outcome.standardOutput == text + ".", "\(shell): \(word): \(outcome)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string).isEmpty, "\(word) ran something")
        }
    }

    // No word of a POSIX shell means it: a command substitution loses the line feeds at its end.
    @Test(
        "a text with a line feed at its end runs nothing",
        arguments: ["x\n", "'; touch pwned #\n", "\\'; touch pwned #\n\n"])
    func runsNothingOfTrailingLineFeed(text: String) async throws {
        try await withTemporaryFolder { folder in
            for shell in Self.shells {
                let outcome = try await read(text.shellWord, by: shell, in: folder)
                // fish does not know the quotes, and reports them.
                #expect(outcome.status == 0 || shell.lastComponent == "fish", "\(shell): \(outcome)")
                let isExact = ["bash", "zsh"].contains(shell.lastComponent?.string)
                #expect(!isExact || outcome.standardOutput == text + ".", "\(shell): \(text.shellWord): \(outcome)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string).isEmpty)
        }
    }
}
