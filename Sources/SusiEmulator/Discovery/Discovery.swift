/// A policy's metadata (OpenID Connect Discovery section 4) and keys.
enum Discovery {
    static func document(_ place: Place, _ visit: Visit) throws -> Answer {
        try .json([
            "issuer": .string(place.issuer),
            "authorization_endpoint": .string(place.endpoint("oauth2/v2.0/authorize")),
            "token_endpoint": .string(place.endpoint("oauth2/v2.0/token")),
            "end_session_endpoint": .string(place.endpoint("oauth2/v2.0/logout")),
            "jwks_uri": .string(place.endpoint("discovery/v2.0/keys")),
            "response_modes_supported": ["query", "fragment", "form_post"],
            // The service's own list; this emulator answers `code` alone and refuses the others.
            "response_types_supported": [
                "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
                "token id_token",
            ],
            "scopes_supported": ["openid"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "oid", "sub", "newUser", "name", "emails", "idp", "tfp", "iss", "iat", "exp", "aud", "acr", "nonce",
                "auth_time",
            ],
        ])
    }

    static func keys(_ place: Place, _ visit: Visit) throws -> Answer { try .json(place.tenant.keySet) }
}
