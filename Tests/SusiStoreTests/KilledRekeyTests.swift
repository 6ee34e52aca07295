import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// `susi store rekey`, killed just before some of its changes of files.
@Suite(.inTurn) struct KilledRekeyTests {
    private static let people = 120
    private static let turns = 14

    @Test(.timeLimit(.minutes(5))) func everythingOpensWheneverItIsKilled() async throws {
        try await withHome { home in
            let folder = StoreFolder(home.susiHome, owner: getuid())
            let susi = try SusiBinary(home: home)
            do {
                let store = try AccountStore(opening: folder)
                for number in 0..<Self.people { try store.signIn(grant(account("subject-\(number)"))) }
            }
            let steps = try await susi.command(["store", "rekey"]).killed(atStep: 0).run().steps
            try #require(steps > 20)
            for turn in 0..<Self.turns {
                let step = 1 + turn * (steps - 1) / (Self.turns - 1)
                let outcome = try await susi.command(["store", "rekey"]).killed(atStep: step).run()
                // The last changes belong to the log of the database, which is not always as long.
                #expect(outcome.status == 128 + 9 || turn == Self.turns - 1, "step \(step) of \(steps)")
                try expectAll(in: folder, turn)
            }
            // While another program writes, it changes nothing.
            let writer = try Connection(path: folder.database.string, mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            let outcome = try await susi.command(["store", "rekey"]).killed(atStep: 0).run()
            try writer.execute("ROLLBACK")
            #expect(outcome.status != 0 && outcome.steps == 0, "\(outcome)")
            try expectAll(in: folder, Self.turns)
        }
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
