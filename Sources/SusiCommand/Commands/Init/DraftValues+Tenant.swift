import Susi
import SusiBase

// The tenant: its address, and the kind that follows from it.
extension DraftValues {
    func givenAddress() throws -> AddressReading? {
        guard let tenant = draft.tenant, !AuthorityKind.isTenantName(tenant) else { return nil }
        let isKnown = facts.contains { $0.reading.map { Self.names($0, tenant) } ?? false }
        do { return try DraftValue.address(tenant) } catch {
            if isKnown { return nil }
            throw DraftSource.notAnAddress(tenant, error.reason, draft.again)
        }
    }

    // Returns the addresses of the tenant, or of all tenants if there are several.
    mutating func takeTenant(_ given: AddressReading?) -> [Fact] {
        var all = facts.filter { $0.reading != nil }
        if let wanted = draft.tenant {
            let chosen = all.filter { $0.reading.map { Self.names($0, wanted) } ?? false }
            let first =
                chosen.first { fact in given.map { Self.place($0) == Self.place(fact) } ?? false }
                ?? (given == nil ? Self.first(chosen) : nil)
            address = first?.reading ?? given
            if let label = first?.label { origins.append(Origin(value: "address", name: label)) }
            let others = draft.sources.flatMap(\.facts).filter { !($0.reading.map { Self.names($0, wanted) } ?? true) }
            for other in others where !chosen.contains(where: { $0.label == other.label }) {
                leaveOut("tenant \(Self.place(other)) in \(other.label): another one is given")
            }
            return chosen
        }
        // The endpoints of all tenants say nothing beside an address of one.
        let own = all.filter { !($0.reading?.isEndpointOfAll ?? false) }
        if !own.isEmpty { all = own }
        let open = unclear(.tenant, onlyFinal: true)
        if let first = Self.first(all), open.isEmpty, all.allSatisfy({ Self.areOfOneTenant($0.reading, first.reading) })
        {
            address = first.reading
            origins.append(Origin(value: "address", name: first.label))
        } else if open.isEmpty, !all.isEmpty {
            let places = all.map { ("\(Self.place($0))\(Self.policy($0).map { " with -p \($0)" } ?? "")", $0.label) }
            self.open(.tenant, Self.several("tenants", places))
        } else {
            self.open(.tenant, unclear(.tenant))
            // A computed address is not replaced by another one, nor is its policy.
            for other in all { leaveOut("tenant \(Self.place(other)) in \(other.label): another address is computed") }
            return []
        }
        return all
    }

    // A host of B2C has one tenant: its name says the same as its ID.
    private static func areOfOneTenant(_ one: AddressReading?, _ other: AddressReading?) -> Bool {
        guard let one, let other else { return false }
        let isOfOneHost = one.base.host == other.base.host && one.base.host.hasSuffix(".b2clogin.com")
        return place(one) == place(other) || isOfOneHost && (one.isByID || other.isByID)
    }

    private static func first(_ facts: [Fact]) -> Fact? { facts.first { $0.reading?.isByID == false } ?? facts.first }

    static func policy(_ fact: Fact) -> PolicyName? {
        fact.reading?.policy(.b2c).flatMap { AuthorityKind.b2c.allows(policy: $0.spelling) ? $0 : nil }
    }

    static func place(_ fact: Fact) -> String { fact.reading.map(place) ?? "" }

    static func place(_ reading: AddressReading) -> String {
        let base = address(reading)
        // A host of External ID names its tenant.
        return (try? AddressReading(base.origin))?.tenant == nil ? base.description.lowercased() : base.origin
    }

    // An old address and the one that replaces it are the same.
    private static func address(_ reading: AddressReading) -> WebAddress {
        let base = reading.kind.map(reading.authority) ?? reading.base
        return reading.kind.flatMap { $0.replacement(for: base) } ?? base
    }

    // Whether an address is of a tenant: its address, its name or id, or its host.
    static func names(_ reading: AddressReading, _ wanted: String) -> Bool {
        if let address = try? AddressReading(wanted, seesOldAddresses: true) { return areOfOneTenant(reading, address) }
        let address = address(reading)
        return ([address.host] + address.segments).contains { $0.lowercased() == wanted.lowercased() }
    }

