package import Susi

/// Assigns the entries of a file to applications and policies, from the file and the policies alone.
package struct ImportPlan: Sendable {
    package struct Match: Sendable {
        package let entry: CacheEntry
        package let application: Application
        package let policy: Policy
        package let key: Key

        /// What distinguishes two entries of a cache.
        package struct Key: Hashable, Sendable {
            /// The application and the tenant, as the configuration names it.
            package let registration: Registration
            package let policy: PolicyName
            /// The cache's handle for the account. The part after the dot is empty if the cache has no handle.
            package let handle: HomeAccountID
            /// The scopes to request: those that the token may be bound to. A cache does not name them.
            let scopes: ScopeSet

            init(registration: Registration, policy: PolicyName, handle: HomeAccountID, scopes: ScopeSet) {
                self.registration = registration
                self.policy = policy
                self.handle = Self.canonical(handle)
                self.scopes = scopes
            }

            /// Returns a handle in the spelling that is compared. For a provider without tenants, case matters.
            static func canonical(_ handle: HomeAccountID) -> HomeAccountID {
                let utid = Tenant.canonical(handle.utid)
                return HomeAccountID(uid: utid.contains(":") ? handle.uid : handle.uid.lowercased(), utid: utid)
            }
        }
    }

    /// An entry that matches no policy.
    package struct LeftOut: Hashable, Sendable {
        package let label: String
        /// Why it matches none.
        package let reason: String
        /// What to add to the policies file, so that it matches; empty if nothing in the file is missing.
        package let remedy: NextStep
    }

    /// The entries to import, each account once.
    package let matches: [Match]
    package let leftOut: [LeftOut]

    /// Assigns the entries. Of several applications that match, the first whose authority names the entry's tenant is chosen, else
    /// the first, unless they belong to different providers. An entry that matches none but one of `others` says so.
    package init(_ file: CacheFile, for applications: [Application], besides others: [Application] = []) {
        var matches: [Match] = []
        var places: [Match.Key: Int] = [:]
        var tokens: [[String]: Int] = [:]
        var leftOut: [LeftOut] = []
        for entry in file.entries {
            switch Self.place(of: entry, in: applications) {
            case .success(let match):
                // ADAL has an entry for each resource, with the same token; the last entry is the newest. One token is sent
                // once, even if only some of its entries name the person.
                let same = [match.application.name, match.policy.name.lowercased, entry.refreshToken]
                let place = places[match.key] ?? tokens[same] ?? matches.count
                if place == matches.count {
                    matches.append(match)
                } else if entry.objectID != nil || matches[place].entry.objectID == nil {
                    matches[place] = match
                }
                (places[match.key], tokens[same]) = (place, place)
            case .failure(let why):
                if case .success(let other) = Self.place(of: entry, in: others) {
                    let reason = "it belongs to the application “\(other.application.name)”, which -A leaves out"
                    leftOut.append(LeftOut(label: entry.label, reason: reason, remedy: ""))
                } else {
                    leftOut.append(LeftOut(label: entry.label, reason: why.reason, remedy: why.remedy))
                }
            }
        }
        (self.matches, self.leftOut) = (matches, leftOut)
    }

    private struct NoPlace: Error {
        let reason: String
        let remedy: NextStep
    }

    // One check after the other, so that the reason is the first check that fails.
    private static func place(of entry: CacheEntry, in applications: [Application]) -> Result<Match, NoPlace> {
        let ours = applications.filter { $0.kind.isSameClient($0.clientID, entry.clientID) }
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
                    reason: "its tokens are from \(entry.authority?.description ?? entry.host); "
                        + "the client ID \(entry.clientID) is used at \(hosts)",
                    remedy: "an application with \(json("authority", address(of: entry)))"))
        }
        guard here.contains(where: { entry.mayBeOfTenant(of: $0.authority(for: $1)) }) else {
            return .failure(
                NoPlace(
                    reason: first.0.kind.traits.authorityIsIssuer
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
        guard fitting[0].1.kind.keepsAccounts else {
            return .failure(NoPlace(reason: fitting[0].1.keepsNoAccount, remedy: ""))
        }
        if let many = ambiguous(entry, fitting) { return .failure(many) }
        // An authority for several tenants would take the accounts of each.
        let isExact = { (one: (Application, Policy)) in entry.names(tenantOf: one.0.authority(for: one.1)) }
        return allowed(entry, fitting.filter(isExact) + fitting.filter { !isExact($0) })
    }

    // Several providers may share one host. A format that stores only the host does not show which of them issued the token,
    // and no token is sent to another provider.
    private static func ambiguous(_ entry: CacheEntry, _ fitting: [(Application, Policy)]) -> NoPlace? {
        let providers = fitting.filter(\.0.kind.traits.authorityIsIssuer)
        let issuers = Set(providers.compactMap { $0.authority(for: $1).tenant })
        guard issuers.count > 1 else { return nil }
        var names: [String] = []
        for (application, _) in providers where !names.contains(application.name) { names.append(application.name) }
        return NoPlace(
            reason: "ambiguous: the cache does not show which of \(issuers.sorted().joined(separator: ", ")) "
                + "issued its token",
            remedy: .name(.application, names))
    }

    private static func allowed(_ entry: CacheEntry, _ fitting: [(Application, Policy)]) -> Result<Match, NoPlace> {
        var missing = ""
        for (application, policy) in fitting {
            switch application.knownAuthorities.decision(for: application.authority(for: policy)) {
            case .allowed:
                let key = Match.Key(
                    registration: Registration(application, policy), policy: policy.name,
                    handle: entry.handle(under: policy, of: application),
                    scopes: entry.exported?.scopes ?? ScopeSet([]))
                return .success(Match(entry: entry, application: application, policy: policy, key: key))
            case .refused(let refusal):
                missing = refusal.addition(to: "“\(application.name)”") ?? ""
            }
        }
        return .failure(NoPlace(reason: "its authority is not allowed", remedy: NextStep(missing)))
    }

    private static func json(_ key: String, _ value: String) -> String { "\"\(key)\": \"\(value)\"" }

    private static func address(of entry: CacheEntry, _ kind: AuthorityKind? = nil) -> String {
        if let authority = entry.authority { return authority.description }
        if kind?.traits.authorityIsIssuer == true, let issuer = entry.issuers.first { return issuer }
        return "https://\(entry.host)/\(entry.tenants.first { !CacheEntry.isShared($0) } ?? entry.utid ?? "TENANT")"
    }
}

extension CacheEntry {
    /// Whether a name means no specific tenant.
    static func isShared(_ tenant: String) -> Bool {
        ["tfp", "common", "organizations", "consumers"].contains(tenant)
    }

    private var namedTenants: [String] {
        (tenants + [utid].compactMap { $0?.lowercased() }).filter { !Self.isShared($0) }
    }

    fileprivate var tenantText: String { namedTenants.joined(separator: ", ") }

    /// The part of the handle after the object id.
    fileprivate var policyText: String? {
        if let exported { return CacheContent.shortened(exported.policy.spelling) }
        guard let uid, let handle = HomeAccountID("\(uid).x"), handle.objectID != nil || uid.hasPrefix("-") else {
            return nil
        }
        let rest = uid.dropFirst(handle.objectID == nil ? 1 : 37)
        return rest.isEmpty ? nil : CacheContent.shortened(String(rest))
    }

    /// Whether the tokens come from an authority's host, under any of its names. MSAL's schema has no port; ADAL has the whole
    /// address.
    fileprivate func isFrom(_ authority: Authority) -> Bool {
        if self.authority == nil, host == authority.base.host { return true }
        // The path is a part of another provider's identity.
        if authority.kind.traits.authorityIsIssuer, let address = self.authority { return address == authority.base }
        guard let address = self.authority ?? (try? WebAddress("https://\(host)")) else { return false }
        return Authority(kind: authority.kind, base: address, policy: authority.policy).origin == authority.origin
    }

    /// Whether the entry may belong to an authority's tenant, as far as names, GUIDs and issuers can be compared.
    fileprivate func mayBeOfTenant(of authority: Authority) -> Bool {
        // The issuer identifies another provider; only an id token in the cache names it.
        if authority.kind.traits.authorityIsIssuer {
            return issuers.isEmpty || issuers.contains(authority.tenant ?? "")
        }
        guard let wanted = authority.tenant?.lowercased(), !Self.isShared(wanted) else {
            return true
        }
        let comparable = namedTenants.filter { $0.isGUID == wanted.isGUID }
        return comparable.isEmpty || comparable.contains(wanted)
    }

    /// Whether the entry names an authority's tenant in the same way.
    fileprivate func names(tenantOf authority: Authority) -> Bool {
        authority.tenant.map { namedTenants.contains($0.lowercased()) } ?? false
    }

    /// Whether the entry belongs to a policy. Compares the whole handle (object id, hyphen and policy), not only its
    /// end. Caches of kinds without policies name no policy.
    fileprivate func isUnder(_ policy: Policy, of application: Application) -> Bool {
        if let exported { return exported.policy == policy.name }
        guard application.kind.traits.hasPolicies else { return application.isDefault(policy) }
        let segments = authority.map { $0.segments.drop { $0.lowercased() == "tfp" } } ?? []
        if segments.count > 1 { return PolicyName(String(segments[segments.startIndex + 1])) == policy.name }
        guard let uid else { return false }
        let handle = HomeAccountID(uid: uid, utid: utid ?? "")
        // If a custom policy issues no object id, the part before the hyphen is empty.
        if uid.lowercased() == "-\(policy.name.lowercased)" { return true }
        return [objectID, handle.objectID].compactMap(\.self).contains {
            handle.matches(subject: $0, policy: policy.name)
        }
    }

    /// Returns the handle of the future account: the cache's own, else one made of the entry's values.
    fileprivate func handle(under policy: Policy, of application: Application) -> HomeAccountID {
        let authority = application.authority(for: policy)
        if application.kind.traits.authorityIsIssuer, let objectID {
            return HomeAccountID(uid: objectID, utid: authority.tenant ?? "")
        }
        guard let uid else { return HomeAccountID(uid: label, utid: "") }
        let hasPolicy = self.authority == nil || !application.kind.traits.hasPolicies
        return HomeAccountID(uid: hasPolicy ? uid : "\(uid)-\(policy.name.lowercased)", utid: utid ?? "")
    }
}
