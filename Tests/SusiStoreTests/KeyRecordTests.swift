import Foundation
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiStore

/// The valid and the invalid contents of the file `key`.
@Suite struct KeyRecordTests {
    private static let id = "0011223344556677"
    private static let salt = String(repeating: "5a", count: 16)

    private static func record(_ text: String) -> KeyRecord? { KeyRecord(Array(text.utf8)) }

    @Test(arguments: [
        "susi-key-1 " + String(repeating: "0f", count: 32), "susi-key-2 secret-service \(id) 28800",
        "susi-key-2 keychain \(id) 0",
        "susi-key-2 passphrase \(id) 1800 65536 8 1 \(salt)", "susi-key-2 command \(id) 0 16384 8 4 \(salt)\(salt)",
    ])
    func everyFormIsWrittenAsItWasRead(line: String) throws {
        let record = try #require(Self.record(line + "\n"))
        #expect(record.line == line + "\n")
        #expect(record.line.utf8.count <= KeyRecord.largest)
        #expect((record.key != nil) == (record.source == .file))
        #expect(record.source == .file || record.id.description == Self.id)
        #expect(Self.record(line) == nil, "without its end the line may be cut")
        #expect(Self.record(line + "\n\n") == nil && Self.record(line + " \n") == nil)
    }

    /// A file from elsewhere must neither exhaust the machine nor make guessing cheap.
    @Test(arguments: [
        "susi-key-2 file \(id) 0", "susi-key-2 magic \(id) 0", "susi-key-2 memory \(id) 0", "susi-key-2 keychain 00 0",
        "susi-key-2 keychain \(id)", "susi-key-2 keychain \(id) -1", "susi-key-2 keychain \(id) +1",
        "susi-key-2 keychain \(id) 99999999999",
        "susi-key-2 keychain \(id) 0 65536 8 1 \(salt)", "susi-key-2 passphrase \(id) 0",
        "susi-key-2 passphrase \(id) 0 65535 8 1 \(salt)", "susi-key-2 passphrase \(id) 0 8192 8 1 \(salt)",
        "susi-key-2 passphrase \(id) 0 1073741824 8 1 \(salt)", "susi-key-2 passphrase \(id) 0 1048576 8 1 \(salt)",
        "susi-key-2 passphrase \(id) 0 65536 1024 1 \(salt)", "susi-key-2 passphrase \(id) 0 65536 8 1000 \(salt)",
        "susi-key-2 passphrase \(id) 0 65536 8 0 \(salt)", "susi-key-2 passphrase \(id) 0 65536 8 1 00",
        "susi-key-2 passphrase \(id) 0 65536 8 1 \(salt)0", "susi-key-2 passphrase \(id) 0 65536 8 1 \(salt) more",
        "susi-key-2  keychain \(id) 0", "susi-key-3 keychain \(id) 0",
    ])
    func otherLinesAreRefused(line: String) {
        // 2^20 rounds of 8 blocks are 1 GiB.
        #expect(Self.record(line + "\n") == nil)
    }

    @Test func aPassphraseGivesItsKeyAndNoOther() throws {
        let new = try NewKey(for: .passphrase, from: "correct horse", lifetime: 60)
        let record = try #require(Self.record(new.record.line))
        #expect(record.key(from: "correct horse")?.id == new.key.id)
        #expect(record.key(from: "correct horse ") == nil && record.key(from: "") == nil)
        let again = try NewKey(for: .passphrase, from: "correct horse", lifetime: 60)
        #expect(again.key.id != new.key.id, "each has a salt of its own")
        #expect(!record.line.contains(new.key.digits) && !record.line.contains("horse"))
    }

    @Test func noDescriptionShowsAKey() {
        let key = SealingKey()
        var dumped = ""
        dump(key, to: &dumped)
        let record = KeyRecord(holding: key)
        var dumpedRecord = ""
        dump(record, to: &dumpedRecord)
        for text in ["\(key)", "\([key])", String(reflecting: key), dumped, dumpedRecord, "\(record)"] {
            #expect(!text.contains(key.digits) && !text.contains("\(key.bytes[0]), \(key.bytes[1])"))
        }
    }

    @Test func ignoresAnotherKeyUnderAnIdInTheKernel() {
        let key = SealingKey()
        let payload = key.bytes + [0, 0, 0, 0, 0, 0, 1, 2]
        #expect(KernelKeyring.Held(payload, of: key.id)?.until == 258)
        #expect(KernelKeyring.Held(payload, of: SealingKey().id) == nil)
    }
}

/// Keys in the kernel's memory.
@Suite(.enabled(if: KernelKeyring.refusal == nil, "the kernel keeps no keys here"))
struct KernelKeyringTests {
    @Test func aKeyIsKeptFoundReplacedAndForgotten() throws {
        let key = SealingKey()
        #expect(KernelKeyring.held(key.id) == nil)
        try KernelKeyring.hold(key, until: nil, now: 1_000)
        defer { KernelKeyring.forget(key.id) }
        #expect(KernelKeyring.held(key.id)?.key.bytes == key.bytes)
        #expect(KernelKeyring.held(key.id)?.until == .some(nil))
        try KernelKeyring.hold(key, until: 1_060, now: 1_000)
        #expect(KernelKeyring.held(key.id)?.until == 1_060)
        #expect(KernelKeyring.held(SealingKey().id) == nil)
        // The key of a key file is in no other place.
        let file = NewKey(for: .file, lifetime: 0)
        try file.record.hold(file.key, lifetime: nil, now: 1_000)
        #expect(file.record.held() == nil)
        #expect(KernelKeyring.forget(key.id) && !KernelKeyring.forget(key.id))
        #expect(KernelKeyring.held(key.id) == nil)
    }

    @Test(.timeLimit(.minutes(5))) func kernelRemovesKeyAfterItsTime() async throws {
        let key = SealingKey()
        try KernelKeyring.hold(key, until: 1_001, now: 1_000)
        // Only the kernel's own clock removes the key.
        try await waitUntil { KernelKeyring.held(key.id) == nil }
    }

    @Test func otherThreadsFindKey() async throws {
        let key = SealingKey()
        try KernelKeyring.hold(key, until: 1_060, now: 1_000)
        defer { KernelKeyring.forget(key.id) }
        let found = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: KernelKeyring.held(key.id)?.key.id) }.start()
        }
        #expect(found == key.id)
    }
}
