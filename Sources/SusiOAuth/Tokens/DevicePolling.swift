/// The polling of a device for its tokens: each response alone decides the next step (RFC 8628 3.5).
package struct DevicePolling: Hashable, Sendable {
    /// Seconds until the next poll.
    package private(set) var pause: Int64
    private let interval: Int64
    private var added: Int64 = 0

    /// The longest pause after failed connections, in seconds.
    package static let longestPause: Int64 = 60

    /// Starts with the server's interval.
    package init(interval: Int64) {
        self.interval = interval
        pause = interval
    }

    /// The step after an error response.
    package enum Step: Hashable, Sendable {
        /// Poll again after the pause.
        case again
        /// The person declined.
        case cancelled
        case expired
        case failed
    }

    /// Handles an error response of the token endpoint.
    package mutating func after(_ refusal: ServerRefusal) -> Step {
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

    /// Handles a failed connection: the pause doubles.
    package mutating func afterNoResponse() {
        pause = min(max(pause * 2, 1), Self.longestPause)
    }
}
