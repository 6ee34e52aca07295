import SusiHTTP
public import SusiOAuth
public import SusiPolicies
public import SusiStore

/// What a sign-in asks for.
public struct SignInRequest: Sendable {
    /// The policy; nil means the default one.
    public var policy: PolicyName?
    /// The API whose scopes are asked; nil leaves it to the policy.
    public var api: String?
    /// Scopes beside those.
    public var scopes: [String]
    /// What the page shows first.
    public var prompt: Prompt?
    /// Whom the page may suggest.
    public var loginHint: String?
    /// The person who must come back: the subject, an address or the name; nil takes anybody.
    public var expected: String?
    /// Whether the account becomes the policy's current one.
    public var makesCurrent: Bool

    /// Makes a request; by default the person chooses the account.
    public init(
        policy: PolicyName? = nil, api: String? = nil, scopes: [String] = [], prompt: Prompt? = .selectAccount,
        loginHint: String? = nil, expected: String? = nil, makesCurrent: Bool = true
    ) {
        self.policy = policy
        self.api = api
        self.scopes = scopes
        self.prompt = prompt
        self.loginHint = loginHint
        self.expected = expected
        self.makesCurrent = makesCurrent
    }
}

/// How an interactive policy ended.
public struct SignInResult: Sendable {
    /// The account as it is stored.
    public let account: StoredAccount
    /// The scopes that were asked of the API.
    public let asked: ScopeSet
    /// Those that the server granted, as it names them.
    public let granted: ScopeSet
    /// Those of the asked that were not granted.
    public let declined: ScopeSet
    /// Who was the policy's current account before, when it was another.
    public let previous: StoredAccount?
}

extension PublicClient {
    /// Signs a person in through the browser and stores the account under its person and its policy.
    ///
    /// Errors: ``SusiError/Code/cancelled`` (AADB2C90091 and 90273 too), `unknownAuthority` before anything is sent,
    /// `network`, `timeout`, `invalidAnswer`, `differentPerson`, `store`.
    public func signIn(
        _ request: SignInRequest, through surface: SignInSurface
    ) async throws(SusiError) -> SignInResult {
        let application = application
        let target = try await explained { try application.target(api: request.api, policy: request.policy) }
        guard target.policy.kind == .signUpOrSignIn else { throw Self.wrongKind(target.policy) }
        let asked = ScopeSet(target.scopes + request.scopes)
        return try await explained(target.policy.name) {
            // A store that cannot be written is better known before the person types a password.
            _ = try store()
            let flow = flow(target.policy, asked, prompt: request.prompt, loginHint: request.loginHint, surface)
            return try await flow.run { grant in
                if let expected = request.expected { try Self.check(grant, is: expected) }
                let result = try await self.keep(grant, asked, target.policy, makesCurrent: request.makesCurrent)
                return (result, .signedIn(result.account, target.policy))
            }
        }
    }

    nonisolated func flow(
        _ policy: Policy, _ scopes: ScopeSet, prompt: Prompt?, loginHint: String?, _ surface: SignInSurface
    ) -> InteractiveFlow {
        InteractiveFlow(
            application: application, policy: policy, scopes: scopes, prompt: prompt, loginHint: loginHint,
            surface: surface, clock: clock, limits: limits, trace: trace)
    }

    /// Stores what a flow brought.
    func keep(
        _ grant: TokenGrant, _ asked: ScopeSet, _ policy: Policy, makesCurrent: Bool
    ) throws -> SignInResult {
        let store = try store()
        let before = try store.current(policy.name, in: scope(of: policy))
        try store.save(
            grant, authority: application.authority(for: policy).base.description, makeCurrent: makesCurrent)
        guard let account = try store.account(grant.account) else {
            throw SusiError(.store, "The account that was just stored cannot be read", next: "susi accounts")
        }
        return SignInResult(
            account: account, asked: asked, granted: grant.accessToken?.granted ?? ScopeSet([]),
            declined: grant.accessToken.map { asked.declined(granted: $0.granted) } ?? asked,
            previous: before?.account.person == account.account.person ? nil : before)
    }

    private static func check(_ grant: TokenGrant, is expected: String) throws(SusiError) {
        let wanted = expected.lowercased()
        let names = [grant.account.person.subject, grant.profile.name ?? ""] + grant.profile.emails
        guard names.contains(where: { $0.lowercased() == wanted }) else {
            throw SusiError(
                .differentPerson, "\(grant.profile.label ?? grant.account.person.subject) came back, not \(expected)",
                why: "nothing was stored", next: "susi sign-in -p \(grant.account.policy) -a \(expected.shellWord)")
        }
    }

    private static func wrongKind(_ policy: Policy) -> SusiError {
        SusiError(
            .unknownName, "“\(policy.name)” does not sign in on a page", why: "its kind is “\(policy.kind.label)”",
            next: policy.kind.command(for: policy.name))
    }
}

extension PolicyKind {
    /// The command that runs a policy of this kind.
    public func command(for policy: PolicyName) -> String {
        switch self {
        case .signUpOrSignIn: "susi sign-in -p \(policy)"
        case .editProfile: "susi edit-profile -p \(policy)"
        case .passwordReset: "susi reset-password -p \(policy)"
        case .resourceOwner: "susi policies list"
        }
    }
}

extension Page {
    static func signedIn(_ account: StoredAccount, _ policy: Policy) -> Page {
        Page(
            title: "Signed in",
            text: "\(account.label) is signed in under \(policy.name). You can close this window.")
    }
}
