import Susi
import SusiBase

/// The values that follow from a draft, with the place of each. A value that is unclear, or said in several ways, is open: a
/// guess could send a person to another tenant.
struct DraftValues {
    let draft: ApplicationDraft
    private(set) var address: AddressReading?
    private(set) var kind: AuthorityKind?
    private(set) var clientID: String?
    var policies: [ApplicationDraft.DraftPolicy] = []
    var api: ApplicationDraft.DraftAPI?
    private(set) var scopes: [String] = []
    private var foundPorts: [UInt16] = []
    private(set) var redirectPath: String?
    private var redirects: [Origin] = []
    /// The tenant's ID, for a local copy.
    private(set) var tenantID: String?
    /// The registrations that files show.
    private(set) var registrations: [SourceFacts]
    private(set) var origins: [Origin] = []
    /// What was read and is not used; each once.
    private(set) var leftOut: [String] = []
    /// Why values of a file are missing.
    private(set) var reasons: [(need: DraftNeed, why: String)] = []
    private var facts: [Fact] = []

    /// A value and the name that it has in the file it was read from.
    struct Origin {
        let value: String
        let name: String
    }

    /// Throws if the tenant of an option is neither one of the files nor an address.
    init(_ draft: ApplicationDraft) throws {
        self.draft = draft
        registrations = draft.sources
        facts = draft.sources.flatMap(\.facts).filter { draft.isConfirmed || !$0.isOfText }
        (clientID, api) = (draft.clientID, draft.api)
        let given = try givenAddress()
        let chosen = takeTenant(given)
        clientID = clientID ?? given?.clientID
        take(scopes: draft.scopes)
        takeQuery(given)
        takeKind(chosen)
        takeClientID()
        takePolicies(chosen, chosen.isEmpty ? given : nil)
        for registration in registrations where registration.isOf(clientID) {
            for fact in registration.facts where fact.meaning == .redirect {
                take(redirectAddress: fact.value, fact.label)
            }
        }
        if api == nil, scopes.isEmpty { takeAPI() }
        let ids = Set(facts.filter { $0.meaning == .tenantID }.map(\.value))
        if ids.count == 1, draft.tenant == nil { tenantID = ids.first }
        for source in draft.sources { source.notUsed.forEach { leaveOut($0) } }
    }

    private mutating func leaveOut(_ what: String) {
        if !leftOut.contains(what) { leftOut.append(what) }
    }

