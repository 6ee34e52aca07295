import Susi
import SusiBase

/// A suggested command of `susi`.
///
/// It is a value, so that the program can add options of the current command line: the application, the policies file,
/// the account.
struct SuggestedCommand: Hashable, Sendable, CustomStringConvertible {
    /// An option with its value; a flag has none.
    struct Option: Hashable, Sendable {
        /// The option, for example `-p` or `--claims`.
        let name: String
        let value: String?
    }

    /// The command's name; two words for a command in a group.
    let name: String
    /// The arguments that belong to no option.
    private(set) var arguments: [String]
    private(set) var options: [Option] = []
    /// The options that must not be added, because they caused the error.
    private(set) var refused: Set<String> = []
    /// The words after `--`.
    private(set) var tail: [String] = []

    /// Makes a command without options.
    init(_ name: String, _ arguments: String...) { self.init(name, arguments) }

    /// Makes a command without options.
    init(_ name: String, _ arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }

    /// Adds an option unless the value is `nil`.
    func option(_ name: String, _ value: String?) -> SuggestedCommand {
        guard let value else { return self }
        return adding(Option(name: name, value: value))
    }

    func flag(_ name: String, _ isSet: Bool = true) -> SuggestedCommand {
        isSet ? adding(Option(name: name, value: nil)) : self
    }

    /// Replaces the arguments that belong to no option.
    func replacing(arguments: [String]) -> SuggestedCommand {
        var command = self
        command.arguments = arguments
        return command
    }

    /// Adds an option in place of all of that name.
    func replacing(_ name: String, _ value: String) -> SuggestedCommand {
        leavingOut(name).adding(Option(name: name, value: value))
    }

    /// Leaves out an option.
    func leavingOut(_ name: String) -> SuggestedCommand {
        var command = self
        command.options.removeAll { $0.name == name }
        return command
    }

    /// Adds words after `--`.
    func running(_ words: [String]) -> SuggestedCommand {
        var command = self
        command.tail += words
        return command
    }

    /// Whether the option is set, or must not be added.
    func settles(_ option: String) -> Bool {
        refused.contains(option) || options.contains { $0.name == option }
    }

    /// Excludes options from those that may be added.
    func without(_ options: String...) -> SuggestedCommand {
        var command = self
        command.refused.formUnion(options)
        return command
    }

    private func adding(_ option: Option) -> SuggestedCommand {
        var command = self
        command.options.append(option)
        return command
    }

    /// The command line for a POSIX shell, beginning with `susi`. Names that look like options are written so that they
    /// are not parsed as such.
    var description: String {
        let isPlain = { (word: String) in word == "-" || !word.hasPrefix("-") }
        let behind = arguments.filter { !isPlain($0) } + tail
        let words =
            arguments.filter(isPlain).map(\.shellWord) + options.flatMap(\.words)
            + (behind.isEmpty ? [] : ["--"] + behind.map(\.shellWord))
        return (["susi", name] + words).joined(separator: " ")
    }
}

extension SuggestedCommand.Option {
    private static let long = ["-A": "--application", "-a": "--account", "-o": "--output", "-p": "--policy"]

    fileprivate var words: [String] {
        guard let value else { return [name] }
        guard value.hasPrefix("-"), value != "-" else { return [name, value.shellWord] }
        return ["\(Self.long[name] ?? name)=\(value)".shellWord]
    }
}
