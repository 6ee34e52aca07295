import SusiPolicies

/// A tenant's metadata (OpenID Connect Discovery section 3) and keys.
enum Discovery {
    // The names of RFC 8414, RFC 8628 and RP-Initiated Logout for what has an address.
    private static let names: [Endpoint: String] = [
        .authorize: "authorization_endpoint", .token: "token_endpoint", .logout: "end_session_endpoint",
        .keys: "jwks_uri", .userInfo: "userinfo_endpoint", .revocation: "revocation_endpoint",
        .deviceAuthorization: "device_authorization_endpoint",
    ]

    static func document(_ place: Place, _ visit: Visit) throws -> Answer {
        let configuration = place.tenant.configuration
        var members = place.shape.metadata(place)
        members["issuer"] = .string(place.issuer)
        // RS256 has to be among them, whatever signs (OpenID Connect Discovery section 3).
        let algorithms = [configuration.algorithm] + (configuration.algorithm == .rs256 ? [] : [.rs256])
        members["id_token_signing_alg_values_supported"] = .array(algorithms.map { .string($0.rawValue) })
        let (types, methods) = (responseTypes(place), place.shape.challengeMethods.map(\.rawValue))
        members["response_types_supported"] = .array(types.map(JSON.string))
        members["code_challenge_methods_supported"] = .array(methods.map(JSON.string))
        for (endpoint, name) in names { members[name] = place.address(endpoint).map(JSON.string) }
        // Custom policies alone have one in Azure AD B2C.
        if configuration.kind == .b2c, !place.policy.name.lowercased.hasPrefix("b2c_1a_") {
            members["userinfo_endpoint"] = nil
        }
        if configuration.issuerParameter == .announced {
            members["authorization_response_iss_parameter_supported"] = .bool(true)
        }
        return try .json(.object(members)).kept(place)
    }

    // Microsoft's services list what they can do, whatever an application may; a plain provider lists what somebody may.
    private static func responseTypes(_ place: Place) -> [String] {
        let configuration = place.tenant.configuration
        let isHidden = configuration.kind == .openid && !configuration.applications.contains(where: \.allowsImplicit)
        return isHidden ? ["code"] : place.shape.responseTypes
    }

    static func keys(_ place: Place, _ visit: Visit) throws -> Answer {
        try .json(place.tenant.keys.published()).kept(place)
    }
}

extension Answer {
    /// The same answer with how long clients may keep it (RFC 9111 section 5.2.2), in the words of Entra ID.
    fileprivate func kept(_ place: Place) -> Answer {
        guard place.lifetimes.metadata > 0 else { return self }
        return setting("Cache-Control", "max-age=\(place.lifetimes.metadata), private")
    }
}
