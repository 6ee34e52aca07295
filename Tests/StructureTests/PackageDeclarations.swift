/// Finds declarations for other targets that no other code names: the compiler does not report them.
enum PackageDeclarations {
    private static let keywords: Set<String> = [
        "actor", "case", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    // The standard library calls these.
    private static let called: Set<String> = ["appendInterpolation", "customMirror", "debugDescription"]

    /// Returns the ones that are named nowhere else in these files: a test alone is no use. Names alone are compared, so an
    /// unused declaration whose name has another use is not found.
    static func unused(in sources: [SourceFile]) -> [Violation] {
        var used = called
        var declared: [(name: String, violation: Violation)] = []
        for file in sources {
            for (number, line) in lines(of: file).enumerated() {
                let names = SwiftText.names(in: line)
                let place = names.firstIndex(where: keywords.contains).map { $0 + 1 }
                for (index, name) in names.enumerated() where index != place { used.insert(name) }
                guard let place, place < names.count, names[..<place].contains("package") else { continue }
                let what = "\(names[place]) is not used"
                declared.append((names[place], Violation(path: file.path, line: number + 1, what: what)))
            }
        }
        return declared.filter { !used.contains($0.name) }.map(\.violation)
    }

    // Without comments, but with strings, which may use a name.
    private static func lines(of file: SourceFile) -> [String] {
        file.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop(while: \.isWhitespace).hasPrefix("//") ? "" : String(line)
        }
    }
}
