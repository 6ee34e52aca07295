import HTTPTypes
import SusiBase

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
        _ method: HTTPRequest.Method, _ target: Target,
        _ respond: @escaping @Sendable (PolicyEndpoint, RequestContext) throws -> Response
    ) {
        (self.method, self.target, self.respond) = (method, target, respond)
    }

    private static func native(
        _ path: String, _ endpoint: @escaping @Sendable (NativeRequest) throws -> JSON
    ) -> Route {
        Route(.post, .native(path)) { policy, context in
            try NativeRequest.respond(policy, context, with: endpoint)
        }
    }

    /// Returns whether the route serves `path` of a policy, which is in lower case.
    func isAt(_ path: String, of policy: PolicyEndpoint) -> Bool {
        let dialect = policy.dialect
        return switch target {
        case .endpoint(let endpoint):
            dialect.path(of: endpoint) == path && dialect.serves(endpoint, at: policy)
                || endpoint == .metadata && path == dialect.traits.olderMetadataPath
        // The journey of a custom policy decides about all pages.
        case .page(let name):
            path.hasPrefix("page/") && path.dropFirst("page/".count) == name
                && (name == Self.journey) == (policy.custom != nil)
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
            Route(.get, .endpoint(.metadata), Discovery.document),
            Route(.get, .endpoint(.keys), Discovery.keys),
            Route(.get, .endpoint(.authorize), AuthorizeEndpoint.respond),
            Route(.post, .endpoint(.authorize), AuthorizeEndpoint.respond),
            Route(.post, .endpoint(.token), TokenEndpoint.respond),
            Route(.get, .endpoint(.userInfo), UserInfo.respond),
            Route(.post, .endpoint(.userInfo), UserInfo.respond),
            Route(.get, .endpoint(.logout), LogoutEndpoint.respond),
            Route(.post, .endpoint(.logout), LogoutEndpoint.respond),
            Route(.post, .endpoint(.revocation), RevocationEndpoint.respond),
            Route(.post, .endpoint(.deviceAuthorization), DeviceEndpoint.respond),
            native("oauth2/v2.0/initiate", NativeSignIn.initiate),
            native("oauth2/v2.0/challenge", NativeSignIn.challenge),
            native("oauth2/v2.0/introspect", NativeFactor.introspect),
            native("register/v1.0/introspect", NativeRegistration.introspect),
            native("register/v1.0/challenge", NativeRegistration.challenge),
            native("register/v1.0/continue", NativeRegistration.continueFlow),
            native("signup/v1.0/start", NativeSignUp.start),
            native("signup/v1.0/challenge", NativeSignUp.challenge),
            native("signup/v1.0/continue", NativeSignUp.continueFlow),
            native("resetpassword/v1.0/start", NativeReset.start),
            native("resetpassword/v1.0/challenge", NativeReset.challenge),
            native("resetpassword/v1.0/continue", NativeReset.continueFlow),
            native("resetpassword/v1.0/submit", NativeReset.submit),
            native("resetpassword/v1.0/poll_completion", NativeReset.poll),
        ] + pages
}

/// The pages with their addresses, the policies that have them, and what their links and forms do.
extension Route {
    static let pages: [Route] = [
        Route(.get, .endpoint(.deviceVerification), DevicePage.show),
        Route(.post, .page("device"), DevicePage.submit),
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
        Route(.post, .page(journey)) { endpoint, context in
            try PageError.catching(context) {
                try endpoint.tenant.journeyTurns.wait(for: context.form["transaction"]) {
                    var transaction = try Transaction(of: context, at: endpoint)
                    return try transaction.refusing { try transaction.submitJourney() }
                }
            }
        },
    ]

    /// The page of all forms of custom policies.
    static let journey = "journey"

    private static func link(
        _ page: String, if isOffered: @escaping @Sendable (PolicyEndpoint) -> Bool = { _ in true },
        _ show: @escaping @Sendable (Transaction) throws -> Response
    ) -> Route {
        Route(.get, .page(page)) { endpoint, context in
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
        Route(.post, .page(page)) { endpoint, context in
            try PageError.catching(context) {
                guard isOffered(endpoint) else { throw PageError.ended }
                var transaction = try Transaction(of: context, at: endpoint)
                guard context.form["cancel"] == nil else { return try transaction.refuse(cancel) }
                return try transaction.refusing { try submit(&transaction) }
            }
        }
    }
}
