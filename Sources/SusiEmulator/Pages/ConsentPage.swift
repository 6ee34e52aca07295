import SusiPolicies

/// Asks a person who has signed in whether the application, or the device, may go on.
enum ConsentPage {
    static func page(_ flow: Flow, _ scopes: [String]) -> Answer {
        let device = flow.transaction.request.device
        let form = Form(
            action: "consent", fields: [], submit: ("continue", device == nil ? "Accept" : "Continue"))
        let rows = scopes.map { HTML("<li><code>\($0)</code></li>") }
        let list: HTML? = scopes.isEmpty ? nil : "<ul class=\"rows\">\(HTML(rows))</ul>"
        let purpose: HTML =
            scopes.isEmpty
            ? "Your application asks to know who you are." : "Your application asks for this in your name:"
        let question: HTML =
            if let device {
                """
                <h1>Sign in on a device?</h1>
                <p class="lead">Continue only if you started this yourself and your device shows this code:</p>
                <p class="code">\(device)</p>
                """
            } else {
                """
                <h1>Permissions requested</h1>
                <p class="lead">\(purpose)</p>
                """
            }
        return flow.answer(
            Page(
                title: device == nil ? "Permissions requested" : "Sign in on a device?",
                content: """
                    \(question)
                    \(list)
                    <p class="remark stack">Application <code>\(flow.transaction.request.clientID)</code></p>
                    \(form.html(flow))
                    """))
    }

    static func submit(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering {
            let flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard let objectID = flow.transaction.objectID, let authTime = flow.transaction.authTime,
                let user = try place.tenant.database.user(objectID: objectID), place.policy.kind == .signUpOrSignIn
            else { throw PageError.ended }
            let missing = try flow.consent().missing(user)
            try place.tenant.database.agree(to: missing, by: objectID, for: flow.transaction.request.clientID)
            return try flow.complete(user, authTime: authTime)
        }
    }
}
