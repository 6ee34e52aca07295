/// A source file: its path from the package's root and its text.
struct SourceFile {
    let path: String
    let text: String

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
        let code = SwiftText.codeLines(of: file.text)
        return code.enumerated().flatMap { number, line in
            (importViolations(line, of: file.module) + wordViolations(line, in: file.path)
                + kindViolations(line, in: file.path))
                .map { Violation(path: file.path, line: number + 1, what: $0) }
        }
    }

    /// Returns the words in a file that no file may contain.
    static func violationsAnywhere(in file: SourceFile) -> [Violation] {
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

    private static func wordViolations(_ line: String, in path: String) -> [String] {
        words.filter { rule in !rule.only.contains { path.hasPrefix($0) } }.flatMap { rule in
            let listed = rule.words.filter { SwiftText.contains(line, $0) }
            let named = SwiftText.names(in: line).filter(rule.alsoNames)
            return (listed + named).map { word in
                "`\(word)`: \(rule.subject), \(rule.only.isEmpty ? "nowhere" : "only in \(rule.only.joined(separator: ", "))")"
            }
        }
    }
}
