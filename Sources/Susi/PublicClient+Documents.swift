import SusiHTTP
import SusiPolicies

extension PublicClient {
    /// The cache of authorities' metadata and keys, in the store. Without an unlocked store they are fetched each time: a
    /// lookup creates no store and asks for no key, and an error of the store does not fail an exchange.
    nonisolated var documents: DocumentCache {
        DocumentCache(clock: clock, find: { await self.document(at: $0) }, keep: { await self.keep($1, at: $0) })
    }

    private func document(at endpoint: Endpoint) -> DocumentCache.Document? {
        guard let found = try? session.peek()?.document(at: endpoint.description) else { return nil }
        return DocumentCache.Document(body: found.body, fetchedOn: found.fetchedOn)
    }

    private func keep(_ document: DocumentCache.Document, at endpoint: Endpoint) async {
        guard (try? session.peek())?.isUnlocked == true else { return }
        try? await session.open().keepDocument(
            document.body, at: endpoint.description, fetchedOn: document.fetchedOn, lifetime: DocumentCache.lifetime)
    }
}
