import SusiPolicies

struct Consent: Sendable {
    let tenant: Tenant
    let clientID: String
    let scopes: RequestedScopes

    /// The scopes that still need the user's consent: those that the tenant asks about, and those that the user declined
    /// before. Azure AD B2C never asks.
    ///
    /// A `.default` stands for all scopes with consent, so the user is asked only while no scope has it.
    func missing(_ user: User) throws -> [String] {
        guard tenant.configuration.kind.dialect.traits.asksConsent, !scopes.covered.isEmpty else { return [] }
        let answers = try answers(of: user)
        let open = scopes.covered.filter { !hasConsent($0, answers) }
        let isAnswered = scopes.ofDefault.contains { answers[$0] != nil }
        guard isAnswered, scopes.ofDefault.contains(where: { hasConsent($0, answers) }) else { return open }
        return open.filter { !scopes.ofDefault.contains($0) }
    }

    /// The scopes without consent, which a `.default` does not grant.
    func withheld(_ user: User) throws -> Set<String> {
        guard tenant.configuration.kind.dialect.traits.asksConsent, !scopes.ofDefault.isEmpty else { return [] }
        let answers = try answers(of: user)
        return Set(scopes.ofDefault.filter { !hasConsent($0, answers) })
    }

    private func answers(of user: User) throws -> [String: Bool] {
        try tenant.database.consents(by: user.objectID, for: clientID)
    }

    private func hasConsent(_ scope: String, _ answers: [String: Bool]) -> Bool { answers[scope] ?? !isAsked(scope) }

    private func isAsked(_ scope: String) -> Bool { tenant.configuration.userConsent.contains(scope) }

    /// The refusal of scopes that only an administrator can consent to. The emulator has no administrators.
    var administratorRefusal: Refusal? {
        let isBlocked = scopes.covered.contains(where: tenant.configuration.administratorConsent.contains)
        guard isBlocked else { return nil }
        return Refusal(
            .administratorNeeded, tenant.configuration.kind.dialect.traits.administratorConsentText)
    }

    /// Returns the refusal of a request that cannot show a page: a refresh or a password grant. Returns `nil` if no
    /// consent is missing.
    func refusal(_ user: User) throws -> Refusal? {
        guard try administratorRefusal != nil || !missing(user).isEmpty else { return nil }
        return Self.needed(clientID)
    }

    /// The refusal of a request that must not show a page.
    static func needed(_ clientID: String) -> Refusal {
        Refusal(
            .consentNeeded,
            """
            The user or administrator has not consented to use the application with ID '\(clientID)'. \
            Send an interactive authorization request for this user and resource.
            """)
    }
}

struct ConsentAnswer: Sendable {
    let granted: [String]
    let declined: [String]

    /// The scopes of a request without the declined ones. The scopes of OpenID Connect cannot be declined.
    func scope(of request: AuthorizationRequest, _ asked: RequestedScopes) -> String {
        guard !declined.isEmpty else { return request.scope }
        // The granted scopes replace a `.default`.
        let others = request.scope.split(separator: " ").map(String.init).filter { !asked.granted.contains($0) }
        return (others + asked.covered.filter { !declined.contains($0) }).joined(separator: " ")
    }
}

extension Tenant {
    /// The scopes of a user's tokens. A `.default` grants only scopes with consent.
    func granted(_ scopes: RequestedScopes, to clientID: String, by user: User) throws -> RequestedScopes {
        let withheld = try Consent(tenant: self, clientID: clientID, scopes: scopes).withheld(user)
        guard !withheld.isEmpty else { return scopes }
        return try RequestedScopes(scopes.asked, clientID: clientID, configuration, withheld: withheld)
    }
}

extension Transaction {
    /// Returns why a user is refused: not the user of `id_token_hint`, not allowed here, or consent reserved for administrators.
    func objection(to user: User) throws -> Refusal? {
        if let expected = request.expectedUser, expected != user.objectID {
            return Refusal(.hintOfAnotherPerson, "The signed-in user is not the user of the id_token_hint.")
        }
        return try endpoint.dialect.refusal(of: user, at: endpoint) ?? consent().administratorRefusal
    }

    /// The scopes on the consent page. Returns `nil` if nothing has to be asked.
    func scopesToConfirm(_ user: User) throws -> [String]? {
        let scopes = try openScopes(user)
        return asksAlways || !scopes.isEmpty ? scopes : nil
    }

    /// The scopes to which the user can consent.
    func openScopes(_ user: User) throws -> [String] {
        let consent = try consent()
        return asksAlways ? consent.scopes.covered : try consent.missing(user)
    }

    // Whether the user is asked even after consenting to everything.
    private var asksAlways: Bool {
        request.device != nil || request.prompts.contains("consent") && endpoint.dialect.traits.asksConsent
    }

    func consent() throws -> Consent {
        Consent(tenant: endpoint.tenant, clientID: request.clientID, scopes: try requestedScopes(request.scope))
    }

    func requestedScopes(_ scope: String) throws -> RequestedScopes {
        try RequestedScopes(scope, clientID: request.clientID, endpoint.tenant.configuration)
    }
}
