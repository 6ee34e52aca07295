import SusiBase
import SusiPolicies

/// Asks for the code that was sent to an email address or a phone number.
enum VerifyPage {
    static func page(
        _ transaction: Transaction, _ sent: SentCode, problem: LocalizedText? = nil, alert: LocalizedText? = nil,
        lockEnd: Int64 = 0
    ) -> Response {
        let (words, minutes) = (transaction.words, transaction.minutes(until: lockEnd))
        let elements = transaction.endpoint.elements[sent.channel]
        var buttons = [FormButton(id: elements.sendNew, name: "sendNewCode", text: words[.sendNewCode])]
        if sent.purpose != .secondFactor || sent.channel == .phone {
            let text = words[sent.channel == .email ? .changeEmail : .changeNumber]
            buttons.append(FormButton(id: elements.change, name: "changeClaims", text: text))
        }
        let code = Field(
            id: elements.code, label: words[.verificationCode], autocomplete: "one-time-code",
            error: words[problem], isFocused: true, inputMode: "numeric")
        let form = Form(
            action: "verify", fields: [code], submit: (elements.verify, words[.verifyCode]),
            buttons: buttons, alert: words[alert, with: minutes])
        return transaction.page(
            words[.verificationCode],
            heading: words[sent.purpose == .secondFactor ? .secondFactor : .verificationCode],
            lead: words[.codeSent, sent.shownRecipient], wrong: Words.english[problem ?? alert, with: minutes],
            """
            \(outbox(transaction, .codeInOutbox))
            \(form.html(transaction))
            """)
    }

    /// Says where the code is.
    static func outbox(_ transaction: Transaction, _ text: LocalizedText) -> HTML {
        """
        <p class="remark">\(transaction.words[text])
        <a id="outbox" href="\(DeveloperPage.outbox(transaction.endpoint.tenant))" target="_blank" \
        rel="noopener">\(transaction.words[.openOutbox])</a></p>
        """
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        guard let sent = transaction.progress.sentCode else { throw PageError.ended }
        let form = transaction.context.form
        if form["changeClaims"] != nil { return try goBack(&transaction, sent) }
        if form["sendNewCode"] != nil {
            let new = try transaction.sendCode(sent.purpose, to: sent.recipient, by: sent.channel, person: sent.person)
            return page(transaction, new ?? sent, alert: new == nil ? .codesTooMany : nil)
        }
        let code = form[transaction.endpoint.elements[sent.channel].code]?.trimmed ?? ""
        let (attempt, lockEnd) = try check(code, of: sent, in: &transaction)
        if let lockEnd { return page(transaction, sent, alert: .accountLocked, lockEnd: lockEnd) }
        switch attempt {
        case .right: return try proceed(&transaction, sent)
        case .wrong: return page(transaction, sent, problem: .codeWrong)
        case .expired: return page(transaction, sent, problem: .codeExpired)
        case .tooMany: return page(transaction, sent, problem: .codeTries)
        }
    }

    // Also returns the end of the lock if the account is locked.
    private static func check(
        _ code: String, of sent: SentCode, in transaction: inout Transaction
    ) throws -> (SentCode.Attempt, lockEnd: Int64?) {
        let (secret, now) = (transaction.id, transaction.context.now)
        let attempt = try transaction.update { progress in
            // A code works once, even if two forms come at the same time.
            let attempt = progress.sentCode?.attempt(code, secret: secret, now: now) ?? .expired
            if attempt == .right { progress.sentCode = nil }
            return attempt
        }
        guard let person = sent.person, attempt != .expired else { return (attempt, nil) }
        let outcome = try transaction.database.count(attempt == .right, of: person, transaction.endpoint, now: now)
        guard case .locked(let end) = outcome else { return (attempt, nil) }
        return (attempt, end)
    }

    private static func proceed(_ transaction: inout Transaction, _ sent: SentCode) throws -> Response {
        switch sent.purpose {
        case .verifyEmail:
            try transaction.update { $0.verifiedEmail = sent.recipient }
            return try transaction.signUpPage()
        case .resetPassword:
            let user = try transaction.user(sent.person)
            try transaction.update { $0.resetting = user.objectID }
            return NewPasswordPage.page(transaction, user, reason: .forgotten)
        case .secondFactor:
            guard let person = sent.person else { throw PageError.ended }
            try transaction.update { try $0.finish(.secondFactor, of: person) }
            let user = try transaction.database.change(person) { user in
                if sent.channel == .phone, user.phone == nil { user.phone = sent.recipient }
            }
            guard let user else { throw PageError.ended }
            return try transaction.proceed(user)
        }
    }

    // Returns to the previous page, where the user enters another address or number.
    private static func goBack(_ transaction: inout Transaction, _ sent: SentCode) throws -> Response {
        try transaction.update { $0.sentCode = nil }
        switch sent.purpose {
        case .verifyEmail: return try transaction.signUpPage()
        case .resetPassword: return ResetPage.addressPage(transaction, name: nil)
        case .secondFactor: return SecondFactorPage.page(transaction, try transaction.user(sent.person))
        }
    }
}

extension SentCode {
    /// The recipient as a page shows it: in full if the user has typed it, else masked.
    var shownRecipient: String { purpose == .verifyEmail ? recipient : masked(recipient) }
}

/// An address or a number without the part that only its owner knows: `a***@contoso.example`, `+********1820`.
func masked(_ recipient: String) -> String {
    guard let at = recipient.firstIndex(of: "@") else {
        let end = recipient.suffix(4)
        return recipient.prefix(1) + String(repeating: "*", count: max(0, recipient.count - 5)) + end
    }
    return recipient.prefix(1) + "***" + recipient[at...]
}
