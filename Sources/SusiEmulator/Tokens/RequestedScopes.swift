import SusiBase
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

    /// A scope of an API that a requested one stands for: itself, or one of those of a `.default`.
    struct Resolved: Sendable {
        /// The scope as requested, or the client id.
        let requested: String
        let scope: String
        /// The scope's name without a resource; empty for the client id.
        let name: String
        let isOfDefault: Bool
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
        guard !rules.demandsResource || !text.contains(",") else { throw Self.withComma(text) }
        var resources: [String: Resource] = [:]
        var resolved: [Resolved] = []
        let requested = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        for scope in requested where !rules.openID.contains(scope) {
            let found: Found
            do { found = try Self.found(scope, of: text, clientID: clientID, rules: rules, configuration) } catch {
                // Ignored: the tenant file declines this scope.
                if configuration.declines.contains(scope) { continue }
                throw error
            }
            resources[found.name] = found.resource
            guard !configuration.declines.contains(scope) else { continue }
            resolved += Self.granted(
                found.scopes.filter { !configuration.declines.contains($0.scope) }, withheld: withheld,
                reserved: isForApplication ? [] : configuration.administratorConsent)
        }
        guard resources.count < 2 || rules.mixesResources else { throw Self.mixed(text) }
        let apis = resources.keys.sorted().compactMap { if case .api(let apis)? = resources[$0] { apis } else { nil } }
        if !resolved.isEmpty {
            resource = apis.isEmpty ? .client(clientID) : .api(apis.flatMap { $0 })
        } else if rules.impliesGraph {
            resource = .api([.graph])
        } else {
            resource = rules.impliesUserInfo ? .userInfo : .none
        }
        asked = text
        openID = rules.openID.filter(requested.contains)
        granted = resolved.map(\.requested).uniqued
        covered = resolved.map(\.scope).uniqued
        let named = resolved.filter { !$0.isOfDefault }.map(\.scope)
        ofDefault = covered.filter { !named.contains($0) }
        // The scopes of OpenID Connect belong to Microsoft Graph too, except the one for a refresh token.
        let isGraph = apis.contains { $0.contains(where: \.isGraph) }
        let ofGraph = isGraph ? openID.filter { $0 != "offline_access" } : []
        let isBare = rules.impliesGraph && resolved.isEmpty
        let names = covered.compactMap { scope in resolved.first { $0.scope == scope }?.name }
        shortNames = (isBare ? openID : ofGraph + names).filter { !$0.isEmpty }.joined(separator: " ")
        let first = rules.namesOpenID || isBare ? openID : ofGraph
        // The platform names the scopes that `.default` stands for beside it.
        let meant = rules.impliesGraph ? ofDefault : []
        self.text = (first.filter { !configuration.declines.contains($0) } + meant + granted).joined(separator: " ")
    }

    // Without the scopes of a `.default` that are withheld, and that only an administrator can allow if there are others.
    private static func granted(
        _ scopes: [Resolved], withheld: Set<String>, reserved: [String]
    ) -> [Resolved] {
        let open = scopes.filter { !$0.isOfDefault || !reserved.contains($0.scope) }
        return (open.isEmpty ? scopes : open).filter { !$0.isOfDefault || !withheld.contains($0.scope) }
    }

    private typealias Found = (name: String, resource: Resource, scopes: [Resolved])

    private static func found(
        _ scope: String, of text: String, clientID: String, rules: ScopeRules, _ configuration: TenantConfiguration
    ) throws(Refusal) -> Found {
        let resolved = { (full: String, name: String, isOfDefault: Bool) in
            Resolved(requested: scope, scope: full, name: name, isOfDefault: isOfDefault)
        }
        if rules.takesClientID, scope.lowercased() == clientID.lowercased() {
            return (clientID, .client(clientID), [resolved(scope, "", false)])
        }
        let apis = configuration.servedAPIs
        for api in apis + (rules.impliesGraph ? [.graph] : []) {
            if let (full, name) = api.meaning(of: scope, rules) {
                return (api.resource, .api([api]), [resolved(full, name, false)])
            }
            guard rules.takesDefault, api.isDefault(scope) else { continue }
            // An API that is registered in several parts is one resource.
            let parts = apis.filter { $0.resource == api.resource && (!api.resource.isEmpty || $0.name == api.name) }
            let scopes = parts.flatMap { zip($0.fullScopes, $0.scopes).map { resolved($0, $1, true) } }
            return (api.resource, .api([api]), scopes)
        }
        let known =
            "registered: \((rules.openID + configuration.apis.flatMap(\.fullScopes)).joined(separator: ", "))"
        if rules.demandsResource, !scope.contains("/") {
            throw .withoutResource(text).because("scope \(scope) does not name a resource; \(known)")
        }
        throw Refusal(.scopeUnsupported, "The scope '\(scope)' provided in the request is not supported.").because(
            "scope \(scope) is not registered; \(known)")
    }

    private static func withComma(_ text: String) -> Refusal {
        Refusal(
            .scopeWithComma,
            "The request contains an invalid scope parameter which includes an illegal character ','."
        ).because("scope \(text) has a comma; separate scopes by spaces")
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

extension [String] {
    /// Each element once, where it comes first.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
