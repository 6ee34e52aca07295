import ArgumentParser
import SusiTestSupport
import Testing

@testable import SusiCommand

/// Help texts on terminals of several widths, with the options of a command first.
@Suite("Help", .inTurn, .timeLimit(.minutes(5)))
struct HelpTests {
    private static let commands: [[String]] = [[]] + inner(Root.self, [])

    private static func inner(_ type: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
        type.configuration.subcommands.flatMap { (command: any ParsableCommand.Type) -> [[String]] in
            let own = path + [command.configuration.commandName ?? ""]
            return [own] + inner(command, own)
        }
    }

    @Test func summarizesEveryCommandInOneLine() {
        var types: [any ParsableCommand.Type] = [Root.self]
        while let type = types.popLast() {
            let summary = type.configuration.abstract
            #expect(!summary.isEmpty && summary.count <= 70 && summary.hasSuffix("."), "\(summary)")
            types += type.configuration.subcommands
        }
    }

    @Test(arguments: [60, 80, 200])
    func fitsTheTerminal(columns: Int) async throws {
        #expect(Self.commands.count > 35)
        try await withSusi { susi in
            for command in Self.commands {
                let help = try await susi.command(["help"] + command, environment: ["COLUMNS": "\(columns)"]).run()
                #expect(help.status == 0 && help.standardError.isEmpty, "\(help)")
                let lines = help.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init)
                // A long example is not wrapped.
                for line in lines where !(columns == 60 && line.hasPrefix("  ")) {
                    #expect(line.count <= min(columns, 100), "\(command): \(line)")
                }
                Self.expectFilledLines(lines, min(columns, 100))
            }
        }
    }

    @Test(arguments: [60, 80])
    func fitsTheTopicsToTheTerminal(columns: Int) async throws {
        try await withSusi { susi in
            for topic in HelpTopic.allCases {
                let environment = columns == 80 ? [:] : ["COLUMNS": "\(columns)"]
                let help = try await susi.run("help", topic.rawValue, environment: environment)
                #expect(help.status == 0 && help.standardError.isEmpty, "\(help)")
                let lines = help.standardOutput.split(separator: "\n")
                #expect(lines.count > 10 && lines.allSatisfy { $0.count <= columns }, "\(help)")
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

    @Test func putsTheOptionsOfACommandBeforeTheCommonOnes() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "remove").standardOutput
            let places = try [
                "OVERVIEW: ", "  susi remove ana@contoso.example", "USAGE: susi remove [<options>] <account>",
                "ARGUMENTS:", "\nOPTIONS:", "--person  ", "COMMON OPTIONS:", "--application", "-h, --help",
            ].map { text in try #require(help.firstRange(of: text)?.lowerBound, "\(text)") }
            #expect(places == places.sorted())
            let signIn = try await susi.run("sign-in", "-h").standardOutput
            let titles = signIn.split(separator: "\n").filter { $0.hasSuffix("OPTIONS:") }
            #expect(titles == ["OPTIONS:", "BROWSER OPTIONS:", "SIGN-IN PAGE OPTIONS:", "COMMON OPTIONS:"])
        }
    }

    @Test func groupsTheCommands() async throws {
        try await withSusi { susi in
            let help = try await susi.run("--help").standardOutput
            for title in ["DAILY COMMANDS:", "ACCOUNT AND TOKEN COMMANDS:", "LOCAL TENANT COMMANDS:"] {
                #expect(help.contains("\n\(title)\n"), "\(help)")
            }
            #expect(
                help.contains("\n  sign-in, login ") && help.hasSuffix("See 'susi help <command>' for detailed help.\n")
            )
            #expect(!help.lowercased().contains("subcommand"))
            #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 48, "\(help)")
            // Titles are bold on a terminal.
            let shown = try await susi.command(["--help"], environment: ["TERM": "xterm"]).inTerminal(columns: 100)
                .run()
            for title in ["USAGE:", "DAILY COMMANDS:", "OPTIONS:"] {
                #expect(shown.standardOutput.contains("\u{1b}[1m\(title)\u{1b}[0m"), "\(shown)")
            }
        }
    }

    @Test func understandsCommonCommandNames() async throws {
        try await withSusi { susi in
            for (alias, name) in [
                ("login", "sign-in"), ("logout", "sign-out"), ("whoami", "status"), ("ls", "accounts"),
            ] {
                let help = try await susi.run("help", name).standardOutput
                #expect(try await susi.run("help", alias).standardOutput == help)
                #expect(try await susi.run(alias, "--help").standardOutput == help)
            }
            let status = try await susi.run("status", "--json").standardOutput
            #expect(try await susi.run("whoami", "--json").standardOutput == status)
            let version = try await susi.run("--version")
            #expect(version.status == 0 && version.standardOutput.contains("."))
            for arguments in [["-v"], ["version"]] {
                #expect(try await susi.command(arguments).run().standardOutput == version.standardOutput)
            }
        }
    }

    @Test(
        arguments: [
            (["token", "hello", "--polcy", "a b"], "--policy", "susi token hello --policy 'a b'"),
            (["token", "--polcy=x"], "--policy", "susi token --policy=x"),
            (["accounts", "-policy", "x"], "--policy", "susi accounts --policy x"),
            (["status", "--app", "x"], "--application", "susi status --application x"),
            (["policies", "--josn"], "--json", "susi policies --json"),
            (["login", "--divice"], "--device", "susi sign-in --device"),
            (["inspect", "--ofline", String(repeating: "x", count: 65)], "--offline", "susi inspect"),
            (["token", "--nothing-like-it"], nil, "susi help token"),
            (["token", "-q"], nil, "susi help token"),
            (["-A", "local", "status"], nil, "susi status -A local"),
            (["--yes", "store", "repair"], nil, "susi store repair --yes"),
            (["--josn", "status"], nil, "susi help"),
            (["-A", "demo", "status"], nil, "susi status -A demo"),
            // Both words may be the command.
            (["-A", "token", "sign-in"], nil, "susi help"),
            (["help", "remove", "--person"], nil, "susi help remove"),
        ] as [([String], String?, String)])
    func correctsAMisspelledOption(_ arguments: [String], _ meant: String?, _ next: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == 64 && outcome.standardOutput.isEmpty, "\(outcome)")
            #expect(outcome.standardError.hasPrefix("susi: unknown option “-"), "\(outcome)")
            #expect(outcome.standardError.contains("did you mean") == (meant != nil), "\(outcome)")
            if let meant { #expect(outcome.standardError.contains("did you mean “\(meant)”?"), "\(outcome)") }
            #expect(outcome.standardError.hasSuffix("next: \(next)\n"), "\(outcome)")
        }
    }

    @Test(
        arguments: [
            (["sigin"], "susi sign-in"), (["acc"], "susi accounts"), (["signout", "--all"], "susi sign-out --all"),
            (["logn"], "susi login"), (["versio"], "susi help"),
        ] as [([String], String)])
    func correctsAMisspelledCommand(_ arguments: [String], _ next: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == 64 && outcome.standardError.hasSuffix("next: \(next)\n"), "\(outcome)")
        }
    }

    @Test func acceptsThePersonOfASignInAsAnArgument() async throws {
        try await withLocalTenant { tenant in
            let ben = try await tenant.interact(["sign-in", "ana@contoso.example"], as: .ben)
            #expect(ben.status == 7, "\(ben)")
            #expect(ben.standardError.contains("susi sign-in -a ana@contoso.example"), "\(ben)")
            let ana = try await tenant.interact(["login", "ana@contoso.example"], as: .ana)
            #expect(ana.status == 0 && ana.standardOutput.contains("Signed in as Ana Lima"), "\(ana)")
            // One line, with a short address.
            let lines = ana.standardError.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].contains(#/^Opening the browser.*\/go\/[a-z2-9]{8}$/#), "\(ana)")
        }
    }
}
