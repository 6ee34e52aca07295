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
    var problems: [String: String] {
        var result: [String: String] = [:]
        for (id, value) in [("displayName", displayName), ("givenName", givenName), ("surname", surname)] {
            if value.isEmpty { result[id] = "This information is required." }
            if value.count > 128 { result[id] = "At most 128 characters." }
        }
        return result
    }

    func fields(_ problems: [String: String], focus: Bool) -> [Field] {
        [
            Field(
                id: "displayName", label: "Display name", autocomplete: "name", value: displayName,
                error: problems["displayName"], isFocused: focus),
            Field(
                id: "givenName", label: "Given name", autocomplete: "given-name", value: givenName,
                error: problems["givenName"]),
            Field(
                id: "surname", label: "Surname", autocomplete: "family-name", value: surname,
                error: problems["surname"]),
        ]
    }
}
