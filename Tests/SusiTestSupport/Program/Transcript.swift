import Subprocess

/// The output and the end of one program, and the tests that wait for more of it.
actor Transcript {
    enum Stream: Sendable { case output, error }

    private var output: [UInt8] = []
    private var error: [UInt8] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var end: End?
    private(set) var signal: Int32?
    /// Set after the start; used for signals.
    private(set) var control: Control?

    enum End: Sendable {
        case exited(Int32)
        case failed(String)
    }

    struct Control: Sendable {
        let send: @Sendable (Signal) throws -> Void
        let write: @Sendable (String) async throws -> Void
        let closeInput: @Sendable () async throws -> Void
    }

    func started(_ control: Control) {
        self.control = control
        wake()
    }

    func append(_ bytes: [UInt8], to stream: Stream) {
        switch stream {
        case .output: output += bytes
        case .error: error += bytes
        }
        wake()
    }

    func ended(_ end: End, by signal: Int32? = nil) {
        if self.end == nil { (self.end, self.signal) = (end, signal) }
        control = nil
        wake()
    }

    func text(_ stream: Stream) -> String {
        String(decoding: stream == .output ? output : error, as: UTF8.self)
    }

    /// Returns the result of `look` as soon as it has one, or nil if the program ends without it.
    func wait<T: Sendable>(for look: @Sendable (isolated Transcript) -> T?) async -> T? {
        while true {
            if let found = look(self) { return found }
            if end != nil { return nil }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func wake() {
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
    }
}
