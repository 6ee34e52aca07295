import ArgumentParser
import Susi
import SusiBase

/// The words of a command line: the command that they name, and corrections for unknown words.
extension Program {
    /// The words that can start a command line.
    static var commandNames: [String] {
        Root.configuration.subcommands.map { (command: any ParsableCommand.Type) in
            command.configuration.commandName ?? ""
        } + ["help"]
    }

    /// Returns the commands that the first words name, each one a subcommand of the one before it.
    static func commands(in arguments: [String]) -> [any ParsableCommand.Type] {
        var found: [any ParsableCommand.Type] = []
        for word in arguments {
            guard let next = subcommand(word, of: found.last ?? Root.self) else { break }
            found.append(next)
        }
        return found
    }

    private static func subcommand(
        _ word: String, of group: any ParsableCommand.Type
    ) -> (any ParsableCommand.Type)? {
        group.configuration.subcommands.first { (command: any ParsableCommand.Type) in
            command.configuration.commandName == word || command.configuration.aliases.contains(word)
        }
    }

    /// Returns the words that name the command.
    static func command(in arguments: [String]) -> [String] {
        commands(in: arguments).map { $0.configuration.commandName ?? "" }
    }

    /// Throws if a word is not a command. The parser would take it for an argument or ignore it.
    static func refuseUnknownCommand(_ arguments: [String]) throws {
        let isHelp = arguments.first == "help"
        let words = (isHelp ? arguments.dropFirst() : arguments[...]).prefix { !$0.hasPrefix("-") }
        var group: any ParsableCommand.Type = Root.self
        var known: [String] = []
        for word in words {
            let commands = group.configuration.subcommands
            // The words after a command are its arguments; `help` accepts none.
            guard !commands.isEmpty || isHelp else { return }
            let extra = known.isEmpty ? ["help"] + (isHelp ? HelpTopic.allCases.map(\.rawValue) : []) : []
            let names = commands.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases } + extra
            guard names.contains(word) else {
                let rest = Array(arguments.dropFirst(known.count + (isHelp ? 2 : 1)))
                throw unknown(word, in: known, names: names, help: isHelp ? ["help"] : [], rest: rest)
            }
            known.append(word)
            guard let next = subcommand(word, of: group) else { return }
            group = next
        }
    }

    private static func unknown(
        _ word: String, in group: [String], names: [String], help: [String], rest: [String]
    ) -> UsageError {
        let fullName = { (word: String) in (group + [word]).joined(separator: " ") }
        // A subcommand without its group.
        let inner = Root.configuration.subcommands.flatMap { type in
            type.configuration.subcommands.map {
                (type.configuration.commandName ?? "", $0.configuration.commandName ?? "")
            }
        }
        let meant =
            near(word, names).map(fullName)
            ?? inner.first { group.isEmpty && $0.1 == word }.map { "\($0.0) \($0.1)" }
        return UsageError(
            "no command “\(fullName(word))”", why: meant.map { "did you mean “\($0)”?" } ?? "",
            next: meant.map { repeated(help + [$0], rest) } ?? "\(SuggestedCommand("help", group))")
    }

    // Returns the only command with this prefix, else the most similar one. Dashes are ignored, so that “sigin” matches
    // “sign-in”.
    private static func near(_ word: String, _ names: [String]) -> String? {
        let beginning = names.filter { word.count > 2 && $0.hasPrefix(word) }
        if beginning.count == 1 { return beginning[0] }
        let plain = { (name: String) in name.replacing("-", with: "") }
        return NearMatch.of(plain(word), in: names.map(plain)).flatMap { found in names.first { plain($0) == found } }
    }

    // Returns the command line with the corrected word.
    private static func repeated(_ command: [String], _ rest: [String]) -> NextStep {
        let words = mayBePrinted(rest) ? rest.map { GivenOptions.repeatable($0).shellWord } : []
        return NextStep((["susi"] + command + words).joined(separator: " "))
    }

    // A long word may be a token.
    private static func mayBePrinted(_ words: [String]) -> Bool { words.allSatisfy { $0.utf8.count <= 64 } }
}
