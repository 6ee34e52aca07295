/// The names that a person may change, as a form has them.
struct ProfileFields: Sendable {
    var displayName = ""
    var givenName = ""
    var surname = ""

    init() {}

    init(_ user: User) {
        displayName = user.displayName
        givenName = user.givenName
        surname = user.surname
    }

    init(_ form: Parameters) {
        displayName = form["displayName"]?.trimmed ?? ""
        givenName = form["givenName"]?.trimmed ?? ""
        surname = form["surname"]?.trimmed ?? ""
    }

    /// What is wrong, by field id.
    var problems: [String: Word] {
        var result: [String: Word] = [:]
        for (id, value) in [("displayName", displayName), ("givenName", givenName), ("surname", surname)] {
            if value.isEmpty { result[id] = .required }
            if value.count > 128 { result[id] = .tooLong }
        }
        return result
    }

    func fields(_ words: Words, _ problems: [String: Word], focus: Bool) -> [Field] {
        [
            Field(
                id: "displayName", label: words[.displayName], autocomplete: "name", value: displayName,
                error: words[problems["displayName"]], isFocused: focus),
            Field(
                id: "givenName", label: words[.givenName], autocomplete: "given-name", value: givenName,
                error: words[problems["givenName"]]),
            Field(
                id: "surname", label: words[.surname], autocomplete: "family-name", value: surname,
                error: words[problems["surname"]]),
        ]
    }
}
