import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// `store check`, `repair`, `backup`, and the encrypted `export` and `import`, on the command line.
@Suite("Store commands", .inTurn, .timeLimit(.minutes(5)))
struct StoreCommandTests {
    private static let passphrase = "correct horse battery"

    private func breakSeal(_ folder: StoreFolder, _ kind: String) throws {
        let database = try Connection(path: folder.database.string, mode: .readWrite)
        try database.execute(
            """
            UPDATE tokens SET secret = zeroblob(60) WHERE kind = ? AND account =
                (SELECT a.id FROM accounts AS a JOIN persons AS p ON p.id = a.person WHERE p.emails LIKE '%ben@contoso.example%')
            """, [.text(kind)])
    }

    /// What the commands print is in the catalog of reports.
    @Test("a repair is confirmed; a lost refresh token leaves the other tokens, and a sign-in helps")
    func checksAndRepairs() async throws {
        try await PasswordTenant.run { scene in
            try await scene.susi.run("store", "check").exits(6, saying: "susi sign-in")
            try await scene.signIn(.ana, .ben)
            try breakSeal(scene.folder, "refresh")
            let before = scene.folder.contents()
            let check = try await scene.susi.run("store", "check", "--json").exits(6)
            #expect(try check.json()["isGood"]?.bool == false && check.json()["goodAccounts"]?.lenientInteger == 1)
            try await scene.susi.run("store", "repair").exits(64, saying: "next: susi store repair --yes")
            try await scene.susi.run("store", "repair", "--dry-run").exits(0)
            #expect(scene.folder.contents() == before)
            try await scene.susi.run("store", "repair", "--yes").exits(0)
            try await scene.susi.run("store", "check").exits(0)
            try await scene.susi.run("token", "-p", PasswordTenant.policy).exits(0)
            try await scene.susi.run("token", "-p", PasswordTenant.policy, "--refresh").exits(4)
        }
    }

    @Test("a removal names the damaged file that a repair kept; what empties a store deletes it, and so does sharing")
    func deletesKeptFiles() async throws {
        try await PasswordTenant.run { scene in
            let susi = scene.susi
            func repaired() async throws -> String {
                try await scene.signIn(.ana, .ben)
                try breakSeal(scene.folder, "refresh")
                try await susi.run("store", "repair", "--yes").exits(0)
                return try #require(scene.folder.damagedFiles.first).string
            }
            func names(_ json: JSONNode, _ key: String) -> [String]? { json[key]?.array?.compactMap(\.string) }
            let file = try await repaired()
            let removed = try await susi.run("remove", "ben@contoso.example", "--yes", "--json").exits(0).json()
            #expect(names(removed, "keptAside") == [file] && names(removed, "deletedFiles") == [])
            try await susi.run("sign-out", "--all", "--dry-run").exits(0, printing: "would delete \(file)")
            #expect(scene.folder.damagedFiles.map(\.string) == [file])
            try await susi.run("sign-out", "--all", "--yes").exits(0, printing: "deleted \(file)")
            #expect(scene.folder.damagedFiles.isEmpty)
            // One of two accounts: the other's are still there.
            _ = try await repaired()
            try await susi.run("sign-out", "-a", "ben@contoso.example", "-p", PasswordTenant.policy, "--yes").exits(
                0, printing: "it still contains encrypted tokens")
            try await susi.run("remove", "ana@contoso.example", "--yes").exits(0)
            #expect(scene.folder.damagedFiles.count == 1)
            try await susi.run("sign-out", "--all", "--yes").exits(0, printing: "deleted")
            #expect(scene.folder.damagedFiles.isEmpty)
            _ = try await repaired()
            try await susi.run("remove", "ben@contoso.example", "--yes").exits(0)
            try await susi.run("store", "share").exits(0, printing: "deleted")
            #expect(scene.folder.damagedFiles.isEmpty)
        }
    }

