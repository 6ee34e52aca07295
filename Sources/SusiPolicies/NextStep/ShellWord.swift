extension String {
    /// The text as one word of a POSIX shell, whatever characters it contains.
    public var shellWord: String {
        guard unicodeScalars.allSatisfy(\.isVisible) else {
            return "$'\(unicodeScalars.map(\.shellEscape).joined())'"
        }
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "@%_-+=:,./".utf8.contains($0) }
        // zsh replaces a word `=name` by the path of that program.
        return isPlain && !isEmpty && !hasPrefix("=") ? self : shellQuoted
    }

    /// The text between single quotes, whatever is in it. Scalars are compared: a combining mark joins a quote to one
    /// grapheme cluster, and the quote still ends the word.
    public var shellQuoted: String {
        "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible and has no other effect.
    fileprivate var isVisible: Bool {
        if isASCII { return (0x20...0x7e).contains(value) }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// The character inside `$'…'`: itself if possible, else an escape.
    fileprivate var shellEscape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case "'", "\\": "\\\(self)"
        case _ where isVisible: String(self)
        default: String(self).utf8.map { "\\" + String(0o1000 + Int($0), radix: 8).dropFirst() }.joined()
        }
    }
}
