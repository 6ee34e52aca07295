import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiStore

/// The encryption of an export with a passphrase.
@Suite struct SealedExportTests {
    private static let passphrase = "correct horse battery"
    private static let content = Array(#"[{"refreshToken":"secret-of-ana"}]"#.utf8)

    // With the least cost that is accepted: every test derives the key again.
    private func seal(_ content: [UInt8] = Self.content) throws -> [UInt8] {
        let salt = RandomBytes.make(16)
        let cheap = try #require(KeyDerivation(rounds: 1 << 14, blockSize: 8, parallelism: 1, salt: salt))
        return try ExportFile.seal(
            content, with: try NewKey(for: .passphrase, from: Self.passphrase, lifetime: 0, cheap))
    }

    private func failure(_ file: [UInt8], _ passphrase: String = Self.passphrase) -> ExportFileError? {
        do throws(ExportFileError) {
            _ = try ExportFile.open(file, passphrase: passphrase)
            return nil
        } catch { return error }
    }

    @Test func nothingOfItCanBeReadOutside() throws {
        let file = try seal()
        let text = String(decoding: file, as: UTF8.self)
        for secret in ["secret-of-ana", "refreshToken", Self.passphrase] { #expect(!text.contains(secret)) }
        #expect(text.hasPrefix("susi-export-list-1\nsusi-key-2 passphrase "))
        #expect(try seal() != file, "salt and nonce are new each time")
        #expect(try ExportFile.open(file, passphrase: Self.passphrase) == Self.content)
    }

    @Test func refusesWrongPassphrase() throws {
        #expect(failure(try seal(), "another passphrase") == .wrongPassphrase)
    }

    @Test func refusesAlteredBytes() throws {
        let file = try seal()
        let header = try #require(
            file.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).last?.startIndex)
        var random = SeededNumbers(seed: 7)
        let places =
            Array(stride(from: 0, to: header, by: 5)) + [header - 1, header, file.count - 1]
            + (0..<8).map { _ in header + Int(random.next() % UInt64(file.count - header)) }
        for place in places {
            var altered = file
            altered[place] ^= 1
            #expect(failure(altered) != nil, "byte \(place)")
        }
        for altered in [Array(file.dropLast()), Array(file[..<(header + 9)]), Array(file[..<header]), file + [0]] {
            #expect(failure(altered) == .altered, "\(altered.count)")
        }
    }

    @Test func refusesOtherFiles() {
        let record = "susi-key-2 passphrase 0011223344556677 0 16384 8 1 00112233445566778899aabbccddeeff\n"
        let first = "susi-export-list-1\n"
        let cases: [(String, ExportFileError)] = [
            ("", .notOurs), ("{\"AccessToken\":{}}", .notOurs), ("susi-export", .notOurs),
            ("SQLite format 3\0", .notOurs),
            // Earlier versions held a store.
            ("susi-export-1\nscrypt 16 8 1 AAAA\n", .otherVersion),
            ("susi-export-\(Schema.version)\n\(record)", .otherVersion),
            ("susi-export-list-2\n\(record)", .otherVersion),
            (first, .altered), (first + record.dropLast(), .altered), (first + record, .wrongPassphrase),
            // Too little or too much work for each guess.
            (first + record.replacing("16384", with: "8"), .altered),
            (first + record.replacing("16384 8", with: "1048576 32"), .altered),
            (first + record.replacing("passphrase", with: "command"), .altered),
            (first + String(repeating: "x", count: 9_000), .altered),
            (first + record + String(repeating: "x", count: ExportFile.largest), .tooLarge),
        ]
        for (text, expected) in cases { #expect(failure(Array(text.utf8)) == expected, "\(text.prefix(80))") }
    }

    @Test func refusesTooMuchContent() throws {
        #expect(throws: ExportFileError.tooLarge) { try seal(Array(repeating: 0x20, count: ExportFile.largest)) }
    }
}
