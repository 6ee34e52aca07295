package import SusiPolicies

/// A web API registered in the tenant; the emulator serves a sample of it.
package struct RegisteredAPI: Hashable, Sendable {
    package var name: String
    /// Its application id URI without a trailing slash: the part of a scope before the last slash. Empty if the scopes have none.
    package var resource: String
    /// The names of its scopes, without the resource.
    package var scopes: [String]
    /// The path under which the emulator serves it, beginning with a slash.
    package var path: String
    /// Its address if another server serves it; nil for `path`.
    package var address: WebAddress?
    /// The roles of which a token must have one; none if empty.
    package var roles: [String] = []
    /// The client ID of its registration; `nil` for the GUID at the end of its resource, or one made from the resource.
    package var clientID: String?

    package init(name: String, resource: String, scopes: [String], path: String) {
        self.name = name
        self.resource = resource
        self.scopes = scopes
        self.path = path
    }

    /// Creates the API of an application of that kind. Scopes without a resource belong to Microsoft Graph if the kind has it, or
    /// if the API has that name.
    init(_ api: API, of kind: AuthorityKind) {
        let parts = api.scopes.compactMap { scope in
            scope.lastIndex(of: "/").map { (scope[..<$0], scope[scope.index(after: $0)...]) }
        }
        let isGraph = parts.isEmpty && (api.name == Self.graph.name || kind.dialect.traits.scopes.impliesGraph)
        self.init(
            name: api.name, resource: isGraph ? Self.graph.resource : parts.first.map { String($0.0) } ?? "",
            scopes: parts.isEmpty ? api.scopes : parts.map { String($0.1) },
            // The tenants are served at the root.
            path: api.baseURL.path.isEmpty ? "/api/\(api.name)" : api.baseURL.path)
    }

    /// The part of Microsoft Graph in every tenant of Microsoft's kinds.
    package static let graph = RegisteredAPI(
        name: "graph", resource: "https://graph.microsoft.com", scopes: ["User.Read"], path: "/v1.0")

    var isGraph: Bool { resource == Self.graph.resource }

    /// The API's own application id, the audience of its tokens.
    package var id: String { knownID ?? derivedGUID(resource.isEmpty ? name : resource) }

    /// Its application id; `nil` if nothing says it, and one is made up.
    package var knownID: String? {
        if isGraph { return "00000003-0000-0000-c000-000000000000" }
        // By default, a resource ends with the client ID: `api://GUID`, `https://TENANT/GUID`.
        return clientID ?? resource.split(separator: "/").last.map(String.init).flatMap { $0.isGUID ? $0 : nil }
    }

    /// The scopes as a client requests them.
    package var fullScopes: [String] { resource.isEmpty ? scopes : scopes.map { "\(resource)/\($0)" } }

    /// A requested scope and its short name; nil if it does not belong to this API.
    func meaning(of scope: String, _ rules: ScopeRules) -> (scope: String, name: String)? {
        if let index = fullScopes.firstIndex(of: scope) { return (scope, scopes[index]) }
        return rules.impliesGraph && isGraph && scopes.contains(scope) ? (scope, scope) : nil
    }

    /// Returns whether a scope is the API's `.default`; a resource with a trailing slash keeps it: `https://x//.default`.
    func isDefault(_ scope: String) -> Bool {
        [resource, "\(resource)/", id, "api://\(id)"].contains { "\($0)/.default" == scope }
    }

    /// The address of the sample below the base: `/api` of the API `hello` is served at `/api/hello`.
    var samplePath: String { path.hasSuffix("/\(name)") ? path : "\(path)/\(name)" }
}

extension TenantConfiguration {
    /// Its APIs, and Microsoft Graph if the kind has it and no API belongs to it.
    var servedAPIs: [RegisteredAPI] {
        let implied = kind.dialect.traits.scopes.impliesGraph && !apis.contains(where: \.isGraph)
        return apis + (implied ? [.graph] : [])
    }
}
