import Foundation
import SusiBase
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

    @Test func refusesAFileThatOthersMayWrite() async throws {
        try await refuses(.posixPermissions, 0o777, reason: "other users may write to it")
    }

    @Test(.enabled(if: getuid() == 0, "a file of another user needs root")) func refusesAFileOfAnotherUser()
        async throws
    {
        try await refuses(.ownerAccountID, 4_711, reason: "it belongs to another user (user ID 4711)")
    }

    /// Changes each file in turn.
    private func refuses(_ key: FileAttributeKey, _ value: Int, reason: String) async throws {
        let files = FileManager.default
        try await withTemporaryFolder { folder in
            let own = folder.appending("emulator")
            try await Self.start(own)
            for name in Self.files {
                let path = own.appending(name).string
                let (right, before) = (try files.attributesOfItem(atPath: path)[key], files.contents(atPath: path))
                try files.setAttributes([key: value], ofItemAtPath: path)
                let error = await #expect(throws: EmulatorError.self, "\(name)") { try await Self.start(own) }
                guard case .fileUnsafe(let refused, let why, _)? = error else {
                    Issue.record("\(name): \(String(describing: error))")
                    return
                }
                #expect(FilePath(refused) == own.appending(name) && why == reason)
                #expect(files.contents(atPath: path) == before)
                try files.setAttributes([key: try #require(right)], ofItemAtPath: path)
            }
        }
    }

    @Test func needsAnAbsolutePath() async throws {
        await #expect(throws: EmulatorError.self) { try await Self.start("emulator-of-a-test") }
        #expect(!FileManager.default.fileExists(atPath: "emulator-of-a-test"))
    }
}
