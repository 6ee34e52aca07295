import ArgumentParser
import Susi
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiCommand

/// Help texts on terminals of several widths, with the options of a command first.
@Suite("Help", .inTurn, .timeLimit(.minutes(5)))
struct HelpTests {
    @Test func summarizesEveryCommandInOneLine() {
        #expect(CommandTree.all.count > 35)
        for (_, type) in CommandTree.all {
            let summary = type.configuration.abstract
            #expect(!summary.isEmpty && summary.count <= 70 && summary.hasSuffix("."), "\(summary)")
        }
    }

    @Test(arguments: [60, 80, 200])
    func fitsTheTerminal(columns: Int) {
        for (words, type) in CommandTree.all {
            let help = CommandTree.help(type, columns: columns)
            let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            // A long example is not wrapped.
            for line in lines where !(columns == 60 && line.hasPrefix("  ")) {
                #expect(line.count <= min(columns, 100), "\(words): \(line)")
            }
            Self.expectFilledLines(lines, min(columns, 100))
        }
    }

    @Test func readsTheWidthOfTheTerminal() async throws {
        try await withSusi { susi in
            for columns in [60, 200] {
                try await susi.run("help", "sign-in", environment: ["COLUMNS": "\(columns)"]).exits(
                    0, output: CommandTree.help(SignInCommand.self, columns: columns) + "\n")
            }
            for topic in HelpTopic.allCases {
                let help = try await susi.run("help", topic.rawValue, environment: ["COLUMNS": "60"]).exits(
                    0, error: "")
                let lines = help.standardOutput.split(separator: "\n")
                #expect(lines.count > 10 && lines.allSatisfy { $0.count <= 60 }, "\(help)")
            }
        }
    }

    /// Expects that a line of prose ends only where the next word no longer fits.
    private static func expectFilledLines(_ lines: [String], _ columns: Int) {
        let isProse = { (line: String) in line.first?.isLetter ?? false || line.hasPrefix("./") }
        for (line, next) in zip(lines, lines.dropFirst()) where isProse(line) && isProse(next) {
            let word = next.prefix { $0 != " " }
            #expect(line.count + 1 + word.count >= columns, "\(line)\n\(next)")
        }
    }

    @Test func putsTheOptionsOfACommandBeforeTheCommonOnes() throws {
        let help = CommandTree.help(RemoveCommand.self, columns: 80)
        let places = try [
            "OVERVIEW: ", "USAGE: susi remove [<options>] <account>", "ARGUMENTS:", "\nOPTIONS:", "--person  ",
            "COMMON OPTIONS:", "--application", "-h, --help",
        ].map { text in try #require(help.firstRange(of: text)?.lowerBound, "\(text)") }
        #expect(places == places.sorted())
    }

    @Test func describesEveryCommandForPrograms() throws {
        let document = try Self.document([])
        let described = try #require(document["commands"]?.array).compactMap { $0["command"]?.string }
        #expect(described == CommandTree.leaves.map { $0.words.joined(separator: " ") })
        let store = try Self.document(["store"])["commands"]?.array?.compactMap { $0["command"]?.string }
        #expect(store == described.filter { $0.hasPrefix("store ") })
        let remove = try #require(try Self.document(["remove"])["commands"]?.array?.first)
        #expect(remove["arguments"]?.array?.first?["name"]?.string == "account")
        let person = remove["options"]?.array?.first { $0["names"]?.strings == ["--person"] }
        #expect(person != nil && person?["value"] == nil)
        let variables = document["variables"]?.array?.flatMap { $0["names"]?.strings ?? [] } ?? []
        #expect(variables.contains("SUSI_HOME") && variables.contains("ALL_PROXY"))
    }

    @Test("the description for programs has every option and exit code of the manuals")
    func describesWhatManualsName() throws {
        let document = try Self.document([])
        let all = try #require(document["commands"]?.array)
        let codes = Set(document["exitCodes"]?.array?.compactMap { $0["code"]?.lenientInteger } ?? [])
        for manual in Manuals.all {
            let text = try manual.read()
            for words in text.commands + text.blocks("sh").flatMap(Document.commands) {
                let name = SusiCommand.Program.command(in: words)
                // A group has no options of its own, and those after `exec` or `doctor` may belong to the command that it runs.
                guard !["exec", "doctor"].contains(name.last),
                    let command = all.first(where: { $0["command"]?.string == name.joined(separator: " ") })
                else { continue }
                let names = command["options"]?.array?.flatMap { $0["names"]?.strings ?? [] } ?? []
                let options = SusiCommand.Program.ownWords(words).filter {
                    $0.wholeMatch(of: #/-[a-zA-Z]|--[a-z][a-z-]*/#) != nil
                }
                #expect(Set(options).isSubset(of: names), "\(words)")
            }
            for match in text.text.matches(of: #/exit code (\d+)/#) {
                #expect(codes.contains(Int64(match.1) ?? -1), "\(match.0)")
            }
        }
        let rows = try Manuals.forAgents.read().text.matches(of: #/(?m)^\| ([\d, ]+) \|/#)
        #expect(Set(rows.flatMap { $0.1.split(separator: ", ") }.compactMap { Int64($0) }) == codes)
    }

    private static func document(_ words: [String]) throws -> JSONNode {
        try JSONNode(parsing: HelpDocument(words).json.text.utf8)
    }

    @Test func printsBoldTitlesOnATerminal() async throws {
        try await withSusi { susi in
            let plain = try await susi.run("--help").standardOutput
            #expect(!plain.lowercased().contains("subcommand") && !plain.contains("\u{1b}"), "\(plain)")
            let shown = try await susi.command(["--help"], environment: ["TERM": "xterm"]).inTerminal(columns: 100)
                .run()
            for title in ["USAGE:", "DAILY COMMANDS:", "OPTIONS:"] {
                #expect(shown.standardOutput.contains("\u{1b}[1m\(title)\u{1b}[0m"), "\(shown)")
            }
        }
    }

    @Test func understandsCommonCommandNames() async throws {
        try await withSusi { susi in
            for (alias, type) in [
                ("login", SignInCommand.self), ("logout", SignOutCommand.self), ("whoami", StatusCommand.self),
                ("ls", AccountsCommand.self),
            ] as [(String, any ParsableCommand.Type)] {
                let help = CommandTree.help(type, columns: 80) + "\n"
                #expect(try await susi.run("help", alias).standardOutput == help)
                #expect(try await susi.run(alias, "--help").standardOutput == help)
            }
            let status = try await susi.run("status", "--json").standardOutput
            #expect(try await susi.run("whoami", "--json").standardOutput == status)
            let group = CommandTree.help(EmulatorCommand.self, columns: 80) + "\n"
            try await susi.run("emulator").exits(0, output: group, error: "")
            let version = try await susi.run("--version").exits(0, printing: ".")
            for arguments in [["-v"], ["version"]] {
                #expect(try await susi.command(arguments).run().standardOutput == version.standardOutput)
            }
        }
    }

    @Test func acceptsThePersonOfASignInAsAnArgument() async throws {
        try await withLocalTenant { tenant in
            try await tenant.interact(["sign-in", "ana@contoso.example"], as: .ben).exits(
                7, saying: "susi sign-in -a ana@contoso.example")
            #expect(try await tenant.interact(["login", "ana@contoso.example"], as: .ana).status == 0)
        }
    }
}
