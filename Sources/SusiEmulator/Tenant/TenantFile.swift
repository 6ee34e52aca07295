public import SusiBase
import SusiPolicies
public import SystemPackage

/// A file that describes tenants: a JSON object `{ "tenants": { NAME: … } }` with their policies, applications and users.
/// The manual has a table of the keys; those that `policies.json` also has have the same names.
public struct TenantFile: Sendable {
    /// In bytes.
    package static let largest = 64 << 20

    package static func content(path: FilePath) throws(PolicyFileError) -> [UInt8] {
        try PoliciesFile.content(path: path.string, limit: largest)
    }

    private let reader: FileReader
    private let described: [JSONNode.Member]

    /// Reads the file at `path`. Paths in it are relative to its folder. Throws `PolicyFileError`, which names file and line.
    public init(path: FilePath) throws(PolicyFileError) {
        try self.init(
            text: try Self.content(path: path), source: path.string,
            folder: path.removingLastComponent())
    }

    /// Reads a text, which messages call `source`; paths in it are relative to `folder`.
    public init(text: some Collection<UInt8>, source: String, folder: FilePath) throws(PolicyFileError) {
        reader = FileReader(file: source, folder: folder.string)
        var mistakes = MistakeList()
        guard let root = JSONNode(file: text, source: source, &mistakes) else {
            try mistakes.finish()
            throw PolicyFileError(file: source, problem: "the file is empty")
        }
        _ = mistakes.reading(try SchemaCheck(file: source).check(root, Self.shape))
        described = root["tenants"]?.members ?? []
        var contradictions = MistakeList()
        if let node = root["tenants"], node.isObject, described.isEmpty {
            contradictions.add(
                reader.mistake(node, "no tenant", expected: "at least one tenant, by name").under("tenants"))
        }
        // From here on, everything that does not depend on other tenants is valid.
        for member in described {
            _ = contradictions.trying { () throws(PolicyFileError) in
                _ = try located(member) { () throws(PolicyFileError) in try read(member, base: nil) }
            }
        }
        mistakes.add(contradictions)
        try mistakes.finish()
    }

    /// Returns whether a text describes tenants: another program may have a file of the same name. Throws `PolicyFileError` if it is no
    /// JSON.
    package static func isOne(_ text: some Collection<UInt8>, source: String) throws(PolicyFileError) -> Bool {
        var mistakes = MistakeList()
        guard let root = JSONNode(file: text, source: source, &mistakes) else {
            try mistakes.finish()
            return false
        }
        return root["tenants"] != nil
    }

    /// Whether a tenant lets the emulator call other machines.
    package var callsElsewhere: Bool { described.contains { $0.node["allowedHosts"] != nil } }

    /// Returns whether the file changes this tenant.
    package func describes(_ tenant: TenantConfiguration) -> Bool {
        described.contains { member in
            guard let own = try? read(member, base: nil) else { return false }
            return own.isSame(as: tenant) || tenant.isUnnamed && own.kind == tenant.kind
        }
    }

    /// The tenants of the file, in its order.
    ///
    /// Each starts from the tenant of `base` with the same kind and the same name or id, else from the defaults of its kind; a key
    /// in the file replaces the whole value. Throws for a duplicate tenant, and for one without a policy that needs one.
    public func tenants(over base: [TenantConfiguration] = []) throws(PolicyFileError) -> [TenantConfiguration] {
        var tenants: [TenantConfiguration] = []
        var mistakes = MistakeList()
        for member in described {
            let tenant = mistakes.trying { () throws(PolicyFileError) in
                try located(member) { () throws(PolicyFileError) in
                    let fresh = try read(member, base: nil)
                    let tenant = try read(member, base: base.first { $0.isSame(as: fresh) })
                    if let twin = tenants.first(where: { $0.isSame(as: tenant) }) {
                        throw reader.mistake(member.node, "duplicate of the tenant “\(twin.name)”")
                    }
                    if tenant.kind.traits.hasPolicies, tenant.policies.isEmpty, tenant.policyFolder == nil {
                        throw reader.mistake(member.node, "“policies” is missing", expected: "at least one policy")
                    }
                    return tenant
                }
            }
            if let tenant { tenants.append(tenant) }
        }
        try mistakes.finish()
        return try sharingUsers(tenants, base)
    }

    /// These tenants with the changes of the file, then the other tenants of the file. Applications at an address for many
    /// tenants name none, so that the first tenant of their kind in the file has them.
    package func applied(to base: [TenantConfiguration]) throws(PolicyFileError) -> [TenantConfiguration] {
        var mine = try tenants(over: base)
        let unnamed = base.filter { tenant in tenant.isUnnamed && !mine.contains { $0.isSame(as: tenant) } }
        var base = base
        for tenant in unnamed {
            guard let first = mine.firstIndex(where: { $0.kind == tenant.kind }) else { continue }
            mine[first].take(tenant)
            base.removeAll { $0 == tenant }
        }
        let replaced = base.map { tenant in
            mine.firstIndex { $0.isSame(as: tenant) }.map { mine.remove(at: $0) } ?? tenant
        }
        return replaced + mine
    }

