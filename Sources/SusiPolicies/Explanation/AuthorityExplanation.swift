/// Explains what an address is to an application and whether the application may contact it, offline.
package struct AuthorityExplanation: Hashable, Sendable {
    /// A policy of the file that has the authority.
    package struct Use: Hashable, Sendable {
        package let application: String
        package let policy: PolicyName
    }

    /// The facts in the text of the address.
    package let reading: AddressReading
    /// The kind that host or form determine, else the application's.
    package let kind: AuthorityKind
    package let tenant: String?
    package let policy: PolicyName?
    /// The application whose list was checked.
    package let application: String
    package let uses: [Use]
    package let decision: KnownAuthorities.Decision
    /// Possible mistakes, as sentences.
    package let hints: [String]

    /// Explains an address for each application: first those with a policy that has it, then those with the same host.
    package static func all(
        _ text: String, for applications: [Application]
    ) throws(InvalidAddress) -> [AuthorityExplanation] {
        let reading = try AddressReading(text)
        let rank = { (found: AuthorityExplanation, application: Application) in
            !found.uses.isEmpty ? 0 : application.authority.origin == reading.base.origin ? 1 : 2
        }
        return
            applications.enumerated()
            .map { place, application in
                let found = AuthorityExplanation(reading, in: application)
                return (found: found, order: (rank(found, application), place))
            }
            .sorted { $0.order < $1.order }.map(\.found)
    }

    /// Explains an address for one application; only its own list counts.
    package init(_ text: String, in application: Application) throws(InvalidAddress) {
        self.init(try AddressReading(text), in: application)
    }

    private init(_ reading: AddressReading, in application: Application) {
        let matches = application.policies.filter {
            reading.isAddress(of: application.authority(for: $0), known: application.knownAuthorities)
        }
        let kind = reading.kind ?? application.kind
        let named = reading.policy(kind)
        let asked =
            // An issuer is never contacted, so the authority is checked instead.
            reading.role == .issuer ? matches.first.map { application.authority(for: $0) } : nil
        let authority =
            asked
            ?? reading.asAuthority(
                kind, policy: named ?? matches.first?.name ?? PolicyName("default"),
                place: reading.form == .query ? .query : .path)
        self.reading = reading
        self.kind = kind
        tenant = reading.tenant ?? reading.asAuthority(kind, policy: authority.policy, place: .path).tenant
        policy = named
        self.application = application.name
        uses = matches.map { Use(application: application.name, policy: $0.name) }
        decision = Self.decision(authority, whole: reading, in: application)
        hints = Hints(reading: reading, asked: authority, application: application, isUsed: !matches.isEmpty)
            .all(decision)
    }

    private static func decision(
        _ asked: Authority, whole reading: AddressReading, in application: Application
    ) -> KnownAuthorities.Decision {
        // Only an authority with policies may have one after the tenant; an issuer may have any path.
        let mayHaveMore =
            asked.kind.traits.hasPolicies || asked.kind.traits.authorityIsIssuer || reading.role != .authority
        let written = mayHaveMore ? asked.base : asked.base.replacing(segments: reading.rest)
        if let complaint = asked.kind.rules.complaint(about: written) {
            return .refused(KnownAuthorities.Refusal(authority: asked, reason: complaint, missing: nil))
        }
        return application.knownAuthorities.decision(for: asked)
    }
}

extension AddressReading {
    /// Whether this is an address of an authority: the authority itself, one of its endpoints or its issuer.
    fileprivate func isAddress(of authority: Authority, known: KnownAuthorities) -> Bool {
        if (try? authority.tenant(ofIssuer: text, known: known)) != nil { return true }
        guard kind ?? authority.kind == authority.kind else { return false }
        if authority.kind.traits.authorityIsIssuer { return authority.base.contains(base) }
        guard base.origin == authority.base.origin else { return false }
        let asked = asAuthority(authority.kind, policy: authority.policy, place: .path)
        guard asked.tenant?.lowercased() == authority.tenant?.lowercased() else { return false }
        return !authority.kind.traits.hasPolicies || policy(authority.kind) ?? authority.policy == authority.policy
    }
}
