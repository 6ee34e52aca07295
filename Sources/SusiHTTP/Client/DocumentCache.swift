import SusiOAuth
package import SusiPolicies

/// A cache for documents of authorities: configurations, keys, instance discovery.
///
/// Documents are stored as received, and each use checks them like a new response.
package struct DocumentCache: Sendable {
    /// The maximum age of a document in seconds. A day, as in MSAL and in Microsoft's services (`max-age=86400`); keys
    /// may be as old, because a missing key is fetched at once.
    package static let lifetime: Int64 = 86_400

    package struct Document: Hashable, Sendable {
        /// The body as received.
        package let body: [UInt8]
        /// The time of receipt, in seconds since 1970.
        package let fetchedOn: Int64

        package init(body: [UInt8], fetchedOn: Int64) {
            self.body = body
            self.fetchedOn = fetchedOn
        }
    }

    let find: @Sendable (Endpoint) async -> Document?
    let keep: @Sendable (Endpoint, Document) async -> Void
    let clock: @Sendable () -> Int64

    /// Makes a cache of functions that load and store; neither may make an exchange fail. `clock` returns seconds since
    /// 1970.
    package init(
        clock: @escaping @Sendable () -> Int64, find: @escaping @Sendable (Endpoint) async -> Document?,
        keep: @escaping @Sendable (Endpoint, Document) async -> Void
    ) {
        self.clock = clock
        self.find = find
        self.keep = keep
    }
}

/// Fetches documents, from the cache if possible.
struct DocumentReader: Sendable {
    let client: WebClient
    let cache: DocumentCache?
    var instances = WebAddress.instanceDiscovery

    /// Returns the document at an address, parsed. Documents that `parse` rejects are not stored.
    ///
    /// A cached document that does not satisfy `suffices` is fetched again, once. With `asksServer`, and in a recording,
    /// the cache is not read.
    func read<T>(
        _ endpoint: Endpoint, asksServer: Bool = false, suffices: (T) -> Bool = { _ in true },
        parse: ([UInt8]) throws -> T
    ) async throws -> T {
        let asksServer = asksServer || ServerMessage.receive != nil
        if !asksServer, let cache, let found = await cache.find(endpoint), let value = try? parse(found.body) {
            // A document from the future was stored while the clock was wrong.
            let age = cache.clock() - found.fetchedOn
            if (0..<DocumentCache.lifetime).contains(age), suffices(value) { return value }
        }
        let body = try await client.document(at: endpoint).body
        let value = try parse(body)
        if let cache { await cache.keep(endpoint, DocumentCache.Document(body: body, fetchedOn: cache.clock())) }
        return value
    }

    /// Asks instance discovery about a host; throws the refusal if it is not Microsoft's.
    func ask(about authority: Authority) async throws {
        let question = InstanceDiscovery(of: authority, at: instances)
        do {
            try await read(question.endpoint) { try question.check($0) }
        } catch let response as UnexpectedResponse where response.status == 400 {
            throw question.refusal
        }
    }
}
