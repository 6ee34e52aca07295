/// A parser that finds the commands in a shell script, for the syntax in the manuals: quotes, pipes, lists, substitutions,
/// redirections and comments.
struct ShellScript {
    private let text: [Character]
    private var index = 0
    private var commands: [[String]] = []

    private init(_ text: String) { self.text = Array(text) }

    /// Returns the words of each command, without variables before it and without redirections.
    static func commands(_ text: String) -> [[String]] {
        var script = ShellScript(text)
        script.read(until: nil)
        return script.commands
    }

    private static let reserved: Set<String> = ["{", "}", "!", "if", "then", "else", "do", "done", "fi", "while"]

    // The command and the word that are being read.
    private struct Command {
        var words: [String] = []
        var word: String?
        var isRedirection = false

        mutating func add(_ text: String) { word = (word ?? "") + text }

        mutating func endWord() {
            guard let word else { return }
            let isAssignment = words.isEmpty && word.contains(#/^[A-Za-z_][A-Za-z0-9_]*=/#)
            if isRedirection {
                isRedirection = false
            } else if !isAssignment, !(words.isEmpty && ShellScript.reserved.contains(word)) {
                words.append(word)
            }
            self.word = nil
        }
    }

    private mutating func read(until close: Character?) {
        var command = Command()
        while index < text.count, text[index] != close {
            step(&command)
        }
        index += 1
        end(&command)
    }

    private mutating func end(_ command: inout Command) {
        command.endWord()
        if !command.words.isEmpty { commands.append(command.words) }
        command = Command()
    }

    private mutating func step(_ command: inout Command) {
        let character = text[index]
        index += 1
        switch character {
        case " ", "\t": command.endWord()
        case "\n", "|", ";", "&": end(&command)
        case "#" where command.word == nil: while index < text.count, text[index] != "\n" { index += 1 }
        case "\\":
            if index < text.count, text[index] != "\n" { command.add(String(text[index])) }
            index += 1
        case "'": command.add(upTo("'"))
        case "\"": readQuoted(&command)
        case "$": readDollar(&command)
        case ">", "<":
            // A process substitution, or a file name that is not an argument.
            if index < text.count, text[index] == "(" { break }
            command.endWord()
            command.isRedirection = true
        case "(":
            read(until: ")")
            command.add("")
        default: command.add(String(character))
        }
    }

    private mutating func readQuoted(_ command: inout Command) {
        command.add("")
        while index < text.count, text[index] != "\"" {
            let character = text[index]
            index += 1
            if character == "$" {
                readDollar(&command)
            } else if character == "\\", index < text.count {
                command.add(String(text[index]))
                index += 1
            } else {
                command.add(String(character))
            }
        }
        index += 1
    }

    private mutating func readDollar(_ command: inout Command) {
        guard index < text.count, text[index] == "(" else { return command.add("$") }
        index += 1
        read(until: ")")
        command.add("$")
    }

    private mutating func upTo(_ end: Character) -> String {
        let start = index
        while index < text.count, text[index] != end { index += 1 }
        index += 1
        return String(text[start..<min(index - 1, text.count)])
    }
}
