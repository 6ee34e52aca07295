/// How a device asks for its tokens: a decision after each answer, made of the answer alone (RFC 8628 3.5).
public struct DevicePolling: Hashable, Sendable {
    /// Seconds to wait before the next question.
    public private(set) var pause: Int64
    private let interval: Int64
    private var added: Int64 = 0

    /// The longest pause after connections that failed, in seconds.
    public static let longestPause: Int64 = 60

    /// Begins with the server's interval.
    public init(interval: Int64) {
        self.interval = interval
        pause = interval
    }

    /// What an error answer means.
    public enum Step: Hashable, Sendable {
        /// Ask again after the pause.
        case again
        /// The person said no.
        case cancelled
        /// The codes have ended.
        case expired
        /// Anything else is an error like any other.
        case failed
    }

    /// Takes an error answer of the token endpoint.
    public mutating func after(_ refusal: ServerRefusal) -> Step {
        switch refusal.error {
        case "authorization_pending": break
        case "slow_down": added += 5
        case "access_denied", "authorization_declined": return .cancelled
        case "expired_token": return .expired
        default: return .failed
        }
        pause = interval + added
        return .again
    }

    /// Takes the news that no answer came: each time the pause doubles.
    public mutating func afterNoAnswer() {
        pause = min(max(pause * 2, 1), Self.longestPause)
    }
}
