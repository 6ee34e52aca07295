import HTTPTypes
import SusiPolicies

/// Everything that the emulator serves below a policy's address, in one table.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let answer: @Sendable (Place, Visit) throws -> Answer

    static let table: [Route] = [
        Route(method: .get, path: "v2.0/.well-known/openid-configuration", answer: Discovery.document),
        Route(method: .get, path: "discovery/v2.0/keys", answer: Discovery.keys),
        Route(method: .get, path: "oauth2/v2.0/authorize", answer: AuthorizeEndpoint.answer),
        Route(method: .post, path: "oauth2/v2.0/authorize", answer: AuthorizeEndpoint.answer),
        Route(method: .post, path: "oauth2/v2.0/token", answer: TokenEndpoint.answer),
        Route(method: .get, path: "oauth2/v2.0/logout", answer: LogoutEndpoint.answer),
        Route(method: .post, path: "oauth2/v2.0/logout", answer: LogoutEndpoint.answer),
        Route(method: .get, path: "page/sign-in", answer: SignInPage.show),
        Route(method: .post, path: "page/sign-in", answer: SignInPage.submit),
        Route(method: .get, path: "page/forgot-password", answer: SignInPage.forgotPassword),
        Route(method: .get, path: "page/sign-up", answer: SignUpPage.show),
        Route(method: .post, path: "page/sign-up", answer: SignUpPage.submit),
        Route(method: .post, path: "page/profile", answer: ProfilePage.submit),
        Route(method: .post, path: "page/reset-address", answer: ResetPage.submitAddress),
        Route(method: .post, path: "page/reset-password", answer: ResetPage.submitPassword),
    ]
}

extension Tenant {
    /// The answer to any request.
    func answer(_ visit: Visit) throws -> Answer {
        let origin = "http://localhost:\(visit.port)"
        guard isOwnHost(visit) else {
            // A page of another site that rebinds its name to this machine still sends its own name.
            let reason = "The Host header must name localhost, 127.0.0.1 or [::1] with port \(visit.port)"
            return try .json(["error": "invalid_host", "error_description": .string(reason)], status: .badRequest)
        }
        if visit.path == "/", visit.method == .get { return try StartPage.show(self, origin: origin) }
        if let api = configuration.apis.first(where: { $0.serves(visit.path) }) {
            return try HelloAPI(tenant: self, api: api, origin: origin).answer(visit)
        }
        guard let (place, rest) = place(visit, origin: origin) else { return try notFound(visit) }
        let routes = Route.table.filter { $0.path == rest.lowercased() }
        guard !routes.isEmpty else { return try notFound(visit) }
        guard let route = routes.first(where: { $0.method == visit.method }) else {
            let allowed = routes.map(\.method.rawValue).joined(separator: ", ")
            return Answer(status: .methodNotAllowed).setting("Allow", allowed)
        }
        return try route.answer(place, visit)
    }

    private func isOwnHost(_ visit: Visit) -> Bool {
        guard let host = visit.host?.lowercased() else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { "\($0):\(visit.port)" == host }
    }

    private func notFound(_ visit: Visit) throws -> Answer {
        let policies = configuration.policies.map(\.name.spelling).joined(separator: ", ")
        let reason = "Nothing is served here. The tenant is \(configuration.name); its policies are \(policies)."
        if visit.headers[.accept]?.contains("text/html") ?? false {
            return ErrorPage.answer(title: "Not found", message: reason, status: .notFound)
        }
        return try .json(
            ["error": "not_found", "error_description": .string(reason)], status: .notFound, note: "not found")
    }
}
