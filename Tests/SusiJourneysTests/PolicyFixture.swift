import Foundation

@testable import SusiJourneys

/// The small policies of these tests, in which a mistake may be planted.
enum PolicyFixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Policies")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).xml"), encoding: .utf8)
    }

    /// Checks all of them, with other texts for some, and more files.
    static func check(_ changed: [String: String] = [:], options: PolicyOptions = PolicyOptions()) throws -> FolderCheck
    {
        var texts = try Dictionary(
            uniqueKeysWithValues: ["Base", "SignUp", "SignIn"].map { ("\($0).xml", try text($0)) })
        texts.merge(changed) { $1 }
        return FolderCheck(texts.map { PolicySource(path: $0, content: Array($1.utf8)) }, options)
    }

    /// Returns a text with a part replaced, and the line of `§` in the new part, or of its beginning.
    static func plant(_ name: String, _ part: String, _ new: String) throws -> (text: String, line: Int) {
        let original = try text(name)
        guard let range = original.firstRange(of: part) else { throw Missing(part: part) }
        let marked = original.replacingCharacters(in: range, with: new.contains("§") ? new : "§\(new)")
        return (marked.replacing("§", with: ""), try line(of: "§", in: marked))
    }

    static func line(of part: String, in text: String) throws -> Int {
        guard let start = text.firstRange(of: part) else { throw Missing(part: part) }
        return text[..<start.lowerBound].count { $0.isNewline } + 1
    }

    private struct Missing: Error { let part: String }
}
