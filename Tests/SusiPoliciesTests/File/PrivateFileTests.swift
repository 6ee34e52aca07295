import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// Every file with a secret is written by this.
@Suite struct PrivateFileTests {
    private let files = FileManager.default

    private func text(_ path: FilePath) -> String? {
        files.contents(atPath: path.string).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func isPrivateFromItsCreationAndAppearsWhenItIsComplete() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appending("file")
            let file = try PrivateFile(for: place)
            let mode = try files.attributesOfItem(atPath: file.temporary.string)[.posixPermissions] as? Int
            #expect(mode == 0o600 && file.temporary.removingLastComponent() == folder && text(place) == nil)
            _ = try file.descriptor.writeAll("content".utf8)
            try file.keep(isDurable: true)
            #expect(try text(place) == "content" && files.contentsOfDirectory(atPath: folder.string) == ["file"])
            try PrivateFile(for: place).discard()
            #expect(try text(place) == "content" && files.contentsOfDirectory(atPath: folder.string) == ["file"])
        }
    }

    @Test(arguments: [false, true]) func replacesOnlyWhatItShallReplace(isLink: Bool) async throws {
        try await withTemporaryFolder { folder in
            let (place, other) = (folder.appending("file"), folder.appending("other"))
            try PrivateFile.write("other".utf8, to: other)
            if isLink {
                try files.createSymbolicLink(atPath: place.string, withDestinationPath: "other")
            } else {
                try files.copyItem(atPath: other.string, toPath: place.string)
            }
            #expect(throws: Errno.fileExists) { try PrivateFile.write("new".utf8, to: place, replacing: false) }
            #expect(text(place) == "other")
            try PrivateFile.write("new".utf8, to: place)
            // A link is replaced; its target is not written.
            #expect(
                text(place) == "new" && text(other) == "other" && SmallFile.entry(place.string).status?.kind == .file)
            #expect(try files.contentsOfDirectory(atPath: folder.string).sorted() == ["file", "other"])
        }
    }

    @Test func leavesNothingIfItCannotBeMoved() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appending("folder")
            try files.createDirectory(atPath: place.appending("in").string, withIntermediateDirectories: true)
            #expect(throws: Errno.isDirectory) { try PrivateFile.write("new".utf8, to: place) }
            #expect(throws: Errno.canceled) { try PrivateFile.make(place) { _ -> Void in throw Errno.canceled } }
            #expect(try files.contentsOfDirectory(atPath: folder.string) == ["folder"])
            #expect(throws: Errno.noSuchFileOrDirectory) {
                try PrivateFile.write("new".utf8, to: folder.appending("none/file"))
            }
            // This file system does not confirm that names are on a disk.
            #expect(throws: Errno.invalidArgument) { try FileName.flush(in: "/proc") }
        }
    }

    @Test func aNamedTemporaryFileOfAKilledProcessIsRemovedNotFollowed() async throws {
        try await withTemporaryFolder { folder in
            let (place, temporary, target) = (
                folder.appending("key"), folder.appending("key.tmp"), folder.appending("target")
            )
            try files.createSymbolicLink(atPath: temporary.string, withDestinationPath: "target")
            try PrivateFile.write("key".utf8, to: place, as: temporary, isDurable: true)
            #expect(text(place) == "key" && text(target) == nil)
            #expect(try files.contentsOfDirectory(atPath: folder.string) == ["key"])
        }
    }
}
