import HTTPTypes
import SusiPolicies

/// The order of the pages: the one place that decides which page comes next.
///
/// A page records what its user has shown and asks here for the page that follows. A page that sends a code is followed by
/// `VerifyPage`, which comes back here.
extension Transaction {
    /// The first page of a request. `name` is the sign-in name to fill in.
    mutating func firstPage(_ session: BrowserSession.Entry?, name: String?) throws -> Response {
        if endpoint.listsAccounts, request.prompts.contains("select_account"),
            !request.prompts.contains("create")
        {
            let people = try browser.all().map(\.session.user).filter { !$0.isBlocked }
            if !people.isEmpty { return SelectAccountPage.page(self, people) }
        }
        guard let session, endpoint.policy.kind != .passwordReset else { return try entryPage(name: name) }
        return try page(for: session, name: name)
    }

    /// The page for a user who has to show who they are.
    func entryPage(name: String?) throws -> Response {
        if endpoint.policy.kind == .passwordReset { return ResetPage.addressPage(self, name: name) }
        // There is no sign-in page if there is nothing to choose, or if the request names the provider.
        let wantsSocial = request.domainHint?.lowercased() == SocialPage.provider
        if endpoint.offersSocial, !endpoint.offersPasswords || wantsSocial {
            return try SocialPage.page(self, email: name)
        }
        if request.prompts.contains("create") {
            return signUpPage()
        }
        return try SignInPage.page(self, name: name)
    }

    /// The page of a sign-up: an address that has to be verified comes before the rest.
    func signUpPage() -> Response {
        if asksForAddress { return SignUpPage.addressPage(self, email: request.loginHint ?? "") }
        return SignUpPage.detailsPage(self)
    }

    /// The page for the user of a session. `isChosen` says that the user was selected on a page.
    mutating func page(
        for session: BrowserSession.Entry, name: String?, isChosen: Bool = false
    ) throws -> Response {
        let user = session.session.user
        let authTime = session.session.authTime
        switch try browser.proof(of: session, for: request, isChosen: isChosen) {
        case .nothing: return try entryPage(name: name)
        case .password:
            try update { $0.identify(user.objectID) }
            return try nextPage(for: user)
        case .complete:
            try update { progress in
                progress.identify(user.objectID)
                progress.authTime = authTime
            }
            return try browser.using(session, nextPage(for: user))
        }
    }

    /// The next page for a user who has just shown a password, a social account or a code.
    mutating func proceed(_ user: User, isNew: Bool = false) throws -> Response {
        try update { $0.identify(user.objectID, isNew: isNew) }
        return try nextPage(for: user)
    }

    /// The next page for a known user; the response to the application when nothing is left to ask.
    mutating func nextPage(for user: User) throws -> Response {
        guard !user.isBlocked else {
            return try SignInPage.page(self, name: user.signInName, alert: .accountBlocked)
        }
        if let refusal = try objection(to: user) { return try refuse(refusal) }
        if progress.isSignedIn { return try requestPage(for: user) }
        if let page = proofPage(for: user) { return page }
        return try signIn(user)
    }

    /// The page for a proof that is still missing; `nil` if the user has shown every proof.
    private func proofPage(for user: User) -> Response? {
        if user.owesPassword { return NewPasswordPage.page(self, user, reason: .expired) }
        guard endpoint.asksSecondFactor, !progress.done.contains(.secondFactor) else { return nil }
        return SecondFactorPage.page(self, user)
    }

    // Starts the session of the browser.
    private mutating func signIn(_ user: User) throws -> Response {
        let now = context.now
        try update { $0.authTime = now }
        let hasSecondFactor = progress.done.contains(.secondFactor)
        return try browser.starting(requestPage(for: user), user, hasSecondFactor: hasSecondFactor)
    }

    /// The page for what the request asks of a signed-in user; the response to the application when nothing is left.
    private mutating func requestPage(for user: User) throws -> Response {
        if endpoint.editsProfile, !progress.done.contains(.profile) {
            return ProfilePage.page(self, ProfileFields(endpoint.settings, user))
        }
        if let scopes = try scopesToConfirm(user) {
            guard !request.prompts.contains("none") else { return try refuse(Consent.needed(request.clientID)) }
            return ConsentPage.page(self, scopes)
        }
        return try complete(user)
    }

