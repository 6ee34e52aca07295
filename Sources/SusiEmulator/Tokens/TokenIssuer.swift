import SusiPolicies

/// Makes the tokens of one grant, with the claims that Azure AD B2C writes.
struct TokenIssuer {
    let place: Place
    let grant: GrantRecord
    let user: User
    let scopes: RequestedScopes
    let now: Int64

    /// The token endpoint's answer (RFC 6749 section 5.1). A refresh carries no nonce (OpenID Connect Core 12.2).
    func answer(isRefresh: Bool, refreshToken: (text: String, expires: Int64)?) throws -> JSON {
        let lifetimes = place.tenant.configuration.lifetimes
        let nonce = isRefresh ? nil : grant.nonce
        let access = try accessToken(nonce: nonce)
        let id = try idToken(accessToken: access, nonce: nonce, isNew: grant.isNewUser && !isRefresh)
        return [
            "access_token": access.map(JSON.string),
            "id_token": .string(id),
            "token_type": "Bearer",
            "not_before": .integer(now),
            "expires_in": access.map { _ in .integer(lifetimes.accessToken) },
            "expires_on": access.map { _ in .integer(now + lifetimes.accessToken) },
            "resource": audience.map(JSON.string),
            "id_token_expires_in": access == nil ? .integer(lifetimes.idToken) : nil,
            "client_info": .string(try place.clientInfo(of: user.objectID)),
            "scope": .string(scopes.granted.joined(separator: " ")),
            "refresh_token": refreshToken.map { .string($0.text) },
            "refresh_token_expires_in": refreshToken.map { .integer($0.expires - now) },
        ]
    }

    private var audience: String? {
        switch scopes.resource {
        case .none: nil
        case .client(let id): id
        case .api(let api): api.id
        }
    }

    private func accessToken(nonce: String?) throws -> String? {
        guard let audience else { return nil }
        let names = scopes.granted.compactMap { $0.split(separator: "/").last }.joined(separator: " ")
        let isAPI = if case .api = scopes.resource { true } else { false }
        return try place.tenant.key.sign([
            "iss": .string(place.issuer),
            "exp": .integer(now + place.tenant.configuration.lifetimes.accessToken),
            "nbf": .integer(now),
            "iat": .integer(now),
            "aud": .string(audience),
            "oid": .string(user.objectID),
            "sub": .string(user.objectID),
            "name": .string(user.displayName),
            "tfp": .string(place.policy.name.spelling),
            "nonce": nonce.map(JSON.string),
            "scp": isAPI ? .string(names) : nil,
            "azp": .string(grant.clientID),
            "ver": "1.0",
        ])
    }

    private func idToken(accessToken: String?, nonce: String?, isNew: Bool) throws -> String {
        try place.tenant.key.sign([
            "iss": .string(place.issuer),
            "exp": .integer(now + place.tenant.configuration.lifetimes.idToken),
            "nbf": .integer(now),
            "iat": .integer(now),
            "auth_time": .integer(grant.authTime),
            "ver": "1.0",
            "aud": .string(grant.clientID),
            "sub": .string(user.objectID),
            "oid": .string(user.objectID),
            "name": .string(user.displayName),
            "given_name": .string(user.givenName),
            "family_name": .string(user.surname),
            "emails": .array([.string(user.email)]),
            "tfp": .string(place.policy.name.spelling),
            "nonce": nonce.map(JSON.string),
            "newUser": isNew ? .bool(true) : nil,
            // OpenID Connect Core section 3.1.3.6: the left half of the access token's hash.
            "at_hash": accessToken.map { .string(base64URL(sha256($0).prefix(16))) },
        ])
    }
}

extension Place {
    /// `client_info`: who signed in, in the form from which clients make their home account id.
    func clientInfo(of objectID: String) throws -> String {
        let value: JSON = [
            "uid": .string("\(objectID)-\(policy.name.lowercased)"), "utid": .string(tenant.configuration.id),
        ]
        return base64URL(try value.encoded())
    }
}
