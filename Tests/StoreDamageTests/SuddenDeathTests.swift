import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Kills (SIGKILL) at random moments of every operation that writes. Afterwards the store opens, is intact, and no
/// account is lost.
///
/// `SUSI_FULL=1` kills 500 times instead of 40; `SUSI_SEED` repeats a run.
@Suite("Sudden death", .inTurn, .serialized, .timeLimit(.minutes(30)))
struct SuddenDeathTests {
    private static let kills = TestEnvironment.variable("SUSI_FULL") == "1" ? 500 : 40

    @Test("of every kind of writing: the store opens, is sound, and no account is lost")
    func storeSurvivesKilledOperations() async throws {
        let seed = SeededNumbers.seed
        try await PasswordTenant.run(strict: true) { scene in
            try await scene.signIn(.ana, .ben)
            let page = try await scene.tenant.interact(["sign-in"], as: .ana)
            try #require(page.status == 0, "\(page)")
            var fates = Fates(random: SeededNumbers(seed: seed))
            let operations = Operation.all
            var number = 0
            // Some operations end before they can be killed.
            while fates.killed < Self.kills || operations.contains(where: { fates.count($0) == 0 }),
                number < Self.kills * 4
            {
                try await fates.meet(operations[number % operations.count], scene)
                number += 1
            }
            print(fates.report(seed))
            #expect(fates.killed >= Self.kills, "seed \(seed): \(fates.report(seed))")
            for operation in operations { #expect(fates.count(operation) > 0, "seed \(seed): \(operation.name)") }
        }
    }
}

/// The number of kills and the duration of each operation.
private struct Fates {
    var random: SeededNumbers
    private(set) var killed = 0
    private var counts: [String: Int] = [:]
    private var lostRefreshes = 0
    private var durations: [String: Duration] = [:]

    init(random: SeededNumbers) { self.random = random }

    func count(_ operation: Operation) -> Int { counts[operation.name] ?? 0 }

    func report(_ seed: UInt64) -> String {
        let all = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "sudden death, seed \(seed): \(killed) kills (\(all)), \(lostRefreshes) refreshes to repeat"
    }

    /// Runs an operation to its end once to measure it; later calls kill it at a random moment.
    mutating func meet(_ operation: Operation, _ scene: PasswordTenant) async throws {
        let place = try await operation.prepare(scene)
        guard let usual = durations[operation.name] else {
            durations[operation.name] = try await operation.run(scene, place, nil).duration
            return try await check(operation, scene, place, wasKilled: false)
        }
        // Half of the moments are near the end, where the store is written.
        let earliest = Bool.random(using: &random) ? 0.7 : 0
        let share = Double.random(in: earliest...1, using: &random)
        let run = try await operation.run(scene, place, usual * share)
        if run.wasKilled {
            killed += 1
            counts[operation.name, default: 0] += 1
        } else {
            // The operation ended before the kill, so it was faster than measured.
            durations[operation.name] = min(usual, run.duration)
        }
        try await check(operation, scene, place, wasKilled: run.wasKilled)
    }

    private mutating func check(
        _ operation: Operation, _ scene: PasswordTenant, _ place: Operation.Place, wasKilled: Bool
    ) async throws {
        let what = "\(operation.name), kill \(killed)"
        if let repair = operation.repair {
            let outcome = try await scene.susi.command(repair, environment: place.environment).run()
            #expect(outcome.status == 0, "\(what): \(outcome)")
        }
        // Opening for writing migrates the store and removes leftovers.
        #expect(throws: Never.self, "\(what)") { _ = try AccountStore(opening: place.folder) }
        #expect(try place.folder.findings() == [], "\(what)")
        let accounts = try place.folder.accounts()
        #expect(accounts.isSuperset(of: place.mustStay), "\(what): \(accounts)")
        #expect(accounts.isSubset(of: place.mayBe), "\(what): \(accounts)")
        guard operation.refreshes else { return }
        let token = try await scene.susi.run("token", "-p", PasswordTenant.policy, "--refresh")
        guard token.status != 0 else { return }
        // The server had issued the next refresh token before the kill. With strict rotation, only a sign-in helps.
        #expect(token.status == 4 && wasKilled, "\(what): \(token)")
        let asked = scene.tenant.requests("POST", "/token") - place.requests
        #expect(asked > 1, "\(what): the refresh token was good")
        lostRefreshes += 1
        #expect(try place.folder.accounts().isSuperset(of: place.mustStay), "the account is still listed")
        try await scene.signIn(.ana)
    }
}
