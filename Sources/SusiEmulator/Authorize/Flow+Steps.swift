import SusiPolicies

/// The order of the pages.
extension Flow {
    /// The first page for somebody whom no session names.
    func entry(name: String?) throws -> Response {
        let request = transaction.request
        switch endpoint.policy.kind {
        case .passwordReset: return ResetPage.addressPage(self, name: name)
        case .signUpOrSignIn, .editProfile, .resourceOwner: break
        }
        // Where there is no choice, or it was made already, nobody is asked.
        if endpoint.offersSocial, !endpoint.offersPasswords || request.domainHint?.lowercased() == SocialPage.provider {
            return try SocialPage.page(self, email: name)
        }
        if request.prompts.contains("create") {
            return try SignUpPage.firstPage(self)
        }
        return try SignInPage.page(self, name: name)
    }

    /// Goes on with a person whom the browser's session names, but who has shown no second factor in it.
    func askSecondFactor(_ user: User) throws -> Response {
        try change { $0.become(user.objectID) }
        return SecondFactorPage.page(self, user)
    }

    /// Goes on with a person who has shown a password, or came from the social provider: to the next question that is open,
    /// else to the end. Nobody is signed in before the last one.
    func proceed(_ user: User, isNew: Bool = false) throws -> Response {
        guard !user.isBlocked else {
            return try SignInPage.page(self, name: user.signInName, alert: .accountBlocked)
        }
        if let refusal = try objection(to: user) { return try refuse(refusal) }
        if user.owesPassword {
            try change { $0.become(user.objectID, isNew: isNew) }
            return NewPasswordPage.page(self, user, reason: .passwordExpired, action: "new-password")
        }
        var flow = self
        if endpoint.settings.multiFactor == .always {
            flow.hasSecondFactor = try change { journey in
                journey.become(user.objectID, isNew: isNew)
                return journey.hasSecondFactor
            }
            guard flow.hasSecondFactor else { return SecondFactorPage.page(self, user) }
        }
        guard endpoint.policy.kind == .editProfile else {
            return try flow.finish(user, authTime: context.now, isNew: isNew, startsSession: true)
        }
        flow.transaction = try endpoint.tenant.database.note(user.objectID, authTime: context.now, in: transaction)
        return try flow.answerStartingSession(ProfilePage.page(flow, ProfileFields(endpoint.settings, user)), user)
    }

    /// How far this transaction has come.
    func journey() throws -> Journey { try endpoint.tenant.database.journey(of: transaction) }

    /// Changes that in one step.
    @discardableResult
    func change<T: Sendable>(_ body: @Sendable (inout Journey) throws -> T) throws -> T {
        try endpoint.tenant.database.changeJourney(of: transaction, body)
    }

    /// Sends a new code, which voids the one before; nil when this transaction has sent too many.
    func sendCode(
        _ purpose: OutboxMessage.Purpose, to recipient: String, by channel: OutboxMessage.Channel,
        person: String? = nil
    ) throws -> SentCode? {
        let code = SentCode.make()
        let sent = SentCode(
            code, for: purpose, to: recipient, by: channel, person: person, secret: transaction.id, now: context.now)
        let isAllowed = try change { journey in
            guard journey.codesSent < SentCode.mostCodes else { return false }
            journey.codesSent += 1
            journey.challenge = sent
            return true
        }
        guard isAllowed else { return nil }
        try endpoint.tenant.database.send(code, to: recipient, by: channel, for: purpose, now: context.now)
        return sent
    }
}

/// What a policy offers.
extension PolicyEndpoint {
    /// Whether people sign in with a password of this tenant.
    var offersPasswords: Bool { settings.identityProviders.contains(.local) }

    /// Whether people may come from the pretended social provider.
    var offersSocial: Bool {
        [.signUpOrSignIn, .editProfile].contains(policy.kind) && settings.identityProviders.contains(.social)
    }

    /// Whether people may make accounts for themselves: not in a workforce, and not with a plain provider.
    var offersSignUp: Bool { policy.kind == .signUpOrSignIn && dialect.offersSignUp }

    /// Whether a forgotten password can be replaced on this policy's own pages.
    var resetsPasswords: Bool {
        policy.kind == .passwordReset
            || policy.kind == .signUpOrSignIn && offersPasswords && settings.forgottenPassword == .inline
    }

    /// Whether a sign-up begins with an address that has to be verified.
    var verifiesSignUp: Bool {
        settings.verifiesEmail
            && (settings.identifier != .userName || (settings.attributes ?? []).contains { $0.name == "email" })
    }
}
