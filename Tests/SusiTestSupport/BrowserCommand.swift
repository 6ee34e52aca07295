import Foundation
package import SystemPackage

/// A command for `--browser` that opens no browser and keeps the address for the test.
package final class BrowserCommand: Sendable {
    /// The value of `--browser`; `%u` becomes the address.
    package let command: String

    private let pipe: FilePath
    private let log: FilePath
    /// Open for reading and writing, so that the command never waits for a reader and no address is lost.
    private let keeper: FileDescriptor

    /// Creates the command's script in `folder`, also several times.
    package static func capture(in folder: FilePath) async throws -> BrowserCommand {
        let name = "browser-\(UUID().uuidString.prefix(8))"
        let pipe = folder.appending("\(name).pipe")
        let made = try await Program("/usr/bin/env", ["mkfifo", "-m", "600", pipe.string], environment: path).run()
        guard made.status == 0 else { throw Failure(description: "mkfifo: \(made)") }
        return try BrowserCommand(folder: folder, name: name, pipe: pipe)
    }

    private init(folder: FilePath, name: String, pipe: FilePath) throws {
        let script = folder.appending("\(name).sh")
        log = folder.appending("\(name).log")
        self.pipe = pipe
        keeper = try FileDescriptor.open(pipe, .readWrite)
        command = "\(script.string) %u"
        try script.write(
            """
            #!/bin/sh
            printf '%s\\n' "$1" >> '\(log.string)'
            printf '%s\\n' "$1" > '\(pipe.string)'

            """, mode: 0o700)
    }

    deinit { try? keeper.close() }

    /// Waits for the next address that the command is started with and returns the page's address: for a short address of
    /// `susi`, the target of its redirect. Throws after `limit`.
    package func nextURL(limit: Duration = .seconds(90)) async throws -> String {
        let address = try await nextArgument(limit: limit)
        guard address.contains(#/^http://localhost:\d+/go/[a-z2-9]+$/#) else { return address }
        let visit = try await PlainVisit.get(address)
        guard let url = visit.location else { throw Failure(description: "\(address) led nowhere: \(visit)") }
        return url
    }

    /// Waits for the next address that the command is started with and returns it unchanged. Throws after `limit`.
    package func nextArgument(limit: Duration = .seconds(90)) async throws -> String {
        // The shell's `read` reads byte by byte, so later addresses stay in the pipe.
        let reader = Program(
            "/bin/sh", ["-c", #"IFS= read -r line < "$0" && printf '%s' "$line""#, pipe.string],
            environment: Self.path, limit: limit)
        let outcome = try await reader.run()
        guard outcome.status == 0 else { throw Failure(description: "no address came: \(outcome)") }
        return outcome.standardOutput
    }

    /// Every address that the command was started with; empty if no browser was opened.
    package var openedURLs: [String] {
        let text = (try? log.text()) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static var path: [String: String] { ["PATH": TestEnvironment.path] }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}
