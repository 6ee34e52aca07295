import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Damage at many places of a real store: no command crashes or reports a wrong result, and a command that only reads
/// changes nothing.
@Suite("Damaged pages", .inTurn, .serialized, .timeLimit(.minutes(30)))
struct DamagedPageTests {
    private static let places = TestEnvironment.variable("SUSI_FULL") == "1" ? 300 : 4

    private static let readers: [[String]] = [
        ["accounts"], ["accounts", "--json"], ["status", "-p", PasswordTenant.policy],
        ["token", "-p", PasswordTenant.policy, "-a", "ben@contoso.example", "-f", "json"],
    ]

    /// The bytes that replace a page.
    private enum Filler: CaseIterable {
        case zeros, ones, noise, head

        func damage(_ page: Data, _ random: inout SeededNumbers) -> Data {
            switch self {
            case .zeros: return Data(repeating: 0, count: page.count)
            case .ones: return Data(repeating: 0xff, count: page.count)
            case .noise: return Data(page.map { _ in UInt8.random(in: .min ... .max, using: &random) })
            case .head:
                return Data((0..<12).map { _ in UInt8.random(in: .min ... .max, using: &random) }) + page.dropFirst(12)
            }
        }
    }

    private func people(_ scene: PasswordTenant) async throws -> Data {
        try await scene.signIn(.ana, .ben, .chi)
        try await scene.tenant.signIn(.ana)
        // Opening and closing the store moves the log into the database file.
        _ = try AccountStore(opening: scene.folder).accounts(of: [])
        try #require(try scene.folder.findings() == [])
        return try #require(scene.folder.contents()["store.sqlite"])
    }

