import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A key file that is missing or invalid: every command says the same, and the next steps work.
@Suite("Damaged keys", .inTurn, .timeLimit(.minutes(5)))
struct DamagedKeyTests {
    private static let ana = StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true)

    @Test(
        "check and repair say what is wrong and what to do; the file of a backup or an empty store helps",
        arguments: ["susi-key-1 07\n", nil])
    func explainsDamagedKey(_ content: String?) async throws {
        try await withStored([Self.ana]) { susi in
            let key = susi.home.file("key")
            let right = try key.text()
            let token = try await susi.run("token").standardOutput
            if let content { try key.write(content, mode: 0o600) } else { SmallFile.remove(key.string) }

            let next = "next: restore the right key file, or start with an empty store: susi store rekey --drop-damaged"
            for command in [["token"], ["accounts"]] {
                try await susi.refusal(command).exits(6, saying: next)
            }
            for command in [["check"], ["repair"], ["repair", "--yes"], ["repair", "--dry-run"]] {
                let outcome = try await susi.command(["store"] + command).run()
                #expect(outcome.status == 6 && outcome.description.contains(next), "\(command): \(outcome)")
            }
            try key.write(right, mode: 0o600)
            #expect(try await susi.run("token").standardOutput == token && !token.isEmpty)
            #expect(try await susi.run("store", "repair").status == 0)

            if let content { try key.write(content, mode: 0o600) } else { SmallFile.remove(key.string) }
            try await susi.run("store", "rekey", "--drop-damaged", "--yes").exits(0)
            #expect(try await susi.run("store", "check").status == 0)
            #expect(try await susi.run("token").status == 4)
        }
    }

    @Test("an invalid key does not stop the repair of the rows; the key's own step comes after it")
    func repairsRowsWithoutKey() async throws {
        try await withStored([Self.ana]) { susi in
            try susi.home.file("key").write("", mode: 0o600)
            for suffix in ["-wal", "-shm"] { SmallFile.remove(susi.home.susiHome.string + "/store.sqlite" + suffix) }
            try susi.home.file("store.sqlite").write(String(repeating: "x", count: 5_000), mode: 0o600)
            try await susi.run("store", "repair", "--yes").exits(0)
            try await susi.run("store", "check").exits(6, printing: "store rekey --drop-damaged")
            #expect(try await susi.run("store", "rekey", "--drop-damaged", "--yes").status == 0)
            #expect(try await susi.run("store", "check").status == 0)
            #expect(try await susi.run("accounts").status == 0)
        }
    }

    @Test(
        "a store of no byte or one is none, with its key too; one of other bytes is repaired", arguments: [0, 1, 5_000])
    func explainsShortStore(count: Int) async throws {
        try await withStored([Self.ana]) { susi in
            for suffix in ["-wal", "-shm"] { SmallFile.remove(susi.home.susiHome.string + "/store.sqlite" + suffix) }
            try susi.home.file("store.sqlite").write(String(repeating: "x", count: count), mode: 0o600)
            let (check, repair) = (try await susi.run("store", "check"), try await susi.run("store", "repair", "--yes"))
            if count < 2 {
                #expect(check.status == 6 && check.standardError.contains("next: susi sign-in"), "\(check)")
                #expect(repair.status == 6 && repair.standardError == check.standardError, "\(repair)")
            } else {
                #expect(check.status == 6 && check.standardOutput.contains("next: susi store repair"), "\(check)")
                #expect(repair.status == 0, "\(repair)")
                #expect(try await susi.run("store", "check").status == 0)
            }
            #expect(try await susi.run("token").status == 4)
            #expect(try await susi.run("accounts").status == 0)
        }
    }
}
