import Foundation
import SystemPackage

/// The README or a manual: its text, taken apart.
struct Document {
    let text: String
    /// The fenced blocks, in order.
    let blocks: [Block]

    /// A fenced block.
    struct Block {
        /// What follows the opening fence.
        let language: String
        /// What the comment on the line before the fence says, for example `not run: needs a tenant in the cloud`.
        let mark: String?
        var text = ""

        /// What follows a word of the mark and a colon.
        func mark(_ word: String) -> String? {
            guard let mark, mark.hasPrefix("\(word): ") else { return nil }
            return String(mark.dropFirst(word.count + 2))
        }

        /// A command of a console session with what it prints.
        struct Step {
            let command: String
            var output = ""
        }

        /// The commands of a session: what follows `$ ` and the lines below it.
        var steps: [Step] {
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(into: []) { steps, line in
                if line.hasPrefix("$ ") {
                    steps.append(Step(command: String(line.dropFirst(2))))
                } else if !steps.isEmpty {
                    steps[steps.count - 1].output += line + "\n"
                }
            }
        }
    }

    init(_ text: String) {
        self.text = text
        var blocks: [Block] = []
        var isOpen = false
        var before: Substring = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isOpen {
                    let mark = before.wholeMatch(of: #/<!-- (.+) -->/#).map { String($0.1) }
                    blocks.append(Block(language: String(line.dropFirst(3)), mark: mark))
                }
                isOpen.toggle()
            } else if isOpen {
                blocks[blocks.count - 1].text += line + "\n"
            }
            before = line
        }
        self.blocks = blocks
    }

    /// Reads a file of the package.
    init(path: String) throws {
        self.init(try String(contentsOfFile: ReadmeTests.root.appending(path).string, encoding: .utf8))
    }

    /// The texts of the blocks of a language.
    func blocks(_ language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

    /// The block with this mark.
    func block(marked mark: String) -> String? { blocks.first { $0.mark == mark }?.text }

    /// The text outside of blocks.
    var prose: String {
        text.components(separatedBy: "\n```").enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? $0.element : nil }.joined(separator: "\n")
    }

    /// The arguments of every `susi …` that is shown but not run: in marked blocks, in YAML and between backquotes.
    var commands: [[String]] {
        let scripts = blocks.flatMap { block -> [String] in
            switch block.language {
            case "sh" where block.mark != nil: [block.text]
            case "yaml": Self.scripts(inYAML: block.text)
            default: []
            }
        }
        // In a table, a backslash keeps a bar from ending the cell.
        let spans = prose.matches(of: #/(?:^|[^`])`([^`\n]+)`(?!`)/#).map { String($0.1).replacing("\\|", with: "|") }
            .filter { !$0.contains("…") }
        return (scripts + spans).flatMap(ShellScript.commands).compactMap { words in
            for start in [["susi"], ["swift", "run", "susi"]] where words.starts(with: start) {
                return words.count > start.count ? Array(words.dropFirst(start.count)) : nil
            }
            return nil
        }
    }

    // The lines that a job runs.
    private static func scripts(inYAML text: String) -> [String] {
        text.split(separator: "\n").map { line in
            String(line.trimmingPrefix(#/[ -]*(?:run: )?/#))
        }.filter { $0.hasPrefix("susi ") }
    }

    /// The packages that a line installs.
    static func packages(_ line: String) -> Set<String> {
        let list = line.split(separator: "apt-get install").last?.split(separator: "&&").first ?? ""
        return Set(list.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("-") }.map(String.init))
    }

    /// A session's output without what differs from run to run: ports, short addresses, requests, remaining times, tokens.
    static func normal(_ output: String) -> String {
        // On a slow machine a spinner was drawn and wiped.
        output.replacing(#/(\r[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^\r\n]*)+\r +\r/#, with: "")
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .filter { !$0.contains("policies.json has port") }
            .map { line in
                line.replacing(#/localhost:\d+/#, with: "localhost:PORT")
                    .replacing(#//go/[a-z2-9]{8}\b/#, with: "/go/…")
                    .replacing(#/authorize\?\S+/#, with: "authorize?…")
                    .replacing(#/valid \d+ (s|min|h|d)\b/#, with: "valid TIME")
                    .replacing(#/eyJ[A-Za-z0-9_.-]+/#, with: "TOKEN")
            }
            .joined(separator: "\n")
    }
}
