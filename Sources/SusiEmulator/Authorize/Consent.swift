import SusiPolicies

/// What an application may have only after somebody has agreed.
struct Consent: Sendable {
    let tenant: Tenant
    let clientID: String
    let scopes: RequestedScopes

    /// The asked scopes to which the person still has to agree: those that the tenant asks about, and those that the person
    /// has left out before. Azure AD B2C asks nobody.
    ///
    /// A `.default` is everything that was agreed to: it asks only as long as that is nothing.
    func missing(_ user: User) throws -> [String] {
        guard tenant.configuration.kind.dialect.asksConsent, !scopes.covered.isEmpty else { return [] }
        let said = try said(by: user)
        let open = scopes.covered.filter { !isAgreed($0, said) }
        let isAnswered = scopes.ofDefault.contains { said[$0] != nil }
        guard isAnswered, scopes.ofDefault.contains(where: { isAgreed($0, said) }) else { return open }
        return open.filter { !scopes.ofDefault.contains($0) }
    }

    /// What a `.default` does not grant: the scopes to which the person did not agree.
    func withheld(_ user: User) throws -> Set<String> {
        guard tenant.configuration.kind.dialect.asksConsent, !scopes.ofDefault.isEmpty else { return [] }
        let said = try said(by: user)
        return Set(scopes.ofDefault.filter { !isAgreed($0, said) })
    }

    private func said(by user: User) throws -> [String: Bool] {
        try tenant.database.consents(by: user.objectID, for: clientID)
    }

    private func isAgreed(_ scope: String, _ said: [String: Bool]) -> Bool { said[scope] ?? !isAsked(scope) }

    private func isAsked(_ scope: String) -> Bool { tenant.configuration.userConsent.contains(scope) }

    /// The refusal when only an administrator could agree: nobody here is one.
    var administratorRefusal: Refusal? {
        let isBlocked = scopes.covered.contains(where: tenant.configuration.administratorConsent.contains)
        guard isBlocked else { return nil }
        return Refusal(
            .administratorNeeded, tenant.configuration.kind.dialect.administratorConsentText)
    }

    /// The refusal where nobody can be asked: a refresh, a password without a page.
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

/// What a person said on the page that asks.
struct ConsentAnswer: Sendable {
    let granted: [String]
    let declined: [String]

    /// The scopes of a request without those that were left out; the scopes of OpenID Connect are no choice.
    func scope(of request: AuthorizationRequest, _ asked: RequestedScopes) -> String {
        guard !declined.isEmpty else { return request.scope }
        // What stands for several scopes, `.default`, is no longer what is granted.
        let others = request.scope.split(separator: " ").map(String.init).filter { !asked.granted.contains($0) }
        return (others + asked.covered.filter { !declined.contains($0) }).joined(separator: " ")
    }
}

extension Tenant {
    /// The scopes that a person's tokens have: of a `.default`, those to which the person agreed.
    func granted(_ scopes: RequestedScopes, to clientID: String, by user: User) throws -> RequestedScopes {
        let withheld = try Consent(tenant: self, clientID: clientID, scopes: scopes).withheld(user)
        guard !withheld.isEmpty else { return scopes }
        return try RequestedScopes(scopes.asked, clientID: clientID, configuration, withheld: withheld)
    }
}
