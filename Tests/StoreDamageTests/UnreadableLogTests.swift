import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A log of the store that cannot be read: without it, an older state would be used, with another person's token.
@Suite("Unreadable log", .inTurn, .timeLimit(.minutes(5)))
struct UnreadableLogTests {
    /// Damages the log, then checks that both programs print no token, but an error that names the log.
    private func check(
        says: String, as user: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        damage: (FilePath, Home) throws -> Void
    ) async throws {
        try await PasswordTenant.run { scene in
            _ = try await scene.switchInLog()
            let installed = try scene.susi.installed()
            try damage(scene.folder.log, scene.susi.home)
            let plain = ["token", "-p", PasswordTenant.policy]
            for (program, arguments) in [
                (installed, plain), (scene.susi, plain), (scene.susi, plain + ["--format=raw"]),
                (scene.susi, ["accounts"]),
            ] {
                try await check(
                    program.command(arguments), says: says, as: user, sourceLocation: sourceLocation)
            }
        }
    }

    private func check(
        _ command: Program, says: String, as user: Int?, sourceLocation: SourceLocation
    ) async throws {
        var command = command
        if let user {
            command.arguments = ["--reuid=\(user)", "--clear-groups", command.path.string] + command.arguments
            command.path = try #require(TestEnvironment.program("setpriv"))
        }
        let outcome = try await command.run()
        #expect(outcome.status == 6 && outcome.standardOutput.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        for text in ["store.sqlite-wal", says, "next: "] {
            #expect(outcome.standardError.contains(text), "\(text): \(outcome)", sourceLocation: sourceLocation)
        }
    }

    @Test("a folder in its place is an error, not an older state")
    func refusesFolder() async throws {
        try await check(says: "not a regular file") { log, _ in
            try FileManager.default.removeItem(atPath: log.string)
            try FileManager.default.createDirectory(
                atPath: log.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    @Test("a link to a missing file in its place is an error, not an older state")
    func refusesDanglingLink() async throws {
        try await check(says: "symbolic link") { log, home in
            try FileManager.default.removeItem(atPath: log.string)
            try FileManager.default.createSymbolicLink(
                atPath: log.string, withDestinationPath: home.folder.appending("none").string)
        }
    }

    @Test("a log without permission to read it is an error, not an older state")
    func refusesLogWithoutPermission() async throws {
        // Permissions do not apply to root.
        let user = getuid() == 0 ? 23_456 : nil
        try await check(says: "Permission denied", as: user) { log, home in
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0], ofItemAtPath: log.string)
            guard let user else { return }
            for name in [""] + (files.subpaths(atPath: home.folder.string) ?? []) {
                let path = FilePath(home.folder.string).pushing(FilePath(name))
                try files.setAttributes([.ownerAccountID: user], ofItemAtPath: path.string)
            }
        }
    }
}
