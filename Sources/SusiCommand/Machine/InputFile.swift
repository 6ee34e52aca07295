import Dispatch
import Susi
import SusiBase
import SusiStartup
import SystemPackage

/// A file named on the command line, or standard input. Reading ends when the command is cancelled, because a pipe or a
/// terminal may never send anything.
enum InputFile {
    /// The argument that means standard input.
    static let standardInput = "-"

    /// Reads the bytes. From a file larger than `limit`, reads just enough to exceed the limit.
    static func read(_ name: String, limit: Int) async throws -> [UInt8] {
        let isInput = name == standardInput
        if isInput, ProcessEnvironment.current.canAsk { Console.standard.err("Reading standard input until Ctrl-D.") }
        let (pieces, feed) = AsyncStream<[UInt8]?>.makeStream()
        // The read may block its thread, which ends with the process.
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
    /// Returns the error for a file that cannot be read: the same, with the same exit code, for every file.
    static func unreadable(_ name: String) -> UsageError {
        let why: String
        do {
            try FileDescriptor.open(FilePath(name), .readOnly, options: [.closeOnExec, .nonBlocking]).close()
            why = SmallFile.kind(name) == .folder ? FileFailure.reason(Errno.isDirectory) : "reading failed"
        } catch {
            why =
                SmallFile.isDanglingLink(name)
                ? "it is a link to a file that does not exist"
                : FileFailure.reason(error)
        }
        return UsageError(
            "“\(name)” cannot be read", why: name == "standard input" ? "" : why,
            next: "check the file's name and its permissions")
    }
}
