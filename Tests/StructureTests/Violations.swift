import Foundation

/// A source file: its path from the package's root and its text.
struct SourceFile {
    let path: String
    let text: String

    /// Returns whether the text contains `other`. Bytes are compared: characters take minutes without optimization.
    func contains(_ other: String) -> Bool { bytes.range(of: Data(other.utf8)) != nil }

    private let bytes: Data

    init(path: String, text: String) {
        (self.path, self.text) = (path, text)
        bytes = Data(text.utf8)
    }

    /// The folder below `Sources`.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}

/// A rule that a line breaks.
struct Violation: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

extension Rules {
    /// Returns all violations in one file below `Sources`.
    static func violations(in file: SourceFile) -> [Violation] {
        let words = words.filter { $0.concerns(file) }
        let comparesKinds = ["AuthorityKind.", ".b2c", ".external", ".entra", ".openid"].contains(where: file.contains)
        return violations(in: file) { line in
            importViolations(line, of: file.module) + wordViolations(line, words)
                + (comparesKinds ? kindViolations(line, in: file.path) : [])
        }
    }

    /// Returns all violations in one file below `Tests`.
    static func violationsOfTests(in file: SourceFile) -> [Violation] {
        let words = testWords.filter { $0.concerns(file) }
        return violations(in: file) { line in wordViolations(line, words) + portViolations(line, in: file.path) }
    }

    private static func violations(in file: SourceFile, _ check: (String) -> [String]) -> [Violation] {
        SwiftText.codeLines(of: file.text).enumerated().flatMap { number, line in
            check(line).map { Violation(path: file.path, line: number + 1, what: $0) }
        }
    }

    /// Returns the words in a file that no file may contain.
    static func violationsAnywhere(in file: SourceFile) -> [Violation] {
        let nowhere = nowhere.filter(file.contains)
        guard !nowhere.isEmpty else { return [] }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { number, line in
            nowhere.filter { line.contains($0) }
                .map { Violation(path: file.path, line: number + 1, what: "“\($0)” stands in no file") }
        }
    }

    private static func importViolations(_ line: String, of module: String) -> [String] {
        guard let imported = SwiftText.importedModule(line) else { return [] }
        guard let allowed = imports[module] else { return ["the module \(module) is not in the table of imports"] }
        if free.contains(imported) || allowed.contains(imported) { return [] }
        return ["\(module) may not import \(imported)"]
    }

    private static func kindViolations(_ line: String, in path: String) -> [String] {
        guard !kindComparisons.contains(where: path.hasPrefix) else { return [] }
        let kind = #/(?:[=!]=\s*|case\s+|\[)(?:AuthorityKind)?\.(?:b2c|external|entra|openid)(?!\w)/#
        let named = #/AuthorityKind\.\w+(?:\s*[=!]=|\.rawValue)/#
        guard line.contains(kind) || line.contains(named) else { return [] }
        return ["a kind of authority is compared: read a property of `AuthorityTraits`"]
    }

    private static func wordViolations(_ line: String, _ rules: [WordRule]) -> [String] {
        rules.flatMap { rule in
            let listed = rule.words.filter { SwiftText.contains(line, $0) }
            let named = rule.alsoNames.map { SwiftText.names(in: line).filter($0.isMeant) } ?? []
            return (listed + named).map { word in
                "`\(word)`: \(rule.subject), \(rule.only.isEmpty ? "nowhere" : "only in \(rule.only.joined(separator: ", "))")"
            }
        }
    }

    private static func portViolations(_ line: String, in path: String) -> [String] {
        // Making the expression takes longer than all the rest.
        let names = ["port", "bindPort", "EmulatorPort"]
        guard names.contains(where: { SwiftText.contains(line, $0) }), !fixedPorts.contains(path),
            line.contains(#/EmulatorPort\([1-9]|\b(?:port|bindPort): [1-9]/#)
        else { return [] }
        return ["a fixed port: another program may use it; listen on port 0"]
    }
}

extension WordRule {
    fileprivate func concerns(_ file: SourceFile) -> Bool {
        !only.contains { file.path.hasPrefix($0) }
            && (words.contains(where: file.contains) || alsoNames.map { file.contains($0.part) } ?? false)
    }
}
