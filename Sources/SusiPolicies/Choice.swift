import SusiBase

/// An unknown or ambiguous name of a policy or an API.
package struct ChoiceError: Error, Sendable {
    /// The kind of thing that the name refers to.
    package let subject: Subject
    package let problem: String
    package let candidates: [String]
    /// The name that was probably meant.
    package let nearMatch: String?
    /// Whether several names fit.
    package let isAmbiguous: Bool
    /// A shortened name with the names that it may mean. It chose none of them: only a person may.
    package let shortened: (name: String, meanings: [String])?
    /// The policy that keeps no account, where one is needed.
    package let keepingNone: Policy?

    /// The things that a name can refer to.
    package enum Subject: String, Sendable {
        case policy
        case api
    }

    init(
        _ subject: Subject, _ problem: String, candidates: [String], isAmbiguous: Bool = false,
        nearMatch: String? = nil, shortened: (name: String, meanings: [String])? = nil, keepingNone: Policy? = nil
    ) {
        self.subject = subject
        self.problem = problem
        self.candidates = candidates
        self.isAmbiguous = isAmbiguous || (shortened?.meanings.count ?? 0) > 1
        self.nearMatch = nearMatch
        self.shortened = shortened
        self.keepingNone = keepingNone
    }
}

/// The policy, the scopes and the API of a requested token; the scopes belong to one resource.
package struct TokenTarget: Hashable, Sendable {
    package let policy: Policy
    /// The scopes to request; empty if a sign-in requests no scopes of an API.
    package let scopes: [String]
    package let api: API?
    /// The scopes to request if neither the target nor the caller names one.
    package let fallbackScopes: [String]

    package init(policy: Policy, scopes: [String], api: API?, fallbackScopes: [String] = []) {
        self.policy = policy
        self.scopes = scopes
        self.api = api
        self.fallbackScopes = fallbackScopes
    }
}

