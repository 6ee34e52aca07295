import Synchronization

/// The emulator's time: a given clock that can be frozen, set and moved, so that a token expires without waiting.
///
/// Everything in the emulator uses it: the times in tokens, and the lifetimes of codes, sessions and refresh tokens.
/// Certificates and `Date` headers keep the real time, because other programs compare them with their own clocks. The
/// next start begins with the given clock again.
public final class EmulatorClock: Sendable {
    /// The supported times in epoch seconds: the years 1970 to 9999.
    package static let times: ClosedRange<Int64> = 0...253_402_300_799

    private struct Setting {
        var offset: Int64 = 0
        var frozen: Int64?
    }

    private let base: @Sendable () -> Int64
    /// The time of other programs, in epoch seconds, for certificates and `Date` headers: nothing moves it.
    let realTime: @Sendable () -> Int64
    private let setting = Mutex(Setting())

    /// Makes a clock that runs with `base`, which returns epoch seconds. `realTime` is needed only if `base` is not the
    /// real time.
    public init(_ base: @escaping @Sendable () -> Int64, realTime: (@Sendable () -> Int64)? = nil) {
        self.base = base
        self.realTime = realTime ?? base
    }

    /// The time in epoch seconds.
    public func now() -> Int64 { setting.withLock { shown($0) } }

    /// The difference from the given clock in seconds; negative if the emulator's time is behind.
    package var offset: Int64 { setting.withLock { shown($0) - base() } }

    package var isFrozen: Bool { setting.withLock { $0.frozen != nil } }

    /// Moves the time by some seconds, within the years 1970 to 9999. A frozen time stays frozen.
    public func advance(by seconds: Int64) {
        setting.withLock { set(&$0, to: Self.sum(shown($0), seconds)) }
    }

    /// Sets the time in epoch seconds, within the years 1970 to 9999. It continues from there, unless it is frozen.
    public func set(to time: Int64) { setting.withLock { set(&$0, to: time) } }

    /// Freezes the time, now or at another time in epoch seconds.
    public func freeze(at time: Int64? = nil) {
        setting.withLock { $0.frozen = Self.clamped(time ?? shown($0)) }
    }

    /// Continues a frozen time.
    public func resume() {
        setting.withLock { setting in
            let time = shown(setting)
            setting.frozen = nil
            set(&setting, to: time)
        }
    }

    /// Returns to the given clock.
    public func reset() { setting.withLock { $0 = Setting() } }

    private func shown(_ setting: Setting) -> Int64 {
        setting.frozen ?? Self.clamped(Self.sum(base(), setting.offset))
    }

    private func set(_ setting: inout Setting, to time: Int64) {
        let time = Self.clamped(time)
        if setting.frozen != nil { setting.frozen = time } else { setting.offset = time - base() }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? (right < 0 ? .min : .max) : sum
    }

    private static func clamped(_ time: Int64) -> Int64 { min(max(time, times.lowerBound), times.upperBound) }
}
