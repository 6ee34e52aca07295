/// Why an address may be contacted or not, and what it is in a policies file. Nobody is contacted for it.
public struct AuthorityExplanation: Hashable, Sendable {
    /// A policy of the file whose authority the address belongs to.
    public struct Use: Hashable, Sendable {
        /// The application's name.
        public let application: String
        /// The policy.
        public let policy: PolicyName
    }

    /// What the address says by itself.
    public let reading: AddressReading
    /// The kind: by host or form, else that of the application.
    public let kind: AuthorityKind
    /// The tenant as the address names it.
    public let tenant: String?
    /// The policy as the address names it.
    public let policy: PolicyName?
    /// The application whose list decided.
    public let application: String
    /// Where the file names it.
    public let uses: [Use]
    /// What the application's `knownAuthorities` says.
    public let decision: KnownAuthorities.Decision
    /// What may be wrong, each a sentence.
    public let hints: [String]

    /// Explains an address with the list of the application that names it, else of `chosen`.
    public init(_ text: String, file: PoliciesFile, chosen: Application) throws(WebAddress.Invalid) {
        let reading = try AddressReading(text)
        let candidates = [chosen] + file.applications.filter { $0.name != chosen.name }
        let matches = candidates.flatMap { application in
            application.policies.filter { reading.isAddress(of: application.authority(for: $0)) }
                .map { (application: application, policy: $0) }
        }
        // Where no policy of the file has the address, the application of the same host is the one that was meant.
        let decider =
            matches.first?.application
            ?? candidates.first { $0.authority.origin == reading.base.origin } ?? chosen
        let kind = reading.kind ?? decider.kind
        let named = reading.policy(kind)
        let asked =
            // An issuer names the tenant in its own way, and is contacted by nobody: its authority is.
            reading.role == .issuer ? matches.first.map { $0.application.authority(for: $0.policy) } : nil
        let authority =
            asked
            ?? reading.asAuthority(
                kind, policy: named ?? matches.first?.policy.name ?? PolicyName("default"),
                place: reading.form == .query ? .query : .path)
        self.reading = reading
        self.kind = kind
        tenant = reading.tenant ?? reading.asAuthority(kind, policy: authority.policy, place: .path).tenant
        policy = named
        application = decider.name
        uses = matches.map { Use(application: $0.application.name, policy: $0.policy.name) }
        decision = Self.decision(authority, whole: reading, in: decider)
        hints = Hints(reading: reading, asked: authority, application: decider, isUsed: !matches.isEmpty).all(decision)
    }

    private static func decision(
        _ asked: Authority, whole reading: AddressReading, in application: Application
    ) -> KnownAuthorities.Decision {
        // A policy behind the tenant is right in B2C alone.
        let base = asked.base
        let written =
            asked.kind == .b2c || asked.kind == .openid || reading.role != .authority
            ? base : WebAddress(scheme: base.scheme, host: base.host, port: base.port, segments: reading.rest)
        if let complaint = asked.kind.rules.complaint(about: written) {
            return .refused(KnownAuthorities.Refusal(authority: asked, reason: complaint, missing: nil))
        }
        return application.knownAuthorities.decision(for: asked)
    }
}

extension AddressReading {
    /// Whether this is an address of an authority: the authority itself, one of its endpoints or its issuer.
    fileprivate func isAddress(of authority: Authority) -> Bool {
        if (try? authority.tenant(ofIssuer: text)) != nil { return true }
        guard kind ?? authority.kind == authority.kind else { return false }
        guard authority.kind != .openid else { return authority.base.contains(base) }
        guard base.origin == authority.base.origin else { return false }
        let asked = asAuthority(authority.kind, policy: authority.policy, place: .path)
        guard asked.tenant?.lowercased() == authority.tenant?.lowercased() else { return false }
        return !authority.kind.hasPolicies || policy(authority.kind) ?? authority.policy == authority.policy
    }
}
