import FoundationEssentials
import SusiBase
import SusiPolicies

/// Creates an account with a password, or for a user of the social provider.
enum SignUpPage {
    // MARK: The address

    static func addressPage(_ transaction: Transaction, email: String, problem: LocalizedText? = nil) -> Response {
        let words = transaction.words
        var field = emailField(words, email, problem: problem)
        field.isFocused = true
        let form = Form(
            action: "sign-up-address", fields: [field],
            submit: (transaction.endpoint.elements.emailCode.send, words[.sendCode]))
        return transaction.page(
            words[.verifyAddress], lead: words[.verifyAddressNote], wrong: problem?.english,
            "\(form.html(transaction))\(social(transaction))")
    }

    private static func emailField(_ words: Words, _ value: String, problem: LocalizedText?) -> Field {
        Field(
            id: "email", label: words[.emailAddress], type: "email", autocomplete: "email", value: value,
            error: words[problem], rule: .email)
    }

    static func submitAddress(_ transaction: inout Transaction) throws -> Response {
        guard transaction.endpoint.verifiesSignUp else { throw PageError.ended }
        let email = transaction.context.form["email"]?.trimmed ?? ""
        guard isEmailAddress(email) else { return addressPage(transaction, email: email, problem: .invalidEmail) }
        let sent = try transaction.sendCode(.verifyEmail, to: email, by: .email)
        return sent.map { VerifyPage.page(transaction, $0) }
            ?? addressPage(transaction, email: email, problem: .codesTooMany)
    }

    // MARK: Everything else

    static func detailsPage(_ transaction: Transaction) throws -> Response {
        let progress = transaction.progress
        var profile = ProfileFields(transaction.endpoint, hasEmail: progress.knownEmail != nil)
        if let name = progress.social?.displayName ?? transaction.request.invitation?.name {
            profile.take(["displayName": .string(name)])
        }
        var account = NewAccount(progress: progress, settings: transaction.endpoint.settings, profile: profile)
        account.profile.take(try transaction.claims(at: .beforeAttributes, account.user))
        return detailsPage(transaction, account)
    }

    private static func detailsPage(
        _ transaction: Transaction, _ account: NewAccount, problems: [String: LocalizedText] = [:],
        objection: CalloutCall.Objection? = nil
    ) -> Response {
        let words = transaction.words
        var fields = nameFields(words, account, problems: problems)
        if account.hasPassword {
            fields += NewPasswordPage.fields(words, problems, focus: false, isAgain: objection != nil)
        }
        fields += account.profile.fields(words, problems, focus: false)
        for index in fields.indices {
            fields[index].error =
                objection?.fields[fields[index].id].map { DisplayText.safe($0) } ?? fields[index].error
        }
        if let first = fields.firstIndex(where: { !$0.isReadOnly }) { fields[first].isFocused = true }
        let change = FormButton(
            id: transaction.endpoint.elements.emailCode.change, name: "changeClaims", text: words[.changeEmail])
        let form = Form(
            action: "sign-up", fields: fields, submit: ("continue", words[.create]),
            buttons: transaction.progress.verifiedEmail == nil ? [] : [change],
            alert: (objection?.message).map { DisplayText.safe($0) })
        return transaction.page(
            words[.signUp], heading: words[.createYourAccount], lead: transaction.inTenant,
            wrong: objection.map { "the code objects: \($0.message)" } ?? Form.note(problems),
            "\(form.html(transaction))\(account.hasPassword ? social(transaction) : nil)")
    }

    // A policy for sign-ups only has no other page with this link.
    private static func social(_ transaction: Transaction) -> HTML? {
        transaction.endpoint.settings.offer == .signUp ? SignInPage.social(transaction) : nil
    }

