import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The emulator's folder has keys that other programs trust: another user must not have written them.
@Suite("An emulator's folder of another user", .timeLimit(.minutes(2)))
struct OwnedFolderTests {
    private static let files = ["", "emulator.sqlite", "ca.pem", "ca-key.pem", "server.pem", "admin-secret"]

    private static func start(_ folder: FilePath) async throws {
        let now = TestEnvironment.realTime()
        try await withEmulator(
            [.builtIn()], folder: folder, ports: [EmulatorPort(0, isSecure: true)], clock: EmulatorClock { now }
        ) { _ in }
    }

    @Test(arguments: files)
    func refusesAFileThatOthersMayWrite(name: String) async throws {
        try await refuses(name, reason: "other users may write to it") { path in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        }
    }

    @Test(.enabled(if: getuid() == 0, "a file of another user needs root"), arguments: files)
    func refusesAFileOfAnotherUser(name: String) async throws {
        try await refuses(name, reason: "it belongs to another user (user ID 4711)") { path in
            try FileManager.default.setAttributes([.ownerAccountID: 4_711], ofItemAtPath: path)
        }
    }

    private func refuses(_ name: String, reason: String, after change: (String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let own = folder.appending("emulator")
            try await Self.start(own)
            let path = own.appending(name).string
            let before = FileManager.default.contents(atPath: path)
            try change(path)
            let error = await #expect(throws: EmulatorError.self) { try await Self.start(own) }
            guard case .fileUnsafe(let refused, let why, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(FilePath(refused) == own.appending(name))
            #expect(why == reason)
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test func needsAnAbsolutePath() async throws {
        await #expect(throws: EmulatorError.self) { try await Self.start("emulator-of-a-test") }
        #expect(!FileManager.default.fileExists(atPath: "emulator-of-a-test"))
    }
}
