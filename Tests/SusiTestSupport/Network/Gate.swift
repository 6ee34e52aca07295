package import Testing

/// Holds requests of an emulator until a test releases them, so that simultaneous requests do not depend on timing.
package actor Gate {
    private let method: String
    private let suffix: String
    private var wanted = 0
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watcher: CheckedContinuation<Void, Never>?
    private var limit: Task<Void, any Error>?

    /// Makes an open gate for requests whose method and path end with these values, for instance `POST` and `/token`.
    package init(_ method: String, _ suffix: String) { (self.method, self.suffix) = (method, suffix) }

    /// Passes or holds a request, given as method and path.
    package func pass(_ request: String) async {
        guard held.count < wanted, request.hasPrefix("\(method) "), request.hasSuffix(suffix) else { return }
        await withCheckedContinuation { continuation in
            held.append(continuation)
            if held.count == wanted { endWait() }
        }
    }

    /// Holds this number of the next requests; later ones pass. After three minutes the test fails, and the gate opens, so that
    /// client and emulator end.
    package func holdNext(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        wanted = count
        limit = Task { [weak self] in
            try await Task.sleep(for: .seconds(180))
            await self?.giveUp(sourceLocation)
        }
    }

    private func giveUp(_ sourceLocation: SourceLocation) {
        Issue.record("\(held.count) of \(wanted) requests arrived", sourceLocation: sourceLocation)
        open()
    }

    /// Waits until as many requests are held as were requested.
    package func waitUntilFull() async {
        if held.count < wanted { await withCheckedContinuation { watcher = $0 } }
    }

    private func endWait() {
        watcher?.resume()
        watcher = nil
    }

    /// Releases all requests and holds no more.
    package func open() {
        limit?.cancel()
        endWait()
        wanted = 0
        for continuation in held { continuation.resume() }
        held = []
    }
}
