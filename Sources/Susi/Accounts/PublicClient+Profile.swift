import SusiBase
import SusiHTTP
import SusiOAuth
import SusiPolicies
public import SusiStore

/// A person's current profile at the provider.
public struct CurrentProfile: Sendable {
    /// The address that returned it.
    public let source: String
    /// The claims as JSON. They are not signed.
    public var claims: String { JSONText.compact(node) }
    package let node: JSONNode
    /// The person's account.
    public let account: StoredAccount
}

extension PublicClient {
    /// Fetches the person's profile: from `/me` of the API named `graph` if the application has one, else from the provider's
    /// userinfo endpoint (OpenID Connect Core 5.3).
    ///
    /// Throws ``SusiError/Code/unknownName`` if there is neither, `differentPerson` if the profile is another person's.
    public func profile(of selection: AccountSelection = .current) async throws(SusiError) -> CurrentProfile {
        if let graph = application.api("graph"), !application.kind.traits.hasPolicies {
            let token = try await token(api: graph.name, of: selection)
            return try await profile(from: Endpoint(graph.baseURL.appending("me")), token)
        }
        let policy = try policy(selection.policy)
        let endpoint = try await userinfoEndpoint(policy)
        let token = try await token(userinfoTarget(policy), of: selection, options: TokenRequestOptions())
        let profile = try await profile(from: endpoint, token)
        try checkPerson(of: profile, under: policy)
        return profile
    }

    // B2C accepts the token of any API there; other providers require one of their own, for which openid is enough.
    private func userinfoTarget(_ policy: Policy) throws(SusiError) -> TokenTarget {
        let asked = try choose { try $0.target(api: nil, policy: policy.name).scopes }
        return TokenTarget(policy: policy, scopes: application.kind.traits.hasPolicies ? asked : [], api: nil)
    }

    private func checkPerson(of profile: CurrentProfile, under policy: Policy) throws(SusiError) {
        let known = (try? JSONNode(parsing: profile.account.claims.utf8))?["sub"]?.string
        guard let subject = profile.node["sub"]?.string, subject == known else {
            let signIn = demanding(profile.account, in: NextStep.signIn(policy.name))
            throw SusiError.profileOfOther(profile.account.label, next: signIn)
        }
    }

    private func userinfoEndpoint(_ policy: Policy) async throws(SusiError) -> Endpoint {
        let context = context
        let endpoint = try await mappingErrors(policy: policy.name) {
            try await context.withProvider(for: policy) { provider, _ in try provider.metadata.endpoint(.userinfo) }
        }
        if let endpoint { return endpoint }
        throw SusiError.noUserInfo(policy, isB2C: application.kind.traits.hasPolicies)
    }

    private func profile(from endpoint: Endpoint, _ token: IssuedToken) async throws(SusiError) -> CurrentProfile {
        let context = context
        return try await mappingErrors(policy: token.policy.name, of: token.account) {
            let response = try await context.web { web in try await web.get(endpoint, bearer: token.secret) }
            guard response.status == 200, let claims = try? JSONNode(parsing: response.body),
                case .object = claims.value
            else {
                throw SusiError.noProfile(at: endpoint.address, status: response.status, token.policy)
            }
            return CurrentProfile(source: endpoint.address.description, node: claims, account: token.account)
        }
    }
}
