import SusiBase
import SusiPolicies

/// A tenant's metadata (OpenID Connect Discovery section 3) and keys.
enum Discovery {
    // The members for the endpoints (RFC 8414, RFC 8628, RP-Initiated Logout).
    private static let names: [Endpoint: String] = [
        .authorize: "authorization_endpoint", .token: "token_endpoint", .logout: "end_session_endpoint",
        .keys: "jwks_uri", .userInfo: "userinfo_endpoint", .revocation: "revocation_endpoint",
        .deviceAuthorization: "device_authorization_endpoint",
    ]

    static func document(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let configuration = endpoint.tenant.configuration
        var members = endpoint.dialect.metadata(endpoint)
        members["issuer"] = .string(endpoint.issuer)
        // The list must include RS256 (OpenID Connect Discovery section 3).
        let algorithms = [configuration.algorithm] + (configuration.algorithm == .rs256 ? [] : [.rs256])
        members["id_token_signing_alg_values_supported"] = .array(algorithms.map { .string($0.rawValue) })
        let (types, methods) = (responseTypes(endpoint), endpoint.dialect.traits.challengeMethods.map(\.rawValue))
        members["response_types_supported"] = .array(types.map(JSON.string))
        if endpoint.dialect.traits.announcesChallengeMethods {
            members["code_challenge_methods_supported"] = .array(methods.map(JSON.string))
        }
        for (kind, name) in names where endpoint.dialect.serves(kind, at: endpoint) {
            members[name] = endpoint.address(kind).map(JSON.string)
        }
        if configuration.issuerParameter == .announced {
            members["authorization_response_iss_parameter_supported"] = .bool(true)
        }
        return .json(.object(members)).kept(endpoint)
    }

    private static func responseTypes(_ endpoint: PolicyEndpoint) -> [String] {
        let dialect = endpoint.dialect
        let isImplicitAllowed = endpoint.tenant.configuration.applications.contains(where: \.allowsImplicit)
        return isImplicitAllowed || dialect.traits.announcesImplicitFlow ? dialect.traits.responseTypes : ["code"]
    }

    static func keys(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let keys = try endpoint.keys.published().map { endpoint.dialect.members(of: $0, at: endpoint) }
        return .json(KeyRing.set(keys)).kept(endpoint)
    }
}

extension Response {
    /// The response with its cache lifetime (RFC 9111 section 5.2.2), in the format of Entra ID.
    fileprivate func kept(_ endpoint: PolicyEndpoint) -> Response {
        guard endpoint.lifetimes.metadata > 0 else { return self }
        return setting("Cache-Control", "max-age=\(endpoint.lifetimes.metadata), private")
    }
}
