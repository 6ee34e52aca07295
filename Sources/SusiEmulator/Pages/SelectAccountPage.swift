import SusiPolicies

/// Who of the people that are signed in in this browser goes on (`prompt=select_account`).
enum SelectAccountPage {
    static func page(_ flow: Flow, _ people: [User]) -> Response {
        let words = flow.words
        return flow.answer(
            Page(
                words: words, title: words[.chooseAccount],
                content: """
                    <h1>\(words[.chooseAccount])</h1>
                    <p class="lead">\(words[.toContinueWith, words.name(of: flow.endpoint.tenant)])</p>
                    <form method="post" class="asks accounts" action="\(flow.endpoint.page("select-account"))">
                    \(flow.hiddenFields)
                    \(AccountButton.all(people, words))
                    <button class="quiet" id="another" name="another" value="1" type="submit">\(words[.anotherAccount])</button>
                    <button class="quiet" id="cancel" name="cancel" value="1" type="submit">\(words[.cancel])</button>
                    </form>
                    """))
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard endpoint.policy.kind == .signUpOrSignIn else { throw PageError.ended }
            guard let objectID = context.form["account"] else { return try flow.entry(name: nil) }
            return try AuthorizeEndpoint.goOn(flow, as: objectID)
        }
    }
}

/// A button for each of some people, who are told apart by name and address.
enum AccountButton {
    static func all(_ people: [User], _ words: Words) -> HTML {
        HTML(
            people.enumerated().map { index, user in
                HTML(
                    """
                    <button class="quiet account" id="account\(String(index + 1))" name="account" value="\(user.objectID)" \
                    type="submit"><span class="aside-name">\(words[.continue])</span>
                    <bdi>\(DisplayText.safe(user.displayName))</bdi> \
                    <bdi class="detail">\(DisplayText.safe(user.signInName))</bdi></button>
                    """)
            })
    }
}
