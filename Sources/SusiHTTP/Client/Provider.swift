import SusiBase
package import SusiOAuth
package import SusiPolicies
import Synchronization

/// The network side of an authority: its metadata, its keys, its token endpoint.
///
/// It is made only for an authority that `knownAuthorities` allows, so that nothing is sent to others.
package struct Provider: Sendable {
    package let authority: Authority
    package let metadata: ProviderMetadata
    /// The audiences that an id token may have beside the client ID.
    package var trustedAudiences: [String] = []
    let client: WebClient
    private let documents: DocumentReader
    private let sent = Sent()

    /// What was sent to this provider; its errors must not show it.
    private final class Sent: Sendable { let secrets = Mutex(SentSecrets()) }

    /// Fetches the authority's OpenID configuration, from the cache if possible. With `asksServer` it is fetched from
    /// the server, so that an unreachable server is noticed before the browser opens.
    ///
    /// Throws a ``KnownAuthorities/Refusal`` before anything is sent, a ``NetworkFailure``, a ``ProtocolViolation``, or
    /// an ``UnexpectedResponse`` if there is no configuration at that address.
    package static func discover(
        _ authority: Authority, known: KnownAuthorities, client: WebClient, cache: DocumentCache? = nil,
        asksServer: Bool = false
    ) async throws -> Provider {
        try await discover(
            authority, known: known, client: client, cache: cache, asksServer: asksServer,
            instances: .instanceDiscovery)
    }

    static func discover(
        _ authority: Authority, known: KnownAuthorities, client: WebClient, cache: DocumentCache?,
        asksServer: Bool = false, instances: WebAddress
    ) async throws -> Provider {
        let documents = DocumentReader(client: client, cache: cache, instances: instances)
        _ = try await entry(for: authority, known: known, documents: documents)
        let metadata = try await documents.read(authority.discovery, asksServer: asksServer) { body in
            try ProviderMetadata(parsing: body, of: authority, known: known)
        }
        return Provider(authority: authority, metadata: metadata, client: client, documents: documents)
    }

    /// Returns the entry that allows an authority, after instance discovery if the entry is only a host.
    static func entry(
        for authority: Authority, known: KnownAuthorities, documents: DocumentReader
    ) async throws -> KnownAuthorities.Entry {
        switch known.decision(for: authority) {
        case .refused(let refusal): throw refusal
        case .allowed(by: let entry):
            if authority.needsInstanceDiscovery(allowedBy: entry) { try await documents.ask(about: authority) }
            return entry
        }
    }

    /// Fetches the signing keys. Cached keys are fetched again if none of them matches `idToken`: the provider may have
    /// rotated its keys (OpenID Connect Core 10.1.1). There is one token per exchange, so an invented key id costs one
    /// request.
    package func keys(for idToken: String? = nil) async throws -> KeySet {
        let token = idToken.flatMap { try? SignedToken(parsing: $0) }
        return try await documents.read(
            metadata.keysEndpoint, suffices: { keys in token.map(keys.hasSigned) ?? true },
            parse: KeySet.init(parsing:))
    }

    /// Sends a grant to the token endpoint, for a refresh that of the person's tenant. A refusal is thrown as a
    /// ``ServerRefusal``.
    package func response(to request: TokenRequest, ofTenant id: String? = nil) async throws -> TokenResponse {
        let endpoint = metadata.tokenEndpoint
        return try await post(
            request.body, to: id.map { authority.tokenEndpoint(endpoint, ofTenant: $0) } ?? endpoint,
            repeats: request.isRepeatable
        ) { response, secrets in
            try TokenResponse(
                parsing: response.body, status: response.status, serverTime: response.date, hiding: secrets)
        }
    }

    /// Checks a token response of any grant by the rules for id tokens and with the server's keys.
    ///
    /// `unsaid` are the scopes that a response without scopes grants; by default `scopes`. `nonce` is `nil` for grants
    /// without an authorization request: a password, a device code, a refresh. A refresh has the `claims` and the identifier of the
    /// stored account.
    package func grant(
        _ response: TokenResponse, clientID: String, scopes: ScopeSet, unsaid: ScopeSet? = nil, now: Int64,
        nonce: String? = nil, maximumAge: Int64? = nil, acr: [String]? = nil, code: String? = nil,
        stored: (claims: String, handle: HomeAccountID)? = nil
    ) async throws -> TokenGrant {
        let rules = IDTokenRules(
            authority: authority, metadata: metadata, clientID: clientID, trustedAudiences: trustedAudiences,
            nonce: nonce, now: now, serverTime: response.serverTime, maximumAge: maximumAge, acr: acr, code: code,
            previous: stored.flatMap { try? JSONNode(parsing: $0.claims.utf8) })
        let keys = try await keys(for: response.idToken)
        do {
            return try TokenGrant(
                response: response, scopes: scopes, unsaid: unsaid, keys: keys, rules: rules, renewing: stored?.handle)
        } catch { throw hidingSecrets(in: error) }
    }

    /// Requests a device code; returns `nil` if the provider has no such endpoint. A refusal is thrown as a
    /// ``ServerRefusal``.
    package func deviceCode(for request: DeviceRequest) async throws -> DeviceCode? {
        guard let endpoint = try metadata.endpoint(.deviceAuthorization) else { return nil }
        return try await post(request.body, to: endpoint) { response, _ in
            try DeviceCode(parsing: response.body, status: response.status)
        }
    }

    /// Sends a form and reads the response; the secrets that were sent to this provider so far must not be shown. A busy or
    /// failing server decides nothing about the request, whatever the body contains.
    func post<T>(
        _ form: String, to endpoint: Endpoint, repeats: Bool = false,
        read: (WebClient.Response, SentSecrets) throws -> T
    ) async throws -> T {
        let secrets = adding(form)
        let response = try await client.post(form: form, to: endpoint, hiding: secrets, repeats: repeats)
        guard !(500...599).contains(response.status), response.status != 429 else {
            throw UnexpectedResponse(
                address: endpoint, status: response.status, retryAfter: response.retryAfter,
                refusal: TokenResponse.refusal(in: response.body, hiding: secrets))
        }
        do { return try read(response, secrets) } catch { throw hidingSecrets(in: error) }
    }

    /// Returns an error about a response without the secrets that were sent to this provider.
    func hidingSecrets(in error: any Error) -> any Error {
        (error as? ProtocolViolation)?.hiding(sent.secrets.withLock { $0 }) ?? error
    }

    private func adding(_ form: String) -> SentSecrets {
        sent.secrets.withLock { secrets in
            secrets.add(form: form)
            return secrets
        }
    }

    /// Revokes a token (RFC 7009 section 2). A refusal is thrown as a ``ServerRefusal``. Without a revocation endpoint
    /// nothing is sent.
    package func revoke(_ request: RevocationRequest) async throws {
        guard let endpoint = try metadata.endpoint(.revocation) else { return }
        let secrets = adding(request.body)
        let response = try await client.post(form: request.body, to: endpoint, hiding: secrets, repeats: true)
        // The server responds with 200 for an unknown token too (section 2.2).
        if response.status == 200 { return }
        let refusal = TokenResponse.refusal(in: response.body, hiding: secrets)
        if let refusal, response.status < 500 { throw refusal }
        throw UnexpectedResponse(address: endpoint, status: response.status)
    }
}

