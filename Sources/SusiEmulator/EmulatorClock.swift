import Synchronization

/// The emulator's time: a given clock, moved forward at will, so that a token can expire without waiting.
public final class EmulatorClock: Sendable {
    private let base: @Sendable () -> Int64
    /// The time by which other programs judge certificates, in epoch seconds: nothing moves it.
    let ofCertificates: @Sendable () -> Int64
    private let ahead = Mutex<Int64>(0)

    /// Makes a clock that runs with `base`, which gives epoch seconds. Certificates are made by `certificates`, the real
    /// time, where `base` is another.
    public init(
        _ base: @escaping @Sendable () -> Int64, certificates: (@Sendable () -> Int64)? = nil
    ) {
        self.base = base
        ofCertificates = certificates ?? base
    }

    /// The time in epoch seconds.
    public func now() -> Int64 { base() + ahead.withLock { $0 } }

    /// Moves the time forward.
    public func advance(by seconds: Int64) { ahead.withLock { $0 += seconds } }
}
