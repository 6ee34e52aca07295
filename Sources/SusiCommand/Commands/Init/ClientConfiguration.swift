import Susi

/// The client configuration of another program, in the format of the MSAL libraries: `auth_config.json` on Android, the
/// object with `auth` of MSAL.js, and similar ones.
struct ClientConfiguration {
    /// An authority in the file with its properties.
    private struct AuthorityEntry {
        let text: String
        var kind: AuthorityKind?
        var isDefault = false
    }

    private var authorities: [AuthorityEntry] = []
    private var clientID: String?
    private var redirects: [String] = []
    private var scopes: [String] = []
    private var api: (name: String, address: WebAddress)?

    /// Reads a configuration. Returns `nil` if it contains neither a client id nor an authority.
    init?(_ node: JSONNode) {
        take(node, named: "")
        guard clientID != nil || !authorities.isEmpty else { return nil }
    }

    /// Adds the values to a draft. Throws if the first authority is not a valid address.
    func fill(_ draft: inout ApplicationDraft) throws(WebAddress.Invalid) {
        draft.clientID = draft.clientID ?? clientID.flatMap { SchemaNode.Text.clientID.allows($0) ? $0 : nil }
        let sorted = authorities.filter(\.isDefault) + authorities.filter { !$0.isDefault }
        // The default of the MSAL libraries.
        let first = sorted.first ?? AuthorityEntry(text: "https://login.microsoftonline.com/common", kind: .entra)
        draft.take(address: try AddressReading(first.text))
        if draft.certainKind == nil { draft.kind = first.kind }
        for entry in sorted.dropFirst() {
            if let address = try? AddressReading(entry.text) { draft.take(address: address) }
        }
        redirects.forEach { draft.take(redirectAddress: $0) }
        draft.take(scopes: scopes)
        if draft.api == nil, let api { draft.api = .init(name: api.name, baseURL: api.address) }
    }

    private mutating func take(_ node: JSONNode, named name: String) {
        for element in node.array ?? [] { take(element, named: name) }
        for member in node.members { take(member) }
        if let text = Self.text(node, ["authority", "authorityurl"]) {
            authorities.append(
                AuthorityEntry(
                    text: text, kind: Self.kind(Self.text(node, ["type"])),
                    isDefault: node["default"]?.bool ?? false))
        } else if let tenant = Self.tenant(node) {
            authorities.append(
                AuthorityEntry(
                    text: "https://login.microsoftonline.com/\(tenant)", kind: .entra,
                    isDefault: node["default"]?.bool ?? false))
        }
        takeAPI(node, named: name)
    }

    private mutating func take(_ member: JSONNode.Member) {
        switch Self.normalized(member.name) {
        case "clientid": clientID = clientID ?? member.node.string
        case "redirecturi": redirects += member.node.strings ?? []
        case "scope", "scopes": scopes += Self.texts(member.node)
        default: take(member.node, named: member.name)
        }
    }

    // Takes an API from an object with scopes and an address.
    private mutating func takeAPI(_ node: JSONNode, named name: String) {
        guard api == nil, node.members.contains(where: { Self.normalized($0.name).contains("scope") }),
            let text = Self.text(node, ["endpoint", "uri", "url", "baseurl", "webapi"]),
            let address = try? WebAddress(text), address.isSecure
        else { return }
        let own = SchemaNode.Text.name.allows(name) && !name.lowercased().contains("config") ? name : nil
        api = (own ?? ApplicationDraft.DraftAPI.name(of: address), address)
    }

    // In the Android format, an audience replaces the address of a workforce authority.
    private static func tenant(_ node: JSONNode) -> String? {
        guard let audience = node["audience"], let type = audience["type"]?.string else { return nil }
        return switch type {
        case "AzureADMultipleOrgs": "organizations"
        case "PersonalMicrosoftAccount": "consumers"
        case "AzureADandPersonalMicrosoftAccount": "common"
        default: audience["tenant_id"]?.string
        }
    }

    private static func kind(_ type: String?) -> AuthorityKind? {
        type.flatMap { type in AuthorityKind.allCases.first { $0.msalType == type.uppercased() } }
    }

    private static func text(_ node: JSONNode, _ names: [String]) -> String? {
        node.members.first { names.contains(normalized($0.name)) }?.node.string
    }

    // Collects texts at any depth, because some configurations group scopes by purpose.
    private static func texts(_ node: JSONNode) -> [String] {
        (node.string.map { $0.split(separator: " ").map(String.init) } ?? [])
            + (node.array ?? []).flatMap(texts) + node.members.flatMap { texts($0.node) }
    }

    private static func normalized(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
}

extension ApplicationDraft.DraftAPI {
    /// Returns a name for an API without one: the last part of its path that is a valid name.
    static func name(of address: WebAddress) -> String {
        let isVersion = { (text: String) in
            text.first == "v" && text.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
        }
        return address.segments.last { SchemaNode.Text.name.allows($0) && !isVersion($0) } ?? "api"
    }
}
