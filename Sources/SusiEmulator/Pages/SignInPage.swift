import SusiBase
import SusiPolicies

/// The sign-in page: a name and a password, or another identity provider.
enum SignInPage {
    static func page(
        _ transaction: Transaction, name: String?, alert: LocalizedText? = nil, lockEnd: Int64 = 0
    ) throws -> Response {
        let (words, minutes) = (transaction.words, transaction.minutes(until: lockEnd))
        let endpoint = transaction.endpoint
        let forgot: HTML? =
            endpoint.dialect.traits.linksToPasswordReset || endpoint.resetsPasswords
            ? """
            <p class="aside"><a id="forgotPassword" href="\(transaction.link("forgot-password"))">\(words[.forgotPassword])</a></p>
            """ : nil
        let elements = endpoint.elements
        var nameField = Field.signInName(
            endpoint.settings.identifier, words, id: elements.signInName.id, value: name ?? "")
        nameField.name = elements.signInName.name
        nameField.isFocused = name == nil
        nameField.isReadOnly = transaction.progress.invitedEmail != nil
        let password = Field(
            id: elements.password.id, name: elements.password.name, label: words[.password], type: "password",
            autocomplete: "current-password", isFocused: name != nil)
        let form = Form(
            id: "localAccountForm", action: "sign-in", fields: [nameField, password],
            submit: (elements.signIn, words[.signIn]), hasInputAsButton: elements.hasInputAsButton,
            alert: words[alert, with: minutes], afterFields: forgot,
            offersToKeep: endpoint.settings.session.keepSeconds != nil)
        let purpose: LocalizedText = endpoint.signsIn ? .toContinueWith : .toChangeProfileIn
        return transaction.page(
            words[.signIn], lead: words[purpose, words.name(of: endpoint.tenant)],
            wrong: Words.english[alert, with: minutes],
            "\(form.html(transaction))\n\(try alternatives(transaction))")
    }

    private static func alternatives(_ transaction: Transaction) throws -> HTML {
        let words = transaction.words
        let signUp: HTML? =
            transaction.endpoint.offersSignUp
            ? """
            <p class="foot">\(words[.noAccount]) <a id="createAccount" href="\(transaction.link("sign-up"))">\(words[.signUpNow])</a></p>
            """ : nil
        return "\(social(transaction))\(try TestUsers(transaction)?.html())\(signUp)"
    }

    /// The link to the social provider. Returns `nil` if the policy has none.
    static func social(_ transaction: Transaction) -> HTML? {
        guard transaction.endpoint.offersSocial else { return nil }
        return """
            <p class="others"><a class="button" id="SocialExchange" href="\(transaction.link("social"))">\
            \(transaction.words[.signInWith, SocialPage.provider])</a></p>
            """
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let (endpoint, form) = (transaction.endpoint, transaction.context.form)
        let clicked = form["user"]
        let elements = endpoint.elements
        let typed = (
            name: form[elements.signInName.name]?.trimmed ?? "", password: form[elements.password.name] ?? ""
        )
        let known = try clicked.map { try TestUsers(transaction)?.credentials(of: $0) }
        guard let (given, password) = known ?? typed else { throw PageError.ended }
        let name = transaction.progress.invitedEmail ?? given
        let outcome = try endpoint.check(
            password, of: name, clientID: transaction.request.clientID, locale: transaction.words.language.rawValue,
            now: transaction.context.now)
        switch outcome {
        case .accepted(let user): return try transaction.proceed(user)
        case .wrong:
            // One text for both, so that it does not show which addresses have accounts.
            let usual: LocalizedText = endpoint.settings.identifier == .email ? .wrongPassword : .wrongUserName
            return try page(transaction, name: name, alert: clicked == nil ? usual : .passwordChanged)
        case .locked(let end):
            return try page(transaction, name: name, alert: .accountLocked, lockEnd: end)
        case .blocked: return try page(transaction, name: name, alert: .accountBlocked)
        }
    }

    /// Follows the link “Forgot your password?”: the policy resets the password itself, or the application gets an error and
    /// runs its password-reset policy.
    static func forgotPassword(_ transaction: Transaction) throws -> Response {
        guard !transaction.endpoint.resetsPasswords else { return ResetPage.addressPage(transaction, name: nil) }
        return try transaction.refuse(Refusal(.passwordForgotten, "The user has forgotten their password."))
    }
}

extension Field {
    static func signInName(
        _ identifier: PolicySettings.Identifier, _ words: Words, id: String, value: String
    ) -> Field {
        let label: LocalizedText =
            switch identifier {
            case .email: .emailAddress
            case .userName: .userName
            case .either: .emailOrUserName
            }
        return Field(
            id: id, label: words[label], type: identifier == .email ? "email" : "text", autocomplete: "username",
            value: value)
    }
}
