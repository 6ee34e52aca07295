import SusiBase
import SusiPolicies

extension RegisteredApplication {
    /// The keys of an application; its client id is its name.
    static let entries: [Entry<RegisteredApplication>] = [
        .init("name", \.name, .text(), "the name shown to users"),
        .init(
            "redirectUris", \.[nil], .texts(.redirectAddress),
            "the redirect addresses, exactly as requests send them; servers and pages may use them"),
        .init(
            "web", \.[.web], .texts(.redirectAddress),
            "redirect addresses of a server: it redeems codes with a secret"),
        .init(
            "spa", \.[.spa], .texts(.redirectAddress),
            "redirect addresses of a single-page application: its pages redeem codes without a secret"),
        .init(
            "native", \.[.native], .texts(.redirectAddress),
            "redirect addresses of a mobile or desktop program: it redeems codes without a secret"),
        .init(
            "redirectPorts", \.redirectPorts, .choice,
            "whether the port of a redirect address at http://localhost must match, instead of the tenant's setting"),
        .init("origins", \.origins, .texts(.address), "the origins of web pages that may read responses (CORS)"),
        .init(
            "allowsImplicit", \.allowsImplicit, .flag,
            "whether the authorization endpoint may issue tokens (implicit flow)"),
        .init(
            "secrets", \.secrets, .texts(.secret),
            "the client secrets; an application without secrets is a public client"),
        .init("demandsChallenge", \.demandsChallenge, .flag, "whether PKCE is required of a public client"),
        .init(
            "coopEnforcement", \.coopEnforcement, .flag,
            "whether sign-in pages separate their window from the page that opened it (Cross-Origin-Opener-Policy)"),
        .init(
            "allowsNativeAuthentication", \.allowsNativeAuthentication, .flag,
            "whether it may sign users in without a browser (native authentication of External ID)"),
    ]
}

extension RegisteredAPI {
    /// The keys of an API: those of `policies.json`, and its client ID.
    static let shape = SchemaNode.object([
        SchemaNode.Field(
            "clientId", .text(.clientID),
            "the client ID of the API, the audience of its tokens; by default the GUID at the end of its resource, or one made from it"
        ),
        SchemaNode.Field(
            "baseUrl", .text(.addressOrPath),
            "the address of the API: the emulator serves a path (default: /api/NAME); a full address is served elsewhere"
        ),
        SchemaNode.Field(
            "scopes", .list(of: .text(.scope), atLeast: 1), required: true,
            "its full scopes, all of one resource"),
        SchemaNode.Field(
            "roles", .list(of: .text(.any), atLeast: 1), "the roles of which a token must have one; default: none"),
    ])

    init(
        _ name: String, _ node: JSONNode, kind: AuthorityKind, _ reader: FileReader
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
            throw reader.mistake(
                node["scopes"] ?? node, "the scopes belong to several resources", expected: "scopes of one resource"
            )
            .under("scopes")
        }
        if !isPath { address = base }
        clientID = node["clientId"]?.string
        roles = node["roles"]?.strings ?? []
    }

    var written: JSONNode {
        let endpoint = address?.spelling ?? path
        return [
            "clientId": clientID.map(JSONNode.string),
            "baseUrl": endpoint == "/api/\(name)" ? nil : .string(endpoint), "scopes": .list(fullScopes),
            "roles": roles.isEmpty ? nil : .list(roles),
        ]
    }
}
