import SusiPolicies

/// Asks for a new password after the old one was forgotten or has expired.
enum NewPasswordPage {
    enum Reason { case forgotten, expired }

    static func page(
        _ transaction: Transaction, _ user: User, reason: Reason, problems: [String: LocalizedText] = [:]
    ) -> Response {
        let words = transaction.words
        let form = Form(
            action: reason == .expired ? "new-password" : "reset-password",
            fields: fields(words, problems, focus: true), submit: ("continue", words[.continue]),
            username: user.signInName)
        let remark: HTML? = reason == .expired ? "<p class=\"remark\">\(words[.passwordExpired])</p>" : nil
        return transaction.page(
            words[.newPassword], heading: words[.chooseNewPassword], lead: words[.forPerson, user.signInName],
            wrong: problems.isEmpty ? nil : "password rejected", "\(remark)\n\(form.html(transaction))")
    }

    /// The two fields, which a sign-up has too. `isAgain` says that a valid password was sent before.
    static func fields(
        _ words: Words, _ problems: [String: LocalizedText], focus: Bool, isAgain: Bool = false
    ) -> [Field] {
        // No page repeats a password. A note says why a field with a valid password is empty.
        let isGone = isAgain || !problems.isEmpty && problems["newPassword"] == nil
        return [
            Field(
                id: "newPassword", label: words[.newPassword], type: "password", autocomplete: "new-password",
                hint: words[.passwordRule], note: isGone ? words[.passwordAgain] : nil,
                error: words[problems["newPassword"]], rule: .newPassword, isFocused: focus),
            Field(
                id: "reenterPassword", label: words[.confirmPassword], type: "password",
                autocomplete: "new-password", error: words[problems["reenterPassword"]], rule: .repeatedPassword),
        ]
    }

    /// The problems of the submitted fields, by field ID.
    static func problems(_ form: Parameters) -> [String: LocalizedText] {
        let password = form["newPassword"] ?? ""
        if let problem = passwordProblem(password) { return ["newPassword": problem] }
        return form["reenterPassword"] == password ? [:] : ["reenterPassword": .passwordsDiffer]
    }

    /// Replaces a password that has expired. The user has entered it before.
    static func submit(_ transaction: inout Transaction) throws -> Response {
        let user = try transaction.provingUser()
        guard user.owesPassword else { throw PageError.ended }
        return try change(user, .expired, in: &transaction)
    }

    static func submitReset(_ transaction: inout Transaction) throws -> Response {
        let user = try transaction.user(transaction.progress.resetting)
        return try change(user, .forgotten, in: &transaction)
    }

    private static func change(
        _ user: User, _ reason: Reason, in transaction: inout Transaction
    ) throws -> Response {
        let database = transaction.database
        let password = transaction.context.form["newPassword"] ?? ""
        var problems = problems(transaction.context.form)
        if reason == .expired, problems.isEmpty, try database.isPassword(password, of: user.objectID) {
            problems["newPassword"] = .passwordSame
        }
        guard problems.isEmpty else { return page(transaction, user, reason: reason, problems: problems) }
        try database.change(user.objectID, password: try PasswordHash(password))
        return try transaction.proceed(try transaction.user(user.objectID))
    }
}
