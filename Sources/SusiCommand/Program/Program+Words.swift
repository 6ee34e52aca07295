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
        let whole = rest.first.flatMap { next in
            names.first { $0.replacing("-", with: "") == word + next }.map(fullName) ?? otherNames["\(word) \(next)"]
        }
        let meant =
            whole ?? otherNames[fullName(word)] ?? near(word, names).map(fullName)
            ?? inner.first { group.isEmpty && $0.1 == word }.map { "\($0.0) \($0.1)" }
        let isStop = group == ["emulator"] && ["stop", "down", "kill"].contains(word)
        return UsageError(
            "no command “\(fullName(whole == nil ? word : "\(word) \(rest[0])"))”",
            why: isStop ? "Ctrl-C or SIGTERM ends an emulator" : meant.map { "did you mean “\($0)”?" } ?? "",
            next: meant.map { repeated(help + [$0], whole == nil ? rest : Array(rest.dropFirst())) }
                ?? "\(SuggestedCommand("help", group))")
    }

    // Words that name these commands in other programs.
    private static let otherNames = [
        "use": "switch", "select": "switch", "list": "accounts", "users": "accounts", "me": "status",
        "delete": "remove", "rm": "remove", "decode": "inspect", "policy": "policies", "start": "emulator run",
        "account get-access-token": "token", "account list": "accounts", "account set": "switch",
        "account show": "status",
        "emulator start": "emulator run", "emulator up": "emulator run", "emulator serve": "emulator run",
        "emulator status": "emulator ready", "policies show": "policies list", "policies validate": "policies check",
    ]

    /// Returns the command line that a refused one may mean: the account as `-a` where the command has that option, as its argument,
    /// or left out where it uses none. `nil` if that is no valid command line either.
    static func corrected(_ arguments: [String]) -> NextStep? {
        let types = commands(in: arguments)
        guard mayBePrinted(arguments) else { return nil }
        guard let type = types.last else { return behindCommand(arguments) }
        let own = command(in: arguments)
        var rest = Array(arguments.dropFirst(types.count))
        let place = rest.firstIndex(where: ["-a", "--account"].contains)
        if type is any AccountCommand.Type {
            // The first word of other commands is an argument of their own.
            guard let first = rest.first, !first.hasPrefix("-"), place == nil, (try? parse(own + [first])) == nil else {
                return nil
            }
            rest.insert("-a", at: 0)
        } else {
            guard let place else { return nil }
            let takesName = type is SwitchCommand.Type || type is RemoveCommand.Type
            rest.removeSubrange(place..<min(place + (takesName ? 1 : 2), rest.count))
        }
        return (try? parse(own + rest)).map { _ in repeated(own, rest) }
    }

    // Returns the command line with the options before the command behind it.
    private static func behindCommand(_ arguments: [String]) -> NextStep? {
        guard let place = arguments.firstIndex(where: commandNames.contains), arguments[0].hasPrefix("-") else {
            return nil
        }
        let own = command(in: Array(arguments[place...]))
        let rest = arguments.dropFirst(place + own.count) + arguments.prefix(place)
        return (try? parse(own + rest)).map { _ in repeated(own, Array(rest)) }
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

// MARK: Options before the command

extension Program {
    // Each with the names of the option; an option without a value is a flag.
    private static let leading: [(names: [String], takesValue: Bool)] = [
        (["-A", "--application"], true), (["--config"], true), (["-p", "--policy"], true),
        (["-v", "--verbose"], false), (["--debug"], false),
    ]

    /// Returns the arguments with these options behind the command, where the parser expects them. Throws if one of them is there
    /// too, or twice before the command.
    static func withCommandFirst(_ arguments: [String]) throws -> [String] {
        var (rest, moved, seen) = (arguments[...], [String](), [String]())
        while let word = rest.first, let option = leading.first(where: { names(word, $0.names) }) {
            if names(word, seen) { throw twice(word) }
            seen += option.names
            moved += rest.prefix(option.takesValue && !word.contains("=") ? 2 : 1)
            rest = arguments.dropFirst(moved.count)
        }
        if !moved.isEmpty, rest.isEmpty, arguments != ["-v"] {
            throw UsageError("no command", why: "“\(arguments[0])” is an option of one", next: "susi help")
        }
        guard !moved.isEmpty, let first = rest.first, !first.hasPrefix("-") else { return arguments }
        let (words, parsed) = (Array(rest), try? parse(Array(rest)))
        // The words of another program's command are its own.
        let passed = (parsed as? ExecCommand)?.words ?? (parsed as? EmulatorCommand.Exec)?.words ?? []
        if let word = ownWords(words.dropLast(passed.count)).first(where: { names($0, seen) }) { throw twice(word) }
        let count = max(1, commands(in: words).count)
        return words.prefix(count) + moved + words.dropFirst(count)
    }

    private static func names(_ word: String, _ names: [String]) -> Bool {
        names.contains { word == $0 || $0.hasPrefix("--") && word.hasPrefix("\($0)=") }
    }

    private static func twice(_ word: String) -> UsageError {
        UsageError("\(word.prefix { $0 != "=" }) is given twice", next: "write it once, before or after the command")
    }
}
