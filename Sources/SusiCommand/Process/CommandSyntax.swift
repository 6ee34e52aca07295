import ArgumentParser
import FoundationEssentials
import Susi

/// The options of one command, from the parser's description. Used for errors, and to find where the command of `exec`
/// begins.
struct CommandSyntax {
    /// The number of words that name the command.
    let depth: Int
    /// Whether the first word that is not an option starts another program's command.
    let runsCommand: Bool
    private var takesValue: [String: Bool]

    /// Finds the command that the arguments name. Returns `nil` if the parser's description cannot be read.
    init?(of arguments: [String]) {
        let path = Program.commands(in: arguments)
        depth = path.count
        var type = path.last ?? Root.self
        if let inner = type.configuration.defaultSubcommand { type = inner }
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8)) else { return nil }
        let arguments = dump.command.arguments ?? []
        runsCommand = arguments.contains { $0.parsingStrategy == "allRemainingInput" }
        takesValue = ["-h": false, "--help": false, "--help-hidden": false, "--version": false]
        for argument in arguments {
            for name in argument.names ?? [] {
                takesValue[(name.kind == "long" ? "--" : "-") + name.name] = argument.kind == "option"
            }
        }
    }

    /// An option that the command does not have.
    struct Unknown {
        /// Its index in the arguments.
        let index: Int
        let name: String
        /// A similar option of the command, if there is one.
        let meant: String?
    }

    /// Returns the first option that the command does not have.
    func unknownOption(in arguments: [String]) -> Unknown? {
        var index = depth
        while index < arguments.count, arguments[index] != "--" {
            let word = arguments[index]
            let name = String(word.prefix { $0 != "=" })
            if !word.hasPrefix("-") || word == "-" {
                if runsCommand { return nil }
            } else if let takesValue = takesValue[name] {
                if takesValue, name == word { index += 1 }
            } else if !isShortOptionGroup(word) {
                return Unknown(index: index, name: name, meant: meant(by: name))
            }
            index += 1
        }
        return nil
    }

    /// Returns the number of leading arguments that belong to susi itself.
    func ownCount(in arguments: [String]) -> Int {
        var index = depth
        while index < arguments.count, arguments[index] != "--" {
            let word = arguments[index]
            if runsCommand, !word.hasPrefix("-") { break }
            index += takesValue[word] ?? false ? 2 : 1
        }
        return min(index, arguments.count)
    }

    // Short options in one word, `-vi`, or one with its value, `-pNAME`. But `-policy` is a misspelled `--policy`.
    private func isShortOptionGroup(_ word: String) -> Bool {
        !word.hasPrefix("--") && takesValue["-\(word)"] == nil && takesValue[String(word.prefix(2))] != nil
    }

    private func meant(by name: String) -> String? {
        let long = takesValue.keys.filter { $0.hasPrefix("--") }.sorted()
        let beginning = long.filter { $0.hasPrefix(name) }
        if name.count > 4, beginning.count == 1 { return beginning[0] }
        let word = { (name: String) in String(name.drop { $0 == "-" }) }
        return NearMatch.of(word(name), in: long.map(word)).map { "--\($0)" }
    }

    private struct Dump: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let kind: String
            let parsingStrategy: String?
            let names: [Name]?
        }

        struct Name: Decodable {
            let kind: String
            let name: String
        }
    }
}
