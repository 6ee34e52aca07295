import SusiPolicies

/// Asks a user who is signed in to consent to the application or the device.
enum ConsentPage {
    static func page(_ transaction: Transaction, _ scopes: [String]) -> Response {
        let words = transaction.words
        let device = transaction.request.device
        var form = Form(
            action: "consent", fields: [], submit: ("continue", words[device == nil ? .accept : .continue]))
        if !scopes.isEmpty { form.afterFields = choices(scopes, words) }
        let detail: HTML? =
            device.map { "<p class=\"lead\">\(words[.deviceWarning])</p>\n<p class=\"code\">\($0)</p>" }
            ?? (scopes.isEmpty ? "<p class=\"lead\">\(words[.asksIdentity])</p>" : nil)
        return transaction.page(
            words[device == nil ? .permissionsRequested : .deviceQuestion],
            """
            \(detail)
            <p class="remark stack">\(words[.application]) <code>\(transaction.request.clientID)</code></p>
            \(form.html(transaction))
            """)
    }

    // The user can leave out each scope. The legend is read out with the first one, the hint with each.
    private static func choices(_ scopes: [String], _ words: Words) -> HTML {
        let boxes = scopes.enumerated().map { index, scope in
            Checkbox(
                id: "\(prefix)\(index)", value: scope, label: "<code>\(scope)</code>", isChecked: true,
                describedBy: "scopes-hint"
            ).html
        }
        return """
            <fieldset class="choices">
            <legend>\(words[.asksScopes])</legend>
            \(HTML(boxes))
            <p class="hint" id="scopes-hint">\(words[.untickScopes])</p>
            </fieldset>
            """
    }

    // The prefix of the names of the scope fields. A number distinguishes them; the value is the scope.
    private static let prefix = "scope_"

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let signedIn = try transaction.signedInUser()
        let request = transaction.request
        let ticked = Set(transaction.context.form.all.filter { $0.key.hasPrefix(prefix) }.values)
        let open = try transaction.openScopes(signedIn.user)
        let answer = ConsentAnswer(
            granted: open.filter(ticked.contains), declined: open.filter { !ticked.contains($0) })
        let scope = answer.scope(of: request, try transaction.consent().scopes)
        let rest = try transaction.requestedScopes(scope)
        guard !rest.granted.isEmpty || rest.wants("openid") else { return try transaction.refuse(nothingLeft) }
        try transaction.database.keep(answer, by: signedIn.user.objectID, for: request.clientID)
        return try transaction.complete(signedIn, scope: scope)
    }

    private static let nothingLeft = Refusal(.cancelled, "The user has declined every requested scope.")
}
