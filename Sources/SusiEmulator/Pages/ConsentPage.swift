import SusiPolicies

/// Asks a person who has signed in whether the application, or the device, may go on.
enum ConsentPage {
    static func page(_ flow: Flow, _ scopes: [String]) -> Answer {
        let words = flow.words
        let device = flow.transaction.request.device
        let form = Form(
            action: "consent", fields: [], submit: ("continue", words[device == nil ? .accept : .continue]))
        let rows = scopes.map { HTML("<li><code>\($0)</code></li>") }
        let list: HTML? = scopes.isEmpty ? nil : "<ul class=\"rows\">\(HTML(rows))</ul>"
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
                <p class="lead">\(words[scopes.isEmpty ? .asksIdentity : .asksScopes])</p>
                """
            }
        return flow.answer(
            Page(
                words: words, title: words[device == nil ? .permissionsRequested : .deviceQuestion],
                content: """
                    \(question)
                    \(list)
                    <p class="remark stack">\(words[.application]) <code>\(flow.transaction.request.clientID)</code></p>
                    \(form.html(flow))
                    """))
    }

    static func submit(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            let flow = try Flow.opened(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard let objectID = flow.transaction.objectID, let authTime = flow.transaction.authTime,
                let user = try place.tenant.database.user(objectID: objectID), place.policy.kind == .signUpOrSignIn,
                !user.isBlocked
            else { throw PageError.ended }
            let missing = try flow.consent().missing(user)
            try place.tenant.database.agree(to: missing, by: objectID, for: flow.transaction.request.clientID)
            return try flow.complete(user, authTime: authTime, isNew: flow.journey().isNew)
        }
    }
}
