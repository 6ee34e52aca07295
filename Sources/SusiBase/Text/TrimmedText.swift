extension String {
    /// The text without white space at its ends, which pasting and a phone's keyboard add.
    package var trimmed: String {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return String(rest)
    }
}
