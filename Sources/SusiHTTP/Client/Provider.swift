public import SusiOAuth
public import SusiPolicies

/// The network side of an authority: its metadata, its keys, its token endpoint.
///
/// It is made only for an authority that `knownAuthorities` allows, so that nothing is sent to others.
public struct Provider: Sendable {
    /// The authority.
    public let authority: Authority
    /// The metadata.
    public let metadata: ProviderMetadata
    let client: WebClient
    private let documents: DocumentReader

    /// Fetches the authority's OpenID configuration, from the cache if possible. With `asksServer` it is fetched from
    /// the server, so that an unreachable server is noticed before the browser opens.
    ///
    /// Throws a ``KnownAuthorities/Refusal`` before anything is sent, a ``NetworkFailure``, a ``ProtocolViolation``, or
    /// an ``UnexpectedAnswer`` if there is no configuration at that address.
    public static func discover(
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
    public func keys(for idToken: String? = nil) async throws -> KeySet {
        let token = idToken.flatMap { try? SignedToken(parsing: $0) }
        return try await documents.read(
            metadata.keysEndpoint, suffices: { keys in token.map(keys.hasSigned) ?? true },
            parse: KeySet.init(parsing:))
    }

    /// Sends a grant to the token endpoint. A refusal is thrown as a ``ServerRefusal``.
    public func answer(to request: TokenRequest) async throws -> TokenAnswer {
        let answer = try await client.post(form: request.body, to: metadata.tokenEndpoint)
        // These statuses decide nothing about the grant, whatever the body contains.
        if (500...599).contains(answer.status) || answer.status == 429 {
            throw UnexpectedAnswer(
                address: metadata.tokenEndpoint, status: answer.status, retryAfter: answer.retryAfter,
                refusal: TokenAnswer.refusal(in: answer.body))
        }
        return try TokenAnswer(parsing: answer.body, status: answer.status, serverTime: answer.date)
    }
}

/// A response with an unexpected status.
public struct UnexpectedAnswer: Error, Hashable, Sendable {
    /// The requested address.
    public let address: Endpoint
    /// The HTTP status.
    public let status: Int
    /// The server's `Retry-After` in seconds, if it sent one.
    public let retryAfter: Int64?
    /// Additional text of the server, for display only.
    public let refusal: ServerRefusal?

    /// Makes one.
    public init(address: Endpoint, status: Int, retryAfter: Int64? = nil, refusal: ServerRefusal? = nil) {
        self.address = address
        self.status = status
        self.retryAfter = retryAfter
        self.refusal = refusal
    }
}
