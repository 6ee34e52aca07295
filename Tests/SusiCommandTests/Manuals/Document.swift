import Foundation
import SystemPackage

@testable import SusiCommand

/// The README or a manual, parsed.
struct Document {
    let text: String
    let blocks: [Block]

    /// A fenced block.
    struct Block {
        /// The language after the opening fence.
        let language: String
        /// The comment on the line before the fence, for example `not run: needs a tenant in the cloud`.
        let mark: String?
        var text = ""

        /// Returns the text after a word of the mark and a colon.
        func mark(_ word: String) -> String? {
            guard let mark, mark.hasPrefix("\(word): ") else { return nil }
            return String(mark.dropFirst(word.count + 2))
        }

        /// A command of a console session with its output.
        struct Step {
            let command: String
            var output = ""
        }

        /// The commands of a session: the text after `$ ` and the lines below it.
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

    init(path: String) throws {
        self.init(try String(contentsOfFile: ReadmeTests.root.appending(path).string, encoding: .utf8))
    }

    func blocks(_ language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

    func block(marked mark: String) -> String? { blocks.first { $0.mark == mark }?.text }

    var prose: String {
        text.components(separatedBy: "\n```").enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? $0.element : nil }.joined(separator: "\n")
    }

    /// The arguments of every `susi …` that is not run: in marked blocks, in YAML and between backquotes.
    var commands: [[String]] {
        let scripts = blocks.flatMap { block -> [String] in
            switch block.language {
            case "sh" where block.mark != nil: [block.text]
            case "yaml": Self.scripts(inYAML: block.text)
            default: []
            }
        }
        // In a table, a backslash escapes a vertical bar.
        let spans = prose.matches(of: #/(?:^|[^`])`([^`\n]+)`(?!`)/#).map { String($0.1).replacing("\\|", with: "|") }
            .filter { !$0.contains("…") }
        return (scripts + spans).flatMap(Self.commands(inScript:))
    }

    /// Returns the arguments of each `susi …` in a shell script: its words up to an operator, without redirections.
    static func commands(inScript script: String) -> [[String]] {
        let lines = script.replacing(#/\\\n\s*/#, with: "").replacing(#/(?m)(^|\s)#.*$/#, with: "")
        let command =
            #/(?m)(?:^|[|;&({!]|\b(?:do|then|else|run)) *(?:\w+=\S* +)*susi((?: +(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s;|&()'"])+)+)/#
        return lines.matches(of: command).map { match in
            CommandWords.split(String(match.1.replacing(#/ \d?[<>]+ *[^\s'"]+/#, with: "")))
        }
    }

    // The lines that a job runs.
    private static func scripts(inYAML text: String) -> [String] {
        text.split(separator: "\n").map { line in
            String(line.trimmingPrefix(#/[ -]*(?:run: )?/#))
        }.filter { $0.hasPrefix("susi ") }
    }

    /// A slow machine shows a spinner and erases it.
    static func withoutSpinner(_ output: String) -> String {
        output.replacing(#/(\r[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^\r\n]*)+\r +\r/#, with: "")
    }

    /// Replaces the parts of a session's output that differ between runs: ports, short addresses, times, tokens.
    static func normal(_ output: String) -> String {
        withoutSpinner(output)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            // At another port than the manual's, an emulator has a policies file of its own.
            .filter { !$0.contains(#/^ +policies +\S+/policies-\d+\.json/#) }
            .map { line in
                line.replacing(#/localhost:\d+/#, with: "localhost:PORT")
                    .replacing(#/ --config \S+/policies-\d+\.json/#, with: "")
                    .replacing(#//go/[a-z2-9]{8}\b/#, with: "/go/…")
                    .replacing(#/authorize\?\S+/#, with: "authorize?…")
                    .replacing(#/valid \d+ (s|min|h|d)\b/#, with: "valid TIME")
                    .replacing(#/eyJ[A-Za-z0-9_.-]+/#, with: "TOKEN")
            }
            .joined(separator: "\n")
    }
}
