public import SusiOAuth
public import SusiPolicies

/// One authority on the wire: its metadata, its keys, its token endpoint.
///
/// It is made only of an authority that `knownAuthorities` allows, so that nothing is sent to any other.
public struct Provider: Sendable {
    /// Who answers.
    public let authority: Authority
    /// What it says of itself.
    public let metadata: ProviderMetadata
    let client: WebClient
    private let documents: DocumentReader

    /// Reads the authority's OpenID configuration, from the cache when there is one that serves; with `asksServer` always
    /// from the server, which a person would else find dead after the browser was sent there.
    ///
    /// Throws the ``KnownAuthorities/Refusal`` before anything is sent to the authority, a ``NetworkFailure``, a
    /// ``ProtocolViolation``, or an ``UnexpectedAnswer`` when there is no configuration at that address.
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
        _ = try await entry(authority, known, documents)
        let metadata = try await documents.read(authority.discovery, asksServer: asksServer) { body in
            try ProviderMetadata(parsing: body, of: authority, known: known)
        }
        return Provider(authority: authority, metadata: metadata, client: client, documents: documents)
    }

    /// The entry that allows an authority, and Microsoft's word on a host of which it says no more than the name.
    static func entry(
        _ authority: Authority, _ known: KnownAuthorities, _ documents: DocumentReader
    ) async throws -> KnownAuthorities.Entry {
        switch known.decision(for: authority) {
        case .refused(let refusal): throw refusal
        case .allowed(by: let entry):
            if authority.needsInstanceDiscovery(allowedBy: entry) { try await documents.ask(about: authority) }
            return entry
        }
    }

    /// The keys that sign its tokens. Keys from the cache are fetched again when none of them can be the one of `idToken`: the
    /// provider may have rotated its keys a moment ago (OpenID Connect Core 10.1.1). An exchange brings one token, so that
    /// an invented key id costs one request.
    public func keys(for idToken: String? = nil) async throws -> KeySet {
        let token = idToken.flatMap { try? SignedToken(parsing: $0) }
        return try await documents.read(
            metadata.keysEndpoint, suffices: { keys in token.map(keys.hasSigned) ?? true },
            parse: KeySet.init(parsing:))
    }

    /// Exchanges a code or a refresh token. A refusal is thrown as a ``ServerRefusal``.
    public func answer(to request: TokenRequest) async throws -> TokenAnswer {
        let answer = try await client.post(form: request.body, to: metadata.tokenEndpoint)
        // Neither decides about the grant, whatever the body says.
        if (500...599).contains(answer.status) || answer.status == 429 {
            throw UnexpectedAnswer(
                address: metadata.tokenEndpoint, status: answer.status, retryAfter: answer.retryAfter,
                refusal: TokenAnswer.refusal(in: answer.body))
        }
        return try TokenAnswer(parsing: answer.body, status: answer.status, serverTime: answer.date)
    }
}

/// An answer with a status that helps nobody.
public struct UnexpectedAnswer: Error, Hashable, Sendable {
    /// What was asked.
    public let address: Endpoint
    /// The HTTP status.
    public let status: Int
    /// Seconds after which the server wants to be asked again; nil when it did not say.
    public let retryAfter: Int64?
    /// What the server said beside the status; it decides nothing.
    public let refusal: ServerRefusal?

    /// Makes one.
    public init(address: Endpoint, status: Int, retryAfter: Int64? = nil, refusal: ServerRefusal? = nil) {
        self.address = address
        self.status = status
        self.retryAfter = retryAfter
        self.refusal = refusal
    }
}