    /// Whether a sign-up still needs an address.
    var asksForAddress: Bool { endpoint.verifiesSignUp && progress.knownEmail == nil }
}

/// The pages with their addresses, the policies that have them, and what their links and forms do.
extension Route {
    static let pages: [Route] = [
        Route(.get, .deviceVerification, DevicePage.show),
        Route(.post, page: "device", DevicePage.submit),
        form("select-account", if: \.listsAccounts, SelectAccountPage.submit),
        link("sign-in", if: \.offersSignIn) { try SignInPage.page($0, name: nil) },
        form("sign-in", if: \.offersSignIn, SignInPage.submit),
        link("social", if: \.offersSocial) { try SocialPage.page($0, email: $0.request.loginHint) },
        form("social", if: \.offersSocial, cancel: SocialPage.cancelled, SocialPage.submit),
        link("sign-up", if: \.offersPasswordSignUp) { $0.signUpPage() },
        form("sign-up-address", if: \.offersPasswordSignUp, SignUpPage.submitAddress),
        form("sign-up", if: \.offersSignUp, SignUpPage.submit),
        link("forgot-password", SignInPage.forgotPassword),
        form("reset-address", if: \.resetsPasswords, ResetPage.submit),
        form("reset-password", if: \.resetsPasswords, NewPasswordPage.submitReset),
        form("verify", VerifyPage.submit),
        form("new-password", NewPasswordPage.submit),
        form("second-factor", if: \.asksSecondFactor, SecondFactorPage.submit),
        form("profile", if: \.editsProfile, ProfilePage.submit),
        form("consent", if: \.signsIn, ConsentPage.submit),
    ]

    private static func link(
        _ page: String, if isOffered: @escaping @Sendable (PolicyEndpoint) -> Bool = { _ in true },
        _ show: @escaping @Sendable (Transaction) throws -> Response
    ) -> Route {
        Route(.get, page: page) { endpoint, context in
            try PageError.catching(context) {
                guard isOffered(endpoint) else { throw PageError.ended }
                return try show(try Transaction(of: context, at: endpoint))
            }
        }
    }

    // Every form has a cancel button.
    private static func form(
        _ page: String, if isOffered: @escaping @Sendable (PolicyEndpoint) -> Bool = { _ in true },
        cancel: Refusal = Refusal(.cancelled, "The user has cancelled entering self-asserted information."),
        _ submit: @escaping @Sendable (inout Transaction) throws -> Response
    ) -> Route {
        Route(.post, page: page) { endpoint, context in
            try PageError.catching(context) {
                guard isOffered(endpoint) else { throw PageError.ended }
                var transaction = try Transaction(of: context, at: endpoint)
                guard context.form["cancel"] == nil else { return try transaction.refuse(cancel) }
                return try submit(&transaction)
            }
        }
    }
}

extension PolicyEndpoint {
    var signsIn: Bool { policy.kind == .signUpOrSignIn }

    var listsAccounts: Bool { signsIn && dialect.traits.listsAccounts }

    var editsProfile: Bool { policy.kind == .editProfile }

    /// Whether users sign in with a password of this tenant.
    var offersPasswords: Bool { settings.identityProviders.contains(.local) }

    var offersSignIn: Bool { policy.kind != .passwordReset && offersPasswords }

    /// Whether users can sign in with the simulated social provider.
    var offersSocial: Bool { (signsIn || editsProfile) && settings.identityProviders.contains(.social) }

    /// Whether users can create accounts: not in a workforce tenant, and not at a plain provider.
    var offersSignUp: Bool { signsIn && dialect.traits.offersSignUp }

    var offersPasswordSignUp: Bool { offersSignUp && offersPasswords }

    /// Whether a forgotten password can be replaced on the policy's own pages.
    var resetsPasswords: Bool {
        policy.kind == .passwordReset || signsIn && offersPasswords && settings.forgottenPassword == .inline
    }

    /// Whether a sign-up begins with an address that has to be verified.
    var verifiesSignUp: Bool {
        settings.verifiesEmail
            && (settings.identifier != .userName || (settings.attributes ?? []).contains { $0.name == "email" })
    }

    var asksSecondFactor: Bool { settings.multiFactor == .always }
}
