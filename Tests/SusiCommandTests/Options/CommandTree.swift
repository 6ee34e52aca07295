import ArgumentParser

@testable import SusiCommand

/// Every command of the program with the words that name it; groups come before their commands.
enum CommandTree {
    typealias Node = (words: [String], type: any ParsableCommand.Type)

    /// The program itself and its commands.
    static let all: [Node] = [([], Root.self)] + inner(Root.self, [])

    /// The commands that run, without groups.
    static let leaves = all.filter { $0.type.configuration.subcommands.isEmpty }

    private static func inner(_ type: any ParsableCommand.Type, _ words: [String]) -> [Node] {
        type.configuration.subcommands.flatMap { (command: any ParsableCommand.Type) -> [Node] in
            let own = words + [command.configuration.commandName ?? ""]
            return [(own, command)] + inner(command, own)
        }
    }

    /// Returns the help of a command without colors, as the program prints it in that width.
    static func help(_ type: any ParsableCommand.Type, columns: Int) -> String {
        HelpText.arranged(
            Root.helpMessage(for: type, columns: min(columns, HelpText.maximumWidth)), Style(isColored: false))
    }
}
