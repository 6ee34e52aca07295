import SusiPolicies

/// Takes the code that was sent to an address or a telephone number.
enum VerifyPage {
    /// The beginning of the ids that B2C's verification controls have.
    static func control(_ channel: OutboxMessage.Channel) -> String {
        channel == .email ? "emailVerificationControl" : "phoneVerificationControl"
    }

    private static func fieldID(_ channel: OutboxMessage.Channel) -> String {
        channel == .email ? "emailVerificationCode" : "verificationCode"
    }

    static func page(_ flow: Flow, _ sent: SentCode, problem: LocalizedText? = nil, alert: LocalizedText? = nil)
        -> Response
    {
        let words = flow.words
        let control = control(sent.channel)
        var buttons = [
            FormButton(id: "\(control)_but_send_new_code", name: "sendNewCode", text: words[.sendNewCode])
        ]
        if sent.purpose != .secondFactor || sent.channel == .phone {
            let text = words[sent.channel == .email ? .changeEmail : .changeNumber]
            buttons.append(FormButton(id: "\(control)_but_change_claims", name: "changeClaims", text: text))
        }
        let form = Form(
            action: "verify",
            fields: [
                Field(
                    id: fieldID(sent.channel), label: words[.verificationCode], autocomplete: "one-time-code",
                    error: words[problem], isFocused: true, inputMode: "numeric")
            ],
            submit: ("\(control)_but_verify_code", words[.verifyCode]), buttons: buttons, alert: words[alert])
        let title: LocalizedText = sent.purpose == .secondFactor ? .secondFactor : .verificationCode
        return flow.answer(
            Page(
                words: words, title: words[.verificationCode], isWrong: (problem ?? alert) != nil,
                content: """
                    <h1>\(words[title])</h1>
                    <p class="lead">\(words[.codeSent, sent.shownRecipient])</p>
                    <p class="remark">\(words[.codeInOutbox])
                    <a id="outbox" href="\(DeveloperPage.outbox(flow.endpoint.tenant))" target="_blank" \
                    rel="noopener">\(words[.openOutbox])</a></p>
                    \(form.html(flow))
                    """), note: (problem ?? alert)?.english)
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard let sent = try flow.journey().challenge else { throw PageError.ended }
            if context.form["changeClaims"] != nil { return try goBack(flow, sent) }
            if context.form["sendNewCode"] != nil {
                let new = try flow.sendCode(
                    sent.purpose, to: sent.recipient, by: sent.channel, person: sent.person)
                return page(flow, new ?? sent, alert: new == nil ? .codesTooMany : nil)
            }
            return try check(context.form[fieldID(sent.channel)]?.trimmed ?? "", flow, sent)
        }
    }

    private static func check(_ code: String, _ flow: Flow, _ sent: SentCode) throws -> Response {
        let (secret, now) = (flow.transaction.id, flow.context.now)
        let attempt = try flow.change { journey in
            // Once only: whichever of two forms comes first has it.
            let attempt = journey.challenge?.attempt(code, secret: secret, now: now) ?? .expired
            if attempt == .right { journey.challenge = nil }
            return attempt
        }
        if let person = sent.person, attempt == .right || attempt == .wrong || attempt == .tooMany {
            let outcome = try flow.endpoint.tenant.database.count(
                attempt == .right, of: person, flow.endpoint, now: now)
            if outcome == .locked { return page(flow, sent, alert: .accountLocked) }
        }
        switch attempt {
        case .right: return try goOn(flow, sent)
        case .wrong: return page(flow, sent, problem: .codeWrong)
        case .expired: return page(flow, sent, problem: .codeExpired)
        case .tooMany: return page(flow, sent, problem: .codeTries)
        }
    }

    private static func goOn(_ flow: Flow, _ sent: SentCode) throws -> Response {
        let database = flow.endpoint.tenant.database
        switch sent.purpose {
        case .verifyEmail:
            try flow.change { $0.verifiedEmail = sent.recipient }
            return try SignUpPage.firstPage(flow)
        case .resetPassword:
            guard let user = try sent.person.flatMap(database.user(objectID:)) else { throw PageError.ended }
            try flow.change { $0.resetting = user.objectID }
            return ResetPage.passwordPage(flow, user)
        case .secondFactor:
            guard let person = sent.person else { throw PageError.ended }
            let journey = try flow.change { journey in
                guard journey.person == sent.person else { throw PageError.ended }
                journey.hasSecondFactor = true
                return journey
            }
            let user = try database.change(person) { user in
                if sent.channel == .phone, user.phone == nil { user.phone = sent.recipient }
            }
            guard let user else { throw PageError.ended }
            return try flow.proceed(user, isNew: journey.isNew)
        }
    }

    // Another address or number: the page before, with nothing verified.
    private static func goBack(_ flow: Flow, _ sent: SentCode) throws -> Response {
        try flow.change { $0.challenge = nil }
        switch sent.purpose {
        case .verifyEmail: return try SignUpPage.firstPage(flow)
        case .resetPassword: return ResetPage.addressPage(flow, name: nil)
        case .secondFactor:
            guard let user = try sent.person.flatMap(flow.endpoint.tenant.database.user(objectID:)) else {
                throw PageError.ended
            }
            return SecondFactorPage.page(flow, user)
        }
    }
}

extension SentCode {
    /// The recipient as a page shows it. Whoever has typed it may see it; of somebody who was only found, enough to know it.
    var shownRecipient: String { purpose == .verifyEmail ? recipient : masked(recipient) }
}

/// An address or a number of which only the person who has it knows the rest: `a***@contoso.example`, `+********1820`.
func masked(_ recipient: String) -> String {
    guard let at = recipient.firstIndex(of: "@") else {
        let end = recipient.suffix(4)
        return recipient.prefix(1) + String(repeating: "*", count: max(0, recipient.count - 5)) + end
    }
    return recipient.prefix(1) + "***" + recipient[at...]
}
