import SusiPolicies

/// Asks a person who has signed in whether the application, or the device, may go on.
enum ConsentPage {
    static func page(_ flow: Flow, _ scopes: [String]) -> Response {
        let words = flow.words
        let device = flow.transaction.request.device
        var form = Form(
            action: "consent", fields: [], submit: ("continue", words[device == nil ? .accept : .continue]))
        if !scopes.isEmpty { form.afterFields = choices(scopes, words) }
        let question: HTML =
            if let device {
                """
                <h1>\(words[.deviceQuestion])</h1>
                <p class="lead">\(words[.deviceWarning])</p>
                <p class="code">\(device)</p>
                """
            } else {
                """
                <h1>\(words[.permissionsRequested])</h1>
                \(scopes.isEmpty ? HTML("<p class=\"lead\">\(words[.asksIdentity])</p>") : nil)
                """
            }
        return flow.answer(
            Page(
                words: words, title: words[device == nil ? .permissionsRequested : .deviceQuestion],
                content: """
                    \(question)
                    <p class="remark stack">\(words[.application]) <code>\(flow.transaction.request.clientID)</code></p>
                    \(form.html(flow))
                    """))
    }

    // Each scope may be left out. What they are for is read out with the first one, what unticking does with each.
    private static func choices(_ scopes: [String], _ words: Words) -> HTML {
        let boxes = scopes.enumerated().map { index, scope in
            let id = "\(prefix)\(index)"
            return HTML(
                """
                <div class="check">
                <input id="\(id)" name="\(id)" type="checkbox" value="\(scope)" autocomplete="off" checked \
                aria-describedby="scopes-hint">
                <label for="\(id)"><code>\(scope)</code></label>
                </div>
                """)
        }
        return """
            <fieldset class="choices">
            <legend>\(words[.asksScopes])</legend>
            \(HTML(boxes))
            <p class="hint" id="scopes-hint">\(words[.untickScopes])</p>
            </fieldset>
            """
    }

    // The fields of the scopes; a number tells them apart, the value says which scope it is.
    private static let prefix = "scope_"

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard let objectID = flow.transaction.objectID, let authTime = flow.transaction.authTime,
                let user = try endpoint.tenant.database.user(objectID: objectID),
                endpoint.policy.kind == .signUpOrSignIn,
                !user.isBlocked
            else { throw PageError.ended }
            let request = flow.transaction.request
            let ticked = Set(context.form.all.filter { $0.key.hasPrefix(prefix) }.values)
            let open = try flow.openScopes(user)
            let answer = ConsentAnswer(
                granted: open.filter(ticked.contains), declined: open.filter { !ticked.contains($0) })
            let scope = answer.scope(of: request, try flow.consent().scopes)
            let rest = try RequestedScopes(scope, clientID: request.clientID, endpoint.tenant.configuration)
            guard !rest.granted.isEmpty || rest.wants("openid") else { return try flow.refuse(nothingLeft) }
            try endpoint.tenant.database.keep(answer, by: objectID, for: request.clientID)
            return try flow.complete(user, authTime: authTime, isNew: flow.journey().isNew, scope: scope)
        }
    }

    // Who leaves out everything has not agreed to anything.
    private static let nothingLeft = Refusal(.cancelled, "The user has declined every requested scope.")
}
