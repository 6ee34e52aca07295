import HTTPTypes

/// Everything that the emulator serves below a tenant's address, in one table. The kind of tenant says where an endpoint
/// is; a page is at `page/` and its name.
struct Route: Sendable {
    enum Target: Sendable {
        case endpoint(Endpoint)
        case page(String)
        /// Of native authentication: its path.
        case native(String)
    }

    let method: HTTPRequest.Method
    let target: Target
    let answer: @Sendable (PolicyEndpoint, RequestContext) throws -> Response

    init(
        _ method: HTTPRequest.Method, _ endpoint: Endpoint,
        _ answer: @escaping @Sendable (PolicyEndpoint, RequestContext) throws -> Response
    ) {
        self.method = method
        target = .endpoint(endpoint)
        self.answer = answer
    }

    init(
        _ method: HTTPRequest.Method, page: String,
        _ answer: @escaping @Sendable (PolicyEndpoint, RequestContext) throws -> Response
    ) {
        self.method = method
        target = .page(page)
        self.answer = answer
    }

    private init(native path: String, _ respond: @escaping @Sendable (NativeRequest) throws -> JSON) {
        method = .post
        target = .native(path)
        answer = { endpoint, context in try NativeRequest.respond(endpoint, context, with: respond) }
    }

    /// Whether it is at `path`, which is in lower case.
    func isAt(_ path: String, _ dialect: any TenantDialect) -> Bool {
        switch target {
        case .endpoint(let endpoint): dialect.path(of: endpoint) == path
        case .page(let name): path.hasPrefix("page/") && path.dropFirst("page/".count) == name
        case .native(let native): dialect.servesNativeAuthentication && path == native
        }
    }

    /// Where a fault that strikes it has to be.
    var fault: Fault.Endpoint {
        switch target {
        case .page: .page
        case .native: .native
        case .endpoint(let endpoint):
            switch endpoint {
            case .metadata: .metadata
            case .keys: .keys
            case .authorize: .authorize
            case .token: .token
            case .logout: .logout
            case .userInfo: .userInfo
            case .revocation: .revocation
            case .deviceAuthorization: .deviceAuthorization
            case .deviceVerification: .deviceVerification
            }
        }
    }

    static let table: [Route] =
        [
            Route(.get, .metadata, Discovery.document),
            Route(.get, .keys, Discovery.keys),
            Route(.get, .authorize, AuthorizeEndpoint.respond),
            Route(.post, .authorize, AuthorizeEndpoint.respond),
            Route(.post, .token, TokenEndpoint.answer),
            Route(.get, .userInfo, UserInfo.answer),
            Route(.post, .userInfo, UserInfo.answer),
            Route(.get, .logout, LogoutEndpoint.respond),
            Route(.post, .logout, LogoutEndpoint.respond),
            Route(.post, .revocation, RevocationEndpoint.answer),
            Route(.post, .deviceAuthorization, DeviceEndpoint.respond),
            Route(native: "oauth2/v2.0/initiate", NativeSignIn.initiate),
            Route(native: "oauth2/v2.0/challenge", NativeSignIn.challenge),
            Route(native: "oauth2/v2.0/introspect", NativeFactor.introspect),
            Route(native: "register/v1.0/introspect", NativeRegistration.introspect),
            Route(native: "register/v1.0/challenge", NativeRegistration.challenge),
            Route(native: "register/v1.0/continue", NativeRegistration.goOn),
            Route(native: "signup/v1.0/start", NativeSignUp.start),
            Route(native: "signup/v1.0/challenge", NativeSignUp.challenge),
            Route(native: "signup/v1.0/continue", NativeSignUp.goOn),
            Route(native: "resetpassword/v1.0/start", NativeReset.start),
            Route(native: "resetpassword/v1.0/challenge", NativeReset.challenge),
            Route(native: "resetpassword/v1.0/continue", NativeReset.goOn),
            Route(native: "resetpassword/v1.0/submit", NativeReset.submit),
            Route(native: "resetpassword/v1.0/poll_completion", NativeReset.poll),
        ] + pages
}
