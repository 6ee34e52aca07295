import SusiPolicies

/// Email and password.
enum SignInPage {
    static func page(_ flow: Flow, email: String?, alert: Word? = nil) -> Answer {
        let words = flow.words
        let forgot: HTML? =
            flow.place.tenant.configuration.kind == .b2c
            ? """
            <p class="aside"><a id="forgotPassword" href="\(flow.link("forgot-password"))">\(words[.forgotPassword])</a></p>
            """ : nil
        let form = Form(
            action: "sign-in",
            fields: [
                Field(
                    id: "signInName", label: words[.emailAddress], type: "email", autocomplete: "username",
                    value: email ?? "", isFocused: email == nil),
                Field(
                    id: "password", label: words[.password], type: "password", autocomplete: "current-password",
                    isFocused: email != nil),
            ],
            submit: ("next", words[.signIn]), alert: words[alert], afterFields: forgot)
        let signUp: HTML? =
            flow.place.offersSignUp
            ? """
            <p class="foot">\(words[.noAccount]) <a id="createAccount" href="\(flow.link("sign-up"))">\(words[.signUpNow])</a></p>
            """ : nil
        let purpose: Word = flow.place.policy.kind == .signUpOrSignIn ? .toContinueWith : .toChangeProfileIn
        return flow.answer(
            Page(
                words: words, title: words[.signIn],
                content: """
                    <h1>\(words[.signIn])</h1>
                    <p class="lead">\(words[purpose, words.name(of: flow.place.tenant)])</p>
                    \(form.html(flow))
                    \(signUp)
                    """), note: alert == nil ? nil : "wrong email or password")
    }

    static func show(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            guard place.policy.kind != .passwordReset else { throw PageError.ended }
            return page(try Flow.opened(place, visit), email: nil)
        }
    }

    static func submit(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            var flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard place.policy.kind != .passwordReset else { throw PageError.ended }
            let email = visit.form["signInName"]?.trimmed ?? ""
            let database = place.tenant.database
            let user: User
            switch try database.check(
                visit.form["password"] ?? "", of: email, place.settings, now: visit.now)
            {
            case .accepted(let found): user = found
            case .wrong:
                // One sentence for both, so that nobody learns which addresses have accounts.
                return page(flow, email: email, alert: .wrongPassword)
            case .locked: return page(flow, email: email, alert: .accountLocked)
            case .blocked: return page(flow, email: email, alert: .accountBlocked)
            }
            guard place.policy.kind == .editProfile else {
                return try flow.finish(user, authTime: visit.now, startsSession: true)
            }
            flow.transaction = try database.note(user.objectID, authTime: visit.now, in: flow.transaction)
            return try flow.answerStartingSession(ProfilePage.page(flow, ProfileFields(user)), user)
        }
    }

    /// The link “Forgot your password?”: the application is told, and runs its password-reset policy.
    static func forgotPassword(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            try Flow.opened(place, visit).refuse(
                Refusal(.passwordForgotten, "The user has forgotten their password."))
        }
    }
}

extension Place {
    /// Whether people may make accounts for themselves: not in a workforce, and not with a plain provider.
    var offersSignUp: Bool { policy.kind == .signUpOrSignIn && [.b2c, .external].contains(tenant.configuration.kind) }
}

extension String {
    /// Without the blanks that a phone's keyboard adds.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
