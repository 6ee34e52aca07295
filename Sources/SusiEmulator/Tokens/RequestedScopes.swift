/// The scopes of a request, sorted out.
struct RequestedScopes: Sendable {
    /// What the access token is for.
    enum Resource: Sendable {
        /// Only `openid`, `profile` and `offline_access` were asked: no access token.
        case none
        /// The client itself: its own id was a scope.
        case client(String)
        /// A registered API.
        case api(RegisteredAPI)
    }

    let resource: Resource
    /// The API's scopes as they were asked, or the client id.
    let granted: [String]
    let wantsOpenID: Bool
    let wantsRefreshToken: Bool

    /// Sorts a scope text; scopes that the tenant does not know and scopes of two resources are refused.
    init(_ text: String, clientID: String, apis: [RegisteredAPI]) throws(Refusal) {
        var resources: [String: Resource] = [:]
        var granted: [String] = []
        let scopes = text.split(separator: " ").map(String.init)
        for scope in scopes where !["openid", "profile", "offline_access"].contains(scope) {
            if scope.lowercased() == clientID.lowercased() {
                resources[clientID] = .client(clientID)
            } else if let api = apis.first(where: { $0.fullScopes.contains(scope) }) {
                resources[api.resource] = .api(api)
            } else {
                throw Refusal(.scopeUnsupported, "The scope '\(scope)' provided in the request is not supported.")
            }
            if !granted.contains(scope) { granted.append(scope) }
        }
        guard resources.count < 2 else {
            throw Refusal(
                .twoResources,
                """
                The scope '\(text)' provided in request specifies more than one resource for an access token, \
                which is not supported.
                """)
        }
        resource = resources.first?.value ?? .none
        self.granted = granted
        wantsOpenID = scopes.contains("openid")
        wantsRefreshToken = scopes.contains("offline_access")
    }
}
