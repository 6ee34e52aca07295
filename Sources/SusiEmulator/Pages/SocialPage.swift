import SusiBase
import SusiPolicies

/// The simulated social provider, where a user can have any identity. Its accounts have no password here.
enum SocialPage {
    /// The name of the provider in the claim `idp` and in `domain_hint`.
    static let provider = "social.example"

    private static let mostShown = 5

    static let cancelled = Refusal(
        .socialCancelled,
        """
        An invalid response was received : 'Error: user_cancelled_login,Error Description: The user has \
        cancelled the sign-in at \(provider)'.
        """)

    static func page(
        _ transaction: Transaction, email: String?, displayName: String = "", problems: [String: LocalizedText] = [:],
        alert: LocalizedText? = nil
    ) throws -> Response {
        let words = transaction.words
        let known = try transaction.database.users(of: provider, limit: mostShown)
        let form = Form(
            action: "social",
            fields: [
                Field(
                    id: "email", label: words[.emailAddress], type: "email", autocomplete: "email", value: email ?? "",
                    error: words[problems["email"]], rule: .email, isFocused: true),
                Field(
                    id: "displayName", label: words[.displayName], autocomplete: "name", value: displayName,
                    error: words[problems["displayName"]], rule: .text),
            ],
            submit: ("continue", words[.continue]), alert: words[alert])
        return transaction.page(
            words[.signInWith, provider], lead: words[.toContinueWith, words.name(of: transaction.endpoint.tenant)],
            wrong: alert?.english ?? Form.note(problems),
            """
            <p class="remark">\(words[.pretence])</p>
            \(form.html(transaction))
            \(accounts(known, transaction))
            """)
    }

    // A second form: Enter in a field submits the first form, not the first of these buttons.
    private static func accounts(_ known: [User], _ transaction: Transaction) -> HTML? {
        guard !known.isEmpty else { return nil }
        let words = transaction.words
        return """
            <h2 class="part">\(words[.knownAccounts])</h2>
            <form method="post" class="asks accounts" action="\(transaction.endpoint.page("social"))">
            \(transaction.hiddenFields)
            \(AccountButton.all(known, words))
            </form>
            """
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let form = transaction.context.form
        if let objectID = form["account"] {
            let user = try transaction.user(objectID)
            guard user.identityProvider == provider else { throw PageError.ended }
            return try signIn(user, &transaction)
        }
        let (email, displayName) = (form["email"]?.trimmed ?? "", form["displayName"]?.trimmed ?? "")
        if isEmailAddress(email), let user = try transaction.database.user(email: email, of: provider) {
            return try signIn(user, &transaction)
        }
        var problems: [String: LocalizedText] = [:]
        if !isEmailAddress(email) { problems["email"] = .invalidEmail }
        if displayName.isEmpty { problems["displayName"] = .required }
        if displayName.count > 128 { problems["displayName"] = .tooLong }
        guard problems.isEmpty else {
            return try page(transaction, email: email, displayName: displayName, problems: problems)
        }
        guard transaction.endpoint.offersSignUp else {
            return try page(transaction, email: email, displayName: displayName, alert: .socialUnknown)
        }
        try transaction.update { $0.social = SocialIdentity(email: email, displayName: displayName) }
        return try transaction.signUpPage()
    }

    private static func signIn(_ user: User, _ transaction: inout Transaction) throws -> Response {
        guard !user.isBlocked else { return try page(transaction, email: user.email, alert: .accountBlocked) }
        return try transaction.proceed(user)
    }
}
