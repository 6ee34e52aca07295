/// Holds requests of an emulator until a test lets them go: what happens at the same time is then no matter of luck.
public actor Gate {
    private let method: String
    private let suffix: String
    private var wanted = 0
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watcher: CheckedContinuation<Void, Never>?

    /// A gate for requests whose method and path end so, for instance `POST` and `/token`; it is open.
    public init(_ method: String, _ suffix: String) { (self.method, self.suffix) = (method, suffix) }

    /// Lets a request pass, given as method and path, or holds it.
    public func pass(_ request: String) async {
        guard held.count < wanted, request.hasPrefix("\(method) "), request.hasSuffix(suffix) else { return }
        await withCheckedContinuation { continuation in
            held.append(continuation)
            if held.count == wanted { watcher?.resume() }
        }
    }

    /// Holds the next requests, so many of them; what comes after passes.
    public func holdNext(_ count: Int) { wanted = count }

    /// Waits until so many are held as were asked for.
    public func waitUntilFull() async {
        if held.count < wanted { await withCheckedContinuation { watcher = $0 } }
        watcher = nil
    }

    /// Lets all go, and holds no more.
    public func open() {
        wanted = 0
        for continuation in held { continuation.resume() }
        held = []
    }
}
