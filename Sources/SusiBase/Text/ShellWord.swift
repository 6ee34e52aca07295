extension String {
    /// The text as one word of a POSIX shell or fish, whatever characters it contains.
    ///
    /// Control characters are written as escapes of `printf`, which every POSIX shell has; not all have
    /// `$'…'`. Only a line feed at the end cannot be written so: a command substitution removes it.
    package var shellWord: String {
        guard DisplayText.isHarmless(self) else { return shellPrinted }
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "@%_-+=:,./".utf8.contains($0) }
        // zsh replaces a word `=name` by the path of that program.
        return isPlain && !isEmpty && !hasPrefix("=") ? self : shellQuoted
    }

    /// The text as one word in quotes, whatever is in it. Between single quotes, fish reads a backslash as the beginning of
    /// an escape, so a text with one is written with `printf`.
    package var shellQuoted: String {
        if unicodeScalars.contains("\\") { return shellPrinted }
        // Scalars are compared: a combining mark joins a quote to one grapheme cluster, and the quote still ends the word.
        return "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    private var shellPrinted: String {
        unicodeScalars.last == "\n" ? "$'\(shellEscapes)'" : "\"$(printf '\(shellEscapes)')\""
    }

    /// The text for the format of `printf`, and for the single quotes around it.
    package var shellEscapes: String { unicodeScalars.map(\.shellEscape).joined() }
}

extension Unicode.Scalar {
    // A shell that does not know the quotes around it must not find their end, nor a command.
    fileprivate var shellEscape: String {
        let isPlain =
            isASCII
            ? UInt8(value).isAlphanumeric || " @_+=:,./".unicodeScalars.contains(self) : DisplayText.isHarmless(self)
        if isPlain { return String(self) }
        return String(self).utf8.map { "\\" + String(0o1000 + Int($0), radix: 8).dropFirst() }.joined()
    }
}
