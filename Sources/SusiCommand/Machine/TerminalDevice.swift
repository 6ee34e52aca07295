import Dispatch
import Susi

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The size of a terminal in characters.
struct TerminalSize: Equatable, Sendable {
    let columns: Int
    let rows: Int

    /// Returns `nil` if the stream is not a terminal. A terminal of unknown size counts as 80 by 24.
    init?(of stream: Int32) {
        guard isatty(stream) == 1 else { return nil }
        var size = winsize()
        let isKnown = unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0
        columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
        rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
    }
}

/// The terminal at standard input without echo and line editing, until `end()`.
struct RawTerminal {
    enum Event: Sendable {
        /// Bytes of the keys pressed.
        case pressed([UInt8])
        /// The terminal was resized, or the process was stopped and continued.
        case resized
        /// No key was pressed for 50 ms after this number of `pressed` events.
        case quiet(Int)
    }

    /// The events, until the terminal closes or the reader stops. Only a pause distinguishes the Esc key from the start
    /// of an escape sequence.
    let events: AsyncStream<Event>
    private let mode: TerminalMode
    private let keys: any DispatchSourceRead
    private let size: any DispatchSourceSignal

    /// Returns `nil` if standard input is not a terminal. `leave` clears the screen before a stop.
    init?(leave: @escaping @Sendable () -> Void) async {
        let (events, feed) = AsyncStream<Event>.makeStream()
        let pause = TerminalMode.Pause(leave: leave, back: { feed.yield(.resized) })
        guard let mode = await TerminalMode(.kept, pause, change: Self.readKeys) else { return nil }
        self.mode = mode
        let queue = DispatchQueue(label: "terminal")
        self.events = events
        keys = DispatchSource.makeReadSource(fileDescriptor: 0, queue: queue)
        size = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        var pressed = 0
        keys.setEventHandler {
            guard let bytes = Self.read(feed) else { return }
            pressed += 1
            feed.yield(.pressed(bytes))
            let number = pressed
            queue.asyncAfter(deadline: .now() + .milliseconds(50)) { feed.yield(.quiet(number)) }
        }
        size.setEventHandler { feed.yield(.resized) }
        keys.resume()
        // Dispatch registers the signal after `resume()` has returned. A resize before the first frame must not be lost.
        await withCheckedContinuation { registered in
            size.setRegistrationHandler { registered.resume() }
            size.resume()
        }
    }

    // Ctrl-C, Ctrl-Z and Ctrl-\ are signals, as everywhere.
    private static func readKeys(_ settings: inout termios) {
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON)
        #if canImport(Glibc)
            (settings.c_cc.6, settings.c_cc.5) = (1, 0)
        #else
            (settings.c_cc.16, settings.c_cc.17) = (1, 0)
        #endif
    }

    private static func read(_ feed: AsyncStream<Event>.Continuation) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = ProcessSignal.receiving(SIGTTIN) {
            #if canImport(Glibc)
                unsafe Glibc.read(0, &bytes, bytes.count)
            #else
                unsafe Darwin.read(0, &bytes, bytes.count)
            #endif
        }
        if count > 0 { return Array(bytes.prefix(count)) }
        if count == 0 || errno != EINTR && errno != EAGAIN { feed.finish() }
        return nil
    }

    func end() {
        keys.cancel()
        size.cancel()
        mode.end()
    }
}
