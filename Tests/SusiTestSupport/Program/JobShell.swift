import Foundation
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An interactive shell on a pseudo-terminal. Its jobs can be stopped and continued; it does not restore the terminal's
/// settings itself.
package struct JobShell: Sendable {
    package let run: RunningProgram
    private let terminal: FilePath
    private let pid: Int32

    package static let prompt = "ready> "

    /// Runs the shell in the home of `susi` while `body` runs.
    package static func with(_ susi: SusiBinary, _ body: (JobShell) async throws -> Void) async throws {
        var shell = susi.command([], environment: ["PS1": prompt], limit: .seconds(40))
        shell.path = "/bin/sh"
        shell.arguments = ["-im"]
        try await shell.inTerminal(first: "echo shell $$ on $(tty) .").start { run in
            try await run.waitForText(prompt)
            guard let line = try await run.waitForLine(containing: "shell ").firstMatch(of: #/shell (\d+) on (\S+)/#),
                let pid = Int32(line.1)
            else { return }
            try await body(JobShell(run: run, terminal: FilePath(String(line.2)), pid: pid))
        }
    }

    package func settings() async throws -> String {
        try await Program("/bin/stty", ["-F", terminal.string, "-g"]).run().standardOutput
    }

    /// Types a command line, quoted for the shell.
    package func type(_ words: [String], then end: String = "") async throws {
        try await run.type(words.map(Program.quoted).joined(separator: " ") + end + "\n")
    }

    /// The process of the shell's only job.
    package func job() throws -> Int32? {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let children = try String(contentsOfFile: path, encoding: .utf8)
        return children.split(separator: " ").first.flatMap { Int32($0) }
    }

    package func send(_ number: Int32) throws { if let job = try job() { kill(job, number) } }

    /// Waits until the shell's prompt is there for the n-th time: at its start, and after each job that ends or stops.
    package func waitForPrompt(_ number: Int) async throws { try await run.waitForText(Self.prompt, times: number) }

    /// Waits until the job is stopped, with all its threads: one that still runs could read what the shell is to read.
    package func waitUntilStopped() async throws {
        try await waitUntil { try job().map(Self.isStopped) ?? false }
    }

    private static func isStopped(_ job: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(job)/task")) ?? []
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                let status = try? String(contentsOfFile: "/proc/\(job)/task/\(thread)/stat", encoding: .utf8)
                // The state follows the name in parentheses.
                return status?.split(separator: ")").last?.split(separator: " ").first == "T"
            }
    }
}
