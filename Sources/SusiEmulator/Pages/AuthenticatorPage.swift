import SusiBase
import SusiPolicies

/// Asks for the code of an authenticator app. A user without one adds the account to an app first; the secret is stored once
/// its code was entered.
enum AuthenticatorPage {
    static func page(
        _ transaction: inout Transaction, _ user: User, problem: LocalizedText? = nil, lockEnd: Int64? = nil
    ) throws -> Response {
        let words = transaction.words
        let secret = try user.totpSecret ?? newSecret(&transaction)
        if lockEnd == nil { try show(secret, of: user, transaction) }
        let code = Field(
            id: "otpCode", label: words[.verificationCode], autocomplete: "one-time-code", error: words[problem],
            isFocused: true, inputMode: "numeric")
        let form = Form(
            action: "authenticator", fields: [code], submit: ("continue", words[.verifyCode]),
            alert: lockEnd.map { words[.accountLocked, transaction.minutes(until: $0)] })
        return transaction.page(
            words[.secondFactor], lead: words[user.totpSecret == nil ? .addToApp : .enterAppCode],
            wrong: problem?.english ?? lockEnd.map { _ in "account locked" },
            """
            \(user.totpSecret == nil ? account(user, secret, transaction) : nil)
            \(VerifyPage.outbox(transaction, .appCodeInOutbox))
            \(form.html(transaction))
            """)
    }

    private static func newSecret(_ transaction: inout Transaction) throws -> String {
        try transaction.update { progress in
            let secret = progress.totpSecret ?? TOTP.newSecret()
            progress.totpSecret = secret
            return secret
        }
    }

    // No app is needed: the code is where those of the other factors are.
    private static func show(_ secret: String, of user: User, _ transaction: Transaction) throws {
        let (database, now) = (transaction.database, transaction.context.now)
        let code = TOTP(secret: secret).nextCode(now: now, after: try database.lastTOTPStep(of: user.objectID))
        try database.send(code, to: user.signInName, by: .phone, for: .secondFactor, now: now)
    }

    private static func account(_ user: User, _ secret: String, _ transaction: Transaction) -> HTML {
        let words = transaction.words
        let address = TOTP.address(
            secret, account: user.signInName, issuer: words.name(of: transaction.endpoint.tenant))
        return """
            <dl id="authenticatorInfoControl">
            <dt>\(words[.accountName])</dt><dd><code>\(user.signInName)</code></dd>
            <dt>\(words[.appSecret])</dt><dd><code id="totpSecret">\(secret)</code></dd>
            </dl>
            <p class="others"><a class="button" id="authenticatorLink" href="\(address)">\(words[.openApp])</a></p>
            """
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let user = try transaction.provingUser()
        guard !user.owesPassword else { throw PageError.ended }
        let (database, now) = (transaction.database, transaction.context.now)
        let code = transaction.context.form["otpCode"]?.trimmed ?? ""
        let isRight = try database.acceptTOTP(
            code, of: user.objectID, enrolling: transaction.progress.totpSecret, now: now)
        switch try database.count(isRight, of: user.objectID, transaction.endpoint, now: now) {
        case .locked(let end): return try page(&transaction, user, lockEnd: end)
        case .wrong: return try page(&transaction, user, problem: .wrongAppCode)
        case .right:
            try transaction.update { try $0.finish(.secondFactor, of: user.objectID) }
            return try transaction.proceed(user)
        }
    }
}
