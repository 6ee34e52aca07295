package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The output streams, written with system calls and not buffered.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes all bytes. Returns the error that stopped it, or `nil`.
    package func write(_ bytes: [UInt8]) -> Errno? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Self.write(rawValue, Array(rest))
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another program made the stream non-blocking.
                var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&stream, 1, -1)
            } else if errno != EINTR {
                return Errno(rawValue: errno)
            }
        }
        return nil
    }

    /// Writes a line. Returns the error that stopped it, or `nil`.
    package func write(line: String) -> Errno? { write(Array(line.utf8) + [UInt8(ascii: "\n")]) }

    /// Makes a write to a pipe without a reader fail, instead of ending the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    private static func write(_ stream: Int32, _ bytes: [UInt8]) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.write(stream, bytes, bytes.count)
        #else
            unsafe Darwin.write(stream, bytes, bytes.count)
        #endif
    }
}