extension WebClient {
    /// Fetches a document. Any status but 200 is thrown as an ``UnexpectedResponse``.
    func document(at endpoint: Endpoint) async throws -> Response {
        let response = try await get(endpoint)
        try response.requireDocument(at: endpoint)
        return response
    }
}

extension WebClient.Response {
    func requireDocument(at endpoint: Endpoint) throws(UnexpectedResponse) {
        guard status == 200 else {
            throw UnexpectedResponse(address: endpoint, status: status, retryAfter: retryAfter)
        }
    }
}

/// A response with an unexpected status.
package struct UnexpectedResponse: Error, Hashable, Sendable {
    package let address: Endpoint
    package let status: Int
    /// The server's `Retry-After` in seconds, if it sent one.
    package private(set) var retryAfter: Int64?
    /// Additional text of the server, for display only.
    package private(set) var refusal: ServerRefusal?
}

extension Provider {
    /// Sends a request of native authentication; returns `nil` if the kind of authority has no such endpoint. A refusal is
    /// thrown as a ``ServerRefusal``.
    ///
    /// The endpoint is on the authority's own host, which `knownAuthorities` allows.
    package func response(to request: NativeRequest, clientID: String) async throws -> NativeResponse? {
        guard let endpoint = authority.nativeEndpoint(request.step.rawValue) else { return nil }
        return try await post(request.body(clientID: clientID), to: endpoint) { response, secrets in
            try NativeResponse(
                parsing: response.body, status: response.status, to: request.step, serverTime: response.date,
                hiding: secrets)
        }
    }
}
