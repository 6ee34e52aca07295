import SusiBase
import SusiPolicies

/// The error codes in a text that somebody typed or pasted: a code, a message, the address or the body of a response.
package struct PastedError: Sendable {
    /// The rows of the table, in the order of the text. A service's own codes are exact, so that the OAuth error beside them
    /// is left out.
    package private(set) var known: [ErrorCode] = []
    /// The codes that the table does not have.
    package private(set) var unknown: [String] = []
    package let correlationID: String?
    /// The server's time for this event, as it wrote it.
    package let timestamp: String?

    package init(_ text: String) {
        let refusal = Self.refusal(in: text)
        (correlationID, timestamp) = (refusal.correlationID, refusal.timestamp)
        let names = Self.serviceCodes(in: text) + [refusal.code].compactMap(\.self) + Self.numbers(in: text)
        add(names)
        if known.isEmpty { add(Self.words(in: text)) }
        if let exact = refusal.row, let place = known.firstIndex(where: { $0.name == exact.name }) {
            known[place] = exact
        }
    }

    private mutating func add(_ names: [String]) {
        for name in names {
            if let row = ErrorCode.row(name) {
                if !known.contains(row) { known.append(row) }
            } else if !unknown.contains(name) {
                unknown.append(name)
            }
        }
    }

    // An address or a body is decoded; any other text counts as a description.
    private static func refusal(in text: String) -> ServerRefusal {
        if let response = try? JSONNode(parsing: text.utf8), let refusal = ServerRefusal(response: response) {
            return refusal
        }
        let fields = text.split(whereSeparator: \.isWhitespace).lazy.compactMap(fields).first ?? []
        let value = { (name: String) in fields.first { $0.name == name }?.value }
        return ServerRefusal(error: value("error") ?? "", description: value("error_description") ?? text)
    }

    // The parameters of a redirect: behind the last “?” or “#” before the error.
    private static func fields(in word: Substring) -> [(name: String, value: String)]? {
        guard let place = word.firstRange(of: "error=")?.lowerBound else { return nil }
        let start = word[..<place].lastIndex { "?#".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
        return FormEncoding.decode(word[start...])
    }

    private static func serviceCodes(in text: String) -> [String] {
        let upper = text.uppercased()
        let prefixes = ErrorCode.services + ErrorCode.libraries
        let starts = prefixes.flatMap { upper.ranges(of: $0).map(\.lowerBound) }.sorted()
        return starts.compactMap { ErrorCode.name(in: String(upper[$0...].prefix(20)), of: prefixes) }
    }

    // A number alone may belong to each service.
    private static func numbers(in text: String) -> [String] {
        let word = text.trimmed
        guard (5...9).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return [] }
        let names = ErrorCode.services.map { $0 + word }
        let known = names.filter { ErrorCode.row($0) != nil }
        return known.isEmpty ? names : known
    }

    // OAuth's names all have an underscore. A code that is not in the table, for example a custom policy's own, is the whole
    // text or comes before a colon; it keeps its spelling.
    private static func words(in text: String) -> [String] {
        // People say “redirect_uri mismatch”.
        let joined = text.trimmed.lowercased().replacing(" ", with: "_")
        if ErrorCode.row(joined) != nil { return [joined] }
        let known = text.lowercased().split { !isPart($0) }.map(String.init).filter { ErrorCode.row($0) != nil }
        guard known.isEmpty, let first = text.split(separator: ":").first.map({ String($0).trimmed }) else {
            return known
        }
        let isCode = first.allSatisfy(isPart) && first.contains { $0 == "_" || $0.isNumber }
        return isCode ? [first] : []
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