    // Adds scopes of an API. Ignores those of OpenID Connect, which are always requested, and the application's own id,
    // which names no API.
    private mutating func take(scopes more: [String], from label: String? = nil) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !scopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope.lowercased() != clientID?.lowercased() else { continue }
            scopes.append(scope)
        }
        if let label { origins.append(Origin(value: "scopes", name: label)) }
    }

    // Adds port and path of a redirect address on this machine; others are not used.
    private mutating func take(redirectAddress text: String, _ label: String? = nil) {
        guard let address = try? WebAddress(ignoringQuery: text), address.isLoopback, address.scheme == "http",
            let port = address.port.flatMap({ UInt16(exactly: $0) })
        else { return leaveOut("redirect address \(text)") }
        if !foundPorts.contains(port) { foundPorts.append(port) }
        if let label { redirects.append(Origin(value: text, name: label)) }
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    private mutating func open(_ need: DraftNeed, _ why: [String]) { reasons += why.prefix(5).map { (need, $0) } }

    private func unclear(_ need: DraftNeed, onlyFinal: Bool = false) -> [String] {
        draft.sources.flatMap(\.unclear).filter { $0.need == need && ($0.isFinal || !onlyFinal) }.map(\.reason)
    }

    private static func several(_ what: String, _ all: [(text: String, label: String)]) -> [String] {
        var seen: Set<String> = []
        let places = all.filter { seen.insert($0.text.lowercased()).inserted }.map { "\($0.text) in \($0.label)" }
        return ["several \(what): \(places.prefix(5).joined(separator: ", "))"]
    }

    // MARK: Tenant

    private func givenAddress() throws -> AddressReading? {
        guard let tenant = draft.tenant, !AuthorityKind.isTenantName(tenant) else { return nil }
        let isKnown = facts.contains { $0.reading.map { Self.names($0, tenant) } ?? false }
        do { return try DraftValue.address(tenant) } catch {
            if isKnown { return nil }
            throw DraftSource.notAnAddress(tenant, error.reason, draft.again)
        }
    }

    // Returns the addresses of the tenant, or of all tenants if there are several.
    private mutating func takeTenant(_ given: AddressReading?) -> [Fact] {
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
            let places = all.map { (Self.place($0), "\($0.label)\(Self.policy($0).map { " with -p \($0)" } ?? "")") }
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

    private static func policy(_ fact: Fact) -> PolicyName? {
        fact.reading?.policy(.b2c).flatMap { AuthorityKind.b2c.allows(policy: $0.spelling) ? $0 : nil }
    }

    private static func place(_ fact: Fact) -> String { fact.reading.map(place) ?? "" }

    private static func place(_ reading: AddressReading) -> String {
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
    private static func names(_ reading: AddressReading, _ wanted: String) -> Bool {
        if let address = try? AddressReading(wanted, seesOldAddresses: true) { return areOfOneTenant(reading, address) }
        let address = address(reading)
        return ([address.host] + address.segments).contains { $0.lowercased() == wanted.lowercased() }
    }

    // The parameters of a typed address: the redirect address, the scopes.
    private mutating func takeQuery(_ given: AddressReading?) {
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
    private mutating func takeKind(_ chosen: [Fact]) {
        let all = Set(chosen.compactMap { $0.reading?.kind })
        let shown = all.count == 1 ? all.first : nil
        let kinds = draft.sources.flatMap(\.kinds)
        let isOpen = shown == nil && Set(kinds.map(\.value)).count > 1
        if isOpen, draft.kind == nil { open(.kind, Self.several("kinds", kinds.map { ($0.value.rawValue, $0.label) })) }
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

    // MARK: Client ID

    // Client IDs of a server or an API are not susi's, whatever other file has them too.
    private mutating func takeClientID() {
        if clientID != nil { findAPIBesideGivenID() }
        let servers = registrations.filter { $0.owner != nil }
        var foreign = servers.flatMap { server in
            server.clientIDs.map { ($0, server.isAPI ? "an API" : "a server") }
        }
        foreign += registrations.flatMap(\.audiences).filter(\.value.isGUID).map { ($0, "an API") }
        let isForeign = Set(foreign.map { $0.0.value.lowercased() })
        let ids = registrations.filter { $0.owner == nil }.flatMap(\.clientIDs)
            .filter { !isForeign.contains($0.value.lowercased()) }
        for (id, owner) in foreign + (clientID == nil ? [] : ids.map { ($0, "another application") }) {
            takeForeign(id, owner)
        }
        guard clientID == nil else { return }
        let used = ids.filter { draft.isConfirmed || !$0.isOfText }
        let open = unclear(.clientID, onlyFinal: true)
        if used.isEmpty, open.isEmpty, let owner = servers.first?.owner ?? foreign.first?.0.label {
            let advice = "register one for susi, platform “Mobile and desktop applications”"
            self.open(.clientID, ["the client ID is a server's or an API's (\(owner)): \(advice)"])
        } else if used.isEmpty || !open.isEmpty {
            self.open(.clientID, unclear(.clientID))
        } else if Set(used.map { $0.value.lowercased().isGUID ? $0.value.lowercased() : $0.value }).count > 1 {
            self.open(.clientID, Self.several("client IDs", used.map { ($0.value, $0.label) }))
        } else {
            clientID = used[0].value
            origins.append(Origin(value: "client ID", name: used[0].label))
        }
        if clientID == nil, draft.isCopied {
            clientID = LocalCopy.clientID
            origins.append(Origin(value: "client ID", name: Self.madeUp))
        }
    }

    private static let madeUp = "made up for the copy; the tenant does not know it"

    // The client ID of another application: the copy of the tenant has it, and susi does not use it.
    private mutating func takeForeign(_ id: Fact, _ owner: String) {
        guard id.value.lowercased() != clientID?.lowercased() else { return }
        if draft.isCopied {
            origins.append(Origin(value: "client ID of \(owner)", name: id.label))
        } else {
            leaveOut("client ID \(id.value) in \(id.label), that of \(owner)")
        }
    }

    // Beside an application that was named, the only other settings without a redirect address are those of the API of which
    // scopes are requested.
    private mutating func findAPIBesideGivenID() {
        let hasScopes = !scopes.isEmpty || registrations.contains { $0.facts.contains { $0.meaning == .scope } }
        let isKnown = registrations.contains { $0.isAPI || !$0.audiences.isEmpty } || !hasScopes
        let others = registrations.indices.filter {
            registrations[$0].owner == nil && !registrations[$0].isText && !registrations[$0].isOf(clientID)
        }
        guard !isKnown, others.count == 1, registrations[others[0]].redirects.isEmpty else { return }
        registrations[others[0]].owner = registrations[others[0]].clientIDs.first?.label
        registrations[others[0]].isAPI = true
    }

    // MARK: Policies

    // The policy that signs in is the default one: the one that the file marks, the only one with such a name, or that of
    // the option.
    private mutating func takePolicies(_ chosen: [Fact], _ typed: AddressReading?) {
        if kind?.traits.hasPolicies ?? true {
            takePoliciesOfFiles(chosen)
        } else {
            for fact in facts where fact.policy != nil {
                leaveOut("policy \(fact.value) in \(fact.label): only tenants of B2C have policies")
            }
        }
        if let name = kind.flatMap({ typed?.policy($0) }) {
            policies.append(.init(name: name, kind: PolicyKind(guessing: name.spelling)))
        }
        for policy in draft.policies {
            if let index = policies.firstIndex(where: { $0.name == policy.name }) {
                policies[index].kind = policy.kind ?? policies[index].kind
            } else {
                policies.append(policy)
            }
        }
    }

    private mutating func takePoliciesOfFiles(_ chosen: [Fact]) {
        let addressed = chosen.compactMap { fact -> (ApplicationDraft.DraftPolicy, Fact)? in
            Self.policy(fact).map { (.init(name: $0, kind: PolicyKind(guessing: $0.spelling)), fact) }
        }
        var seen: Set<PolicyName> = []
        let all = (facts.compactMap { fact in fact.policy.map { ($0, fact) } } + addressed)
            .filter { seen.insert($0.0.name).inserted }
        let signIns = all.filter { $0.0.kind == .signUpOrSignIn }
        let candidates = signIns.isEmpty ? all.filter { $0.0.kind == nil } : signIns
        let marked = all.first(where: \.1.isDefault) ?? (candidates.count == 1 ? candidates[0] : nil)
        guard let main = marked?.0 ?? (candidates.isEmpty ? nil : draft.policies.first(where: \.signsIn)) else {
            let places = candidates.map { ($0.0.name.spelling, $0.1.label) }
            return open(.policy, candidates.isEmpty ? unclear(.policy) : Self.several("policies that sign in", places))
        }
        take(main, main.kind ?? .signUpOrSignIn, from: marked?.1.label ?? "--policy")
        for (policy, fact) in all where policy.name != main.name {
            if let kind = policy.kind {
                take(policy, kind, from: fact.label)
            } else {
                leaveOut("policy \(policy.name) in \(fact.label) (its name does not show its kind)")
            }
        }
    }

    private mutating func take(_ policy: ApplicationDraft.DraftPolicy, _ kind: PolicyKind, from label: String) {
        policies.append(.init(name: policy.name, kind: kind))
        origins.append(Origin(value: policy.name.spelling, name: label))
    }

    // MARK: API

    // A token could go to the wrong one of several APIs.
    private mutating func takeAPI() {
        let (apis, apiScopes) = (draft.sources.flatMap(\.apis), draft.sources.flatMap(\.apiScopes))
        let found = facts.filter { $0.meaning == .scope }
        if !apiScopes.isEmpty, let first = apis.first {
            guard apis.count == 1 else {
                return apis.forEach { leaveOut("API \($0.value.baseURL) in \($0.label)") }
            }
            take(scopes: apiScopes)
            api = first.value
            origins.append(Origin(value: "API \(first.value.name)", name: first.label))
        } else if Set(found.map { $0.value.split(separator: "/").dropLast() }).count == 1 {
            take(scopes: found.map(\.value), from: found[0].label)
        } else {
            for scope in found { leaveOut("scope \(scope.value) in \(scope.label)") }
        }
    }

    // MARK: Results

    /// What was found, each value with its place.
    var lines: [String] {
        let texts = [
            "address": kind.flatMap { authority($0) }?.spelling ?? address?.base.spelling ?? "",
            "client ID": clientID ?? "", "scopes": scopes.joined(separator: " "),
        ]
        let old = kind.flatMap { replaced($0)?.host }.map { ", where it replaces \($0)" } ?? ""
        let found = origins.filter { $0.name != Self.madeUp }.map { origin in
            let isForB2C = mayBeOfAnotherTenant && policies.contains { $0.name.spelling == origin.value }
            return "\(origin.value) \(texts[origin.value].map { "\($0) " } ?? "")in \(origin.name)"
                + (origin.value == "address" ? old : isForB2C ? ": for a tenant of B2C, add -p \(origin.value)" : "")
        }
        return found + redirects.map { "redirect address \($0.value) in \($0.name)" }
    }

    /// The values that are missing.
    var missing: [DraftNeed] {
        let isOfB2C = kind?.traits.hasPolicies ?? draft.sources.contains(where: \.isOfB2C)
        let allowed = policies.filter { kind != nil || AuthorityKind.b2c.allows(policy: $0.name.spelling) }
        let hasTenant = address != nil || draft.tenant != nil
        return DraftNeed.allCases.filter { need in
            switch need {
            case .tenant: !hasTenant
            case .kind: hasTenant && kind == nil
            case .clientID: clientID == nil
            case .policy: isOfB2C && !allowed.contains(where: \.signsIn)
            case .scope: api != nil && scopes.isEmpty
            }
        }
    }

    /// The application's name if none was given.
    var name: String { draft.name ?? (address?.base.isLoopback ?? false ? "development" : "production") }

    /// Returns the named redirect ports, that of a typed address, or the default ones of the kind. The port of a page comes
    /// after them: a copy of the tenant accepts the page, and susi does not take the port from its server.
    func ports(_ kind: AuthorityKind) -> [UInt16] {
        if !draft.redirectPorts.isEmpty { return draft.redirectPorts }
        if draft.sources.isEmpty, !foundPorts.isEmpty { return foundPorts }
        return kind.traits.ignoresRedirectPort ? [0] : [8400, 8401] + foundPorts.filter { ![8400, 8401].contains($0) }
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
