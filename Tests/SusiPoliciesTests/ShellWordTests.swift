import Foundation
import SusiBase
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

    /// Returns what a shell reads of the words, and expects that it runs nothing of them.
    private func read(_ texts: [String], by shell: FilePath) async throws -> (status: Int32, texts: [String]) {
        try await withTemporaryFolder { folder in
            let words = texts.map(\.shellWord).joined(separator: " ")
            let outcome = try await Program(
                shell, ["-c", "printf '%s|END|' " + words], environment: ["PATH": "/usr/bin:/bin"],
                workingFolder: folder
            ).run()
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
            #expect(left.isEmpty, "\(shell): \(words) ran something")
            return (outcome.status, outcome.standardOutput.components(separatedBy: "|END|").dropLast())
        }
    }

    @Test("dash, bash, zsh and fish read the text", arguments: shells) func isReadByEveryShell(shell: FilePath)
        async throws
    {
        for text in Self.texts {
            let word = text.shellWord
            #expect(
                word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f && $0 != "\u{202e}" }, "\(word)")
            // Between single quotes, fish reads a backslash before a quote as an escape.
            #expect(!text.contains("\\") || text.shellQuoted.hasPrefix("\"$(printf '"), "\(text.shellQuoted)")
        }
        let read = try await read(Self.texts, by: shell)
        #expect(read.status == 0 && read.texts == Self.texts, "\(shell)")
    }

    // No word of a POSIX shell means it: a command substitution loses the line feeds at its end.
    @Test("a text with a line feed at its end runs nothing", arguments: shells)
    func runsNothingOfTrailingLineFeed(shell: FilePath) async throws {
        for text in ["x\n", "'; touch pwned #\n", "\\'; touch pwned #\n\n"] {
            let read = try await read([text], by: shell)
            // fish does not know the quotes, and reports them.
            #expect(read.status == 0 || shell.lastComponent == "fish", "\(shell)")
            let isExact = ["bash", "zsh"].contains(shell.lastComponent?.string)
            #expect(!isExact || read.texts == [text], "\(shell): \(text.shellWord)")
        }
    }

    @Test("what needs no quotes and no escapes is written plainly") func staysReadable() {
        #expect("it's".shellQuoted == #"'it'\''s'"# && "é\u{1b}a".shellEscapes == #"é\033a"#)
    }
}
