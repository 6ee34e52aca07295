import SusiBase
import SusiOAuth
import SusiPolicies

/// Reads the unified schema of MSAL.
///
/// The libraries agree on the members of entries, but not on the realm: Python writes the token endpoint's first path
/// segment (a tenant's name or GUID, or `tfp`), .NET and Node the tenant as the authority names it. A refresh token has
/// no realm at all, so the entries of its account show which tenant it may belong to.
struct MSALCacheReader {
    private enum Section: String, CaseIterable {
        case account = "Account"
        case idToken = "IdToken"
        case accessToken = "AccessToken"
        case refreshToken = "RefreshToken"
        case appMetadata = "AppMetadata"
    }

    /// The key that the entries of one account share.
    private struct Holder: Hashable {
        let handle: String
        let host: String

        init(_ fields: CacheFields) throws(InvalidInput) {
            handle = try fields.required("home_account_id").lowercased()
            host = try fields.required("environment").lowercased()
        }
    }

    /// The values of a holder in other sections. Only the first few are kept, which limits the memory for a holder that
    /// a file repeats many times.
    private struct Facts {
        var label: String?
        var claimedLabel: String?
        var objectIDs: [String: String] = [:]
        var claimedObjectIDs: Set<String> = []
        var realms: Set<String> = []
        var scopes: [String: Set<String>] = [:]
        var issuers: [String: Set<String>] = [:]
        var hasRefreshToken = false
        var isAccount = false

        static let few = 32

        /// The object id: the one in the account's own tenant, else the only one. A guest has another in each tenant.
        func objectID(in tenant: String) -> String? {
            let stated = Set(objectIDs.values)
            if let own = objectIDs[tenant.lowercased()] ?? (stated.count == 1 ? stated.first : nil) { return own }
            return stated.isEmpty && claimedObjectIDs.count == 1 ? claimedObjectIDs.first : nil
        }

        mutating func add(realm: String?) {
            if let realm, realms.count < Self.few { realms.insert(realm) }
        }

        /// Adds values of a client: at most `few` values for each of at most `few` clients.
        static func add(_ more: [String], of clientID: String, to all: inout [String: Set<String>]) {
            guard all[clientID] != nil || all.count < few else { return }
            for text in more where all[clientID]?.count ?? 0 < few { all[clientID, default: []].insert(text) }
        }
    }

    private var content = CacheContent()
    private var facts: [Holder: Facts] = [:]
    private var order: [Holder] = []

    /// Whether an object's member is one of the schema's sections; .NET compares their names without case.
    static func isSection(_ name: String) -> Bool {
        Section.allCases.contains { $0.rawValue.lowercased() == name.lowercased() }
    }

    static func read(_ root: JSONNode) throws(CacheFileError) -> CacheContent {
        var reader = MSALCacheReader()
        let count = root.members.filter { isSection($0.name) }.reduce(0) { $0 + $1.node.members.count }
        guard count <= CacheFile.mostEntries else { throw .tooManyEntries(CacheFile.mostEntries) }
        reader.each(.account, of: root) { reader, fields, _ throws(InvalidInput) in try reader.account(fields) }
        reader.each(.idToken, of: root) { reader, fields, _ throws(InvalidInput) in try reader.idToken(fields) }
        reader.each(.accessToken, of: root) { reader, fields, _ throws(InvalidInput) in
            try reader.accessToken(fields)
        }
        reader.each(.refreshToken, of: root) { reader, fields, name throws(InvalidInput) in
            try reader.refreshToken(fields, name)
        }
        reader.content.tokenless = reader.order.compactMap { (holder) -> String? in
            guard let facts = reader.facts[holder], facts.isAccount, !facts.hasRefreshToken else { return nil }
            return facts.label ?? facts.claimedLabel ?? CacheContent.shortened(holder.handle)
        }
        return reader.content
    }

    private mutating func each(
        _ section: Section, of root: JSONNode,
        _ read: (inout MSALCacheReader, CacheFields, String) throws(InvalidInput) -> Void
    ) {
        for member in root.members where member.name.lowercased() == section.rawValue.lowercased() {
            guard case .object(let entries) = member.node.value else {
                if member.node.value != .null {
                    content.damages.append(
                        CacheFile.Damage(
                            entry: section.rawValue, reason: "expected an object, found \(member.node.kind)"))
                }
                continue
            }
            for entry in entries where entry.node.value != .null {
                let name = "\(section.rawValue) \(entry.name)"
                do throws(InvalidInput) {
                    try read(&self, try CacheFields(entry.node), name)
                } catch {
                    content.note(error, of: name)
                }
            }
        }
    }

