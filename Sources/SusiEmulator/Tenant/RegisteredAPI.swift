public import SusiPolicies

/// A web API registered in the tenant; the emulator serves a sample of it.
public struct RegisteredAPI: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its application id URI, without a slash at the end: the part of a scope before the last slash. Empty when its
    /// scopes have none.
    public var resource: String
    /// The names of its scopes, without the resource.
    public var scopes: [String]
    /// The path under which the emulator serves it, beginning with a slash.
    public var path: String
    /// Where it answers when somebody else serves it; nil means at `path`.
    public var address: WebAddress?

    /// Registers an API.
    public init(name: String, resource: String, scopes: [String], path: String) {
        self.name = name
        self.resource = resource
        self.scopes = scopes
        self.path = path
    }

    /// The API of an application of that kind of tenant; scopes without a resource are Microsoft Graph's where the kind has
    /// it, or where the API is named so.
    init(_ api: API, of kind: AuthorityKind) {
        let parts = api.scopes.compactMap { scope in
            scope.lastIndex(of: "/").map { (scope[..<$0], scope[scope.index(after: $0)...]) }
        }
        let isGraph = parts.isEmpty && (api.name == Self.graph.name || kind.dialect.scopes.impliesGraph)
        self.init(
            name: api.name, resource: isGraph ? Self.graph.resource : parts.first.map { String($0.0) } ?? "",
            scopes: parts.isEmpty ? api.scopes : parts.map { String($0.1) }, path: api.baseURL.path)
    }

    /// The little of Microsoft Graph that every tenant of Microsoft's kinds has.
    public static let graph = RegisteredAPI(
        name: "graph", resource: "https://graph.microsoft.com", scopes: ["User.Read"], path: "/v1.0")

    /// Whether it is Microsoft Graph.
    var isGraph: Bool { resource == Self.graph.resource }

    /// The API's own application id, the audience of its tokens.
    public var id: String {
        isGraph ? "00000003-0000-0000-c000-000000000000" : derivedGUID(resource.isEmpty ? name : resource)
    }

    /// The scopes as a client asks for them.
    var fullScopes: [String] { resource.isEmpty ? scopes : scopes.map { "\(resource)/\($0)" } }

    /// A requested scope as it is asked, and its short name; nil when it is none of this API.
    func meaning(of scope: String, _ rules: ScopeRules) -> (scope: String, name: String)? {
        if let index = fullScopes.firstIndex(of: scope) { return (scope, scopes[index]) }
        return rules.impliesGraph && isGraph && scopes.contains(scope) ? (scope, scope) : nil
    }

    /// Whether a scope is the API's `.default`; a resource that ends in a slash keeps it: `https://x//.default`.
    func isDefault(_ scope: String) -> Bool {
        [resource, "\(resource)/", id, "api://\(id)"].contains { "\($0)/.default" == scope }
    }

    /// The address of the sample below the base: `/api` of the API `hello` is served at `/api/hello`.
    var samplePath: String { path.hasSuffix("/\(name)") ? path : "\(path)/\(name)" }
}

extension TenantConfiguration {
    /// Its APIs, and Microsoft Graph where the kind of tenant has that and no API is part of it.
    var servedAPIs: [RegisteredAPI] {
        let implied = kind.dialect.scopes.impliesGraph && !apis.contains(where: \.isGraph)
        return apis + (implied ? [.graph] : [])
    }
}
