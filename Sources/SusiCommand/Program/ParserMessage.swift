import SusiBase

/// A message of the parser in the words of this program. One of another form is unchanged, as are our own.
struct ParserMessage {
    private(set) var what: String
    private(set) var why: String

    /// `options` are the names of the command's options, `words` what was typed.
    init(_ text: String, options: [String], words: [String]) {
        // Our own messages have the reason on lines of its own.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        (what, why) = (lines.first ?? "", lines.dropFirst().joined(separator: " "))
        if let found = what.wholeMatch(of: /[Uu]nknown option ['“](.+?)['”](?:\. Did you mean '.+'\?)?/) {
            what = "unknown option “\(found.1)”"
            why = Self.near(String(found.1), options).map { "did you mean “\($0)”?" } ?? ""
        } else if let found = what.wholeMatch(of: /(?:Unexpected argument|\d+ unexpected arguments:) '(.+)'/) {
            let all = found.1.replacing("', '", with: "”, “")
            what = "unexpected argument\(all == found.1 ? "" : "s") “\(all)”"
            let before = words.firstIndex(of: String(all)).flatMap { $0 > 0 ? words[$0 - 1] : nil }
            why = before.flatMap { options.contains($0) ? "\($0) takes no value" : nil } ?? ""
        } else if let found = what.wholeMatch(of: /Missing value for '(\S+).*'/) {
            what = "missing value for \(found.1)"
        } else if let found = what.wholeMatch(of: /Missing expected argument '([^ ']+).*'/) {
            what = "missing \(found.1.hasPrefix("-") ? "option" : "argument") \(found.1)"
        } else if let found = what.wholeMatch(of: /The value '(.*)' is invalid for '([^ ']+).*?'(?:(?:: |\. )(.*))?/) {
            what = "invalid value “\(found.1)” for \(found.2)"
            let hint = found.3?.replacing("Please provide one of", with: "expected one of").replacing(/'|\.$/, with: "")
            why = [String(hint ?? ""), why].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    // The only option with this beginning, else the most similar one.
    private static func near(_ name: String, _ options: [String]) -> String? {
        // An option of another command of the group is no mistake in its name.
        guard name.hasPrefix("--"), !options.contains(name) else { return nil }
        let beginning = options.filter { $0.hasPrefix(name) }
        if beginning.count == 1 { return beginning[0] }
        let words = options.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        return NearMatch.of(String(name.dropFirst(2)), in: words).map { "--\($0)" }
    }
}
