import SusiBase
import SusiPolicies

/// Asks a user who forgot the password which account it belongs to. A code follows if the policy verifies addresses.
enum ResetPage {
    static func addressPage(_ transaction: Transaction, name: String?, problem: LocalizedText? = nil) -> Response {
        let words = transaction.words
        let settings = transaction.endpoint.settings
        let verifies = settings.verifiesEmail
        var field = Field.signInName(settings.identifier, words, id: fieldID(settings), value: name ?? "")
        field.error = words[problem]
        field.rule = settings.identifier == .email ? .email : nil
        field.isFocused = true
        let form = Form(
            action: "reset-address", fields: [field],
            submit: verifies
                ? (transaction.endpoint.elements.emailCode.send, words[.sendCode])
                : ("continue", words[.continue]))
        return transaction.page(
            words[.resetPassword], heading: words[.resetYourPassword], lead: transaction.inTenant,
            wrong: problem?.english,
            """
            <p class="remark">\(words[verifies ? .verifyAddressNote : .mailSkipped])</p>
            \(form.html(transaction))
            """)
    }

    private static func fieldID(_ settings: PolicySettings) -> String {
        settings.identifier == .userName ? "signInName" : "email"
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let settings = transaction.endpoint.settings
        let name = transaction.context.form[fieldID(settings)]?.trimmed ?? ""
        let database = transaction.database
        guard let user = try database.user(signInName: name, settings.identifier) else {
            // The service says so too; it has verified the address by then.
            let isElsewhere = try database.user(email: name, of: SocialPage.provider) != nil
            return addressPage(transaction, name: name, problem: isElsewhere ? .noPasswordHere : .unknownAddress)
        }
        guard !user.isBlocked else { return addressPage(transaction, name: name, problem: .accountBlocked) }
        guard settings.verifiesEmail else {
            try transaction.update { $0.resetting = user.objectID }
            return NewPasswordPage.page(transaction, user, reason: .forgotten)
        }
        guard let (recipient, channel) = user.recipient(preferring: .email) else {
            return addressPage(transaction, name: name, problem: .noRecipient)
        }
        let sent = try transaction.sendCode(.resetPassword, to: recipient, by: channel, person: user.objectID)
        return sent.map { VerifyPage.page(transaction, $0) }
            ?? addressPage(transaction, name: name, problem: .codesTooMany)
    }
}
