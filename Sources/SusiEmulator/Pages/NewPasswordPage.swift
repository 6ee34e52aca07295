import SusiPolicies

/// A new password for a person whose old one was forgotten or has expired.
enum NewPasswordPage {
    static func page(
        _ flow: Flow, _ user: User, reason: LocalizedText? = nil, action: String,
        problems: [String: LocalizedText] = [:]
    ) -> Response {
        let words = flow.words
        let form = Form(
            action: action, fields: fields(words, problems, focus: true), submit: ("continue", words[.continue]),
            username: user.signInName)
        let reasonLine: HTML? = words[reason].map { "<p class=\"remark\">\($0)</p>" }
        return flow.answer(
            Page(
                words: words, title: words[.newPassword], isWrong: !problems.isEmpty,
                content: """
                    <h1>\(words[.chooseNewPassword])</h1>
                    <p class="lead">\(words[.forPerson, user.signInName])</p>
                    \(reasonLine)
                    \(form.html(flow))
                    """), note: problems.isEmpty ? nil : "password rejected")
    }

    /// The two fields that a sign-up has too.
    static func fields(_ words: Words, _ problems: [String: LocalizedText], focus: Bool) -> [Field] {
        // No page repeats a password. Whoever typed a good one is told why the fields are empty.
        let isGone = !problems.isEmpty && problems["newPassword"] == nil
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

    /// What is wrong with what was typed into them.
    static func problems(_ form: Parameters) -> [String: LocalizedText] {
        let password = form["newPassword"] ?? ""
        if let problem = passwordProblem(password) { return ["newPassword": problem] }
        return form["reenterPassword"] == password ? [:] : ["reenterPassword": .passwordsDiffer]
    }

    /// The password that has expired was shown; another one takes its endpoint.
    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            let database = endpoint.tenant.database
            guard let objectID = try flow.journey().person, let user = try database.user(objectID: objectID),
                user.owesPassword
            else { throw PageError.ended }
            var problems = problems(context.form)
            let password = context.form["newPassword"] ?? ""
            if problems.isEmpty, try database.isPassword(password, of: objectID) {
                problems["newPassword"] = .passwordSame
            }
            guard problems.isEmpty else {
                return page(flow, user, reason: .passwordExpired, action: "new-password", problems: problems)
            }
            return try flow.proceed(try change(password, of: user, database))
        }
    }

    /// Gives a user a password and returns the user as they are then.
    static func change(_ password: String, of user: User, _ database: Database) throws -> User {
        try database.setPassword(try PasswordHash(password), of: user.objectID)
        guard let changed = try database.user(objectID: user.objectID) else { throw PageError.ended }
        return changed
    }
}
