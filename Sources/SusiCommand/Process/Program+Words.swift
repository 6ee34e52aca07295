import ArgumentParser
import Susi

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

    /// Returns the arguments of susi itself, without the command that `exec` runs.
    static func ownWords(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> ArraySlice<String> {
        let own = arguments.prefix { $0 != "--" }
        guard arguments.contains("exec"), let syntax = CommandSyntax(of: arguments) else { return own }
        return own.prefix(syntax.ownCount(in: arguments))
    }

    /// Returns the error for the first option that the command does not have; `nil` if it has them all.
    static func unknownOption(in arguments: [String]) -> UsageError? {
        guard let unknown = CommandSyntax(of: arguments)?.unknownOption(in: arguments) else { return nil }
        if let moved = withCommandFirst(arguments) {
            return UsageError("unknown option “\(unknown.name)”", why: "options follow the command", next: moved)
        }
        let isHelp = arguments.first == "help"
        guard let meant = unknown.meant, !isHelp else {
            let help = SuggestedCommand("help", command(in: isHelp ? Array(arguments.dropFirst()) : arguments))
            return UsageError("unknown option “\(unknown.name)”", next: "\(help)")
        }
        var corrected = arguments
        corrected[unknown.index] = meant + corrected[unknown.index].dropFirst(unknown.name.count)
        return UsageError(
            "unknown option “\(unknown.name)”", why: "did you mean “\(meant)”?",
            next: repeated(command(in: arguments), Array(corrected.dropFirst(commands(in: arguments).count))))
    }

    /// Returns the command line with the options that precede the command moved behind it. Returns `nil` unless an option
    /// comes first and exactly one word makes a valid line: in `-A token sign-in`, both may be the command.
    private static func withCommandFirst(_ arguments: [String]) -> NextStep? {
        guard arguments.first?.hasPrefix("-") == true else { return nil }
        var lines: [(command: [String], rest: [String])] = []
        for start in arguments.prefix(while: { $0 != "--" }).indices {
            let command = command(in: Array(arguments[start...]))
            guard !command.isEmpty else { continue }
            let rest = Array(arguments[..<start] + arguments[(start + command.count)...])
            if (try? Root.parseAsRoot(command + rest)) != nil { lines.append((command, rest)) }
        }
        return lines.count == 1 ? repeated(lines[0].command, lines[0].rest) : nil
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
        let words = mayBePrinted(rest) ? rest.map { GivenOption.repeatable($0).shellWord } : []
        return NextStep((["susi"] + command + words).joined(separator: " "))
    }

    // A long word may be a token.
    private static func mayBePrinted(_ words: [String]) -> Bool { words.allSatisfy { $0.utf8.count <= 64 } }

    /// Commands that are never suggested with a guessed account, because they delete data.
    private static let deletingCommands: Set = ["remove", "sign-out"]

    /// Returns the step with the command line corrected as its first part demands: another account, or a policy. Returns `nil` if
    /// it demands neither, or if the command must not be repeated.
    static func corrected(_ arguments: [String], by step: NextStep) -> NextStep? {
        let command = command(in: arguments)
        guard let name = command.first, !deletingCommands.contains(name) else { return nil }
        let corrected: [String]?
        switch step.pieces.first {
        case .intent(.correctAccount(let account, insteadOf: let text)):
            corrected = naming(account, insteadOf: text, in: arguments, isArgument: name == "switch")
        case .intent(.repeatUnder(let policy)): corrected = naming(policy, in: arguments, command)
        default: return nil
        }
        guard let rest = corrected?.dropFirst(command.count), mayBePrinted(Array(rest)) else { return nil }
        return step.replacingFirst(with: repeated(command, Array(rest)))
    }

    private static func naming(
        _ account: String, insteadOf text: String, in arguments: [String], isArgument: Bool
    ) -> [String]? {
        guard !account.hasPrefix("-"), let (index, option) = place(of: text, in: arguments, isArgument: isArgument)
        else { return nil }
        var corrected = arguments
        corrected[index] = option + account
        return corrected
    }

    // Adds the option at the end of susi's own words.
    private static func naming(_ policy: PolicyName, in arguments: [String], _ command: [String]) -> [String]? {
        let own = ownWords(arguments)
        let isNamed = own.contains { $0 == "--policy" || $0.hasPrefix("--policy=") || $0.hasPrefix("-p") }
        guard !isNamed, GivenOption.Meaning.policy.isAccepted(by: command.joined(separator: " ")) else { return nil }
        return own + ["-p", policy.spelling] + arguments[own.endIndex...]
    }

    // Finds the word that names an account. `option` is the part of the word before the name.
    private static func place(
        of account: String, in arguments: [String], isArgument: Bool
    ) -> (index: Int, option: String)? {
        let words = ownWords(arguments)
        for (index, word) in zip(words.indices, words) {
            let isNamed = isArgument || index > 0 && ["-a", "--account"].contains(words[index - 1])
            if word == account, isNamed { return (index, "") }
            let option = "--account="
            if word == option + account { return (index, option) }
        }
        return nil
    }
}
