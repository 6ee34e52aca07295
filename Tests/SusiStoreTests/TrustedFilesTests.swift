import Foundation
import SusiStore
import SystemPackage
import Testing

/// The list of policies files that the user trusts.
@Suite struct TrustedFilesTests {
    let home = TemporaryStore()
    let list: TrustedFiles
    private let one = Array("one".utf8)
    private let two = Array("two".utf8)

    init() throws { list = TrustedFiles(home.folder) }

    private var path: FilePath { home.folder.path.appending("trusted-policies") }

    @Test func trustsOneContentAtOnePath() throws {
        #expect(try list.decision(one, at: "/a b") == .unknown && !FilePath.exists(home.folder.path))
        try list.trust(one, at: "/a b", naming: ["https://h.example", "http://localhost:1"])
        #expect(try list.decision(one, at: "/a b") == .trusted)
        #expect(try list.decision(one, at: "/a") == .unknown && list.decision(one, at: "/A b") == .unknown)
        #expect(try list.decision(two, at: "/a b") == .changed(from: ["https://h.example", "http://localhost:1"]))
        try list.trust(two, at: "/c", naming: [])
        try list.trust(two, at: "/a b", naming: [])
        #expect(try list.decision(one, at: "/a b") == .changed(from: nil))
        // The order of the first trust.
        #expect(try list.entries().map(\.path) == ["/a b", "/c"])
        #expect(try list.remove("/a b") && !list.remove("/a b") && !list.remove("/none"))
        #expect(try list.decision(two, at: "/a b") == .unknown && list.decision(two, at: "/c") == .trusted)
        try list.trust(one, at: "/a b", naming: [])
        #expect(try list.entries().map(\.path) == ["/c", "/a b"])
        #expect(try path.stat().permissions == .ownerReadWrite)
    }

    @Test func leavesOutLinesThatItDoesNotKnow() throws {
        try list.trust(one, at: "/a", naming: [])
        let known = try Data(contentsOf: URL(filePath: path.string))
        try home.put(Data("x\n\n\(TrustedFiles.digest(two)) /b\n".utf8) + known, at: path)
        #expect(try list.entries().map(\.path) == ["/a"])
    }

    @Test func refusesAPathThatWouldBeTwoLinesAndAnEndlessList() throws {
        #expect(throws: StoreError.self) { try list.trust(one, at: "/a\n- /b", naming: []) }
        try list.trust(one, at: "/a", naming: [])
        let line = try Data(contentsOf: URL(filePath: path.string))
        try home.put(line + Data(repeating: UInt8(ascii: "x"), count: (1 << 20) - line.count), at: path)
        #expect(try list.decision(one, at: "/a") == .trusted)
        try home.put(line + Data(repeating: UInt8(ascii: "x"), count: (1 << 20) - line.count + 1), at: path)
        #expect(throws: StoreError.self) { try list.entries() }
    }

    @Test func refusesAListOfOthers() throws {
        try list.trust(one, at: "/a", naming: [])
        try FileManager.default.setAttributes([.posixPermissions: 0o602], ofItemAtPath: path.string)
        #expect(kind { _ = try list.entries() } == .unsafePermissions)
        #expect(kind { try list.trust(two, at: "/b", naming: []) } == .unsafePermissions)
    }
}

/// Locks between open files.
@Suite(.timeLimit(.minutes(5))) struct FileLockTests {
    let home = TemporaryStore()

    private func lock() throws -> FileLock { try FileLock(home.home.appending("lock")) }

    @Test func excludesOthersUntilItIsReleased() async throws {
        let last = try lock()
        do {
            let (first, second) = (try lock(), try lock())
            #expect(try first.tryLock(.shared) && second.tryLock(.shared) && !last.tryLock(.exclusive))
            let start = ContinuousClock.now
            #expect(try !last.lock(.exclusive, patience: 6))
            #expect(ContinuousClock.now - start >= .milliseconds(6))
            var waits = 0
            #expect(try await !last.lock(.exclusive, limit: .milliseconds(5)) { waits += 1 })
            #expect(waits == 1)
            withExtendedLifetime((first, second)) {}
        }
        // A program that another test starts at this moment has the open files until it runs.
        #expect(try last.lock(.exclusive, patience: 30_000))
        #expect(try await last.lock(.exclusive, limit: .zero) { Issue.record("it waited") })
        #expect(try !lock().tryLock(.shared))
    }

    @Test func triesAgainUntilTheLimit() async throws {
        var first: FileLock? = try lock()
        #expect(try first?.tryLock(.exclusive) == true)
        #expect(try await lock().lock(.exclusive, limit: .seconds(30)) { first = nil })
    }

    @Test func waitsUntilItIsCancelled() async throws {
        let (first, second) = (try lock(), try lock())
        #expect(try first.tryLock(.exclusive))
        let task = Task { try await second.lock(.exclusive, limit: nil) {} }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime(first) {}
    }

    @Test func reportsAFileThatCannotBeLocked() {
        let closed = FileLock(FileDescriptor(rawValue: -1))
        #expect(throws: Errno.badFileDescriptor) { try closed.tryLock(.shared) }
    }

    @Test func reportsAFileThatCannotBeMade() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) { try FileLock(home.home.appending("none/lock")) }
        try FileManager.default.createSymbolicLink(
            atPath: home.home.appending("lock").string, withDestinationPath: "other")
        #expect(throws: Errno.tooManySymbolicLinkLevels) { try lock() }
    }
}

extension FilePath {
    fileprivate static func exists(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: path.string) }
}