extension Application {
    /// Finds a policy that keeps accounts by its whole name, ignoring case; `nil` finds the default one.
    package func choosePolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        let policy = try findPolicy(name)
        if policy.kind.keepsAccounts { return policy }
        throw ChoiceError(.policy, policy.keepsNoAccount, candidates: [], keepingNone: policy)
    }

    /// Finds a policy of any kind in the same way.
    package func findPolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        guard let name else {
            if let policy = defaultPolicy { return policy }
            let names = policies.filter(\.kind.keepsAccounts).map(\.name.spelling)
            throw ChoiceError(
                .policy,
                names.isEmpty
                    ? "the application “\(self.name)” has no policy that signs in" : "no default policy: name a policy",
                candidates: names, isAmbiguous: !names.isEmpty)
        }
        if let policy = policy(name) { return policy }
        throw unknownPolicy(name, of: nil)
    }

    private func unknownPolicy(_ name: PolicyName, of kind: PolicyKind?) -> ChoiceError {
        let names = policies.filter { kind != nil || $0.kind.keepsAccounts }.map(\.name)
        let ofKind = policies(shortenedTo: name, of: kind)
        let meanings = (ofKind.isEmpty ? policies(shortenedTo: name, of: nil) : ofKind).map(\.name.spelling)
        return ChoiceError(
            .policy, "no policy “\(name)” in the application “\(self.name)”",
            candidates: meanings.isEmpty ? names.map(\.spelling) : meanings,
            nearMatch: meanings.isEmpty ? NearMatch.ofPolicy(name.spelling, in: names) : nil,
            shortened: meanings.isEmpty ? nil : (name.spelling, meanings))
    }

    /// Finds the only policy of a kind, or the one with that whole name, which must be of that kind.
    package func choosePolicy(_ name: PolicyName?, of kind: PolicyKind) throws(ChoiceError) -> Policy {
        let candidates = policies(of: kind)
        let names = candidates.map(\.name.spelling)
        if let name {
            guard let policy = policy(name) else { throw unknownPolicy(name, of: kind) }
            if policy.kind == kind { return policy }
            throw ChoiceError(
                .policy, "the kind of “\(policy.name)” is “\(policy.kind.label)”, not “\(kind.label)”",
                candidates: names)
        }
        if candidates.count == 1 { return candidates[0] }
        let problem = candidates.isEmpty ? "has no policy of" : "has several policies of"
        throw ChoiceError(
            .policy, "the application “\(self.name)” \(problem) the kind “\(kind.label)”", candidates: names,
            isAmbiguous: !candidates.isEmpty)
    }

    package func chooseAPI(_ name: String) throws(ChoiceError) -> API {
        if let api = api(name) { return api }
        throw ChoiceError(
            .api, "no API “\(name)” in the application “\(self.name)”", candidates: apis.map(\.name),
            nearMatch: NearMatch.of(name, in: apis.map(\.name)))
    }

    /// Finds the API with the longest base that contains the address; returns `nil` if no API contains it.
    package func chooseAPI(containing address: WebAddress) throws(ChoiceError) -> API? {
        let containing = apis.filter { $0.baseURL.contains(address) }
        let longest = containing.map(\.baseURL.segments.count).max()
        let nearest = containing.filter { $0.baseURL.segments.count == longest }
        guard nearest.count > 1 else { return nearest.first }
        throw ChoiceError(
            .api, "\(address) belongs to \(nearest.count) APIs: name the API and a path instead",
            candidates: nearest.map(\.name), isAmbiguous: true)
    }

    /// Determines policy and scopes of a sign-in or a token.
    ///
    /// A named API decides. Otherwise the policy's own scopes are used, or those of the APIs that belong to the policy
    /// if they are of one resource: a token is valid for one resource only (AADB2C90146).
    package func target(api name: String?, policy policyName: PolicyName?) throws(ChoiceError) -> TokenTarget {
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
                candidates: apis.map(\.name), isAmbiguous: true)
        }
        // Without a page, B2C issues a token for the application itself if its own id is requested as a scope.
        let isOwn = kind.traits.clientIDIsScope && policy.kind == .resourceOwner
        return TokenTarget(
            policy: policy, scopes: scopes, api: apis.count == 1 ? apis[0] : nil,
            fallbackScopes: isOwn ? [clientID] : [])
    }

    /// Determines policy and scopes of a token. As ``target(api:policy:)``; under a policy that is named and has no API of its
    /// own, the only API of the application need not be named.
    package func tokenTarget(api name: String?, policy policyName: PolicyName?) throws(ChoiceError) -> TokenTarget {
        let target = try target(api: name, policy: policyName)
        let apis = apis.filter { !$0.scopes.isEmpty }
        guard name == nil, policyName != nil, target.scopes.isEmpty, apis.count == 1 else { return target }
        return try self.target(api: apis[0].name, policy: target.policy.name)
    }

    /// Whether one token can contain all of the scopes. Those of OpenID Connect belong to no resource.
    package func areOfOneResource(_ scopes: [String]) -> Bool {
        var found: Substring?
        for scope in scopes where !OpenIDScopes.all.contains(scope) {
            let resource = resource(of: scope)
            guard found == nil || found == resource else { return false }
            found = resource
        }
        return true
    }

    // The part of a scope before its last slash names the resource; `https://api//.default` has a resource that ends in
    // a slash. An application id is itself a resource. A scope without a resource belongs to the default one.
    private func resource(of scope: String) -> Substring {
        guard kind.traits.scopesNameAPIs else { return "" }
        let named = scope.utf8.lastIndex(of: UInt8(ascii: "/")).map { scope[..<$0] }
        guard kind.traits.impliesGraph, !scope.lowercased().isGUID else { return named ?? scope[...] }
        return named.flatMap { EntraCloud.isGraph($0, at: authority) ? nil : $0 } ?? ""
    }
}
