import SusiOAuth
public import SusiPolicies

/// Where documents of authorities are kept between exchanges: configurations, keys, answers of Microsoft about a host.
///
/// They are kept as they came, and each use reads them by the same rules as a fresh answer.
public struct DocumentCache: Sendable {
    /// Seconds for which a document serves. A day is what MSAL gives to its configurations and Microsoft's services to
    /// theirs (`max-age=86400`); keys may be as old, because a missing key is fetched at once.
    public static let lifetime: Int64 = 86_400

    /// A document with its age.
    public struct Document: Hashable, Sendable {
        /// The body as it came.
        public let body: [UInt8]
        /// When it came, in seconds since 1970.
        public let fetchedOn: Int64

        /// Makes a document.
        public init(body: [UInt8], fetchedOn: Int64) {
            self.body = body
            self.fetchedOn = fetchedOn
        }
    }

    let find: @Sendable (Endpoint) async -> Document?
    let keep: @Sendable (Endpoint, Document) async -> Void
    let clock: @Sendable () -> Int64

    /// Makes a cache of what finds and what keeps; neither may fail an exchange. `clock` gives seconds since 1970.
    public init(
        clock: @escaping @Sendable () -> Int64, find: @escaping @Sendable (Endpoint) async -> Document?,
        keep: @escaping @Sendable (Endpoint, Document) async -> Void
    ) {
        self.clock = clock
        self.find = find
        self.keep = keep
    }
}

/// Gets documents, from the cache where that serves.
struct DocumentReader: Sendable {
    let client: WebClient
    let cache: DocumentCache?
    /// Where Microsoft is asked about a host.
    var instances = WebAddress.instanceDiscovery

    /// The document at an address, as `parse` reads it. What `parse` refuses is not kept.
    ///
    /// A document from the cache that does not satisfy `suffices` is fetched again, once, however new it is. With
    /// `asksServer` the cache is not read.
    func read<T>(
        _ endpoint: Endpoint, asksServer: Bool = false, suffices: (T) -> Bool = { _ in true },
        parse: ([UInt8]) throws -> T
    ) async throws -> T {
        if !asksServer, let cache, let found = await cache.find(endpoint), let value = try? parse(found.body) {
            // A document from the future is of a clock that was wrong.
            let age = cache.clock() - found.fetchedOn
            if (0..<DocumentCache.lifetime).contains(age), suffices(value) { return value }
        }
        let answer = try await client.get(endpoint)
        guard answer.status == 200 else {
            throw UnexpectedAnswer(address: endpoint, status: answer.status, retryAfter: answer.retryAfter)
        }
        let value = try parse(answer.body)
        if let cache {
            await cache.keep(endpoint, DocumentCache.Document(body: answer.body, fetchedOn: cache.clock()))
        }
        return value
    }

    /// Asks whether a host is one of Microsoft's; throws the refusal when it is none.
    func ask(about authority: Authority) async throws {
        let question = InstanceDiscovery(of: authority, at: instances)
        do {
            try await read(question.endpoint) { try question.check($0) }
        } catch let answer as UnexpectedAnswer where answer.status == 400 {
            throw question.refusal
        }
    }
}
