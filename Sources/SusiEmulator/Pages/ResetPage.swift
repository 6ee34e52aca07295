import SusiPolicies

/// A new password for a person who forgot theirs: first the address, then the password.
enum ResetPage {
    static func addressPage(_ flow: Flow, email: String?, problem: String? = nil) -> Answer {
        let form = Form(
            action: "reset-address",
            fields: [
                Field(
                    id: "email", label: "Email address", type: "email", autocomplete: "username", value: email ?? "",
                    error: problem, isFocused: true)
            ],
            submit: ("continue", "Continue"))
        return flow.answer(
            Page(
                title: problem == nil ? "Reset password" : "Reset password: please check",
                content: """
                    <h1>Reset your password</h1>
                    <p class="lead">in \(flow.place.tenant.configuration.name)</p>
                    <p class="remark">The service would send a code to this address. The emulator skips the mail.</p>
                    \(form.html(flow))
                    """))
    }

    private static func passwordPage(_ flow: Flow, _ user: User, problems: [String: String] = [:]) -> Answer {
        let form = Form(
            action: "reset-password",
            fields: [
                Field(
                    id: "newPassword", label: "New password", type: "password", autocomplete: "new-password",
                    hint: "8 to 64 characters; three of: lower case, upper case, digit, symbol",
                    error: problems["newPassword"], isFocused: true),
                Field(
                    id: "reenterPassword", label: "Confirm new password", type: "password",
                    autocomplete: "new-password", error: problems["reenterPassword"]),
            ],
            submit: ("continue", "Continue"), username: user.signInName)
        return flow.answer(
            Page(
                title: problems.isEmpty ? "New password" : "New password: please check",
                content: """
                    <h1>Choose a new password</h1>
                    <p class="lead">for \(user.signInName)</p>
                    \(form.html(flow))
                    """))
    }

    static func submitAddress(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering {
            var flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard place.policy.kind == .passwordReset else { throw PageError.ended }
            let email = visit.form["email"]?.trimmed ?? ""
            guard let user = try place.tenant.database.user(email: email) else {
                // As the service does, which has verified the address by then.
                let problem = "An account could not be found for the provided address."
                return addressPage(flow, email: email, problem: problem)
            }
            flow.transaction = try place.tenant.database.note(
                user.objectID, authTime: visit.now, in: flow.transaction)
            return passwordPage(flow, user)
        }
    }

    static func submitPassword(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering {
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
