import SusiPolicies

struct RequestedScopes: Sendable {
    /// The resource of the access token.
    enum Resource: Sendable {
        /// No scope needs an access token.
        case none
        /// The client itself: its own id is a scope.
        case client(String)
        /// Registered APIs; several only if the dialect mixes resources.
        case api([RegisteredAPI])
        /// The provider's own user-info endpoint.
        case userInfo
    }

    let resource: Resource
    /// The API's scopes as requested, or the client id.
    let granted: [String]
    /// The scopes that `granted` stands for: `.default` stands for the scopes of its API.
    let covered: [String]
    /// The scopes of `covered` that only a `.default` includes: only those with consent are granted.
    let ofDefault: [String]
    /// The requested scopes of OpenID Connect.
    let openID: [String]
    /// The names of the granted scopes, without a resource.
    let shortNames: String
    /// The `scope` of the response.
    let text: String
    /// The requested scopes as text.
    let asked: String

    func wants(_ scope: String) -> Bool { openID.contains(scope) }

    /// The audience of the access token; nil without an access token.
    func audience(at endpoint: PolicyEndpoint) -> JSON? {
        switch resource {
        case .none: nil
        case .client(let id): .string(id)
        case .userInfo: .string(endpoint.issuer)
        case .api(let apis): apis.count == 1 ? apis.first.map { .string($0.id) } : .array(apis.map { .string($0.id) })
        }
    }

    /// Parses a scope parameter. Throws for unknown scopes and for scopes of two resources; silently drops the scopes that the
    /// tenant declines (RFC 6749 section 3.3).
    ///
    /// A `.default` stands for the scopes of its API, except those in `withheld` and, unless it `isForApplication` or there are no
    /// others, those that require an administrator's consent.
    init(
        _ text: String, clientID: String, _ configuration: TenantConfiguration, withheld: Set<String> = [],
        isForApplication: Bool = false
    ) throws(Refusal) {
        let rules = configuration.kind.dialect.traits.scopes
        var resources: [String: Resource] = [:]
        var granted: [String] = []
        var covered: [(scope: String, name: String)] = []
        var ofDefault: [String] = []
        let scopes = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        for scope in scopes where !rules.openID.contains(scope) {
            let found: Found
            do { found = try Self.found(scope, of: text, clientID: clientID, rules: rules, configuration) } catch {
                // Then the tenant's file says that an unknown scope is ignored.
                if configuration.declines.contains(scope) { continue }
                throw error
            }
            resources[found.name] = found.resource
            var meant = found.meaning.filter { !configuration.declines.contains($0.scope) }
            if found.isDefault {
                let own = meant.filter { !configuration.administratorConsent.contains($0.scope) }
                if !own.isEmpty, !isForApplication { meant = own }
                meant.removeAll { withheld.contains($0.scope) }
                ofDefault += meant.map(\.scope)
            }
            guard !granted.contains(scope), !configuration.declines.contains(scope), !meant.isEmpty else { continue }
            granted.append(scope)
            covered += meant.filter { one in !covered.contains { $0.scope == one.scope } }
        }
        guard resources.count < 2 || rules.mixesResources else { throw Self.mixed(text) }
        asked = text
        openID = rules.openID.filter(scopes.contains)
        let apis = resources.keys.sorted().compactMap { if case .api(let apis)? = resources[$0] { apis } else { nil } }
        if !granted.isEmpty {
            resource = apis.isEmpty ? .client(clientID) : .api(apis.flatMap { $0 })
        } else if rules.impliesGraph {
            resource = .api([.graph])
        } else {
            resource = rules.impliesUserInfo ? .userInfo : .none
        }
        self.granted = granted
        self.covered = covered.map(\.scope)
        self.ofDefault = ofDefault.filter { !scopes.contains($0) }
        // The scopes of OpenID Connect belong to Microsoft Graph too, except the one for a refresh token.
        let isGraph = apis.contains { $0.contains(where: \.isGraph) }
        let ofGraph = isGraph ? openID.filter { $0 != "offline_access" } : []
        let names = granted.isEmpty && rules.impliesGraph ? openID : ofGraph + covered.map(\.name)
        shortNames = names.filter { !$0.isEmpty }.joined(separator: " ")
        let named = rules.namesOpenID || rules.impliesGraph && granted.isEmpty ? openID : ofGraph
        // The platform names the scopes that `.default` stands for beside it.
        let meant = rules.impliesGraph ? self.ofDefault : []
        self.text = (named.filter { !configuration.declines.contains($0) } + meant + granted).joined(separator: " ")
    }

    private typealias Meaning = [(scope: String, name: String)]
    private typealias Found = (name: String, resource: Resource, meaning: Meaning, isDefault: Bool)

    private static func found(
        _ scope: String, of text: String, clientID: String, rules: ScopeRules, _ configuration: TenantConfiguration
    ) throws(Refusal) -> Found {
        if rules.takesClientID, scope.lowercased() == clientID.lowercased() {
            return (clientID, .client(clientID), [(scope, "")], false)
        }
        let apis = configuration.servedAPIs
        for api in apis + (rules.impliesGraph ? [.graph] : []) {
            if let meaning = api.meaning(of: scope, rules) { return (api.resource, .api([api]), [meaning], false) }
            guard rules.takesDefault, api.isDefault(scope) else { continue }
            // An API that is registered in several parts is one resource.
            let parts = apis.filter { $0.resource == api.resource && (!api.resource.isEmpty || $0.name == api.name) }
            return (api.resource, .api([api]), parts.flatMap { Array(zip($0.fullScopes, $0.scopes)) }, true)
        }
        let known =
            "registered: \((rules.openID + configuration.apis.flatMap(\.fullScopes)).joined(separator: ", "))"
        if rules.demandsResource, !scope.contains("/") {
            throw .withoutResource(text).because("scope \(scope) does not name a resource; \(known)")
        }
        throw Refusal(.scopeUnsupported, "The scope '\(scope)' provided in the request is not supported.").because(
            "scope \(scope) is not registered; \(known)")
    }

    private static func mixed(_ text: String) -> Refusal {
        Refusal(
            .twoResources,
            """
            The scope '\(text)' provided in request specifies more than one resource for an access token, \
            which is not supported.
            """)
    }
}
