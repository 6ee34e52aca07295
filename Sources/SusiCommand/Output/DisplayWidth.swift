/// The number of terminal columns that a text occupies.
enum DisplayWidth {
    /// Returns the columns of a text without line breaks; color sequences (`ESC [ … m`) have no width.
    static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text.utf8.count }
        // Works on scalars, because a combining mark after a color would join the last letter of its code.
        var shown = String.UnicodeScalarView()
        var isColor = false
        for scalar in text.unicodeScalars {
            if isColor {
                isColor = scalar != "m"
            } else if scalar == "\u{1b}" {
                isColor = true
            } else {
                shown.append(scalar)
            }
        }
        return String(shown).reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of one character: 0, 1 or 2, or more if a terminal shows its parts side by side.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return of(first) }
        // One emoji of several scalars: a family, a flag, a skin color, a symbol in emoji style.
        let isPicture = scalars.dropFirst().contains { scalar in
            scalar == "\u{200d}" || scalar == "\u{fe0f}" || scalar.properties.isEmojiModifier
                || (0x1F1E6...0x1F1FF).contains(scalar.value)
        }
        if isPicture, first.properties.isEmoji { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Vowels and final consonants of a Korean syllable are drawn in the block of its first letter.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Wide and fullwidth characters (Unicode Standard Annex 11). Emoji are recognized by their own property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
