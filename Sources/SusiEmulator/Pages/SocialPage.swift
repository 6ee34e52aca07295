import SusiPolicies

/// The pretended social provider: whoever comes may be anybody. Its accounts have no password here.
enum SocialPage {
    /// Its name, as the claim `idp` and `domain_hint` have it.
    static let provider = "social.example"

    private static let mostShown = 5

    static func page(
        _ flow: Flow, email: String?, displayName: String = "", problems: [String: LocalizedText] = [:],
        alert: LocalizedText? = nil
    ) throws -> Response {
        let words = flow.words
        let known = try flow.endpoint.tenant.database.users(of: provider, limit: mostShown)
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
        return flow.answer(
            Page(
                words: words, title: words[.signInWith, provider],
                isWrong: !problems.isEmpty || alert != nil,
                content: """
                    <h1>\(words[.signInWith, provider])</h1>
                    <p class="lead">\(words[.toContinueWith, words.name(of: flow.endpoint.tenant)])</p>
                    <p class="remark">\(words[.pretence])</p>
                    \(form.html(flow))
                    \(accounts(known, flow))
                    """), note: (alert ?? problems.min { $0.key < $1.key }?.value)?.english)
    }

    // A form of its own after the other one: Enter in a field sends what was typed, not the first of these.
    private static func accounts(_ known: [User], _ flow: Flow) -> HTML? {
        guard !known.isEmpty else { return nil }
        let words = flow.words
        return """
            <h2 class="part">\(words[.knownAccounts])</h2>
            <form method="post" class="asks accounts" action="\(flow.endpoint.page("social"))">
            \(flow.hiddenFields)
            \(AccountButton.all(known, words))
            </form>
            """
    }

    static func show(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            guard endpoint.offersSocial else { throw PageError.ended }
            let flow = try Flow.opened(endpoint, context)
            return try page(flow, email: flow.transaction.request.loginHint)
        }
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            guard endpoint.offersSocial else { throw PageError.ended }
            guard !flow.wasCancelled else {
                return try flow.refuse(
                    Refusal(
                        .socialCancelled,
                        """
                        An invalid response was received : 'Error: access_denied,Error Description: The user has \
                        cancelled the sign-in at \(provider)'.
                        """))
            }
            if let objectID = context.form["account"] {
                guard let user = try endpoint.tenant.database.user(objectID: objectID),
                    user.identityProvider == provider
                else { throw PageError.ended }
                return try enter(user, flow)
            }
            return try enter(context.form["email"]?.trimmed ?? "", context.form["displayName"]?.trimmed ?? "", flow)
        }
    }

    private static func enter(_ email: String, _ displayName: String, _ flow: Flow) throws -> Response {
        if isEmailAddress(email), let user = try flow.endpoint.tenant.database.user(email: email, of: provider) {
            return try enter(user, flow)
        }
        var problems: [String: LocalizedText] = [:]
        if !isEmailAddress(email) { problems["email"] = .invalidEmail }
        if displayName.isEmpty { problems["displayName"] = .required }
        if displayName.count > 128 { problems["displayName"] = .tooLong }
        guard problems.isEmpty else {
            return try page(flow, email: email, displayName: displayName, problems: problems)
        }
        guard flow.endpoint.offersSignUp else {
            return try page(flow, email: email, displayName: displayName, alert: .socialUnknown)
        }
        try flow.change { $0.social = SocialIdentity(email: email, displayName: displayName) }
        return try SignUpPage.firstPage(flow)
    }

    private static func enter(_ user: User, _ flow: Flow) throws -> Response {
        guard !user.isBlocked else { return try page(flow, email: user.email, alert: .accountBlocked) }
        return try flow.proceed(user)
    }
}
