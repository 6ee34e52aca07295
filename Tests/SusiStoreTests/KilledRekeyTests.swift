import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// `susi store rekey`, killed at any moment.
@Suite(.inTurn) struct KilledRekeyTests {
    private static let people = 120

    @Test(.timeLimit(.minutes(5))) func everythingOpensWheneverItIsKilled() async throws {
        try await withHome { home in
            let folder = StoreFolder(home.susiHome, owner: getuid())
            let susi = try SusiBinary(home: home)
            do {
                let store = try AccountStore(opening: folder)
                for number in 0..<Self.people { try store.signIn(grant(account("subject-\(number)"))) }
            }
            // On a busy machine most runs are killed early or late; another test covers the states between the steps.
            let whole = min(.seconds(2), try await time { _ = try await susi.run("store", "rekey") })
            for turn in 0..<14 {
                _ = try await rekey(susi, killedAfter: whole * turn / 12)
                try expectAll(in: folder, turn)
            }
            // While another program writes, it cannot end.
            let writer = try Connection(path: folder.database.string, mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            let status = try await rekey(susi, killedAfter: whole)
            try writer.execute("ROLLBACK")
            #expect(status == 128 + 9)
            try expectAll(in: folder, 14)
        }
    }

    private func rekey(_ susi: SusiBinary, killedAfter moment: Duration) async throws -> Int32 {
        try await susi.command(["store", "rekey"]).start { run in
            try await Task.sleep(for: moment)
            try? await run.kill()
            return try await run.waitUntilExit().status
        }
    }

    private func time(_ body: () async throws -> Void) async throws -> Duration {
        let began = ContinuousClock.now
        try await body()
        return ContinuousClock.now - began
    }

    // Opens the store first as a reader, which repairs nothing, then as a writer.
    private func expectAll(in folder: StoreFolder, _ turn: Int) throws {
        let reader = try #require(try AccountStore(existing: folder))
        for store in [reader, try AccountStore(opening: folder)] {
            var good = 0
            for account in try store.accounts(of: scope) where account.damage == nil {
                good += try store.secret(.refresh(account.account)) == nil ? 0 : 1
            }
            #expect(good == Self.people, "turn \(turn)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.newKey.string))
    }
}
