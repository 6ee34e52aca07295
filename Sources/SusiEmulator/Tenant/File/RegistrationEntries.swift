import SusiPolicies

extension RegisteredApplication {
    /// The keys of an application; its client id is its name.
    static let entries: [Entry<RegisteredApplication>] = [
        .text("name", \.name, "the name that a person is shown"),
        .texts(
            "redirectUris", \.redirectAddresses, as: .redirectAddress, "the redirect addresses, as they must be sent"),
        .choice(
            "redirectPorts", \.redirectPorts,
            "whether the port of a redirect address on this machine counts, instead of what the tenant says"),
        .texts("origins", \.origins, as: .address, "the origins of web pages that may read the answers"),
        .flag("allowsImplicit", \.allowsImplicit, "whether the authorization endpoint itself gives tokens"),
        .texts(
            "secrets", \.secrets, as: .secret,
            "what an application on a server shows; without one it is a public client"),
        .flag("demandsChallenge", \.demandsChallenge, "whether PKCE is demanded of a public client"),
        .flag(
            "allowsNativeAuthentication", \.allowsNativeAuthentication,
            "whether it may sign people in without a browser (External ID)"),
    ]
}

extension RegisteredAPI {
    /// The keys of an API: those of `policies.json`.
    static let shape = Shape.object([
        Shape.Field(
            "baseUrl", .text(.addressOrPath),
            "where it answers: a path is served by the emulator, /api/NAME if nothing is said; an address is elsewhere"),
        Shape.Field(
            "scopes", .list(of: .text(.scope), atLeast: 1), required: true,
            "its scopes in full, of one resource"),
    ])

    init(
        _ name: String, _ node: JSONNode, _ kind: AuthorityKind, _ reader: TenantReader
    ) throws(PolicyFileError) {
        let written = node["baseUrl"]?.string ?? "/api/\(name)"
        let isPath = written.hasPrefix("/")
        let base: WebAddress
        do { base = try WebAddress(isPath ? "http://localhost\(written)" : written) } catch {
            throw reader.mistake(node["baseUrl"] ?? node, error.reason).under("baseUrl")
        }
        let scopes = node["scopes"]?.strings ?? []
        self.init(API(name: name, baseURL: base, scopes: scopes), of: kind)
        // A token is for one resource.
        guard fullScopes == scopes || isGraph else {
            throw reader.mistake(node["scopes"] ?? node, "they belong to several resources", expected: "those of one")
                .under("scopes")
        }
        if !isPath { address = base }
    }

    /// What is written of it.
    var written: JSONNode.Value {
        var members: [JSONNode.Member] = []
        let place = address?.spelling ?? (path.isEmpty ? "/" : path)
        if place != "/api/\(name)" { members.append(.init(name: "baseUrl", node: JSONNode(value: .string(place)))) }
        return .object(members + [.init(name: "scopes", node: JSONNode(value: .list(fullScopes)))])
    }
}
