import FoundationEssentials
import SusiPolicies

/// A new account: with a password of its own, or for somebody whom another provider vouches for. Where the policy verifies
/// addresses, that comes first.
enum SignUpPage {
    /// The first page that is open.
    static func firstPage(_ flow: Flow) throws -> Response {
        let journey = try flow.journey()
        var fields = ProfileFields(flow.endpoint.settings, hasEmail: journey.knownEmail != nil)
        if let social = journey.social { fields.propose(displayName: social.displayName) }
        return asksAddress(flow.endpoint, journey)
            ? addressPage(flow, email: flow.transaction.request.loginHint ?? "")
            : detailsPage(flow, journey, Names(), fields)
    }

    private static func asksAddress(_ endpoint: PolicyEndpoint, _ journey: Journey) -> Bool {
        endpoint.verifiesSignUp && journey.knownEmail == nil
    }

    static func show(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            guard endpoint.offersSignUp, endpoint.offersPasswords else { throw PageError.ended }
            return try firstPage(try Flow.opened(endpoint, context))
        }
    }

    // MARK: The address

    private static func addressPage(_ flow: Flow, email: String, problem: LocalizedText? = nil) -> Response {
        let words = flow.words
        let form = Form(
            action: "sign-up-address", fields: [emailField(words, email, problem: problem, focus: true)],
            submit: (VerifyPage.control(.email) + "_but_send_code", words[.sendCode]))
        return flow.answer(
            Page(
                words: words, title: words[.verifyAddress], isWrong: problem != nil,
                content: """
                    <h1>\(words[.verifyAddress])</h1>
                    <p class="lead">\(words[.verifyAddressNote])</p>
                    \(form.html(flow))
                    """), note: problem?.english)
    }

    private static func emailField(_ words: Words, _ value: String, problem: LocalizedText?, focus: Bool) -> Field {
        Field(
            id: "email", label: words[.emailAddress], type: "email", autocomplete: "email", value: value,
            error: words[problem], rule: .email, isFocused: focus)
    }

    static func submitAddress(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard endpoint.offersSignUp, endpoint.offersPasswords, endpoint.verifiesSignUp else {
                throw PageError.ended
            }
            let email = context.form["email"]?.trimmed ?? ""
            guard isEmailAddress(email) else { return addressPage(flow, email: email, problem: .invalidEmail) }
            let sent = try flow.sendCode(.verifyEmail, to: email, by: .email)
            return sent.map { VerifyPage.page(flow, $0) } ?? addressPage(flow, email: email, problem: .codesTooMany)
        }
    }

    // MARK: Everything else

    /// What the account is to be called.
    private struct Names {
        var email = ""
        var userName = ""

        init() {}

        init(_ form: Parameters) {
            email = form["email"]?.trimmed ?? ""
            userName = form["signInName"]?.trimmed ?? ""
        }
    }

    private static func detailsPage(
        _ flow: Flow, _ journey: Journey, _ names: Names, _ profile: ProfileFields,
        problems: [String: LocalizedText] = [:]
    ) -> Response {
        let words = flow.words
        var fields = nameFields(flow, journey, names, problems)
        if journey.social == nil { fields += NewPasswordPage.fields(words, problems, focus: false) }
        fields += profile.fields(words, problems, focus: false)
        if let first = fields.firstIndex(where: { !$0.isReadOnly }) { fields[first].isFocused = true }
        let change = FormButton(
            id: VerifyPage.control(.email) + "_but_change_claims", name: "changeClaims", text: words[.changeEmail])
        let form = Form(
            action: "sign-up", fields: fields, submit: ("continue", words[.create]),
            buttons: journey.verifiedEmail == nil ? [] : [change])
        let problem = problems.min { $0.key < $1.key }?.key
        return flow.answer(
            Page(
                words: words, title: words[.signUp], isWrong: problem != nil,
                content: """
                    <h1>\(words[.createYourAccount])</h1>
                    <p class="lead">\(words[.inTenant, flow.endpoint.tenant.configuration.name])</p>
                    \(form.html(flow))
                    """), note: problem.map { "invalid field \($0)" })
    }

    private static func nameFields(
        _ flow: Flow, _ journey: Journey, _ names: Names, _ problems: [String: LocalizedText]
    ) -> [Field] {
        let words = flow.words
        let identifier = flow.endpoint.settings.identifier
        var fields: [Field] = []
        if let email = journey.knownEmail {
            var field = emailField(words, email, problem: problems["email"], focus: false)
            field.isReadOnly = true
            if journey.social == nil { field.hint = words[.addressVerified] }
            fields.append(field)
        } else if identifier != .userName {
            fields.append(emailField(words, names.email, problem: problems["email"], focus: false))
        }
        guard identifier != .email, journey.social == nil else { return fields }
        let isRequired = identifier == .userName
        let label = words[.userName]
        let name = Field(
            id: "signInName", label: isRequired ? label : words[.optional, label], autocomplete: "username",
            value: names.userName, isRequired: isRequired, error: words[problems["signInName"]], rule: .userName)
        return fields + [name]
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            let journey = try flow.journey()
            guard endpoint.offersSignUp, endpoint.offersPasswords || journey.social != nil else {
                throw PageError.ended
            }
            if context.form["changeClaims"] != nil { try flow.change { $0.verifiedEmail = nil } }
            guard context.form["changeClaims"] == nil, !asksAddress(endpoint, journey) else {
                return try firstPage(flow)
            }
            let profile = ProfileFields(endpoint.settings, form: context.form, hasEmail: journey.knownEmail != nil)
            let names = Names(context.form)
            var problems = profile.problems.merging(self.problems(names, journey, endpoint.settings)) { $1 }
            if journey.social == nil { problems.merge(NewPasswordPage.problems(context.form)) { $1 } }
            guard problems.isEmpty else { return detailsPage(flow, journey, names, profile, problems: problems) }
            let user = user(names, profile, journey, endpoint.settings)
            let hash = journey.social == nil ? try PasswordHash(context.form["newPassword"] ?? "") : nil
            guard try endpoint.tenant.database.add(user, password: hash) else {
                let isEmail = try user.email.map { try endpoint.tenant.database.user(email: $0) != nil } ?? false
                let taken: [String: LocalizedText] = isEmail ? ["email": .addressTaken] : ["signInName": .userNameTaken]
                return detailsPage(flow, journey, names, profile, problems: taken)
            }
            return try flow.proceed(user, isNew: true)
        }
    }

    private static func problems(
        _ names: Names, _ journey: Journey, _ settings: PolicySettings
    ) -> [String: LocalizedText] {
        var problems: [String: LocalizedText] = [:]
        if journey.knownEmail == nil, settings.identifier != .userName, !isEmailAddress(names.email) {
            problems["email"] = .invalidEmail
        }
        guard settings.identifier != .email, journey.social == nil else { return problems }
        if names.userName.isEmpty {
            problems["signInName"] = settings.identifier == .userName ? .required : nil
        } else if !isUserName(names.userName) {
            problems["signInName"] = .invalidUserName
        }
        return problems
    }

    private static func user(
        _ names: Names, _ profile: ProfileFields, _ journey: Journey, _ settings: PolicySettings
    ) -> User {
        let isNamed = settings.identifier != .email && journey.social == nil && !names.userName.isEmpty
        let email = journey.knownEmail ?? (settings.identifier == .userName ? nil : names.email)
        var user = User(
            objectID: UUID().uuidString.lowercased(), email: email, userName: isNamed ? names.userName : nil,
            displayName: journey.social?.displayName ?? "", givenName: "", surname: "",
            identityProvider: journey.social == nil ? nil : SocialPage.provider)
        profile.apply(to: &user)
        if user.displayName.isEmpty {
            let full = [user.givenName, user.surname].filter { !$0.isEmpty }.joined(separator: " ")
            user.displayName = full.isEmpty ? String((user.userName ?? user.signInName).prefix { $0 != "@" }) : full
        }
        return user
    }

    // Without an @, so that no user name is taken for an address.
    private static func isUserName(_ text: String) -> Bool {
        (1...64).contains(text.count) && text.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    }
}

extension Journey {
    /// The address that the person need not type: it was verified here, or the other provider vouches for it.
    var knownEmail: String? { social?.email ?? verifiedEmail }
}