    private static func nameFields(
        _ words: Words, _ account: NewAccount, problems: [String: LocalizedText]
    ) -> [Field] {
        let identifier = account.settings.identifier
        var fields: [Field] = []
        if let email = account.progress.knownEmail {
            var field = emailField(words, email, problem: problems["email"])
            field.isReadOnly = true
            if account.hasPassword { field.hint = words[.addressVerified] }
            fields.append(field)
        } else if identifier != .userName {
            fields.append(emailField(words, account.email, problem: problems["email"]))
        }
        guard identifier != .email, account.hasPassword else { return fields }
        let isRequired = identifier == .userName
        let label = words[.userName]
        let name = Field(
            id: "signInName", label: isRequired ? label : words[.optional, label], autocomplete: "username",
            value: account.userName, isRequired: isRequired, error: words[problems["signInName"]], rule: .userName)
        return fields + [name]
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let (settings, form) = (transaction.endpoint.settings, transaction.context.form)
        guard transaction.endpoint.offersPasswords || transaction.progress.social != nil else {
            throw PageError.ended
        }
        if form["changeClaims"] != nil {
            try transaction.update { $0.verifiedEmail = nil }
            return try transaction.signUpPage()
        }
        guard !transaction.asksForAddress else { return try transaction.signUpPage() }
        let progress = transaction.progress
        var account = NewAccount(
            progress: progress, settings: settings,
            profile: ProfileFields(transaction.endpoint, form: form, hasEmail: progress.knownEmail != nil),
            email: form["email"]?.trimmed ?? "", userName: form["signInName"]?.trimmed ?? "")
        var problems = account.problems
        if account.hasPassword { problems.merge(NewPasswordPage.problems(form)) { $1 } }
        guard problems.isEmpty else { return detailsPage(transaction, account, problems: problems) }
        do {
            let claims = try transaction.claims(at: .afterAttributes, account.user)
            account.profile.take(claims)
            try transaction.keep(claims)
        } catch let objection as CalloutCall.Objection {
            return detailsPage(transaction, account, objection: objection)
        }
        return try create(account, &transaction)
    }

    private static func create(_ account: NewAccount, _ transaction: inout Transaction) throws -> Response {
        let form = transaction.context.form
        let user = account.user
        let hash = account.hasPassword ? try PasswordHash(form["newPassword"] ?? "") : nil
        guard try transaction.database.add(user, password: hash) else {
            let isEmail = try user.email.map { try transaction.database.user(email: $0) != nil } ?? false
            let taken: [String: LocalizedText] = isEmail ? ["email": .addressTaken] : ["signInName": .userNameTaken]
            return detailsPage(transaction, account, problems: taken)
        }
        return try transaction.proceed(user, isNew: true)
    }
}

/// The account that a sign-up asks for.
private struct NewAccount {
    let progress: Transaction.Progress
    let settings: PolicySettings
    var profile: ProfileFields
    var email = ""
    var userName = ""

    /// Whether the account gets a password; the social provider vouches for the others.
    var hasPassword: Bool { progress.social == nil }

    private var hasUserName: Bool { settings.identifier != .email && hasPassword }

    /// The problems of the names and the profile, by field ID.
    var problems: [String: LocalizedText] {
        var problems = profile.problems
        if progress.knownEmail == nil, settings.identifier != .userName, !isEmailAddress(email) {
            problems["email"] = .invalidEmail
        }
        guard hasUserName else { return problems }
        if userName.isEmpty {
            problems["signInName"] = settings.identifier == .userName ? .required : nil
        } else if !isUserName {
            problems["signInName"] = .invalidUserName
        }
        return problems
    }

    // Without an @, so that no user name can be mistaken for an address.
    private var isUserName: Bool {
        (1...64).contains(userName.count) && userName.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    }

    var user: User {
        var user = User(
            objectID: UUID().uuidString.lowercased(),
            email: progress.knownEmail ?? (settings.identifier == .userName ? nil : email),
            userName: hasUserName && !userName.isEmpty ? userName : nil,
            displayName: progress.social?.displayName ?? "", givenName: "", surname: "",
            identityProvider: hasPassword ? nil : SocialPage.provider)
        profile.apply(to: &user)
        if user.displayName.isEmpty {
            let full = [user.givenName, user.surname].filter { !$0.isEmpty }.joined(separator: " ")
            user.displayName = full.isEmpty ? String((user.userName ?? user.signInName).prefix { $0 != "@" }) : full
        }
        return user
    }
}
