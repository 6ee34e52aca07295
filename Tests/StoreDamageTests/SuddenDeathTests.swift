import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Kills (SIGKILL) every operation that writes, just before some of its changes of files. Afterwards the store opens, is
/// intact, and no account is lost.
///
/// `SUSI_FULL=1` kills before every change instead of three.
@Suite("Sudden death", .inTurn, .timeLimit(.minutes(30)))
struct SuddenDeathTests {
    private static let isFull = TestEnvironment.variable("SUSI_FULL") == "1"

    @Test("of every kind of writing: the store opens, is sound, and no account is lost", arguments: Operation.all)
    func storeSurvivesKilledOperations(_ operation: Operation) async throws {
        try await PasswordTenant.run(strict: true) { scene in
            try await scene.signIn(.ana, .ben)
            try await scene.tenant.signIn(.ana)
            let fates = Fates(operation: operation)
            var steps = try await fates.meet(scene, killAt: 0).steps
            try #require(steps > 3, "\(operation.name) changes no file")
            if Self.isFull {
                var step = 1
                while try await fates.meet(scene, killAt: step).wasKilled { step += 1 }
                #expect(step > steps / 2, "\(operation.name) ended before step \(step) of \(steps)")
                return
            }
            // Not the last fifth: tokens and the log of the database are not always as long.
            let place = { (part: Int, steps: Int) in 1 + part * (steps - steps / 5 - 1) / 2 }
            for part in 0..<3 {
                var run = try await fates.meet(scene, killAt: place(part, steps))
                for _ in 0..<3 where !run.wasKilled {
                    // An earlier kill has left less to do, or more: an account has lost its refresh token, or got it again.
                    steps = run.steps
                    run = try await fates.meet(scene, killAt: place(part, steps))
                }
                #expect(run.wasKilled, "\(operation.name) ended before step \(place(part, steps)) of \(steps)")
            }
        }
    }
}

/// The kills of one operation.
private struct Fates {
    let operation: Operation

    /// Runs the operation, kills it at a step (0: never), and checks the store.
    func meet(_ scene: PasswordTenant, killAt step: Int) async throws -> Operation.Run {
        let place = try await operation.prepare(scene)
        let run = try await operation.run(scene, place, killedAtStep: step)
        try await check(scene, place, step, wasKilled: run.wasKilled)
        return run
    }

    private func check(_ scene: PasswordTenant, _ place: Operation.Place, _ step: Int, wasKilled: Bool) async throws {
        let what = "\(operation.name), killed at step \(step)"
        if let repair = operation.repair {
            let outcome = try await scene.susi.command(repair, environment: place.environment).run()
            #expect(outcome.status == 0, "\(what): \(outcome)")
        }
        // Opening for writing removes leftovers.
        #expect(throws: Never.self, "\(what)") { _ = try AccountStore(opening: place.folder) }
        #expect(try place.folder.findings() == [], "\(what)")
        let accounts = try place.folder.accounts()
        #expect(accounts.isSuperset(of: place.mustStay), "\(what): \(accounts)")
        #expect(accounts.isSubset(of: place.mayBe), "\(what): \(accounts)")
        guard operation.refreshes else { return }
        var refused: SusiError?
        do { _ = try await scene.token(forcesRefresh: true) } catch { refused = error as? SusiError }
        guard let refused else { return }
        // The server had issued the next refresh token before the kill. With strict rotation, only a sign-in helps.
        #expect(refused.code == .signInNeeded && wasKilled, "\(what): \(refused)")
        let asked = scene.tenant.requests("POST", "/token") - place.requests
        #expect(asked > 1, "\(what): the refresh token was good")
        #expect(try place.folder.accounts().isSuperset(of: place.mustStay), "the account is still listed")
        try await scene.signIn(.ana)
    }
}
