import SusiBase
package import SusiPolicies

/// An authority's OpenID configuration (OpenID Connect Discovery 1.0 section 3), checked against the authority.
package struct ProviderMetadata: Hashable, Sendable {
    /// The issuer; for several tenants a template with `{tenantid}`.
    package let issuer: String
    package let tenant: IssuingTenant
    package let authorizationEndpoint: Endpoint
    package let tokenEndpoint: Endpoint
    /// The address of the signing keys.
    package let keysEndpoint: Endpoint
    /// The other endpoints, or why they must not be used.
    private let optional: [EndpointName: Result<Endpoint, ProtocolViolation>]
    /// The supported response modes; query and fragment by default.
    package let responseModes: [String]
    /// The signature algorithms of id tokens.
    package let signingAlgorithms: [String]
    /// Whether `prompt=select_account` may be sent: the kind of authority supports it, or the configuration lists it
    /// (`prompt_values_supported`, Initiating User Registration via OpenID Connect 1.0 section 4).
    package let offersAccountChoice: Bool
    /// The same for `prompt=create`.
    package let offersSignUp: Bool
    /// The scopes that a sign-in requests beside those of an API. A provider that lists its scopes without `offline_access` may
    /// refuse it; B2C lists `openid` alone.
    package let openIDScopes: ScopeSet
    /// Whether every authorization response contains `iss` (RFC 9207).
    package let announcesIssuerParameter: Bool

    /// The tenant's GUID, or the exact issuer of a provider without tenants; `nil` for an authority of several tenants.
    package var tenantID: String? { tenant.id }

    /// Parses a configuration.
    ///
    /// The issuer must belong to the authority. Every endpoint must be on the authority's own host, on another host of
    /// the same service, or at an address that `known` names, so that a configuration cannot send a code or a token
    /// elsewhere. Endpoints that a sign-in does not need are checked when they are used.
    package init(
        parsing body: [UInt8], of authority: Authority, known: KnownAuthorities = KnownAuthorities([])
    ) throws(ProtocolViolation) {
        let node = try Self.node(body)
        let issuer = try Self.issuer(node)
        tenant = try Self.tenant(issuer, authority, known)
        self.issuer = issuer
        let endpoints = EndpointReader(node: node, authority: authority, tenant: tenant, known: known)
        authorizationEndpoint = try endpoints.required(.authorization)
        tokenEndpoint = try endpoints.required(.token)
        keysEndpoint = try endpoints.required(.keys)
        optional = endpoints.allOptional
        responseModes = node["response_modes_supported"]?.strings ?? ["query", "fragment"]
        signingAlgorithms = node["id_token_signing_alg_values_supported"]?.strings ?? []
        let prompts = node["prompt_values_supported"]?.strings ?? []
        offersAccountChoice =
            authority.kind.traits.offersAccountChoice || prompts.contains(Prompt.selectAccount.rawValue)
        offersSignUp = authority.kind.traits.offersSignUp || prompts.contains(Prompt.create.rawValue)
        let scopes = authority.kind.traits.authorityIsIssuer ? node["scopes_supported"]?.strings : nil
        openIDScopes = scopes?.contains("offline_access") ?? true ? .openID : .identity
        announcesIssuerParameter = node["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    /// The endpoints that may be used.
    package var endpoints: [(name: EndpointName, endpoint: Endpoint)] {
        EndpointName.allCases.compactMap { name in (try? endpoint(name)).map { (name: name, endpoint: $0) } }
    }

    /// Returns an endpoint, or `nil` if there is none. Throws if it must not be used.
    package func endpoint(_ name: EndpointName) throws(ProtocolViolation) -> Endpoint? {
        switch name {
        case .authorization: authorizationEndpoint
        case .token: tokenEndpoint
        case .keys: keysEndpoint
        case .endSession, .userinfo, .deviceAuthorization, .revocation: try optional[name]?.get()
        }
    }

    /// Returns all problems of a configuration; parsing throws the first that a sign-in needs.
    package static func violations(
        in body: [UInt8], of authority: Authority, known: KnownAuthorities
    ) -> [ProtocolViolation] {
        do {
            let node = try node(body)
            var violations: [ProtocolViolation] = []
            var tenant = IssuingTenant(origin: authority.origin, id: nil)
            do { tenant = try Self.tenant(try issuer(node), authority, known) } catch { violations.append(error) }
            let endpoints = EndpointReader(node: node, authority: authority, tenant: tenant, known: known)
            for name in EndpointName.allCases {
                do {
                    _ = try name.isRequired ? endpoints.required(name) : endpoints.optional(name)
                } catch { violations.append(error) }
            }
            return violations
        } catch { return [error] }
    }

    private static func node(_ body: [UInt8]) throws(ProtocolViolation) -> JSONNode {
        do { return try JSONNode(parsing: body) } catch {
            throw ProtocolViolation(.metadata, "not JSON: \(error.problem)", source: "OpenID Discovery 4.2")
        }
    }

    private static func issuer(_ node: JSONNode) throws(ProtocolViolation) -> String {
        if let issuer = node["issuer"]?.string { return issuer }
        throw ProtocolViolation(.metadata, "no issuer", source: "OpenID Discovery 3")
    }

    private static func tenant(
        _ issuer: String, _ authority: Authority, _ known: KnownAuthorities
    ) throws(ProtocolViolation) -> IssuingTenant {
        do { return try authority.tenant(ofIssuer: issuer, known: known) } catch {
            throw ProtocolViolation(
                .metadata, "the issuer “\(issuer)” does not match \(authority.address): \(error.reason)",
                source: "OpenID Discovery 4.3")
        }
    }
}

/// Reads the endpoints of a configuration and checks their hosts.
private struct EndpointReader {
    let node: JSONNode
    let authority: Authority
    let tenant: IssuingTenant
    let known: KnownAuthorities

    func required(_ name: EndpointName) throws(ProtocolViolation) -> Endpoint {
        guard let endpoint = try optional(name) else {
            throw ProtocolViolation(.metadata, "no \(name.rawValue)", source: "OpenID Discovery 3")
        }
        return endpoint
    }

    /// The endpoints that a sign-in does not need, if present.
    var allOptional: [EndpointName: Result<Endpoint, ProtocolViolation>] {
        var found: [EndpointName: Result<Endpoint, ProtocolViolation>] = [:]
        for name in EndpointName.allCases where !name.isRequired {
            do { found[name] = try optional(name).map { .success($0) } } catch { found[name] = .failure(error) }
        }
        return found
    }

    func optional(_ name: EndpointName) throws(ProtocolViolation) -> Endpoint? {
        guard let field = node[name.rawValue] else { return nil }
        guard let text = field.string, let endpoint = try? Endpoint(text) else {
            throw ProtocolViolation(.metadata, "\(name.rawValue) is not an address", source: "OpenID Discovery 3")
        }
        let address = endpoint.address
        guard authority.mayUse(name, at: address, tenant: tenant, known: known) else {
            let entry = address.scheme == "https" ? address.authority : address.origin
            let advice =
                address.isSecure
                ? "; if that is intended, add \(known.addition(of: entry, to: "the application"))" : ""
            throw ProtocolViolation(
                .metadata, "\(name.rawValue) is at \(address.origin), not at \(authority.base.origin)\(advice)",
                source: "RFC 9700 4.4")
        }
        return endpoint
    }
}