    @Test("of the database: a right answer or exit 6, and repair keeps what SQLite reads")
    func commandsSurviveDamagedPages() async throws {
        let seed = SeededNumbers.seed
        var random = SeededNumbers(seed: seed)
        try await PasswordTenant.run { scene in
            let sound = try await people(scene)
            var right: [[String]: String] = [:]
            for reader in Self.readers { right[reader] = try await scene.susi.command(reader).run().standardOutput }
            var (damaged, kept) = (0, 0)
            for number in 0..<Self.places {
                let page = number == 0 ? 0 : Int.random(in: 0..<sound.count / 4_096, using: &random)
                let filler = Filler.allCases[number % 4]
                let place = "seed \(seed), page \(page + 1), \(filler)"
                var bytes = sound
                let range = page * 4_096..<(page + 1) * 4_096
                bytes.replaceSubrange(range, with: filler.damage(sound.subdata(in: range), &random))
                for reader in Self.readers {
                    try scene.folder.put(bytes)
                    let outcome = try await scene.susi.command(reader).run()
                    if outcome.status == 6 { damaged += 1 }
                    #expect(
                        outcome.status == 6 || outcome.status == 0 && Self.says(outcome.standardOutput, right[reader]),
                        "\(place), \(reader): \(outcome)")
                    #expect(!outcome.standardError.contains("Fatal error"), "\(place), \(reader): \(outcome)")
                    #expect(scene.folder.contents()["store.sqlite"] == bytes, "\(place), \(reader)")
                }
                try await writers(scene, bytes, place)
                kept += try await repaired(scene, bytes, place)
            }
            print("damaged pages, seed \(seed): \(damaged) refusals, \(kept) of \(Self.places * 4) accounts kept")
            #expect(damaged > 0 && kept > Self.places)
        }
    }

    // An account that cannot be decrypted is listed as damaged, which is a right result too.
    private static func says(_ text: String, _ right: String?) -> Bool {
        Self.timeless(text) == right.map(Self.timeless) || text.contains("damaged")
            || text.contains("\"isDamaged\" : true")
    }

    private static func timeless(_ text: String) -> String { text.replacing(#/\d+ (s|min|h|d)\b/#, with: "TIME") }

    private func writers(_ scene: PasswordTenant, _ bytes: Data, _ place: String) async throws {
        let commands = [
            scene.signInCommand(.ben),
            scene.susi.command(["remove", "chi@contoso.example", "-p", PasswordTenant.policy, "--yes"]),
        ]
        for (number, command) in commands.enumerated() {
            try scene.folder.put(bytes)
            let before = try? scene.folder.accounts()
            let outcome = try await command.run()
            #expect([0, 5, 6].contains(outcome.status), "\(place), \(command.arguments): \(outcome)")
            // A successful command loses no account except the one that it removes.
            guard outcome.status == 0, let before, let after = try? scene.folder.accounts() else { continue }
            #expect(before.subtracting(after).count <= number, "\(place): \(before) became \(after)")
        }
    }

    private func repaired(_ scene: PasswordTenant, _ bytes: Data, _ place: String) async throws -> Int {
        try scene.folder.put(bytes)
        let outcome = try await scene.susi.run("store", "repair", "--yes")
        #expect(outcome.status == 0, "\(place): \(outcome)")
        #expect(try scene.folder.findings() == [], "\(place): \(outcome)")
        for file in try FileManager.default.contentsOfDirectory(atPath: scene.folder.path.string)
        where file.contains(".damaged-") {
            try FileManager.default.removeItem(atPath: scene.folder.path.appending(file).string)
        }
        return try scene.folder.accounts().count
    }

    @Test("of the log and its index: the store is intact, and only the changes in the log can be missing")
    func commandsSurviveDamagedLog() async throws {
        let seed = SeededNumbers.seed
        var random = SeededNumbers(seed: seed)
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            // A reader has the store open, so the log is kept, as after its sudden death.
            let (database, log, index) = try await leaveLog(scene)
            try #require(log.count > 10_000)
            for number in 0..<Self.places {
                try scene.folder.put(database)
                let file = scene.folder.path.appending("store.sqlite-wal").string
                var (bytes, shared) = (log, index)
                if number.isMultiple(of: 3) {
                    for _ in 0..<64 { shared[Int.random(in: 0..<shared.count, using: &random)] = 0xaa }
                } else {
                    let place = Int.random(in: 0..<bytes.count - 100, using: &random)
                    for offset in 0..<100 { bytes[place + offset] = UInt8.random(in: .min ... .max, using: &random) }
                }
                let indexFile = scene.folder.path.appending("store.sqlite-shm").string
                for (path, content) in [(file, bytes), (indexFile, shared)] {
                    try content.write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                }
                let what = "seed \(seed), number \(number)"
                let list = try await scene.susi.run("accounts")
                #expect(list.status == 0 || list.status == 6, "\(what): \(list)")
                #expect(scene.folder.contents()["store.sqlite-wal"] == bytes, "\(what)")
                let check = try await scene.susi.run("store", "check")
                let isWhole = list.standardOutput.contains("ben@contoso.example")
                if number.isMultiple(of: 3) { #expect(isWhole && check.status == 0, "\(what): \(list)\n\(check)") }
                #expect(list.standardOutput.contains("ana@contoso.example") || list.status == 6, "\(what): \(list)")
                #expect(check.status <= 128, "\(what): \(check)")
                let writer = try await scene.signInCommand(.chi).run()
                #expect(writer.status == 0, "\(what): \(writer)")
                #expect(try scene.folder.findings() == [], "\(what)")
            }
        }
    }

    private func leaveLog(_ scene: PasswordTenant) async throws -> (database: Data, log: Data, index: Data) {
        let folder = scene.folder
        // Read before the store is opened: closing a file drops every lock that this process has on it.
        let database = try #require(folder.contents()["store.sqlite"])
        let reader = try #require(try AccountStore(existing: folder))
        _ = try reader.count(of: [])
        try await scene.signIn(.ben)
        let log = try #require(folder.contents()["store.sqlite-wal"])
        let index = FileManager.default.contents(atPath: folder.path.appending("store.sqlite-shm").string)
        _ = try reader.count(of: [])
        return (database, log, try #require(index))
    }
}
