import Subprocess
import SusiBase
import SusiPolicies
package import SystemPackage

/// A shell that cleans up if this process is killed: it ends the child and removes its folder.
///
/// The shell waits at the other end of a pipe whose only writer is this process. The kernel's PR_SET_PDEATHSIG is not
/// sufficient: only the child itself can request it, it depends on the thread that started the child, and it removes no
/// folder.
package struct CleanupWatchdog: Sendable {
    // The shell reads two lines: the id of the child, or that of its process group after a minus sign, and that the child
    // has ended. If the second line is missing, this process was killed. The child then has two seconds to clean up.
    private static let script = """
        if read -r child; then
            read -r ended && exit
            kill -s TERM -- "$child"
            for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                kill -s 0 -- "$child" || break
                sleep 0.1
            done
            kill -s KILL -- "$child"
        fi
        [ -z "$1" ] || rm -rf -- "$1"
        """

    private let send: @Sendable (String) async -> Void

    /// Passes the id of the child to the shell.
    package func watch(_ child: Int32) async { await send("\(child)\n") }

    /// Passes the id of the child's process group to the shell.
    package func watch(group: Int32) async { await send("-\(group)\n") }

    /// Runs `body`. If this process is killed meanwhile, the shell ends the child and removes `folder`.
    package static func with<T: Sendable>(
        removing folder: FilePath? = nil, _ body: (CleanupWatchdog) async throws -> T
    ) async throws -> T {
        let shell: FilePath = "/bin/sh"
        // A container without a shell usually runs only this process; it gets no watchdog.
        guard SmallFile.exists(shell.string) else { return try await body(CleanupWatchdog { _ in }) }
        var options = PlatformOptions()
        // In its own session, the shell receives no signals from the terminal or for this process group.
        options.createSession = true
        let run = try await Subprocess.run(
            .path(shell), arguments: ["-c", script, "susi", folder?.string ?? ""], platformOptions: options,
            input: .inputWriter, output: .discarded, error: .discarded
        ) { execution in
            let writer = execution.standardInputWriter
            let watchdog = CleanupWatchdog { line in _ = try? await writer.write(line) }
            let result: Result<T, any Error>
            do { result = .success(try await body(watchdog)) } catch { result = .failure(error) }
            await watchdog.send("none\nended\n")
            try? await writer.finish()
            return result
        }
        return try run.closureResult.get()
    }
}
