import ArgumentParser
import FoundationEssentials
import SusiBase
import SystemPackage

/// The parser's help, rearranged: a short usage line, and the command's own options before the common ones.
///
/// No other file reads the wording of that help. The parser's description of the commands, which ``HelpDocument`` reads, has
/// neither the groups of commands nor the layout; a catalog shows a change of either.
enum HelpText {
    /// The maximum width of help, even on a wider terminal.
    static let maximumWidth = 100

    /// Returns the text that the parser has for a request, in a readable width.
    static func requested(by error: any Error, _ style: Style) -> String {
        let text = Root.fullMessage(for: error)
        // The parser folds every line but the usage, which is shortened later.
        let folded = text.split(separator: "\n").filter { !$0.hasPrefix("USAGE: ") }
        let isWide = text.hasPrefix("OVERVIEW: ") && folded.contains { $0.count > maximumWidth }
        return arranged(isWide ? Root.fullMessage(for: error, columns: maximumWidth) : text, style)
    }

    /// Rearranges help. Other texts of the parser, for example the version, are unchanged.
    static func arranged(_ text: String, _ style: Style) -> String {
        guard text.hasPrefix("OVERVIEW: ") else { return text }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { withoutPeriod(String($0)) }
        var closing = lines.filter { $0.hasPrefix("  See '") }.map { $0.replacing("<subcommand>", with: "<command>") }
        if closing.contains(where: { $0.hasPrefix("  See 'susi help <") }) {
            closing.append("  Manuals: \(manuals); begin with README.md")
        }
        lines.removeAll { $0.hasPrefix("  See '") }
        var sections = sections(of: lines)
        let intro = sections.removeFirst().map { $0.hasPrefix("USAGE: ") ? usage($0) : $0 }
        moveHelpToCommonOptions(&sections)
        let ordered = sections.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        return ([intro] + ordered.map { titled($0.element) } + [closing]).map(trimmed).filter { !$0.isEmpty }
            .map { $0.map { strong($0, style) }.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    // The full program is PREFIX/libexec/susi/susi.
    private static var manuals: String {
        let own = FilePath((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
        let folder = own.appending("../../../share/doc/susi").lexicallyNormalized().string
        return SmallFile.exists(folder) ? folder : "share/doc/susi"
    }

    // Titles stand out on a terminal.
    private static func strong(_ line: String, _ style: Style) -> String {
        if isTitle(line) { return style.strong(line) }
        guard let title = ["OVERVIEW:", "USAGE:"].first(where: line.hasPrefix) else { return line }
        return style.strong(title) + line.dropFirst(title.count)
    }

    // The lines before the first title, then each title with its lines.
    private static func sections(of lines: [String]) -> [[String]] {
        lines.reduce(into: [[]]) { sections, line in
            if isTitle(line) { sections.append([]) }
            sections[sections.count - 1].append(line)
        }
    }

    private static func isTitle(_ line: String) -> Bool {
        line.hasSuffix(":") && line.first?.isUppercase ?? false && line == line.uppercased()
    }

    private static func rank(_ section: [String]) -> Int {
        switch section.first ?? "" {
        case "ARGUMENTS:": 0
        case let title where title.hasSuffix("SUBCOMMANDS:"): 1
        case "OPTIONS:": 2
        case common: 4
        default: 3
        }
    }

    private static let common = "COMMON OPTIONS:"

    private static func isHelp(_ line: String) -> Bool {
        line.hasPrefix("  --version ") || line.hasPrefix("  -h, --help ")
    }

    // The parser describes these two options in sentences; ours are noun phrases.
    private static func withoutPeriod(_ line: String) -> String {
        isHelp(line) && line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    // Every command has --help and --version.
    private static func moveHelpToCommonOptions(_ sections: inout [[String]]) {
        guard let own = sections.firstIndex(where: { $0.first == "OPTIONS:" }),
            let common = sections.firstIndex(where: { $0.first == common })
        else { return }
        sections[common] = trimmed(sections[common]) + sections[own].filter(isHelp)
        sections[own].removeAll(where: isHelp)
        if trimmed(sections[own]).count == 1 { sections.remove(at: own) }
    }

    private static func titled(_ section: [String]) -> [String] {
        [section[0].replacing("SUBCOMMANDS:", with: "COMMANDS:")] + section.dropFirst()
    }

    private static func trimmed(_ section: [String]) -> [String] {
        Array(section.reversed().drop(while: \.isEmpty).reversed())
    }

    /// Shortens a usage line such as “USAGE: susi switch [--policy <policy>] … <account>”: one word replaces all
    /// optional options.
    private static func usage(_ line: String) -> String {
        let parts = parts(of: line)
        let name = parts.prefix { $0.first?.isLetter ?? false }
        let rest = parts.dropFirst(name.count).filter { !$0.hasPrefix("[-") && !$0.hasSuffix("<options>]") }
            .filter { $0 != "<options>" }.map { $0 == "<subcommand>" ? "<command>" : $0 }
        return (name + ["[<options>]"] + rest).joined(separator: " ")
    }

    // Splits a usage line into words; brackets with their content count as one word.
    private static func parts(of line: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in line {
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            if character == " ", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }
}
