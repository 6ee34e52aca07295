import Susi

extension [Setting] {
    /// Reads lines `NAME=VALUE`, as in a file of environment variables. Returns `nil` if another line is among them.
    init?(variables text: String) {
        self = []
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop(while: \.isWhitespace)
            guard let first = line.first, first != "#", first != ";" else { continue }
            guard let equals = line.firstIndex(of: "=") else { return nil }
            let words = line[..<equals].split(whereSeparator: \.isWhitespace)
            guard let name = words.last, words.count == 1 || words.count == 2 && words[0] == "export",
                name.utf8.allSatisfy({ $0.isAlphanumeric || "_.-:".utf8.contains($0) })
            else { return nil }
            append(Setting([String(name)], [[Setting.Part](template: Self.value(line[equals...].dropFirst()))]))
        }
        if isEmpty { return nil }
    }

    // A value in quotes ends with them, any other one at a comment.
    private static func value(_ text: Substring) -> String {
        let text = text.drop(while: \.isWhitespace)
        if let quote = text.first, "\"'".contains(quote) { return String(text.dropFirst().prefix { $0 != quote }) }
        let parts = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false)
        return DraftSource.withoutSpace(String(parts.first ?? ""))
    }
}
