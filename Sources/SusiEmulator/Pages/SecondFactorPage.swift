import SusiPolicies

/// Asks for a second factor: a code to the telephone of the account, else to its address; without either, to a number that
/// is kept once its code came back.
enum SecondFactorPage {
    static func page(_ flow: Flow, _ user: User, typed: String = "", problem: LocalizedText? = nil) -> Response {
        let words = flow.words
        let known = user.factorRecipient
        let fields =
            known == nil
            ? [
                Field(
                    id: "number", label: words[.phoneNumber], type: "tel", autocomplete: "tel", value: typed,
                    hint: words[.phoneHint], error: words[problem], rule: .phone, isFocused: true)
            ] : []
        let control = VerifyPage.control(known?.channel ?? .phone)
        let form = Form(
            action: "second-factor", fields: fields, submit: ("\(control)_but_send_code", words[.sendCode]),
            alert: known == nil ? nil : words[problem])
        let note = known.map { words[.secondFactorNote, masked($0.address)] } ?? words[.phoneNeeded]
        return flow.answer(
            Page(
                words: words, title: words[.secondFactor], isWrong: problem != nil,
                content: """
                    <h1>\(words[.secondFactor])</h1>
                    <p class="lead">\(note)</p>
                    \(form.html(flow))
                    """), note: problem?.english)
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard let person = try flow.journey().person,
                let user = try endpoint.tenant.database.user(objectID: person), !user.owesPassword
            else { throw PageError.ended }
            let typed = context.form["number"]?.trimmed ?? ""
            guard
                let (address, channel) = user.factorRecipient ?? phoneNumber(typed).map({ ($0, .phone) })
            else {
                return page(flow, user, typed: typed, problem: .invalidPhone)
            }
            let sent = try flow.sendCode(.secondFactor, to: address, by: channel, person: person)
            return sent.map { VerifyPage.page(flow, $0) }
                ?? page(flow, user, typed: typed, problem: .codesTooMany)
        }
    }
}

extension User {
    /// Where the code of a second factor goes: to what is registered for it, else to the address of the account.
    var factorRecipient: (address: String, channel: OutboxMessage.Channel)? {
        guard phone == nil, let factorEmail else { return recipient(preferring: .phone) }
        return (factorEmail, .email)
    }

    /// Where a code can go: to the telephone or to the address, whichever is known, and to `channel` where both are.
    func recipient(
        preferring channel: OutboxMessage.Channel
    ) -> (address: String, channel: OutboxMessage.Channel)? {
        let byPhone = phone.map { (address: $0, channel: OutboxMessage.Channel.phone) }
        let byEmail = email.map { (address: $0, channel: OutboxMessage.Channel.email) }
        return channel == .phone ? byPhone ?? byEmail : byEmail ?? byPhone
    }
}
