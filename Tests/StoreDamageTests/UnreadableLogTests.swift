import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A log of the store that cannot be read: without it, an older state would be used, with another person's token.
@Suite("Unreadable log", .inTurn, .timeLimit(.minutes(5)))
struct UnreadableLogTests {
    private typealias Damage = (says: String, user: Int?, apply: @Sendable (FilePath, Home) throws -> Void)

    private static let damages: [Damage] = [
        (
            "not a regular file", nil,
            { log, _ in
                try log.remove()
                try FileManager.default.createDirectory(
                    atPath: log.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
        ),
        (
            "symbolic link", nil,
            { log, home in
                try log.remove()
                try FileManager.default.createSymbolicLink(
                    atPath: log.string, withDestinationPath: home.folder.appending("none").string)
            }
        ),
        (
            // Permissions do not apply to root.
            "permission denied", getuid() == 0 ? 23_456 : nil,
            { log, home in
                let files = FileManager.default
                try files.removeItem(atPath: log.string)
                #expect(
                    files.createFile(atPath: log.string, contents: Data("x".utf8), attributes: [.posixPermissions: 0]))
                guard getuid() == 0 else { return }
                for name in [""] + (files.subpaths(atPath: home.folder.string) ?? []) {
                    let path = FilePath(home.folder.string).pushing(FilePath(name))
                    try files.setAttributes([.ownerAccountID: 23_456], ofItemAtPath: path.string)
                }
            }
        ),
    ]

    @Test("a folder, a dangling link or a log without permission is an error, not an older state, in both programs")
    func refusesUnreadableLog() async throws {
        try await PasswordTenant.run { scene in
            _ = try await scene.switchInLog()
            let plain = ["token", "-p", PasswordTenant.policy]
            let commands = [
                try scene.susi.installed().command(plain), scene.susi.command(plain + ["--format=raw"]),
                scene.susi.command(["accounts"]),
            ]
            for damage in Self.damages {
                try damage.apply(scene.folder.log, scene.susi.home)
                for command in commands {
                    try await run(command, as: damage.user).exits(
                        6, output: "", saying: "store.sqlite-wal", damage.says, "next: ")
                }
            }
        }
    }

    private func run(_ command: Program, as user: Int?) async throws -> ProgramOutcome {
        var command = command
        if let user {
            command.arguments = ["--reuid=\(user)", "--clear-groups", command.path.string] + command.arguments
            command.path = try #require(TestEnvironment.program("setpriv"))
        }
        return try await command.run()
    }
}
