import SusiOAuth
public import SusiPolicies
public import SusiStore

/// Which entries of a cache belong to which application and policy: a decision, made of the file and the policies alone.
public struct ImportPlan: Sendable {
    /// An entry with its place.
    public struct Match: Sendable {
        /// The entry.
        public let entry: CacheEntry
        /// The application.
        public let application: Application
        /// The policy.
        public let policy: Policy
        /// The key of the row that it becomes.
        public let key: ImportedToken.Key
    }

    /// An entry that has no place.
    public struct LeftOut: Hashable, Sendable {
        /// What the cache calls the account.
        public let label: String
        /// Why it has none.
        public let reason: String
        /// What to add to the policies file, so that it has one.
        public let remedy: String
    }

    /// The entries that are taken over, each account once.
    public let matches: [Match]
    /// The others.
    public let leftOut: [LeftOut]

    /// Finds the places. Of several applications that fit, the first is meant, unless they are of different providers.
    public init(_ file: CacheFile, for applications: [Application]) {
        var matches: [Match] = []
        var places: [ImportedToken.Key: Int] = [:]
        var leftOut: [LeftOut] = []
        for entry in file.entries {
            switch Self.place(of: entry, in: applications) {
            case .success(let match):
                // ADAL has an entry for each resource, with the same token; the last one was written last.
                if let place = places[match.key] {
                    matches[place] = match
                } else {
                    places[match.key] = matches.count
                    matches.append(match)
                }
            case .failure(let why):
                leftOut.append(LeftOut(label: entry.label, reason: why.reason, remedy: why.remedy))
            }
        }
        (self.matches, self.leftOut) = (matches, leftOut)
    }

    private struct NoPlace: Error {
        let reason: String
        let remedy: String
    }

    // One question after the other, so that the answer names the first that nothing fits.
    private static func place(of entry: CacheEntry, in applications: [Application]) -> Result<Match, NoPlace> {
        let ours = applications.filter { $0.clientID.lowercased() == entry.clientID.lowercased() }
        guard !ours.isEmpty else {
            return .failure(
                NoPlace(
                    reason: "no application has the client ID \(entry.clientID)",
                    remedy: "an application with \(json("clientId", entry.clientID)) at \(address(of: entry))"))
        }
        let candidates = ours.flatMap { application in application.policies.map { (application, $0) } }
        let here = candidates.filter { entry.isFrom($0.authority(for: $1)) }
        guard let first = here.first else {
            let hosts = Set(ours.map(\.authority.authority)).sorted().joined(separator: ", ")
            return .failure(
                NoPlace(
                    reason: "its tokens are from \(entry.host); the client ID \(entry.clientID) is used at \(hosts)",
                    remedy: "an application with \(json("authority", address(of: entry)))"))
        }
        guard here.contains(where: { entry.mayBeOfTenant(of: $0.authority(for: $1)) }) else {
            return .failure(
                NoPlace(
                    reason: first.0.kind.authorityIsIssuer
                        ? "its issuer is \(entry.issuers.joined(separator: ", ")), not \(first.0.authority)"
                        : "its tenant is \(entry.tenantText), not the one of \(first.0.authority)",
                    remedy: "an application with \(json("authority", address(of: entry, first.0.kind)))"))
        }
        let fitting = here.filter { entry.mayBeOfTenant(of: $0.authority(for: $1)) && entry.isUnder($1, of: $0) }
        guard !fitting.isEmpty else {
            let policy = entry.policyText.map { "its policy is “\($0)”" } ?? "its policy is unknown"
            return .failure(
                NoPlace(
                    reason: "\(policy), which the application “\(first.0.name)” does not have",
                    remedy: "the policy to \"policies\" of “\(first.0.name)”"))
        }
        if let many = ambiguous(entry, fitting) { return .failure(many) }
        return known(entry, fitting)
    }

    // Several providers may share one host, and a form that keeps no more than that does not say whose the token is. None
    // of them is shown another's.
    private static func ambiguous(_ entry: CacheEntry, _ fitting: [(Application, Policy)]) -> NoPlace? {
        let providers = fitting.filter(\.0.kind.authorityIsIssuer)
        let issuers = Set(providers.compactMap { $0.authority(for: $1).tenant })
        guard issuers.count > 1 else { return nil }
        var names: [String] = []
        for (application, _) in providers where !names.contains(application.name) { names.append(application.name) }
        return NoPlace(
            reason: "ambiguous: the cache does not show which of \(issuers.sorted().joined(separator: ", ")) "
                + "issued its token",
            remedy: "the right application: \(names.map { "-A \($0.shellWord)" }.joined(separator: " or "))")
    }

