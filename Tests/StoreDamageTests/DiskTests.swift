import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

private let mayMount = ConditionTrait.enabled(if: TestEnvironment.mayMount, "mounting is not permitted here")

/// Failures of the disk: a clear error, exit code 6, and no further damage.
@Suite("Disk", .inTurn, .timeLimit(.minutes(5)))
struct DiskTests {
    /// Runs a shell script with the home's store on a file system of `size` KiB, and moves the store back afterwards.
    ///
    /// `$STORE` is the folder on that file system; the rest of the home is not changed.
    private func onDisk(
        _ scene: PasswordTenant, _ size: Int, _ script: String, input: String = ""
    ) async throws -> ProgramOutcome {
        let home = scene.susi.home
        let store = home.susiHome
        let back = home.folder.appending("back")
        try? back.remove()
        let whole = """
            mkdir "\(back)"; cp -a "\(store)/." "\(back)/" 2>/dev/null
            mount -t tmpfs -o size=\(size)k,mode=700 tmpfs "\(store)" || exit 99
            cp -a "\(back)/." "\(store)/" || exit 98
            export STORE="\(store)" SUSI="\(scene.susi.path)"
            (\(script)); code=$?
            mount -o remount,rw "\(store)"
            rm -rf "\(back)"; mkdir -m 700 "\(back)"; rm -f "$STORE/filler"; cp -a "\(store)/." "\(back)/"
            exit $code
            """
        let outcome = try await SusiTestSupport.Program(
            "/usr/bin/env", ["unshare"] + TestEnvironment.mountOptions + ["sh", "-c", whole],
            environment: home.environment,
            workingFolder: home.workingFolder, input: .text(input)
        ).run()
        try store.remove()
        try FileManager.default.moveItem(atPath: back.string, toPath: store.string)
        return outcome
    }

    private static let fill = #"cat /dev/zero > "$STORE/filler" 2>/dev/null"#
    private static let readOnly = #"mount -o remount,ro "$STORE""#