    @Test("backup copies without the key, and overwrites only when told")
    func backsUpAndRestores() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            try await scene.susi.run("store", "backup", "copy.sqlite").exits(0, printing: "copy.sqlite")
            try await scene.susi.run("store", "backup", "copy.sqlite").exits(64, saying: "--force")
            let forced = try await scene.susi.run("store", "backup", "copy.sqlite", "--force", "--json")
            #expect(try forced.json()["holdsKey"]?.bool == false && forced.json()["accounts"]?.lenientInteger == 2)
            try await scene.susi.run("store", "backup", "no/copy.sqlite").exits(6)
            // Restores the copy; the store still has its key.
            let copy = scene.susi.home.work("copy.sqlite").string
            let bytes = try #require(FileManager.default.contents(atPath: copy))
            _ = try await scene.susi.run("remove", "ben@contoso.example", "--yes")
            try scene.folder.put(bytes)
            #expect(try await scene.susi.run("accounts").standardOutput.contains("ben@contoso.example"))
            #expect(try scene.folder.findings() == [])
        }
    }

    @Test("everything moves to another machine, sealed by a passphrase that is asked twice")
    func movesAccountsByExport() async throws {
        try await PasswordTenant.run { scene in
            try await scene.susi.run("export", "--format", "susi", "-o", "x", environment: try phrase(scene)).exits(5)
            try await scene.signIn(.ana, .ben)
            let export = ["export", "--format", "susi", "-o", "accounts.susi"]
            try await scene.susi.command(export).run().exits(64, saying: "--passphrase-file")
            let command = try scene.susi.command(export).inTerminal()
            try await scene.susi.command(export + ["--no-input"]).inTerminal().run().exits(64)
            let rows: [(String, Int32, String)] = [
                ("x", 64, "the two passphrases differ"), ("", 0, "Exported 2 accounts"),
            ]
            for (more, status, says) in rows {
                try await command.start { run in
                    try await run.type("\(Self.passphrase)\n", at: "Passphrase for the export: ")
                    try await run.type("\(Self.passphrase)\(more)\n", at: "Repeat the passphrase: ")
                    let outcome = try await run.waitUntilExit().exits(status, printing: says)
                    #expect(!outcome.standardOutput.contains(Self.passphrase))
                }
            }
            let file = scene.susi.home.work("accounts.susi")
            #expect(try file.permissions() == 0o600)
            // Another machine: another store with another key.
            let other = scene.susi.home.folder.appending("other")
            let elsewhere = try phrase(scene).merging([
                "SUSI_HOME": other.string, "SUSI_CONFIG": scene.susi.home.policiesFile.string,
            ]) { $1 }
            try await scene.susi.run("import", "accounts.susi", "--dry-run", environment: elsewhere).exits(
                0, printing: "ana@contoso.example under ")
            #expect(!other.exists)
            try await scene.susi.run("import", "accounts.susi", environment: elsewhere).exits(
                0, printing: "2 imported, 0 skipped, 0 failed", "anyone who knows its passphrase")
            for account in ["ana@contoso.example", "ben@contoso.example"] {
                try await scene.susi.run(
                    "token", "-p", PasswordTenant.policy, "-a", account, "--refresh", environment: elsewhere
                ).exits(0)
            }
            // From standard input, the format is recognized too.
            let again = try await scene.susi.shell(
                "\"$0\" import - --json < accounts.susi", environment: elsewhere
            ).run()
            #expect(try again.status == 0 && again.json()["skipped"]?.lenientInteger == 2, "\(again)")
        }
    }

    @Test("a wrong passphrase, a short one, options that make no sense: said, and nothing is stored")
    func explainsMistakes() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let good = try phrase(scene)
            let file = scene.susi.home.work("short").string
            try Data("short\n".utf8).write(to: URL(filePath: file))
            try await scene.susi.run(
                "export", "--format", "susi", "-o", "x", "--passphrase-file", "short", environment: good
            ).exits(64, saying: "8 characters")
            try await scene.susi.run("export", "--format", "susi", "-o", "x", "--passphrase-file", "nowhere").exits(64)
            try await scene.susi.run("export", "--format", "susi", "-o", "x", environment: good).exits(0)
            #expect(try await scene.susi.run("export", "--format", "susi", "-o", "x", environment: good).status == 64)
            try Data("another one\n".utf8).write(to: URL(filePath: file))
            try await scene.susi.run("import", "x", "--passphrase-file", "short").exits(1, saying: "passphrase")
            let path = scene.susi.home.work("x").string
            let bytes = try #require(FileManager.default.contents(atPath: path))
            try bytes.dropLast(20).write(to: URL(filePath: path))
            try await scene.susi.run("import", "x", environment: good).exits(1, saying: "nothing was imported from x")
            try Data("susi-export-14\nsusi-key-2 passphrase".utf8).write(to: URL(filePath: path))
            try await scene.susi.run("import", "x", environment: good).exits(
                1, saying: "next: export the accounts again with this version")
            #expect(try scene.folder.accounts().count == 1)
        }
    }

    private func phrase(_ scene: PasswordTenant) throws -> [String: String] {
        let file = scene.susi.home.work("phrase")
        // As an editor on Windows writes it: the mark and the line break are not part of the passphrase.
        try file.write("\u{feff}\(Self.passphrase)\r\n")
        return ["SUSI_EXPORT_PASSPHRASE_FILE": file.string]
    }
}
