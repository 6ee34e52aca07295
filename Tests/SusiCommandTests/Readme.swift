import Foundation

/// The README's text, taken apart.
struct Readme {
    let text: String

    init(_ text: String) { self.text = text }

    /// A command of a session with what it prints.
    struct Step {
        let command: String
        var output = ""
    }

    /// The fenced blocks of a language, without the fences.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var isOpen = false
        var isWanted = false
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isWanted = !isOpen && line == "```\(language)"
                isOpen.toggle()
                if isWanted { blocks.append("") }
            } else if isWanted {
                blocks[blocks.count - 1] += line + "\n"
            }
        }
        return blocks
    }

    /// The fenced block behind a comment with this mark.
    func block(after mark: String) -> String? {
        let rest = text.components(separatedBy: "<!-- \(mark) -->\n").dropFirst().first
        return rest.flatMap { Readme($0).blocks("sh").first }
    }

    /// The commands of a session: what follows `$ ` and the lines below it.
    static func steps(_ session: String) -> [Step] {
        session.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(into: []) { steps, line in
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output += line + "\n"
            }
        }
    }

    /// The arguments of every `susi …` in a block or between backquotes.
    var commands: [[String]] {
        let blocks = blocks("sh") + blocks("console").flatMap { Self.steps($0).map(\.command) }
        let lines = blocks.flatMap { $0.replacing("&&", with: "\n").components(separatedBy: "\n") }
        let spans = text.replacing("```", with: "").components(separatedBy: "`")
        return (lines + spans).compactMap { line -> [String]? in
            let command = line.trimmingCharacters(in: .whitespaces)
            for start in ["susi ", "swift run susi "] where command.hasPrefix(start) {
                let own = command.replacing("\\|", with: "|").dropFirst(start.count).prefix { $0 != "|" }
                return own.contains("\n") || own.contains("…") ? nil : Self.words(String(own))
            }
            return nil
        }
    }

    // Single quotes keep spaces; nothing else of a shell occurs.
    private static func words(_ command: String) -> [String] {
        command.components(separatedBy: "'").enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map { String($0) } : [part]
        }
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
            .filter { !$0.contains("policies.json names port") }
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