    @Test(
        "a full disk: sign-in, refresh, switch, remove, import and backup say so, and the store is as it was", mayMount)
    func full() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            let before = try scene.folder.accounts()
            let password = LocalTenant.Person.chi.user.password
            let commands = [
                "sign-in -p \(PasswordTenant.policy) --username chi@contoso.example --password-stdin",
                "token -p \(PasswordTenant.policy) --refresh", "switch ana@contoso.example -p \(PasswordTenant.policy)",
                "remove ben@contoso.example -p \(PasswordTenant.policy) --yes",
                "import export --passphrase-file phrase",
                "store backup \"$STORE/copy\"",
            ]
            _ = try await scene.susi.run("export", "--format", "susi", "-o", "export", environment: try phrase(scene))
            for command in commands {
                let outcome = try await onDisk(scene, 1_024, "\(Self.fill); $SUSI \(command)", input: password)
                #expect(outcome.status == 6 || Self.mayPass(command) && outcome.status == 0, "\(command): \(outcome)")
                if outcome.status == 6 {
                    let says = ["disk is full", "next:"].allSatisfy(outcome.standardError.contains)
                    #expect(says, "\(command): \(outcome)")
                }
                #expect(try scene.folder.findings() == [], "\(command)")
                let after = try scene.folder.accounts()
                #expect(after == before || outcome.status == 0, "\(command): \(after)")
                if after != before { try await scene.signIn(.ben) }
                _ = try await scene.token()
            }
        }
    }

    // Commands that may succeed, because they need no free space.
    private static func mayPass(_ command: String) -> Bool {
        command.hasPrefix("remove") || command.hasPrefix("switch") || command.hasPrefix("import")
    }

    private func phrase(_ scene: PasswordTenant) throws -> [String: String] {
        let file = scene.susi.home.work("phrase")
        try file.write("correct horse\n")
        return ["SUSI_EXPORT_PASSPHRASE_FILE": file.string]
    }

    @Test("a disk that is full when a store is repaired leaves the old one", mayMount)
    func fullForRepair() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            try scene.folder.damage("ben@contoso.example")
            let before = try scene.folder.accounts()
            let outcome = try await onDisk(scene, 512, "\(Self.fill); $SUSI store repair --yes")
            #expect(outcome.status == 6, "\(outcome)")
            #expect(try scene.folder.accounts() == before)
            // With free space the repair succeeds.
            try await scene.susi.run("store", "repair", "--yes").exits(0)
            #expect(try scene.folder.accounts() == ["ana@contoso.example \(PasswordTenant.policy)"])
        }
    }

    @Test("a full disk when the store is made: nothing half made stays in the way", mayMount)
    func fullAtTheBeginning() async throws {
        try await PasswordTenant.run { scene in
            let password = LocalTenant.Person.chi.user.password
            for size in [16, 64, 128] {
                let command = "sign-in -p \(PasswordTenant.policy) --username chi@contoso.example --password-stdin"
                let outcome = try await onDisk(scene, size, "$SUSI \(command)", input: password)
                #expect([0, 6].contains(outcome.status), "\(size): \(outcome)")
                try await scene.signIn(.chi)
                #expect(try scene.folder.findings() == [])
                for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "key", "locks"] {
                    try? scene.folder.path.appending(name).remove()
                }
            }
        }
    }

    @Test("a quota of the file size stands for a full disk where nothing can be mounted")
    func keepsAccountsAtFileSizeLimit() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            let before = try scene.folder.accounts()
            let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""
            for arguments in [["token", "-p", PasswordTenant.policy, "--refresh"], ["store", "backup", "copy"]] {
                try await scene.susi.shell(script, arguments).run().exits(6)
                #expect(try scene.folder.findings() == [] && scene.folder.accounts() == before)
                #expect(try scene.susi.home.workingFolder.names() == [])
            }
            _ = try await scene.token(forcesRefresh: true)
        }
    }

    @Test(
        "a valid cached token is printed on a full and on a read-only disk, with and without SQLite's own files",
        mayMount)
    func printsCachedToken() async throws {
        try await PasswordTenant.run { scene in
            // The database without its log has another person's token.
            let token = try await scene.switchInLog()
            let installed = try scene.susi.installed()
            // As a backup has it, or a command that ended properly: everything is in the database itself.
            let closed = "rm -f \"$STORE\"/store.sqlite-*"
            let files = ["true", "rm -f \"$STORE/store.sqlite-shm\""]
            let whole = scene.susi.home.folder.appending("whole.sqlite").string
            for state in files + ["\(closed); cp '\(whole)' \"$STORE/store.sqlite\""] {
                // This moves the log into the database.
                if state.hasPrefix(closed) { _ = try await scene.susi.run("store", "backup", whole) }
                for disk in [Self.fill, Self.readOnly] {
                    for (program, options) in [(installed, ""), (scene.susi, "--format=raw")] {
                        let line = "\(state); \(disk); '\(program.path)' token -p \(PasswordTenant.policy) \(options)"
                        let outcome = try await onDisk(scene, 2_048, line)
                        #expect(outcome.standardOutput == token, "\(line): \(outcome)")
                        #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(line): \(outcome)")
                    }
                    // What only reads also works.
                    let list = try await onDisk(scene, 2_048, "\(state); \(disk); $SUSI accounts")
                    #expect(list.status == 0 && list.standardOutput.contains("ben@contoso.example"), "\(list)")
                }
            }
        }
    }

    @Test("a home that cannot be written: errors in the words of susi, and the store is as it was", mayMount)
    func namesReadOnlyHome() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            let before = scene.folder.contents()
            let policy = PasswordTenant.policy
            let writers = [
                "sign-in -p \(policy) --username ana@contoso.example --password-stdin", "token -p \(policy) --refresh",
                "switch ana@contoso.example -p \(policy)",
            ]
            for command in writers + [
                "import - ", "emulator run --port 0", "doctor", "store rekey --to file", "store backup \"$STORE/copy\"",
                "store repair --yes", "policies trust", "emulator reset --yes",
            ] {
                let outcome = try await onDisk(scene, 2_048, "\(Self.readOnly); $SUSI \(command)", input: Self.password)
                try expectOwnWords(outcome, command)
                guard writers.contains(command) else { continue }
                #expect(outcome.status == 6 && outcome.standardError.contains("next:"), "\(command): \(outcome)")
            }
            #expect(scene.folder.contents() == before)
            // A home that cannot be created.
            for command in [writers[0], "import -", "emulator run --port 0"] {
                let home = #"SUSI_HOME="$STORE/inside" SUSI_CONFIG="$STORE/policies.json""#
                let outcome = try await onDisk(
                    scene, 2_048, "\(Self.readOnly); \(home) $SUSI \(command)", input: Self.password)
                try expectOwnWords(outcome, command)
                #expect(command != writers[0] || outcome.status == 6, "\(outcome)")
            }
        }
    }

    private static let password = LocalTenant.Person.ana.user.password

    private func expectOwnWords(_ outcome: ProgramOutcome, _ command: String) throws {
        for raw in ["Error", "NSUnderlying", "Domain", "Optional(", "Code="] {
            #expect(!"\(outcome)".contains(raw), "\(command): \(outcome)")
        }
    }

    // MARK: Refused at once

    /// The store's own tests have every kind of file that is refused.
    @Test("an unsafe file, a link, another schema: exit 6 with what to do, and the files stay as they are")
    func refusesUnsafeFiles() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let database = scene.folder.database.string
            let cases: [(says: String, damage: () throws -> Void)] = [
                ("schema 99", { try scene.folder.execute("PRAGMA user_version = 99") }),
                (
                    "chmod 600",
                    { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: database) }
                ),
                (
                    "symbolic link",
                    {
                        let other = scene.folder.path.appending("elsewhere").string
                        try FileManager.default.moveItem(atPath: database, toPath: other)
                        try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: other)
                    }
                ),
            ]
            for (says, damage) in cases {
                try damage()
                let before = scene.folder.contents()
                for command in [["token", "-p", PasswordTenant.policy], ["remove", "ana@contoso.example", "--yes"]] {
                    try await scene.susi.command(command).run().exits(6, saying: says)
                }
                #expect(scene.folder.contents() == before, "\(says)")
            }
        }
    }
}

extension StoreFolder {
    fileprivate func execute(_ sql: String) throws {
        try Connection(path: database.string, mode: .readWrite).execute(sql)
    }

    /// Makes all encrypted data of a person unreadable.
    fileprivate func damage(_ label: String) throws {
        let database = try Connection(path: database.string, mode: .readWrite)
        let accounts = "(SELECT a.id FROM accounts AS a JOIN persons AS p ON p.id = a.person WHERE p.emails ->> 0 = ?)"
        try database.execute("UPDATE tokens SET secret = zeroblob(60) WHERE account IN \(accounts)", [.text(label)])
        try database.execute("UPDATE accounts SET claims = zeroblob(60) WHERE id IN \(accounts)", [.text(label)])
    }
}
