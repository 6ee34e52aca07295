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

    /// Fetches the authority's OpenID configuration.
    ///
    /// Throws the ``KnownAuthorities/Refusal`` before anything is sent to the authority, a ``NetworkFailure``, a ``ProtocolViolation``,
    /// or an ``UnexpectedAnswer`` when there is no configuration at that address.
    public static func discover(
        _ authority: Authority, known: KnownAuthorities, client: WebClient
    ) async throws -> Provider {
        try await discover(authority, known: known, client: client, instances: .instanceDiscovery)
    }

    static func discover(
        _ authority: Authority, known: KnownAuthorities, client: WebClient, instances: WebAddress
    ) async throws -> Provider {
        switch known.decision(for: authority) {
        case .refused(let refusal): throw refusal
        case .allowed(by: let entry) where authority.needsInstanceDiscovery(allowedBy: entry):
            let question = InstanceDiscovery(of: authority, at: instances)
            let answer = try await client.get(question.endpoint)
            guard answer.status == 200 || answer.status == 400 else {
                throw UnexpectedAnswer(address: question.endpoint, status: answer.status)
            }
            try question.check(answer.body)
        case .allowed: break
        }
        let answer = try await client.get(authority.discovery)
        guard answer.status == 200 else {
            throw UnexpectedAnswer(
                address: authority.discovery, status: answer.status, retryAfter: answer.retryAfter)
        }
        let metadata = try ProviderMetadata(parsing: answer.body, of: authority, known: known)
        return Provider(authority: authority, metadata: metadata, client: client)
    }

    /// The keys that sign its tokens.
    public func keys() async throws -> KeySet {
        let answer = try await client.get(metadata.keysEndpoint)
        guard answer.status == 200 else {
            throw UnexpectedAnswer(
                address: metadata.keysEndpoint, status: answer.status, retryAfter: answer.retryAfter)
        }
        return try KeySet(parsing: answer.body)
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
