import HTTPTypes

/// A row in the table of everything that is served below a tenant's address. The dialect has the path of an endpoint; a
/// page is at `page/NAME`.
struct Route: Sendable {
    enum Target: Sendable {
        case endpoint(Endpoint)
        case page(String)
        /// A path of native authentication.
        case native(String)
    }

    let method: HTTPRequest.Method
    let target: Target
    let respond: @Sendable (PolicyEndpoint, RequestContext) throws -> Response

    init(
        _ method: HTTPRequest.Method, _ endpoint: Endpoint,
        _ respond: @escaping @Sendable (PolicyEndpoint, RequestContext) throws -> Response
    ) {
        self.method = method
        target = .endpoint(endpoint)
        self.respond = respond
    }

    init(
        _ method: HTTPRequest.Method, page: String,
        _ respond: @escaping @Sendable (PolicyEndpoint, RequestContext) throws -> Response
    ) {
        self.method = method
        target = .page(page)
        self.respond = respond
    }

    private init(native path: String, _ endpoint: @escaping @Sendable (NativeRequest) throws -> JSON) {
        method = .post
        target = .native(path)
        respond = { policy, context in try NativeRequest.respond(policy, context, with: endpoint) }
    }

    /// Returns whether the route serves `path` of a policy, which is in lower case.
    func isAt(_ path: String, of policy: PolicyEndpoint) -> Bool {
        let dialect = policy.dialect
        return switch target {
        case .endpoint(let endpoint):
            dialect.path(of: endpoint) == path && dialect.serves(endpoint, at: policy)
                || endpoint == .metadata && path == dialect.traits.olderMetadataPath
        case .page(let name): path.hasPrefix("page/") && path.dropFirst("page/".count) == name
        case .native(let native): dialect.traits.servesNativeAuthentication && path == native
        }
    }

    /// The endpoint that a fault names to hit this route.
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
            Route(.post, .token, TokenEndpoint.respond),
            Route(.get, .userInfo, UserInfo.respond),
            Route(.post, .userInfo, UserInfo.respond),
            Route(.get, .logout, LogoutEndpoint.respond),
            Route(.post, .logout, LogoutEndpoint.respond),
            Route(.post, .revocation, RevocationEndpoint.respond),
            Route(.post, .deviceAuthorization, DeviceEndpoint.respond),
            Route(native: "oauth2/v2.0/initiate", NativeSignIn.initiate),
            Route(native: "oauth2/v2.0/challenge", NativeSignIn.challenge),
            Route(native: "oauth2/v2.0/introspect", NativeFactor.introspect),
            Route(native: "register/v1.0/introspect", NativeRegistration.introspect),
            Route(native: "register/v1.0/challenge", NativeRegistration.challenge),
            Route(native: "register/v1.0/continue", NativeRegistration.continueFlow),
            Route(native: "signup/v1.0/start", NativeSignUp.start),
            Route(native: "signup/v1.0/challenge", NativeSignUp.challenge),
            Route(native: "signup/v1.0/continue", NativeSignUp.continueFlow),
            Route(native: "resetpassword/v1.0/start", NativeReset.start),
            Route(native: "resetpassword/v1.0/challenge", NativeReset.challenge),
            Route(native: "resetpassword/v1.0/continue", NativeReset.continueFlow),
            Route(native: "resetpassword/v1.0/submit", NativeReset.submit),
            Route(native: "resetpassword/v1.0/poll_completion", NativeReset.poll),
        ] + pages
}

/// The pages with their addresses, the policies that have them, and what their links and forms do.
extension Route {
    static let pages: [Route] = [
        Route(.get, .deviceVerification, DevicePage.show),
        Route(.post, page: "device", DevicePage.submit),
        form("select-account", if: \.listsAccounts, SelectAccountPage.submit),
        link("sign-in", if: \.offersSignIn) { try SignInPage.page($0, name: nil) },
        form("sign-in", if: \.offersSignIn, SignInPage.submit),
        link("social", if: \.offersSocial) { try SocialPage.page($0, email: $0.request.loginHint) },
        form("social", if: \.offersSocial, cancel: SocialPage.cancelled, SocialPage.submit),
        link("sign-up", if: \.offersPasswordSignUp) { try $0.signUpPage() },
        form("sign-up-address", if: \.offersPasswordSignUp, SignUpPage.submitAddress),
        form("sign-up", if: \.offersSignUp, SignUpPage.submit),
        link("forgot-password", SignInPage.forgotPassword),
        form("reset-address", if: \.resetsPasswords, ResetPage.submit),
        form("reset-password", if: \.resetsPasswords, NewPasswordPage.submitReset),
        form("verify", VerifyPage.submit),
        form("new-password", NewPasswordPage.submit),
        form("second-factor", if: { $0.asksSecondFactor && !$0.asksForApp }, SecondFactorPage.submit),
        form("authenticator", if: \.asksForApp, AuthenticatorPage.submit),
        form("profile", if: \.editsProfile, ProfilePage.submit),
        form("consent", if: \.signsIn, ConsentPage.submit),
    ]

    private static func link(
        _ page: String, if isOffered: @escaping @Sendable (PolicyEndpoint) -> Bool = { _ in true },
        _ show: @escaping @Sendable (Transaction) throws -> Response
    ) -> Route {
        Route(.get, page: page) { endpoint, context in
            try PageError.catching(context) {
                guard isOffered(endpoint) else { throw PageError.ended }
                let transaction = try Transaction(of: context, at: endpoint)
                return try transaction.refusing { try show(transaction) }
            }
        }
    }

    // Every form has a cancel button.
    private static func form(
        _ page: String, if isOffered: @escaping @Sendable (PolicyEndpoint) -> Bool = { _ in true },
        cancel: Refusal = Refusal(.cancelled, "The user has cancelled entering self-asserted information."),
        _ submit: @escaping @Sendable (inout Transaction) throws -> Response
    ) -> Route {
        Route(.post, page: page) { endpoint, context in
            try PageError.catching(context) {
                guard isOffered(endpoint) else { throw PageError.ended }
                var transaction = try Transaction(of: context, at: endpoint)
                guard context.form["cancel"] == nil else { return try transaction.refuse(cancel) }
                return try transaction.refusing { try submit(&transaction) }
            }
        }
    }
}
