import SusiBase
import SusiPolicies

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment of the process, besides its arguments. Only this type reads it.
package struct ProcessEnvironment: Sendable {
    package var variable: @Sendable (String) -> String?
    /// The user id of the process.
    package var user: UInt32
    /// Whether standard input is a terminal.
    package var canAsk: Bool

    /// Makes an environment; `susi demo` uses its own.
    package init(variable: @escaping @Sendable (String) -> String?, user: UInt32, canAsk: Bool) {
        self.variable = variable
        self.user = user
        self.canAsk = canAsk
    }

    /// The environment of the running command.
    @TaskLocal package static var current = ProcessEnvironment.process

    package static let process = ProcessEnvironment(
        // One variable at a time: a dictionary of all of them is slow on the path to a cached token.
        variable: { name in unsafe getenv(name).map { unsafe String(cString: $0) } },
        user: getuid(), canAsk: isatty(0) == 1)

    /// Whether `SUSI_CLOCK` is absent or valid.
    package var hasClock: Bool { self["SUSI_CLOCK"].map { Duration.clockOffset($0) != nil } ?? true }

    /// Seconds since 1970, without `SUSI_CLOCK`: other programs check certificates against this time.
    package func realTime() -> Int64 { Int64(time(nil)) }

    /// Seconds since 1970, shifted by `SUSI_CLOCK`, for example `+2h`.
    package func now() -> Int64 {
        realTime() + (Duration.clockOffset(self["SUSI_CLOCK"]) ?? 0)
    }

    /// Whether the names of the cloud lead to a copy, as for the command of `susi emulator exec --as-cloud`.
    package var isAsCloud: Bool { self["SUSI_EMULATOR_PROXY"] != nil }

    /// The value of a variable that is set and not empty.
    package subscript(name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
}

extension Duration {
    /// Seconds of a duration with a leading sign.
    fileprivate static func clockOffset(_ text: String?) -> Int64? {
        guard let text, let sign = text.first else { return nil }
        switch sign {
        case "-": return seconds(in: String(text.dropFirst())).map(-)
        case "+": return seconds(in: String(text.dropFirst()))
        default: return nil
        }
    }
}
