import Synchronization

final class ChangeNotifier: Sendable {
    private struct Listeners {
        var all: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    private let listeners = Mutex(Listeners())

    /// An element for each change from now on; simultaneous changes may be one element. It ends with its listener.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.last += 1
            listeners.all[listeners.last] = continuation
            return listeners.last
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }

    func notify() { for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield() } }
}