    /// The line that names another file, for users or as a page template; nil if there is none.
    package func line(naming path: FilePath) -> Int? {
        let isPath = { (node: JSONNode?) in
            node?.string.map { FilePath(reader.folder).pushing(FilePath($0)) == path } ?? false ? node?.line : nil
        }
        return described.lazy.compactMap { member in
            let policies = member.node["policies"]?.members ?? []
            return isPath(member.node["usersFile"])
                ?? policies.lazy.compactMap { isPath($0.node["template"]) }.first
        }.first
    }

    /// Gives each tenant with `usersOf` the ID and the users of that tenant.
    private func sharingUsers(
        _ tenants: [TenantConfiguration], _ base: [TenantConfiguration]
    ) throws(PolicyFileError) -> [TenantConfiguration] {
        var shared = tenants
        var mistakes = MistakeList()
        for (index, (tenant, member)) in zip(tenants, described).enumerated() {
            guard let name = tenant.usersOf, let kind = tenant.kind.dialect.traits.sharesUsersOf else { continue }
            let owners = (tenants + base).filter { $0.kind == kind }
            let found = mistakes.trying { () throws(PolicyFileError) in
                try located(member) { () throws(PolicyFileError) in
                    try owner(named: name, among: owners, of: tenant, member)
                }
            }
            if let found { shared[index] = tenant.sharing(found) }
        }
        try mistakes.finish()
        return shared
    }

