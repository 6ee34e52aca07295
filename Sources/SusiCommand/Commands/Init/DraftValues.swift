import Susi
import SusiBase

/// The values that follow from a draft, with the place of each. A value that is unclear, or said in several ways, is open: a
/// guess could send a person to another tenant.
struct DraftValues {
    let draft: ApplicationDraft
    var address: AddressReading?
    var kind: AuthorityKind?
    var clientID: String?
    var policies: [ApplicationDraft.DraftPolicy] = []
    var api: ApplicationDraft.DraftAPI?
    var scopes: [String] = []
    private var foundPorts: [UInt16] = []
    var redirectPath: String?
    private var redirects: [Origin] = []
    /// The tenant's ID, and its name beside it, for a local copy.
    var tenantID: String?
    var tenantName: String?
    /// The registrations that files show.
    var registrations: [SourceFacts]
    var origins: [Origin] = []
    /// What was read and is not used; each once.
    var leftOut: [String] = []
    /// Why values of a file are missing.
    var reasons: [(need: DraftNeed, why: String)] = []
    var facts: [Fact] = []

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
        takeAPI()
        takeTenantID()
        for source in draft.sources { source.notUsed.forEach { leaveOut($0) } }
    }

    /// What the report of a written file says of the rest: of settings, also the values whose names do not say what they are.
    var notUsed: [String] {
        leftOut + draft.sources.filter { !$0.isText }.flatMap(\.hints).filter { !leftOut.contains($0) }
    }

    mutating func leaveOut(_ what: String) {
        if !leftOut.contains(what) { leftOut.append(what) }
    }

    // Adds scopes of an API. Ignores those of OpenID Connect, which are always requested, and the application's own id,
    // which names no API.
    mutating func take(scopes more: [String], from label: String? = nil) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !scopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope.lowercased() != clientID?.lowercased() else { continue }
            scopes.append(scope)
        }
        if let label { origins.append(Origin(value: "scopes", name: label)) }
    }

    // Adds port and path of a redirect address on this machine; others are not used.
    mutating func take(redirectAddress text: String, _ label: String? = nil) {
        guard let address = try? WebAddress(ignoringQuery: text), address.isLoopback, address.scheme == "http",
            let port = address.port.flatMap({ UInt16(exactly: $0) })
        else { return leaveOut("redirect address \(text)") }
        if !foundPorts.contains(port) { foundPorts.append(port) }
        if let label { redirects.append(Origin(value: text, name: label)) }
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    mutating func open(_ need: DraftNeed, _ why: [String]) { reasons += Self.some(why, 5).map { (need, $0) } }

    func unclear(_ need: DraftNeed, onlyFinal: Bool = false) -> [String] {
        draft.sources.flatMap(\.unclear).filter { $0.need == need && ($0.isFinal || !onlyFinal) }.map(\.reason)
    }

    static func several(_ what: String, _ all: [(text: String, label: String)]) -> [String] {
        var seen: Set<String> = []
        let places = all.filter { seen.insert($0.text.lowercased()).inserted }.map { "\($0.text) in \($0.label)" }
        return ["several \(what): \(some(places, 10).joined(separator: ", "))"]
    }

    /// Returns the first lines of a list, and the number of the others.
    static func some(_ lines: [String], _ limit: Int) -> [String] {
        lines.count <= limit ? lines : lines.prefix(limit) + ["\(lines.count - limit) more"]
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