    private static func known(_ entry: CacheEntry, _ fitting: [(Application, Policy)]) -> Result<Match, NoPlace> {
        var missing = ""
        for (application, policy) in fitting {
            switch application.knownAuthorities.decision(for: application.authority(for: policy)) {
            case .allowed:
                let key = ImportedToken.Key(
                    scope: ApplicationScope(application, policy), policy: policy.name,
                    home: entry.home(under: policy, of: application))
                return .success(Match(entry: entry, application: application, policy: policy, key: key))
            case .refused(let refusal):
                missing = refusal.addition(to: "“\(application.name)”") ?? ""
            }
        }
        return .failure(NoPlace(reason: "its authority is not allowed", remedy: missing))
    }

    private static func json(_ key: String, _ value: String) -> String { "\"\(key)\": \"\(value)\"" }

    private static func address(of entry: CacheEntry, _ kind: AuthorityKind? = nil) -> String {
        if let authority = entry.authority { return authority.description }
        if kind?.authorityIsIssuer == true, let issuer = entry.issuers.first { return issuer }
        return "https://\(entry.host)/\(entry.tenants.first { !CacheEntry.isShared($0) } ?? entry.utid ?? "TENANT")"
    }
}

extension CacheEntry {
    /// Names that stand for no tenant in particular.
    static func isShared(_ tenant: String) -> Bool {
        ["tfp", "common", "organizations", "consumers"].contains(tenant)
    }

    private var namedTenants: [String] {
        (tenants + [utid].compactMap { $0?.lowercased() }).filter { !Self.isShared($0) }
    }

    fileprivate var tenantText: String { namedTenants.joined(separator: ", ") }

    /// What stands behind the object id in the handle.
    fileprivate var policyText: String? {
        guard let uid, let home = HomeAccountID("\(uid).x"), home.objectID != nil || uid.hasPrefix("-") else {
            return nil
        }
        let rest = uid.dropFirst(home.objectID == nil ? 1 : 37)
        return rest.isEmpty ? nil : CacheContent.shortened(String(rest))
    }

    /// Whether the tokens come from an authority's host, under any of its names. The schema keeps no port; ADAL keeps the
    /// whole address.
    fileprivate func isFrom(_ authority: Authority) -> Bool {
        if self.authority == nil, host == authority.base.host { return true }
        // Of another provider the path is as much a part of who it is as the host.
        if authority.kind.authorityIsIssuer, let address = self.authority { return address == authority.base }
        guard let address = self.authority ?? (try? WebAddress("https://\(host)")) else { return false }
        return Authority(kind: authority.kind, base: address, policy: authority.policy).origin == authority.origin
    }

    /// Whether the entry may be of an authority's tenant, as far as names, GUIDs and issuers can be compared.
    fileprivate func mayBeOfTenant(of authority: Authority) -> Bool {
        // Another provider is its issuer, which only an id token beside names.
        if authority.kind.authorityIsIssuer { return issuers.isEmpty || issuers.contains(authority.tenant ?? "") }
        guard let wanted = authority.tenant?.lowercased(), !Self.isShared(wanted) else {
            return true
        }
        let comparable = namedTenants.filter { $0.isGUID == wanted.isGUID }
        return comparable.isEmpty || comparable.contains(wanted)
    }

    /// Whether the entry is of a policy: by the whole of the handle, object id, dash and policy, never by its ending.
    /// Where policies stay on this machine, a cache knows none of them.
    fileprivate func isUnder(_ policy: Policy, of application: Application) -> Bool {
        guard application.kind.hasPolicies else { return policy.name == application.defaultPolicy?.name }
        let segments = authority.map { $0.segments.drop { $0.lowercased() == "tfp" } } ?? []
        if segments.count > 1 { return PolicyName(String(segments[segments.startIndex + 1])) == policy.name }
        guard let uid else { return false }
        let home = HomeAccountID(uid: uid, utid: utid ?? "")
        // A custom policy without an object id leaves the part before the dash empty.
        if uid.lowercased() == "-\(policy.name.lowercased)" { return true }
        return [objectID, home.objectID].compactMap(\.self).contains {
            home.matches(subject: $0, policy: policy.name)
        }
    }

    /// The handle that the account will have: the cache's own, else one made of what it has.
    fileprivate func home(under policy: Policy, of application: Application) -> HomeAccountID {
        let authority = application.authority(for: policy)
        if application.kind.authorityIsIssuer, let objectID {
            return HomeAccountID(uid: objectID, utid: authority.tenant ?? "")
        }
        guard let uid else { return HomeAccountID(uid: label, utid: "") }
        let hasPolicy = self.authority == nil || !application.kind.hasPolicies
        return HomeAccountID(uid: hasPolicy ? uid : "\(uid)-\(policy.name.lowercased)", utid: utid ?? "")
    }
}