    private func owner(
        named name: String, among owners: [TenantConfiguration], of tenant: TenantConfiguration,
        _ member: JSONNode.Member
    ) throws(PolicyFileError) -> TenantConfiguration {
        guard let owner = owners.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw reader.mistake(
                member.node["usersOf"] ?? member.node, "unknown tenant “\(name)”",
                expected: owners.isEmpty ? nil : owners.map { "“\($0.name)”" }.joined(separator: " or "),
                nearMatch: NearMatch.of(name, in: owners.map(\.name))
            ).under("usersOf")
        }
        // The services do not share registrations; a refresh token of one would be valid at the other.
        if let twice = tenant.applications.first(where: { owner.application($0.clientID) != nil }) {
            throw reader.mistake(
                member.node["applications"] ?? member.node, "“\(owner.name)” has the application \(twice.clientID) too",
                expected: "a client ID of its own"
            ).under("applications")
        }
        return owner
    }

    private func located<T>(
        _ member: JSONNode.Member, _ body: () throws(PolicyFileError) -> T
    ) throws(PolicyFileError) -> T {
        do throws(PolicyFileError) { return try body() } catch { throw error.under(member.name).under("tenants") }
    }

    private func read(
        _ member: JSONNode.Member, base: TenantConfiguration?
    ) throws(PolicyFileError) -> TenantConfiguration {
        let kind = member.node["kind"]?.string.flatMap { AuthorityKind(rawValue: $0) } ?? .b2c
        var tenant = base ?? .usual(kind, name: member.name)
        var mistakes = MistakeList()
        // Continue after an error to check the rest.
        _ = mistakes.reading(try TenantConfiguration.entries.read(member.node, into: &tenant, reader))
        tenant.id = tenant.id.lowercased()
        if member.node["kind"]?.string == kind.rawValue {
            contradictions(of: tenant, member).forEach { mistakes.add($0) }
        }
        try mistakes.finish()
        return tenant
    }

    // The settings that the tenant's kind does not support.
    private func contradictions(of tenant: TenantConfiguration, _ member: JSONNode.Member) -> [PolicyFileError] {
        let (kind, dialect) = (tenant.kind, tenant.kind.dialect)
        var found: [PolicyFileError] = []
        let add = { (key: String, problem: String, expected: String) in
            found.append(reader.mistake(member.node[key] ?? member.node, problem, expected: expected).under(key))
        }
        if !dialect.isTenantName(member.name) {
            found.append(
                reader.mistake(
                    member.node, "invalid tenant name for the kind “\(kind.rawValue)”; expected a name without “/”"))
        }
        if !dialect.traits.issuerForms.contains(tenant.issuerForm) {
            add("issuerForm", "not supported for the kind “\(kind.rawValue)”", "“tenant”")
        }
        if tenant.usersOf != nil {
            if dialect.traits.sharesUsersOf == nil {
                add("usersOf", "not supported for the kind “\(kind.rawValue)”", "a tenant of the kind “external”")
            }
            for key in ["id", "userAttributes", "users", "usersFile"] where member.node[key] != nil {
                add(key, "not supported together with “usersOf”", "only one of them")
            }
        }
        for key in ["policyFolder", "policyKeys"] where member.node[key] != nil && !dialect.traits.servesCustomPolicies
        {
            add(key, "not supported for the kind “\(kind.rawValue)”", "a tenant of the kind “b2c”")
        }
        if !tenant.userConsent.isEmpty, !dialect.traits.asksConsent {
            add(
                "userConsent", "not supported for the kind “\(kind.rawValue)”",
                "a tenant of another kind, or “administratorConsent”")
        }
        if dialect.traits.redirectTypes == .unsupported,
            tenant.applications.contains(where: { !$0.redirectTypes.isEmpty })
        {
            add(
                "applications", "“web”, “spa” and “native” are not supported for the kind “\(kind.rawValue)”",
                "“redirectUris”")
        }
        found += unknownClaims(of: tenant, member)
        found += Callout.mistakes(in: tenant, member.node, reader)
        if tenant.groupLimit != TenantConfiguration(kind: kind).groupLimit, !dialect.traits.scopes.impliesGraph {
            add("groupLimit", "not supported for the kind “\(kind.rawValue)”", "a tenant of the kind “entra”")
        }
        // The policies of another file may follow.
        let isOpen = tenant.policies.isEmpty && kind.traits.hasPolicies
        if !isOpen, !tenant.policies.contains(where: { tenant.identifier(of: $0) != .email }) {
            for (index, user) in (member.node["users"]?.array ?? []).enumerated()
            where user["email"] == nil && user["userName"] != nil {
                found.append(
                    reader.mistake(
                        user, "no policy of the tenant accepts a user name",
                        expected: "“email”, or “identifier”: “userName” or “either” in a policy"
                    ).under("\(index)").under("users"))
            }
        }
        if !tenant.errors.isEmpty, !dialect.traits.replacesErrors {
            add("errors", "not supported for the kind “\(kind.rawValue)”", "a tenant of the kind “b2c”")
        }
        return found
    }

    // The names in `claims` of a policy that no user's tokens can have. Another tenant has the attributes of shared users.
    private func unknownClaims(of tenant: TenantConfiguration, _ member: JSONNode.Member) -> [PolicyFileError] {
        guard tenant.usersOf == nil else { return [] }
        let known = tenant.claimNames
        return (member.node["policies"]?.members ?? []).flatMap { policy in
            (policy.node["claims"]?.array ?? []).enumerated().compactMap { index, node in
                guard let name = node.string, !known.contains(name) else { return nil }
                return reader.mistake(
                    node, "unknown claim “\(name)”",
                    expected: "\(known.prefix(8).joined(separator: ", ")) or an attribute of “userAttributes”",
                    nearMatch: NearMatch.of(name, in: known)
                ).under("\(index)").under("claims").under(policy.name).under("policies")
            }
        }
    }
}

extension TenantFile {
    private static let shape = SchemaNode.object([
        SchemaNode.Field("$schema", .text(.any), "the schema that editors check this file against"),
        SchemaNode.Field(
            "tenants", .map(of: TenantConfiguration.shape, name: .tenantName), required: true, "the tenants by name"),
    ])

    /// The JSON Schema of tenant files, from the same description that the reader uses.
    package static func schema() throws -> String { shape.schemaText(title: "tenant file of susi emulator") }

    /// Writes tenants so that reading the text returns them again. Omits the defaults of the kind.
    package static func text(of tenants: [TenantConfiguration]) -> String {
        let members = tenants.map { tenant in
            let kind = JSONNode.Member("kind", .string(tenant.kind.rawValue))
            var usual = TenantConfiguration.usual(tenant.kind, name: tenant.name)
            // They come from the other tenant.
            if tenant.usersOf != nil { usual = usual.sharing(tenant) }
            let others = TenantConfiguration.entries.written(tenant, usual: usual)
            return JSONNode.Member(tenant.name, .object([kind] + others.members))
        }
        return JSONText.pretty(["tenants": .object(members)], width: 120) + "\n"
    }
}

extension TenantConfiguration {
    /// A tenant with the defaults of its kind.
    fileprivate static func usual(_ kind: AuthorityKind, name: String) -> TenantConfiguration {
        let policies = kind.traits.hasPolicies ? [] : [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)]
        return TenantConfiguration(kind: kind, name: name, policies: policies)
    }

    /// Returns whether both describe one tenant: of the same kind, with the same name or ID.
    package func isSame(as other: TenantConfiguration) -> Bool {
        kind == other.kind && (id == other.id || name.lowercased() == other.name.lowercased())
    }
}