    private mutating func note(_ holder: Holder, _ change: (inout Facts) -> Void) {
        if facts[holder] == nil { order.append(holder) }
        change(&facts[holder, default: Facts()])
    }

    private mutating func account(_ fields: CacheFields) throws(InvalidInput) {
        let holder = try Holder(fields)
        let (userName, name) = (try fields.label("username"), try fields.label("name"))
        let realm = try fields.optional("realm")?.lowercased()
        let objectID = try fields.optional("local_account_id")
        note(holder) { facts in
            facts.isAccount = true
            facts.label = facts.label ?? userName ?? name
            if let objectID, facts.objectIDs.count < Facts.few {
                facts.objectIDs[realm ?? ""] = Person.canonical(objectID)
            }
            facts.add(realm: realm)
        }
    }

    // Its claims are read without verification, for a label: B2C has no user name in the account's entry.
    private mutating func idToken(_ fields: CacheFields) throws(InvalidInput) {
        let holder = try Holder(fields)
        let realm = try fields.optional("realm")?.lowercased()
        let claims = try fields.secret("secret").flatMap { try? SignedToken(parsing: $0) }?.claims
        let label = claims.flatMap { Profile(claims: $0).label }.map { String($0.prefix(256)) }
        let clientID = try fields.optional("client_id")?.lowercased() ?? ""
        let issuer = claims?["iss"]?.string.flatMap { $0.utf8.count <= 1_024 ? $0 : nil }
        note(holder) { facts in
            Facts.add([issuer].compactMap(\.self), of: clientID, to: &facts.issuers)
            facts.claimedLabel = facts.claimedLabel ?? label
            if let objectID = claims?["oid"]?.string, !objectID.isEmpty, facts.claimedObjectIDs.count < Facts.few {
                facts.claimedObjectIDs.insert(Person.canonical(objectID))
            }
            facts.add(realm: realm)
        }
    }

    // Access tokens are not imported: the first request for a token fetches a new one. They show which scopes were used.
    private mutating func accessToken(_ fields: CacheFields) throws(InvalidInput) {
        // A token of the application itself has no account.
        guard try fields.optional("home_account_id") != nil else { return }
        let holder = try Holder(fields)
        let clientID = try fields.optional("client_id")?.lowercased() ?? ""
        let scopes = try fields.scopes("target").subtracting(.openID)
        note(holder) { Facts.add(scopes.scopes, of: clientID, to: &$0.scopes) }
    }

    private mutating func refreshToken(_ fields: CacheFields, _ name: String) throws(InvalidInput) {
        let holder = try Holder(fields)
        let text = try fields.required("home_account_id")
        // Without client_info, as from other providers, the handle is the subject alone.
        guard let handle = HomeAccountID(text) ?? (text.contains(".") ? nil : HomeAccountID(uid: text, utid: "")) else {
            throw InvalidInput("home_account_id needs a value before and after the dot")
        }
        guard let host = try? WebAddress("https://\(holder.host)"), host.host == holder.host else {
            throw InvalidInput("environment is not a host name")
        }
        let clientID = try fields.required("client_id")
        guard let secret = try fields.secret("secret") else { throw InvalidInput("no secret") }
        note(holder) { $0.hasRefreshToken = true }
        let facts = facts[holder] ?? Facts()
        content.entries.append(
            CacheEntry(
                name: CacheContent.shortened(name), host: holder.host, authority: nil, clientID: clientID,
                uid: handle.uid, utid: handle.utid.isEmpty ? nil : handle.utid,
                objectID: facts.objectID(in: handle.utid),
                tenants: facts.realms.sorted(), issuers: (facts.issuers[clientID.lowercased()] ?? []).sorted(),
                label: facts.label ?? facts.claimedLabel ?? facts.objectID(in: handle.utid)
                    ?? CacheContent.shortened(handle.uid),
                scopes: (facts.scopes[clientID.lowercased()] ?? []).sorted(), refreshToken: secret))
    }
}
