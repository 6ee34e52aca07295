import Susi

/// A command of `susi` that somebody is told to type.
///
/// It is a value, so that the program can add what was given to it: the application, the policies file, the account.
struct SuggestedCommand: Hashable, Sendable, CustomStringConvertible {
    /// An option with its value; a flag has none.
    struct Option: Hashable, Sendable {
        /// The option as it is typed: `-p`, `--claims`.
        let name: String
        /// The value.
        let value: String?
    }

    /// The command's name; of a command in a group both words.
    let name: String
    /// The words that belong to no option.
    private(set) var arguments: [String]
    /// The options in the order in which they are typed.
    private(set) var options: [Option] = []
    /// The options that it must not have, whatever was given: they are what went wrong.
    private(set) var refused: Set<String> = []
    /// What stands behind `--`.
    private(set) var tail: [String] = []

    /// Makes a command without options.
    init(_ name: String, _ arguments: String...) { self.init(name, arguments) }

    /// Makes a command without options.
    init(_ name: String, _ arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }

    /// The same with an option; without a value it stays as it is.
    func option(_ name: String, _ value: String?) -> SuggestedCommand {
        guard let value else { return self }
        return adding(Option(name: name, value: value))
    }

    /// The same with another value of an option that it has; without that option it stays as it is.
    func replacing(_ name: String, with value: String) -> SuggestedCommand {
        var command = self
        command.options = options.map { $0.name == name ? Option(name: name, value: value) : $0 }
        return command
    }

    /// The same with a flag, when it is set.
    func flag(_ name: String, _ isSet: Bool = true) -> SuggestedCommand {
        isSet ? adding(Option(name: name, value: nil)) : self
    }

    /// The same with words that belong to no option.
    func naming(_ arguments: [String]) -> SuggestedCommand {
        var command = self
        command.arguments += arguments
        return command
    }

    /// The same with words behind `--`.
    func running(_ words: [String]) -> SuggestedCommand {
        var command = self
        command.tail += words
        return command
    }

    /// The same without options that may have been given.
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

    /// The command as a POSIX shell takes it, with `susi` before it. A name in it that looks like an option is none.
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

extension SuggestedCommand {
    /// The command that signs in, under a policy when one is named.
    static func signIn(_ policy: PolicyName?) -> SuggestedCommand {
        SuggestedCommand("sign-in").option("-p", policy?.spelling)
    }
}
