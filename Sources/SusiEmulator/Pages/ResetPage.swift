import SusiPolicies

/// Whoever forgot their password names the account first; where the policy verifies addresses, a code follows.
enum ResetPage {
    static func addressPage(_ flow: Flow, name: String?, problem: LocalizedText? = nil) -> Response {
        let words = flow.words
        let identifier = flow.endpoint.settings.identifier
        let label: LocalizedText =
            identifier == .userName ? .userName : identifier == .either ? .emailOrUserName : .emailAddress
        let verifies = flow.endpoint.settings.verifiesEmail
        let form = Form(
            action: "reset-address",
            fields: [
                Field(
                    id: fieldID(flow.endpoint), label: words[label], type: identifier == .email ? "email" : "text",
                    autocomplete: "username", value: name ?? "", error: words[problem],
                    rule: identifier == .email ? .email : nil, isFocused: true)
            ],
            submit: verifies
                ? (VerifyPage.control(.email) + "_but_send_code", words[.sendCode])
                : ("continue", words[.continue]))
        return flow.answer(
            Page(
                words: words, title: words[.resetPassword], isWrong: problem != nil,
                content: """
                    <h1>\(words[.resetYourPassword])</h1>
                    <p class="lead">\(words[.inTenant, flow.endpoint.tenant.configuration.name])</p>
                    <p class="remark">\(words[verifies ? .verifyAddressNote : .mailSkipped])</p>
                    \(form.html(flow))
                    """), note: problem?.english)
    }

    private static func fieldID(_ endpoint: PolicyEndpoint) -> String {
        endpoint.settings.identifier == .userName ? "signInName" : "email"
    }

    static func passwordPage(_ flow: Flow, _ user: User, problems: [String: LocalizedText] = [:]) -> Response {
        NewPasswordPage.page(flow, user, action: "reset-password", problems: problems)
    }

    static func submitAddress(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard endpoint.resetsPasswords else { throw PageError.ended }
            let name = context.form[fieldID(endpoint)]?.trimmed ?? ""
            let database = endpoint.tenant.database
            guard let user = try database.user(signInName: name, endpoint.settings.identifier) else {
                // As the service does, which has verified the address by then.
                let isElsewhere = try database.user(email: name, of: SocialPage.provider) != nil
                return addressPage(flow, name: name, problem: isElsewhere ? .noPasswordHere : .unknownAddress)
            }
            guard !user.isBlocked else { return addressPage(flow, name: name, problem: .accountBlocked) }
            guard endpoint.settings.verifiesEmail else {
                try flow.change { $0.resetting = user.objectID }
                return passwordPage(flow, user)
            }
            guard let (recipient, channel) = user.recipient(preferring: .email) else {
                return addressPage(flow, name: name, problem: .noRecipient)
            }
            let sent = try flow.sendCode(.resetPassword, to: recipient, by: channel, person: user.objectID)
            return sent.map { VerifyPage.page(flow, $0) } ?? addressPage(flow, name: name, problem: .codesTooMany)
        }
    }

    static func submitPassword(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            let database = endpoint.tenant.database
            guard endpoint.resetsPasswords, let objectID = try flow.journey().resetting,
                let user = try database.user(objectID: objectID)
            else { throw PageError.ended }
            let problems = NewPasswordPage.problems(context.form)
            guard problems.isEmpty else { return passwordPage(flow, user, problems: problems) }
            return try flow.proceed(try NewPasswordPage.change(context.form["newPassword"] ?? "", of: user, database))
        }
    }
}
