import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Damage at many places of a real store: no command that reads crashes, reports a wrong result or changes anything.
@Suite("Damaged pages", .inTurn, .serialized, .timeLimit(.minutes(30)))
struct DamagedPageTests {
    private static let places = TestEnvironment.variable("SUSI_FULL") == "1" ? 300 : 4

    private static let readers: [[String]] = [
        ["accounts"], ["accounts", "--json"], ["status", "-p", PasswordTenant.policy],
        ["token", "-p", PasswordTenant.policy, "-a", "ben@contoso.example", "-f", "json"],
    ]

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

    @Test("a right answer or exit 6; without its head, the error names the repair")
    func commandsSurviveDamagedPages() async throws {
        let seed = SeededNumbers.seed
        var random = SeededNumbers(seed: seed)
        try await PasswordTenant.run { scene in
            let sound = try await people(scene)
            var right: [[String]: String] = [:]
            for reader in Self.readers { right[reader] = try await scene.susi.command(reader).run().standardOutput }
            var damaged = 0
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
                    if number == 0 && reader[0] == "accounts" {
                        #expect(outcome.standardError.contains("susi store repair"), "\(outcome)")
                    }
                    #expect(
                        outcome.status == 6 || outcome.status == 0 && Self.says(outcome.standardOutput, right[reader]),
                        "\(place), \(reader): \(outcome)")
                    #expect(!outcome.standardError.contains("Fatal error"), "\(place), \(reader): \(outcome)")
                    #expect(scene.folder.contents()["store.sqlite"] == bytes, "\(place), \(reader)")
                }
            }
            print("damaged pages, seed \(seed): \(damaged) refusals")
            #expect(damaged > 0)
        }
    }

    // An account that cannot be decrypted is listed as damaged, which is a right result too.
    private static func says(_ text: String, _ right: String?) -> Bool {
        Self.timeless(text) == right.map(Self.timeless) || text.contains("damaged")
            || text.contains("\"isDamaged\": true")
    }

    private static func timeless(_ text: String) -> String { text.replacing(#/\d+ (s|min|h|d)\b/#, with: "TIME") }
}
