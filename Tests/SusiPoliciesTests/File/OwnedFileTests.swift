import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// Which files and folders count as written by this user alone.
@Suite("Owned files")
final class OwnedFileTests {
    private static let stranger: UInt32 = 4_711
    private let folder: String
    private let files = FileManager.default

    init() throws {
        folder = NSTemporaryDirectory() + "susi-owned-\(UUID().uuidString)"
        for name in ["", "/inner"] {
            try files.createDirectory(
                atPath: folder + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        try make("file")
    }

    deinit { try? files.removeItem(atPath: folder) }

    private func make(_ name: String, mode: Int = 0o600) throws {
        let made = files.createFile(
            atPath: path(name), contents: Data(name.utf8), attributes: [.posixPermissions: mode])
        try #require(made)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func link(_ name: String, to target: String) throws {
        try files.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    private func give(_ name: String, to user: UInt32, group: UInt32 = 0) throws {
        let result = unsafe lchown(path(name), user, group)
        try #require(result == 0)
    }

    private func set(_ path: String, _ mode: Int) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Returns the flaw of a file, or what was read of it; `nil` for nothing.
    private func read(_ name: String, user: UInt32 = getuid()) throws -> String? {
        defer { #expect(openFiles.isEmpty) }
        do throws(OwnedFile.Flaw) {
            let content = try OwnedFile.content(path(name), limit: 100, user: user)
            try OwnedFile.check(path(name), user: user)
            return content.map { String(decoding: $0, as: UTF8.self) }
        } catch {
            #expect(throws: error) { try OwnedFile.check(path(name), user: user) }
            return "\(error.path.replacing(folder, with: "")) \(error.reason)"
        }
    }

    /// What this process has open in the folder.
    private var openFiles: [String] {
        let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let open = descriptors.compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        return open.filter { $0.hasPrefix(folder) }
    }

    @Test func readsOwnFilesAndThroughOwnLinks() throws {
        #expect(try read("file") == "file")
        try link("absolute", to: path("file"))
        try link("relative", to: "inner/../file")
        try link("folder", to: "inner")
        try make("inner/deep")
        for (name, content) in [("absolute", "file"), ("relative", "file"), ("folder/deep", "inner/deep")] {
            #expect(try read(name) == content)
        }
        #expect(try read("inner/../file") == "file" && read("inner//deep") == "inner/deep")
    }

    @Test func readsNothingButRegularFiles() throws {
        try link("dangling", to: "none")
        try link("loop", to: "loop")
        // A pipe without a writer does not block.
        let made = unsafe mkfifo(path("pipe"), 0o600)
        try #require(made == 0)
        for name in ["none", "none/x", "file/x", "dangling", "loop", "pipe", "inner"] {
            #expect(try read(name) == nil, "\(name)")
        }
    }

    @Test func refusesRelativePaths() {
        let flaw = OwnedFile.Flaw("file", .relative)
        #expect(throws: flaw) { try OwnedFile.content("file", limit: 10) }
        #expect(throws: flaw) { try OwnedFile.check("file") }
        #expect(OwnedFile.read("no such file", limit: 10) == nil)
    }

    @Test func endsAfterFortyLinks() throws {
        try link("1", to: "file")
        for number in 2...41 { try link("\(number)", to: "\(number - 1)") }
        #expect(try read("40") == "file")
        #expect(try read("41") == nil)
    }

    @Test(arguments: [0o602, 0o666]) func refusesFilesThatOthersMayWrite(mode: Int) throws {
        try set(path("file"), mode)
        #expect(try read("file") == "/file writable")
        try link("link", to: "file")
        #expect(try read("link") == "/file writable")
        #expect(OwnedFile.Flaw(path("file"), .writable).repair?.description == "chmod go-w \(path("file"))")
        #expect(OwnedFile.Flaw(path("file"), .relative).repair == nil)
    }

    @Test func readsFilesThatOthersMayOnlyRead() throws {
        try set(path("file"), 0o644)
        try set(folder, 0o755)
        #expect(try read("file") == "file")
    }

    @Test("a folder that others may write to is refused for its files, unless only owners may replace its names")
    func checksFolderOfFile() throws {
        try make("inner/file")
        try link("link", to: "inner/file")
        try set(path("inner"), 0o777)
        for name in ["inner/file", "link"] { #expect(try read(name) == "/inner writable") }
        try set(path("inner"), 0o1777)
        for name in ["inner/file", "link"] { #expect(try read(name) == "inner/file") }
    }

    @Test("a folder is not refused for the one above it: only its owner can put another one in its place")
    func checksNothingAboveAFolder() throws {
        try set(folder, 0o777)
        try OwnedFile.check(path("inner"))
        #expect(throws: OwnedFile.Flaw(folder, .writable)) { try OwnedFile.check(path("file")) }
    }

    @Test func refusesWhatBelongsToAnotherUser() throws {
        // Root's files count for everybody.
        guard getuid() == 0 else {
            #expect(try read("file", user: getuid() + 1) == "/file owner(\(getuid()))")
            return
        }
        #expect(try read("file", user: Self.stranger) == "file")
        try make("inner/file")
        try link("link", to: "inner/file")
        #expect(try read("link") == "inner/file")
        for name in ["link", "inner", "inner/file"] {
            try give(name, to: Self.stranger)
            #expect(try read("link") == "/\(name) owner(4711)", "\(name)")
            try give(name, to: 0)
        }
        // The sticky bit does not protect from the owner of the folder.
        try set(path("inner"), 0o1777)
        try give("inner", to: Self.stranger)
        #expect(try read("inner/file") == "/inner owner(4711)")
        #expect(try read("inner/file", user: Self.stranger) == "inner/file")
    }

    @Test("a group may write if it is the user's private one", .enabled(if: getuid() == 0, "needs root"))
    func acceptsPrivateGroup() throws {
        try set(path("file"), 0o660)
        #expect(try read("file") == "file")
        try give("file", to: 0, group: Self.stranger)
        #expect(try read("file") == "/file writable")
    }
}

/// Small files and lines.
@Suite("Small files") struct SmallFileTests {
    @Test(arguments: [
        ("one\ntwo", ["one", "two"]), ("one\n", ["one"]), ("\nx", ["", "x"]), ("", []),
        ("12345678901", ["123456789", "01"]),
    ])
    func readsLinesAndNothingBehindThem(text: String, lines: [String]) throws {
        errno = EINTR  // That of an earlier call.
        let (end, start) = try FileDescriptor.pipe()
        try start.writeAll(text.utf8)
        try start.close()
        defer { try? end.close() }
        var found: [String] = []
        while let line = SmallFile.readLine(descriptor: end.rawValue, limit: 8) {
            found.append(String(decoding: line, as: UTF8.self))
        }
        #expect(found == lines)
    }

    @Test(arguments: [
        ("one\r\ntwo", "one"), ("\u{feff}one\n", "one"), ("one\r", "one"), ("\r\n", ""), ("a\rb\n", "a\rb"), ("", ""),
    ])
    func takesFirstLine(text: String, line: String) {
        #expect(SmallFile.firstLine(of: Array(text.utf8)) == Array(line.utf8))
    }

    @Test func readsUpToTheLimit() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("file").string
            #expect(SmallFile.read(path, limit: 10) == nil)
            try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
            errno = EINTR
            #expect(SmallFile.read(path, limit: 10_000)?.count == 10_000)
            #expect(
                SmallFile.read(path, limit: 9_999)?.count == 10_000, "more than the limit shows that it is too large")
            #expect(SmallFile.read(path, limit: 10)?.count == 4_096)
            #expect(SmallFile.read(folder.string, limit: 10) == nil)
            #expect(SmallFile.readLine(descriptor: -1, limit: 10) == nil)
        }
    }
}
