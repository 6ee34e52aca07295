import Subprocess
import Susi
import SystemPackage

/// What is to happen when this process is killed, which nothing in it can notice: the command that it runs is ended, and its
/// folder is removed.
///
/// A shell waits at the other end of a pipe whose only writer is this process. The kernel's own means, PR_SET_PDEATHSIG, would
/// have to be asked for by the command itself, follows the thread that started it and not the process, and removes no folder.
struct CleanupWatchdog: Sendable {
    // Two lines come: the command's id, and that it has ended. Where the second is missing, its writer was killed. Whatever
    // the command has to put away, it has two seconds for.
    private static let script = """
        if read -r child; then
            read -r ended && exit
            kill "$child"
            for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                kill -0 "$child" || break
                sleep 0.1
            done
            kill -9 "$child"
        fi
        rm -rf -- "$1"
        """

    private let tell: @Sendable (String) async -> Void

    /// Says which command is to be ended.
    func covers(_ child: Int32) async { await tell("\(child)\n") }

    /// Runs `body`, and sees to `folder` if this process does not live to its end.
    static func with<T: Sendable>(_ folder: FilePath, _ body: (CleanupWatchdog) async throws -> T) async throws -> T {
        let shell: FilePath = "/bin/sh"
        // A container without a shell has no other processes to look after, as a rule.
        guard SmallFile.exists(shell.string) else { return try await body(CleanupWatchdog { _ in }) }
        var options = PlatformOptions()
        // What the terminal sends, and what is sent to this process's group, is not for it.
        options.createSession = true
        let run = try await Subprocess.run(
            .path(shell), arguments: ["-c", script, "susi", folder.string], platformOptions: options,
            input: .inputWriter, output: .discarded, error: .discarded
        ) { execution in
            let writer = execution.standardInputWriter
            let aftermath = CleanupWatchdog { line in _ = try? await writer.write(line) }
            let result: Result<T, any Error>
            do { result = .success(try await body(aftermath)) } catch { result = .failure(error) }
            await aftermath.tell("none\nended\n")
            try? await writer.finish()
            return result
        }
        return try run.closureResult.get()
    }
}
