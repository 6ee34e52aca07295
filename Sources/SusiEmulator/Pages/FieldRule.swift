/// What a browser can say about a value before anything is sent. The emulator checks all of it again, and has the last word.
struct FieldRule: Sendable {
    /// A regular expression as HTML has it, for the whole value.
    var pattern: String?
    /// What is said of a value that does not fit.
    var wrong: LocalizedText?
    /// In characters.
    var lengths: ClosedRange<Int>?
    /// What is said of a value that is shorter or longer.
    var wrongLength: LocalizedText?
    /// The id of the field that has to hold the same.
    var same: String?
    /// What is said when it does not.
    var differs: LocalizedText?

    /// As `isEmailAddress` has it.
    static let email = FieldRule(
        pattern: #"\s*[^@\s<>"]+@[^@\s<>".]+(\.[^@\s<>".]+)+\s*"#, wrong: .invalidEmail)
    /// As `phoneNumber` has it.
    static let phone = FieldRule(
        pattern: #"\s*\+[ \-\(\).\u00a0]*[1-9](?:[ \-\(\).\u00a0]*[0-9]){6,14}[ \-\(\).\u00a0]*\s*"#,
        wrong: .invalidPhone)
    /// What an account of one's own may be called.
    static let userName = FieldRule(pattern: #"\s*[\p{L}\p{M}\p{N}._\-]{1,64}\s*"#, wrong: .invalidUserName)
    /// Any text of a profile.
    static let text = FieldRule(lengths: 1...128, wrongLength: .tooLong)
    /// As `passwordProblem` has it: three of four classes.
    static let newPassword = FieldRule(
        pattern: threeOf([#"\p{Lowercase}"#, #"\p{Uppercase}"#, #"\p{N}"#, #"[^\p{L}\p{N}]"#]),
        wrong: .passwordClasses, lengths: 8...64, wrongLength: .passwordLength)
    /// The second field of a new password.
    static let repeatedPassword = FieldRule(same: "newPassword", differs: .passwordsDiffer)

    private static func threeOf(_ classes: [String]) -> String {
        classes.indices.map { left in
            classes.indices.filter { $0 != left }.map { "(?=.*\(classes[$0]))" }.joined() + ".*"
        }.joined(separator: "|")
    }

    /// The attributes of the field.
    func attributes(_ words: Words) -> HTML {
        let least: HTML? = lengths.map { $0.lowerBound > 1 ? HTML(" minlength=\"\(String($0.lowerBound))\"") : "" }
        let bounds: HTML? = lengths.map {
            " data-least=\"\(String($0.lowerBound))\" data-most=\"\(String($0.upperBound))\""
        }
        let shape: HTML? = pattern.map { " pattern=\"\($0)\"" }
        let named = [
            ("wrong", words[wrong]), ("length", words[wrongLength]), ("same", same), ("differs", words[differs]),
        ]
        let rest = named.compactMap { name, value -> HTML? in value.map { " data-\(name)=\"\($0)\"" } }
        return "\(least)\(bounds)\(shape)\(HTML(rest))"
    }
}
