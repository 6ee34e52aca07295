/// A regular expression of .NET, as a policy has it.
struct Pattern {
    /// Longer texts match no pattern: its time may grow with the square of the length, or more (spec §0 B8).
    static let longestInput = 1_024

    private let regex: Regex<AnyRegexOutput>

    /// Returns `nil` for what does not compile here: lookbehind, and what .NET does not compile either.
    init?(_ text: String) {
        guard let regex = try? Regex(Self.translated(text)) else { return nil }
        self.regex = regex.matchingSemantics(.unicodeScalar)
    }

    func matches(_ text: String) -> Bool { firstMatch(in: text) != nil }

    /// Returns the named groups of the first match; `nil` if there is none.
    func groups(in text: String) -> [String: String]? {
        guard let match = firstMatch(in: text) else { return nil }
        let named = match.output.compactMap { group in
            group.name.map { ($0, group.substring.map(String.init) ?? "") }
        }
        return Dictionary(named) { $1 }
    }

    /// Replaces each match. `$1` in the replacement is a group of the match.
    func replace(in text: String, with replacement: String) -> String {
        guard text.unicodeScalars.count <= Self.longestInput else { return String(repeating: "*", count: text.count) }
        return text.replacing(regex) { match in
            replacement.replacing(/\$([0-9])/) { reference in
                guard let number = Int(reference.output.1), match.output.indices.contains(number) else {
                    return reference.output.0
                }
                return match.output[number].substring ?? ""
            }
        }
    }

    private func firstMatch(in text: String) -> Regex<AnyRegexOutput>.Match? {
        text.unicodeScalars.count <= Self.longestInput ? text.firstMatch(of: regex) : nil
    }

    // In a class of .NET, a bracket and an operator of Swift are characters, but for `-[` of a subtraction at its end.
    private static func translated(_ text: String) -> String {
        var (result, rest, depth) = ("", Substring(text).unicodeScalars, 0)
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                result += "\\" + (rest.popFirst().map { String($0) } ?? "")
            case "[" where depth == 0:
                depth = 1
                result += openingClass(&rest)
            case "-" where depth > 0 && rest.first == "[":
                rest.removeFirst()
                depth += 1
                result += "--" + openingClass(&rest)
            case "]" where depth > 0:
                depth -= 1
                result += "]"
            case "[", "&", "~":
                result += depth > 0 ? "\\\(scalar)" : String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    // Of the beginning of a class: a caret, and a bracket that does not close it.
    private static func openingClass(_ rest: inout Substring.UnicodeScalarView) -> String {
        var result = "["
        for (mark, text) in [("^", "^"), ("]", "\\]")] as [(Unicode.Scalar, String)] where rest.first == mark {
            rest.removeFirst()
            result += text
        }
        return result
    }
}

/// The characters of a set such as `a-zA-Z0-9` (predicates, spec §0 A12). No regular expression is made of it, since it may
/// have brackets in it.
struct CharacterSet {
    private var ranges: [ClosedRange<Unicode.Scalar>] = []

    init(_ text: String) {
        var rest = Substring(text).unicodeScalars
        while let first = rest.popFirst() {
            if first == "\\", let escaped = rest.popFirst() {
                ranges += Self.classes[escaped] ?? [escaped...escaped]
            } else if rest.first == "-", let last = rest.dropFirst().first, last != "\\", last >= first {
                ranges.append(first...last)
                rest = rest.dropFirst(2)
            } else {
                ranges.append(first...first)
            }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } }

    private static let classes: [Unicode.Scalar: [ClosedRange<Unicode.Scalar>]] = [
        "d": ["0"..."9"], "w": ["a"..."z", "A"..."Z", "0"..."9", "_"..."_"],
        "s": [" "..." ", "\t"..."\r", "\u{85}"..."\u{85}", "\u{a0}"..."\u{a0}"],
    ]
}
