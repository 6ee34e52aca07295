import SusiHTTP
import SusiPolicies

extension PublicClient {
    /// Configurations and keys of authorities, kept in the store. Without a store they are fetched each time: looking
    /// something up makes none, and a store that fails fails no exchange.
    nonisolated var documents: DocumentCache {
        DocumentCache(clock: clock, find: { await self.document(at: $0) }, keep: { await self.keep($1, at: $0) })
    }

    private func document(at endpoint: Endpoint) -> DocumentCache.Document? {
        guard let found = try? existingStore()?.document(at: endpoint.description) else { return nil }
        return DocumentCache.Document(body: found.body, fetchedOn: found.fetchedOn)
    }

    private func keep(_ document: DocumentCache.Document, at endpoint: Endpoint) {
        guard (try? existingStore()) != nil else { return }
        try? store().keepDocument(
            document.body, at: endpoint.description, fetchedOn: document.fetchedOn, lifetime: DocumentCache.lifetime)
    }
}
