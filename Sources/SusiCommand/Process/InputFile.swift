import Dispatch
import Susi
import SystemPackage

/// A file that was named on the command line, or standard input. Reading ends when the command is cancelled: a pipe or a
/// terminal may never give anything.
enum InputFile {
    /// The argument that means standard input.
    static let standardInput = "-"

    /// The bytes; one that is larger than `limit` is read just so far that its size tells.
    static func read(_ name: String, limit: Int) async throws -> [UInt8] {
        let isInput = name == standardInput
        if isInput, ProcessEnvironment.current.canAsk { Console.standard.err("Reading standard input until Ctrl-D.") }
        let (pieces, feed) = AsyncStream<[UInt8]?>.makeStream()
        // A thread of its own may block; it ends with the process.
        DispatchQueue.global().async {
            feed.yield(isInput ? SmallFile.read(descriptor: 0, limit: limit) : SmallFile.read(name, limit: limit))
            feed.finish()
        }
        for await bytes in pieces {
            if isInput { try await StandardInput.settle() }
            try Task.checkCancellation()
            if let bytes { return bytes }
        }
        try Task.checkCancellation()
        throw UsageError.unreadable(isInput ? "standard input" : name)
    }
}

extension UsageError {
    /// One wording and one exit code for every file that was named and cannot be read.
    static func unreadable(_ name: String) -> UsageError {
        let why: String
        do {
            try FileDescriptor.open(FilePath(name), .readOnly, options: [.closeOnExec, .nonBlocking]).close()
            why = SmallFile.kind(name) == .folder ? Errno.isDirectory.inWords : "reading failed"
        } catch { why = (error as? Errno)?.inWords ?? "\(error)" }
        return UsageError(
            "“\(name)” cannot be read", why: name == "standard input" ? "" : why,
            next: "check the file's name and its permissions")
    }
}
