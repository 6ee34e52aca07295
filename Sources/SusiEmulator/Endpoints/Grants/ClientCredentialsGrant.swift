import SusiBase
import SusiPolicies

/// `grant_type=client_credentials` (RFC 6749 section 4.4): a token for the application itself.
enum ClientCredentialsGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        guard request.application.isConfidential else { throw Refusal.secretMissing(request.form) }
        guard let scope = request.form["scope"] else { throw Refusal.missing("scope") }
        // Without a user there is no id token and no refresh token. Microsoft's services grant what an administrator has granted
        // before.
        let (rules, words) = (request.endpoint.dialect.traits.scopes, scope.split(separator: " ").map(String.init))
        let hint = "client_credentials grants the application's own permissions; request \(expected(request))"
        // The format is checked first, also that of an unknown scope.
        guard !rules.takesDefault || words.allSatisfy({ $0.hasSuffix("/.default") }) else {
            throw Refusal(
                .defaultScopeMissing,
                "Scope parameter (\(scope)) must be formatted like https://<application-uri>/.default"
            ).because(hint)
        }
        let scopes = try RequestedScopes(
            scope, clientID: request.clientID, request.endpoint.tenant.configuration, isForApplication: true)
        let wrong = words.first(where: rules.openID.contains)
        guard wrong == nil, case .api = scopes.resource, let audience = scopes.audience(at: request.endpoint) else {
            throw Refusal(.scopeUnsupported, "The scope '\(wrong ?? scope)' provided in the request is not supported.")
                .because(hint)
        }
        return try ApplicationToken(request: request, scopes: scopes, audience: audience).response()
    }

    private static func expected(_ request: TokenRequest) -> String {
        let configuration = request.endpoint.tenant.configuration
        guard request.endpoint.dialect.traits.scopes.takesDefault else {
            return configuration.apis.flatMap(\.fullScopes).joined(separator: ", ")
        }
        return configuration.apis.map { "\($0.resource.isEmpty ? $0.id : $0.resource)/.default" }.joined(
            separator: ", ")
    }
}

/// An access token for an application itself. It has the claims of the protocol; the dialect adds those of the tenant's
/// kind.
struct ApplicationToken: Sendable {
    let request: TokenRequest
    let scopes: RequestedScopes
    let audience: JSON

    var endpoint: PolicyEndpoint { request.endpoint }
    var now: Int64 { request.now }
    var issued: Int64 { endpoint.timeOfIssue(now) }
    var clientID: String { request.clientID }
    /// In seconds.
    var lifetime: Int64 { endpoint.lifetimes.accessToken }
    /// The object id of the application's service principal.
    var objectID: String { derivedGUID("application \(clientID.lowercased())") }

    func response() throws -> JSON {
        let dialect = endpoint.dialect
        var claims = dialect.applicationClaims(self)
        claims["iss"] = .string(endpoint.issuer)
        claims["exp"] = .integer(now + lifetime)
        claims["iat"] = .integer(issued)
        claims["aud"] = audience
        var members = dialect.applicationMembers(self)
        members["access_token"] = .string(
            try endpoint.keys.sign(.object(claims), type: dialect.traits.accessTokenType))
        members["expires_in"] = .integer(lifetime)
        return .object(members)
    }
}
