import SusiPolicies

/// Who signs in: a name and a password, or another identity provider.
enum SignInPage {
    static func page(_ flow: Flow, name: String?, alert: LocalizedText? = nil) throws -> Response {
        let words = flow.words
        let endpoint = flow.endpoint
        let forgot: HTML? =
            endpoint.tenant.configuration.kind == .b2c || endpoint.resetsPasswords
            ? """
            <p class="aside"><a id="forgotPassword" href="\(flow.link("forgot-password"))">\(words[.forgotPassword])</a></p>
            """ : nil
        let form = Form(
            id: "localAccountForm", action: "sign-in",
            fields: [
                nameField(endpoint.settings.identifier, words, name),
                Field(
                    id: "password", label: words[.password], type: "password", autocomplete: "current-password",
                    isFocused: name != nil),
            ],
            submit: ("next", words[.signIn]), alert: words[alert], afterFields: forgot,
            offersToKeep: endpoint.settings.session.keepSeconds != nil)
        let purpose: LocalizedText = endpoint.policy.kind == .signUpOrSignIn ? .toContinueWith : .toChangeProfileIn
        return flow.answer(
            Page(
                words: words, title: words[.signIn], isWrong: alert != nil,
                content: """
                    <h1>\(words[.signIn])</h1>
                    <p class="lead">\(words[purpose, words.name(of: endpoint.tenant)])</p>
                    \(form.html(flow))
                    \(try otherWays(flow))
                    """), note: alert?.english)
    }

    private static func nameField(
        _ identifier: PolicySettings.Identifier, _ words: Words, _ value: String?
    ) -> Field {
        let label: LocalizedText =
            switch identifier {
            case .email: .emailAddress
            case .userName: .userName
            case .either: .emailOrUserName
            }
        return Field(
            id: "signInName", label: words[label], type: identifier == .email ? "email" : "text",
            autocomplete: "username", value: value ?? "", isFocused: value == nil)
    }

    private static func otherWays(_ flow: Flow) throws -> HTML {
        let words = flow.words
        let social: HTML? =
            flow.endpoint.offersSocial
            ? """
            <p class="others"><a class="button" id="SocialExchange" href="\(flow.link("social"))">\
            \(words[.signInWith, SocialPage.provider])</a></p>
            """ : nil
        let signUp: HTML? =
            flow.endpoint.offersSignUp
            ? """
            <p class="foot">\(words[.noAccount]) <a id="createAccount" href="\(flow.link("sign-up"))">\(words[.signUpNow])</a></p>
            """ : nil
        return "\(social)\(try TestUsers(flow)?.html())\(signUp)"
    }

    static func show(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            guard endpoint.policy.kind != .passwordReset, endpoint.offersPasswords else { throw PageError.ended }
            return try page(try Flow.opened(endpoint, context), name: nil)
        }
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard endpoint.policy.kind != .passwordReset, endpoint.offersPasswords else { throw PageError.ended }
            let clicked = context.form["user"]
            let typed = (name: context.form["signInName"]?.trimmed ?? "", password: context.form["password"] ?? "")
            let known = try clicked.map { try TestUsers(flow)?.credentials(of: $0) }
            guard let (name, password) = known ?? typed else { throw PageError.ended }
            switch try endpoint.tenant.database.check(password, of: name, endpoint, now: context.now) {
            case .accepted(let user): return try flow.proceed(user)
            case .wrong:
                // One sentence for both, so that nobody learns which addresses have accounts.
                let usual: LocalizedText = endpoint.settings.identifier == .email ? .wrongPassword : .wrongUserName
                let alert: LocalizedText = clicked == nil ? usual : .passwordChanged
                return try page(flow, name: name, alert: alert)
            case .locked: return try page(flow, name: name, alert: .accountLocked)
            case .blocked: return try page(flow, name: name, alert: .accountBlocked)
            }
        }
    }

    /// The link “Forgot your password?”: the policy does it itself, or the application is told, and runs its
    /// password-reset policy.
    static func forgotPassword(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            guard !endpoint.resetsPasswords else { return ResetPage.addressPage(flow, name: nil) }
            return try flow.refuse(Refusal(.passwordForgotten, "The user has forgotten their password."))
        }
    }
}

extension String {
    /// Without the blanks that a phone's keyboard adds.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
