import SusiBase
import SusiPolicies

extension Step {
    static let secondFactor = Step(rawValue: "secondFactor")
}

/// Asks for a second factor: a code to the phone of the account, else to its email address. Without either the user enters a
/// phone number, which is stored once its code was entered.
enum SecondFactorPage {
    static func page(
        _ transaction: Transaction, _ user: User, typed: String = "", problem: LocalizedText? = nil
    ) -> Response {
        let words = transaction.words
        let known = user.factorRecipient
        let number = Field(
            id: "number", label: words[.phoneNumber], type: "tel", autocomplete: "tel", value: typed,
            hint: words[.phoneHint], error: words[problem], rule: .phone, isFocused: true)
        let form = Form(
            action: "second-factor", fields: known == nil ? [number] : [],
            submit: (transaction.endpoint.elements[known?.channel ?? .phone].send, words[.sendCode]),
            alert: known == nil ? nil : words[problem])
        return transaction.page(
            words[.secondFactor],
            lead: known.map { words[.secondFactorNote, masked($0.address)] } ?? words[.phoneNeeded],
            wrong: problem?.english, form.html(transaction))
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let user = try transaction.provingUser()
        guard !user.owesPassword else { throw PageError.ended }
        let typed = transaction.context.form["number"]?.trimmed ?? ""
        guard let (address, channel) = user.factorRecipient ?? phoneNumber(typed).map({ ($0, .phone) }) else {
            return page(transaction, user, typed: typed, problem: .invalidPhone)
        }
        let sent = try transaction.sendCode(.secondFactor, to: address, by: channel, person: user.objectID)
        return sent.map { VerifyPage.page(transaction, $0) }
            ?? page(transaction, user, typed: typed, problem: .codesTooMany)
    }
}

extension User {
    /// The recipient of a second factor's code: a registered one, else the address of the account.
    var factorRecipient: (address: String, channel: OutboxMessage.Channel)? {
        guard phone == nil, let factorEmail else { return recipient(preferring: .phone) }
        return (factorEmail, .email)
    }

    /// The phone or the email address, whichever is known; `channel` if both are.
    func recipient(
        preferring channel: OutboxMessage.Channel
    ) -> (address: String, channel: OutboxMessage.Channel)? {
        let byPhone = phone.map { (address: $0, channel: OutboxMessage.Channel.phone) }
        let byEmail = email.map { (address: $0, channel: OutboxMessage.Channel.email) }
        return channel == .phone ? byPhone ?? byEmail : byEmail ?? byPhone
    }
}
