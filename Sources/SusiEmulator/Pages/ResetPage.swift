import SusiPolicies

/// A new password for a person who forgot theirs: first the address, then the password.
enum ResetPage {
    static func addressPage(_ flow: Flow, email: String?, problem: Word? = nil) -> Answer {
        let words = flow.words
        let form = Form(
            action: "reset-address",
            fields: [
                Field(
                    id: "email", label: words[.emailAddress], type: "email", autocomplete: "username",
                    value: email ?? "",
                    error: words[problem], isFocused: true)
            ],
            submit: ("continue", words[.continue]))
        return flow.answer(
            Page(
                words: words, title: words.title(.resetPassword, toCheck: problem != nil),
                content: """
                    <h1>\(words[.resetYourPassword])</h1>
                    <p class="lead">\(words[.inTenant, flow.place.tenant.configuration.name])</p>
                    <p class="remark">\(words[.mailSkipped])</p>
                    \(form.html(flow))
                    """))
    }

    private static func passwordPage(_ flow: Flow, _ user: User, problems: [String: Word] = [:]) -> Answer {
        let words = flow.words
        let form = Form(
            action: "reset-password",
            fields: [
                Field(
                    id: "newPassword", label: words[.newPassword], type: "password", autocomplete: "new-password",
                    hint: words[.passwordRule],
                    error: words[problems["newPassword"]], isFocused: true),
                Field(
                    id: "reenterPassword", label: words[.confirmPassword], type: "password",
                    autocomplete: "new-password", error: words[problems["reenterPassword"]]),
            ],
            submit: ("continue", words[.continue]), username: user.signInName)
        return flow.answer(
            Page(
                words: words, title: words.title(.newPassword, toCheck: !problems.isEmpty),
                content: """
                    <h1>\(words[.chooseNewPassword])</h1>
                    <p class="lead">\(words[.forPerson, user.signInName])</p>
                    \(form.html(flow))
                    """))
    }

    static func submitAddress(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            var flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard place.policy.kind == .passwordReset else { throw PageError.ended }
            let email = visit.form["email"]?.trimmed ?? ""
            guard let user = try place.tenant.database.user(email: email) else {
                // As the service does, which has verified the address by then.
                return addressPage(flow, email: email, problem: .unknownAddress)
            }
            flow.transaction = try place.tenant.database.note(
                user.objectID, authTime: visit.now, in: flow.transaction)
            return passwordPage(flow, user)
        }
    }

    static func submitPassword(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            let flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard place.policy.kind == .passwordReset, let objectID = flow.transaction.objectID,
                let user = try place.tenant.database.user(objectID: objectID)
            else { throw PageError.ended }
            let problems = SignUpPage.passwordProblems(visit.form)
            guard problems.isEmpty else { return passwordPage(flow, user, problems: problems) }
            let hash = try PasswordHash(visit.form["newPassword"] ?? "")
            try place.tenant.database.setPassword(hash, of: user.objectID)
            return try flow.finish(user, authTime: visit.now, startsSession: true)
        }
    }
}
