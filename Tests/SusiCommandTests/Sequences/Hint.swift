import Susi
import SusiTestSupport

/// A command that another one proposes: after `next:`, in parentheses, or as a candidate.
struct Hint: Hashable, Comparable {
    let words: [String]

    var line: String { words.joined(separator: " ") }

    static func < (left: Hint, right: Hint) -> Bool { left.line < right.line }

    /// Returns the commands in what a command printed.
    static func all(in text: String) -> Set<Hint> {
        Set(
            text.split(separator: "\n").flatMap { line -> [Hint] in
                line.ranges(of: "susi ").compactMap { range in
                    let isWord =
                        range.lowerBound == line.startIndex
                        || " (“".contains(line[line.index(before: range.lowerBound)])
                    return isWord ? Hint(line[range.upperBound...]) : nil
                }
            })
    }

    // A command ends at punctuation, or where the sentence about it goes on.
    private init?(_ text: Substring) {
        var words: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if word.isEmpty || Self.verbs.contains(String(word)) { break }
            let bare = word.prefix { !"\",);”".contains($0) }
            words.append(String(bare))
            if bare.count < word.count { break }
        }
        // A sentence about susi, or a command with a part that the person fills in.
        guard let first = words.first, Self.commands.contains(first), Self.placeholders.isDisjoint(with: words) else {
            return nil
        }
        self.words = words
    }

    private static let verbs: Set = ["shows", "ends", "goes", "lists", "removes", "<", "|", "||", "and", "or", "again"]
    private static let placeholders: Set = ["ACCOUNT", "FILE", "NAME", "COMMAND", "/PATH", "SCOPE", "ID", "ADDRESS"]
    private static let commands: Set = [
        "accounts", "call", "edit-profile", "export", "import", "inspect", "policies", "remove", "reset-password",
        "sign-in", "sign-out", "status", "store", "switch", "token",
    ]

    var isRemoval: Bool { ["remove", "sign-out"].contains(words.first) }

    /// Who types it: the person that it names, else `holder`.
    func person(or holder: LocalTenant.Person?) -> LocalTenant.Person {
        [LocalTenant.Person.ana, .ben].first { person in names(person) } ?? holder ?? .ana
    }

    func names(_ person: LocalTenant.Person) -> Bool {
        words.contains { $0.contains(person.email) || $0.contains(person.subject) }
    }
}
