/// A name that chooses nothing, or too much.
public struct ChoiceError: Error, Hashable, Sendable {
    /// What was to be chosen.
    public let subject: Subject
    /// What is wrong.
    public let problem: String
    /// What could have been named.
    public let candidates: [String]
    /// What was probably meant.
    public let nearMatch: String?

    /// The things that are chosen by name.
    public enum Subject: String, Sendable {
        case policy
        case api
    }

    init(_ subject: Subject, _ problem: String, candidates: [String], nearMatch: String? = nil) {
        self.subject = subject
        self.problem = problem
        self.candidates = candidates
        self.nearMatch = nearMatch
    }
}

/// Which token is wanted: of the account of a policy, for scopes of one resource.
public struct TokenTarget: Hashable, Sendable {
    /// The policy whose account it is.
    public let policy: Policy
    /// The API's scopes; empty when a sign-in asks none.
    public let scopes: [String]
    /// The API when one was named.
    public let api: API?
    /// What is asked where neither the target nor the caller names a scope.
    public let fallbackScopes: [String]

    /// Makes a target.
    public init(policy: Policy, scopes: [String], api: API?, fallbackScopes: [String] = []) {
        self.policy = policy
        self.scopes = scopes
        self.api = api
        self.fallbackScopes = fallbackScopes
    }
}

extension Application {
    /// The policy that a typed name means, or the default one for nil.
    ///
    /// A name may be shortened to a part that only one policy has, with or without `B2C_1_` or `B2C_1A_` before it.
    public func choosePolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        guard let name else {
            if let policy = defaultPolicy { return policy }
            throw ChoiceError(
                .policy, "no default policy: name a policy", candidates: policies.map(\.name.spelling))
        }
        if let policy = policy(name) { return policy }
        let meant = policies(meaning: name, among: policies)
        if meant.count == 1 { return meant[0] }
        guard meant.isEmpty else {
            throw ChoiceError(
                .policy, "“\(name)” matches \(meant.count) policies of the application “\(self.name)”",
                candidates: meant.map(\.name.spelling))
        }
        throw unknownPolicy(name)
    }

    /// The policy with exactly this name, without regard to case: for names that were stored, not typed.
    public func choosePolicy(exactly name: PolicyName) throws(ChoiceError) -> Policy {
        if let policy = policy(name) { return policy }
        throw unknownPolicy(name)
    }

    private func unknownPolicy(_ name: PolicyName) -> ChoiceError {
        let names = policies.map(\.name)
        return ChoiceError(
            .policy, "no policy “\(name)” in the application “\(self.name)”",
            candidates: names.map(\.spelling), nearMatch: NearMatch.ofPolicy(name.spelling, in: names))
    }

    /// The only policy of a kind, or the one that a typed name means, which must be of that kind.
    public func choosePolicy(_ name: PolicyName?, of kind: PolicyKind) throws(ChoiceError) -> Policy {
        let candidates = policies(of: kind)
        let names = candidates.map(\.name.spelling)
        if let name {
            let meant = policy(name) == nil ? policies(meaning: name, among: candidates) : []
            let policy = meant.count == 1 ? meant[0] : try choosePolicy(name)
            if policy.kind == kind { return policy }
            throw ChoiceError(
                .policy, "the kind of “\(policy.name)” is “\(policy.kind.label)”, not “\(kind.label)”",
                candidates: names)
        }
        if candidates.count == 1 { return candidates[0] }
        let problem = candidates.isEmpty ? "has no policy of" : "has several policies of"
        throw ChoiceError(
            .policy, "the application “\(self.name)” \(problem) the kind “\(kind.label)”", candidates: names)
    }

    /// The API of that name.
    public func chooseAPI(_ name: String) throws(ChoiceError) -> API {
        if let api = api(name) { return api }
        throw ChoiceError(
            .api, "no API “\(name)” in the application “\(self.name)”", candidates: apis.map(\.name),
            nearMatch: NearMatch.of(name, in: apis.map(\.name)))
    }

    /// The API to which an address belongs: the one with the longest base at or above it; nil when the address is outside
    /// every API.
    public func chooseAPI(containing address: WebAddress) throws(ChoiceError) -> API? {
        let containing = apis.filter { $0.baseURL.contains(address) }
        let longest = containing.map(\.baseURL.segments.count).max()
        let nearest = containing.filter { $0.baseURL.segments.count == longest }
        guard nearest.count > 1 else { return nearest.first }
        throw ChoiceError(
            .api, "\(address) belongs to \(nearest.count) APIs: name the API and a path instead",
            candidates: nearest.map(\.name))
    }

    /// What a sign-in or a token is asked for.
    ///
    /// A named API decides. Else the policy's own scopes do, else those of the APIs that belong to the policy, when they
    /// are of one resource: a token is for one resource only (AADB2C90146).
    public func target(api name: String?, policy policyName: PolicyName?) throws(ChoiceError) -> TokenTarget {
        if let name {
            let api = try chooseAPI(name)
            return TokenTarget(
                policy: try choosePolicy(policyName ?? api.policy), scopes: api.scopes, api: api)
        }
        let policy = try choosePolicy(policyName)
        if !policy.scopes.isEmpty { return TokenTarget(policy: policy, scopes: policy.scopes, api: nil) }
        let apis = apis(of: policy)
        let scopes = apis.flatMap(\.scopes)
        guard areOfOneResource(scopes) else {
            throw ChoiceError(
                .api, "“\(policy.name)” has APIs of several resources: name the API",
                candidates: apis.map(\.name))
        }
        // Without a page, B2C issues a token for the application itself if its own id is requested as a scope.
        let isOwn = kind.clientIDIsScope && policy.kind == .resourceOwner
        return TokenTarget(
            policy: policy, scopes: scopes, api: apis.count == 1 ? apis[0] : nil,
            fallbackScopes: isOwn ? [clientID] : [])
    }

    /// Whether one token can carry all of the scopes. Those of OpenID Connect itself belong to no resource.
    func areOfOneResource(_ scopes: [String]) -> Bool {
        var found: Substring?
        for scope in scopes where !OpenIDScopes.all.contains(scope) {
            let resource = resource(of: scope)
            guard found == nil || found == resource else { return false }
            found = resource
        }
        return true
    }

    // The part of a scope before its last slash names the resource; `https://api//.default` has a resource that ends in a
    // slash. An application id is a resource of its own.
    private func resource(of scope: String) -> Substring {
        guard kind.scopesNameAPIs else { return "" }
        if let slash = scope.utf8.lastIndex(of: UInt8(ascii: "/")) { return scope[..<slash] }
        guard let resource = kind.defaultResource, !scope.lowercased().isGUID else { return scope[...] }
        return resource[...]
    }
}
