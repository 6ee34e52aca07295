/// The checks that a browser makes before it sends a value. The emulator checks everything again.
struct FieldRule: Sendable {
    /// A regular expression of HTML for the whole value.
    var pattern: String?
    /// The error of a value that does not match.
    var wrong: LocalizedText?
    /// The length in characters.
    var lengths: ClosedRange<Int>?
    /// The error of a value that is too short or too long.
    var wrongLength: LocalizedText?
    /// The ID of the field that must have the same value.
    var same: String?
    /// The error if it has another value.
    var differs: LocalizedText?

    /// The rule of `isEmailAddress`.
    static let email = FieldRule(
        pattern: #"\s*[^@\s<>"]+@[^@\s<>".]+(\.[^@\s<>".]+)+\s*"#, wrong: .invalidEmail)
    static let phone = FieldRule(
        pattern: #"\s*\+[ \-\(\).\u00a0]*[1-9](?:[ \-\(\).\u00a0]*[0-9]){6,14}[ \-\(\).\u00a0]*\s*"#,
        wrong: .invalidPhone)
    static let userName = FieldRule(pattern: #"\s*[\p{L}\p{M}\p{N}._\-]{1,64}\s*"#, wrong: .invalidUserName)
    /// A text of the profile.
    static let text = FieldRule(lengths: 1...128, wrongLength: .tooLong)

    /// The rule of an attribute of that type; the elements of a list are checked by the emulator alone.
    static func of(_ type: AttributeType) -> FieldRule {
        switch type {
        case .string, .boolean: .text
        case .integer: FieldRule(pattern: #"\s*[+\-]?[0-9]{1,10}\s*"#, wrong: .invalidNumber)
        case .strings: FieldRule()
        }
    }
    /// The rule of `passwordProblem`: three of four character classes.
    static let newPassword = FieldRule(
        pattern: threeOf([#"\p{Lowercase}"#, #"\p{Uppercase}"#, #"\p{N}"#, #"[^\p{L}\p{N}]"#]),
        wrong: .passwordClasses, lengths: 8...64, wrongLength: .passwordLength)
    /// The confirmation of a new password.
    static let repeatedPassword = FieldRule(same: "newPassword", differs: .passwordsDiffer)

    private static func threeOf(_ classes: [String]) -> String {
        classes.indices.map { left in
            classes.indices.filter { $0 != left }.map { "(?=.*\(classes[$0]))" }.joined() + ".*"
        }.joined(separator: "|")
    }

    func attributes(_ words: Words) -> HTML {
        let least: HTML? = lengths.map { $0.lowerBound > 1 ? HTML(" minlength=\"\(String($0.lowerBound))\"") : "" }
        let bounds: HTML? = lengths.map {
            " data-least=\"\(String($0.lowerBound))\" data-most=\"\(String($0.upperBound))\""
        }
        let format: HTML? = pattern.map { " pattern=\"\($0)\"" }
        let named = [
            ("wrong", words[wrong]), ("length", words[wrongLength]), ("same", same), ("differs", words[differs]),
        ]
        let rest = named.compactMap { name, value -> HTML? in value.map { " data-\(name)=\"\($0)\"" } }
        return "\(least)\(bounds)\(format)\(HTML(rest))"
    }
}