    // A tenant that was named is that of the files if they have its name.
    mutating func takeTenantID() {
        let named = address.map { [$0.base.host] + $0.base.segments } ?? [draft.tenant].compactMap(\.self)
        let given = named.map(Self.label)
        let ids = facts.filter { $0.meaning == .tenantID }
        let own = ids.filter { id in
            draft.tenant == nil || id.tenantName.map { given.contains(Self.label($0)) } ?? false
        }
        if Set(own.map(\.value)).count == 1 { (tenantID, tenantName) = (own[0].value, own[0].tenantName) }
        guard draft.tenant != nil else { return }
        for id in ids where id.value != tenantID && !given.contains(id.value) {
            leaveOut("tenant ID \(id.value) in \(id.label): another tenant is given")
        }
    }

    // `acme` of `acme.onmicrosoft.com` and `acme.b2clogin.com`.
    private static func label(_ name: String) -> String { String(name.lowercased().prefix { $0 != "." }) }

    // The parameters of a typed address: the redirect address, the scopes.
    mutating func takeQuery(_ given: AddressReading?) {
        let query = given?.text.split(separator: "?", maxSplits: 1).dropFirst().first?.prefix { $0 != "#" } ?? ""
        for (name, value) in FormEncoding.decode(query) ?? [] {
            switch name.lowercased() {
            case "redirect_uri": take(redirectAddress: value)
            case "scope": take(scopes: value.split(separator: " ").map(String.init))
            default: continue
            }
        }
    }

    // The address shows the kind, else the names of sections and policies do. An address without a tenant is that of any
    // provider.
    mutating func takeKind(_ chosen: [Fact]) {
        let all = Set(chosen.compactMap { $0.reading?.kind })
        let shown = all.count == 1 ? all.first : nil
        let kinds = draft.sources.flatMap(\.kinds)
        let isOpen = shown == nil && (all.count > 1 || Set(kinds.map(\.value)).count > 1)
        if isOpen, all.isEmpty, draft.kind == nil {
            open(.kind, Self.several("kinds", kinds.map { ($0.value.rawValue, $0.label) }))
        }
        let named = facts.compactMap(\.policy).map(\.name.spelling) + draft.policies.map(\.name.spelling)
        kind =
            draft.kind ?? shown ?? (isOpen ? nil : kinds.first?.value) ?? address?.kind
            ?? (isOpen ? nil : AuthorityKind.ofPolicies(named))
        if kind == nil, !isOpen, let address, !address.namesTenant { kind = .openid }
    }

    /// Returns the tenant's address without a policy; `nil` if no address was read.
    func authority(_ kind: AuthorityKind) -> WebAddress? {
        guard let own = address?.authority(of: kind) else { return draft.tenant.flatMap(kind.address(ofTenant:)) }
        return kind.replacement(for: own) ?? own
    }

    /// The address that another one replaces, because the service no longer answers there.
    func replaced(_ kind: AuthorityKind) -> WebAddress? {
        address.map { $0.authority(of: kind) }.flatMap { kind.replacement(for: $0) == nil ? nil : $0 }
    }

    /// Whether the policies of files may be those of a tenant that is not the one to be named.
    var mayBeOfAnotherTenant: Bool {
        address == nil && draft.tenant == nil
            && (Set(facts.compactMap { $0.reading?.kind }).count > 1 || !draft.sources.contains(where: \.isOfB2C))
    }
}

extension AddressReading {
    /// Whether it has the ID of its tenant.
    fileprivate var isByID: Bool { tenant?.isGUID ?? false }

    /// Whether it is an endpoint that is the same for all tenants of a kind.
    fileprivate var isEndpointOfAll: Bool {
        ["common", "organizations", "consumers"].contains(tenant?.lowercased())
            && ![.authority, .configuration, .issuer].contains(role)
    }

    /// Whether the path may start with the name or id of a Microsoft tenant.
    fileprivate var namesTenant: Bool {
        guard let first = base.segments.first(where: { $0.lowercased() != "tfp" })?.lowercased() else { return false }
        return first.hasSuffix(".onmicrosoft.com") || first.isGUID
    }
}
