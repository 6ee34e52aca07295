import SusiJourneys
import SusiPolicies

/// The order of the pages, up to the response to the application: the one place that decides what comes next.
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
        guard let session, !endpoint.ignoresSessions else { return try entryPage(name: name) }
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
        if endpoint.settings.offer == .signUp || request.prompts.contains("create") {
            return try signUpPage()
        }
        return try SignInPage.page(self, name: name)
    }

    /// The page of a sign-up: an address that has to be verified comes before the rest.
    func signUpPage() throws -> Response {
        if asksForAddress { return SignUpPage.addressPage(self, email: request.loginHint ?? "") }
        return try SignUpPage.detailsPage(self)
    }

    /// The page for the user of a session. `isChosen` says that the user was selected on a page.
    mutating func page(
        for session: BrowserSession.Entry, name: String?, isChosen: Bool = false
    ) throws -> Response {
        let user = session.session.user
        let signedIn = SignedInUser(user: user, authTime: session.session.authTime)
        switch try browser.proof(of: session, for: request, isChosen: isChosen) {
        case .nothing: return try entryPage(name: name)
        case .password:
            try update { $0.identify(user.objectID) }
            return try nextPage(for: user)
        case .complete:
            try update { progress in
                progress.identify(user.objectID)
                progress.signIn(signedIn)
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
        if case .signedIn(_, let authTime) = progress.state {
            return try requestPage(for: SignedInUser(user: user, authTime: authTime))
        }
        if let page = try proofPage(for: user) { return page }
        return try signIn(user)
    }

    /// The page for a proof that is still missing; `nil` if the user has shown every proof.
    private mutating func proofPage(for user: User) throws -> Response? {
        if user.owesPassword { return NewPasswordPage.page(self, user, reason: .expired) }
        guard endpoint.asksSecondFactor, !progress.done.contains(.secondFactor) else { return nil }
        return endpoint.asksForApp
            ? try AuthenticatorPage.page(&self, user) : SecondFactorPage.page(self, user)
    }

    // Starts the session of the browser.
    private mutating func signIn(_ user: User) throws -> Response {
        let signedIn = SignedInUser(user: user, authTime: context.now)
        try update { $0.signIn(signedIn) }
        let hasSecondFactor = progress.done.contains(.secondFactor)
        return try browser.starting(requestPage(for: signedIn), user, hasSecondFactor: hasSecondFactor)
    }

    /// The page for what the request asks of a signed-in user; the response to the application when nothing is left.
    private mutating func requestPage(for signedIn: SignedInUser) throws -> Response {
        if endpoint.editsProfile, !progress.done.contains(.profile) {
            return ProfilePage.page(self, ProfileFields(endpoint, signedIn.user))
        }
        if let scopes = try scopesToConfirm(signedIn.user) {
            guard !request.prompts.contains("none") else { return try refuse(Consent.needed(request.clientID)) }
            return ConsentPage.page(self, scopes)
        }
        return try complete(signedIn)
    }

    /// Whether a sign-up still needs an address.
    var asksForAddress: Bool { endpoint.verifiesSignUp && progress.knownEmail == nil }

    // MARK: The end of the pages

    /// Ends the transaction with everything that was requested, or with `scope` of it: a grant for the device, or a code or
    /// tokens for the application.
    func complete(_ signedIn: SignedInUser, scope: String? = nil) throws -> Response {
        let codeClaims = try endpoint.codeClaims(
            signedIn.user, clientID: request.clientID, locale: words.language.rawValue, now: context.now,
            known: progress.codeClaims)
        let user = try GrantRecord.Details(codeClaims: codeClaims).adding(to: signedIn.user)
        guard try database.closeTransaction(id) else { throw PageError.ended }
        return try finish(
            try grant(user, authTime: signedIn.authTime, scope: scope ?? request.scope, codeClaims), user)
    }

    /// The same with the claims that the journey of a custom policy issued.
    func complete(_ issued: IssuedClaims, _ user: User, authTime: Int64) throws -> Response {
        guard try database.closeTransaction(id) else { throw PageError.ended }
        var grant = try grant(user, authTime: authTime, scope: request.scope, nil)
        grant.details.journey = JourneyClaims(issued)
        return try finish(grant, user)
    }

    private func finish(_ made: GrantRecord, _ user: User) throws -> Response {
        var grant = made
        if let device = request.device {
            grant = try database.add(grant, now: context.now)
            guard try database.finishDevice(device, grant: grant.id) else { throw PageError.ended }
            return DevicePage.done(words, isSignedIn: true)
        }
        var code: String?
        if request.responseTypes.contains(.code) {
            grant = try database.add(grant, now: context.now)
            code = try database.issueCode(
                grant, redirectURI: request.redirectURI, challenge: request.challenge, now: context.now,
                lifetime: endpoint.lifetimes.code)
        }
        let requested = try requestedScopes(grant.scope)
        let scopes = try endpoint.tenant.granted(requested, to: grant.clientID, by: user)
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: user, scopes: scopes, now: context.now, type: nil,
            wantsClientInfo: request.wantsClientInfo)
        return ReturnAddress(request, endpoint).response(try issuer.redirectFields(request.responseTypes, code: code))
    }

    private func grant(_ user: User, authTime: Int64, scope: String, _ codeClaims: String?) throws -> GrantRecord {
        GrantRecord(
            clientID: request.clientID, policy: endpoint.policy.name.spelling, objectID: user.objectID,
            scope: scope, nonce: request.nonce, authTime: authTime, isNewUser: progress.isNew,
            expires: context.now + endpoint.lifetimes.slidingWindow,
            details: GrantRecord.Details(
                claims: request.claims, parameters: request.parameters.isEmpty ? nil : request.parameters,
                isTimed: request.maxAge.map { _ in true }, redirectType: redirectType,
                userClaims: try endpoint.claimsToRepeat(of: user), codeClaims: codeClaims))
    }

    private var redirectType: RedirectType? {
        endpoint.registered(request.clientID)?.type(
            of: request.redirectURI, ports: endpoint.tenant.configuration.redirectPorts)
    }

    func refuse(_ refusal: Refusal) throws -> Response {
        // An error after the transaction was closed is for the application, too.
        guard try database.closeTransaction(id) || refusal.code == .internalError else { throw PageError.ended }
        if let device = request.device {
            guard try database.finishDevice(device, grant: nil) else { throw PageError.ended }
            return refusal.code == .cancelled
                ? DevicePage.done(words, isSignedIn: false) : ErrorPage.response(refusal, at: endpoint, context)
        }
        return ReturnAddress(request, endpoint).response(refusal, now: context.now)
    }
}
