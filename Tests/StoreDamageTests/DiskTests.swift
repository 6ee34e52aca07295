import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

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
        let store = home.susiHome.string
        let back = home.folder.appending("back").string
        try? FileManager.default.removeItem(atPath: back)
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
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", whole], environment: home.environment,
            workingFolder: home.workingFolder, input: .text(input)
        ).run()
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: back, toPath: store)
        return outcome
    }

    private static let fill = #"cat /dev/zero > "$STORE/filler" 2>/dev/null"#

    @Test(
        "a full disk: sign-in, refresh, switch, remove, import and backup say so, and the store is as it was",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
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
                let cached = try await scene.susi.run("token", "-p", PasswordTenant.policy)
                #expect(cached.status == 0, "\(command): \(cached)")
            }
        }
    }

    // Commands that may succeed, because they need no free space.
    private static func mayPass(_ command: String) -> Bool {
        command.hasPrefix("remove") || command.hasPrefix("switch") || command.hasPrefix("import")
    }

    private func phrase(_ scene: PasswordTenant) throws -> [String: String] {
        let file = scene.susi.home.workingFolder.appending("phrase").string
        try Data("correct horse\n".utf8).write(to: URL(filePath: file))
        return ["SUSI_EXPORT_PASSPHRASE_FILE": file]
    }

    @Test(
        "a disk that is full when a store is repaired leaves the old one",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func fullForRepair() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            try scene.folder.damage("ben@contoso.example")
            let before = try scene.folder.accounts()
            let outcome = try await onDisk(scene, 512, "\(Self.fill); $SUSI store repair --yes")
            #expect(outcome.status == 6, "\(outcome)")
            #expect(try scene.folder.accounts() == before)
            // With free space the repair succeeds.
            let again = try await scene.susi.run("store", "repair", "--yes")
            #expect(again.status == 0, "\(again)")
            #expect(try scene.folder.accounts() == ["ana@contoso.example \(PasswordTenant.policy)"])
        }
    }

    @Test(
        "a full disk when the store is made: nothing half made stays in the way",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func fullAtTheBeginning() async throws {
        try await PasswordTenant.run { scene in
            let password = LocalTenant.Person.chi.user.password
            for size in [16, 40, 64, 96, 128] {
                let command = "sign-in -p \(PasswordTenant.policy) --username chi@contoso.example --password-stdin"
                let outcome = try await onDisk(scene, size, "$SUSI \(command)", input: password)
                #expect([0, 6].contains(outcome.status), "\(size): \(outcome)")
                try await scene.signIn(.chi)
                #expect(try scene.folder.findings() == [])
                for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "key", "locks"] {
                    try? FileManager.default.removeItem(atPath: scene.folder.path.appending(name).string)
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
                var command = scene.susi.command(arguments)
                command.path = "/bin/sh"
                command.arguments = ["-c", script, scene.susi.path.string] + arguments
                let outcome = try await command.run()
                #expect(outcome.status == 6, "\(arguments): \(outcome)")
                #expect(try scene.folder.findings() == [] && scene.folder.accounts() == before)
                let left = try FileManager.default.contentsOfDirectory(atPath: scene.susi.home.workingFolder.string)
                #expect(left.isEmpty, "\(left)")
            }
            #expect(try await scene.susi.run("token", "-p", PasswordTenant.policy, "--refresh").status == 0)
        }
    }

    @Test("a folder that cannot be written", .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func reportsReadOnlyDisk() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            let before = scene.folder.contents()
            let readOnly = #"mount -o remount,ro "$STORE""#
            for command in [
                "token -p \(PasswordTenant.policy) --refresh", "switch ana@contoso.example -p \(PasswordTenant.policy)",
            ] {
                let outcome = try await onDisk(scene, 2_048, "\(readOnly); $SUSI \(command)")
                #expect(outcome.status == 6, "\(command): \(outcome)")
                #expect(outcome.standardError.contains("next:"), "\(outcome)")
            }
            #expect(scene.folder.contents() == before)
        }
    }

    @Test(
        "a valid cached token is printed on a full and on a read-only disk, with and without SQLite's own files",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func printsCachedToken() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let token = try await scene.susi.run("token", "-p", PasswordTenant.policy).standardOutput
            let installed = try scene.susi.installed()
            let readOnly = #"mount -o remount,ro "$STORE""#
            // As a backup has it, or a command that ended properly: everything is in the database itself.
            let closed = "rm -f \"$STORE\"/store.sqlite-*"
            let files = ["true", "rm -f \"$STORE/store.sqlite-shm\""]
            let whole = scene.susi.home.folder.appending("whole.sqlite").string
            _ = try await scene.susi.run("store", "backup", whole)
            for disk in [Self.fill, readOnly] {
                for state in files + ["\(closed); cp '\(whole)' \"$STORE/store.sqlite\""] {
                    for (program, options) in [(installed, ""), (scene.susi, ""), (scene.susi, "--format=raw")] {
                        let line = "\(state); \(disk); '\(program.path)' token -p \(PasswordTenant.policy) \(options)"
                        let outcome = try await onDisk(scene, 2_048, line)
                        #expect(outcome.standardOutput == token, "\(line): \(outcome)")
                        #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(line): \(outcome)")
                    }
                    // What only reads also works.
                    let list = try await onDisk(scene, 2_048, "\(state); \(disk); $SUSI accounts")
                    #expect(list.status == 0 && list.standardOutput.contains("ana@contoso.example"), "\(list)")
                }
            }
        }
    }

    @Test(
        "on a full and on a read-only disk, the token of the last switch is printed, although only the log has it",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func readsLogOnUnwritableDisk() async throws {
        try await PasswordTenant.run { scene in
            let (_, newer) = try await scene.switchInLog()
            let installed = try scene.susi.installed()
            for disk in [Self.fill, #"mount -o remount,ro "$STORE""#] {
                for index in ["true", "rm \"$STORE/store.sqlite-shm\""] {
                    for (program, options) in [(installed, ""), (scene.susi, "--format=raw")] {
                        let line = "\(index); \(disk); '\(program.path)' token -p \(PasswordTenant.policy) \(options)"
                        let outcome = try await onDisk(scene, 2_048, line)
                        #expect(outcome.status == 0 && outcome.standardOutput == newer, "\(line): \(outcome)")
                    }
                }
            }
        }
    }

    @Test(
        "a home that cannot be written: errors in the words of susi",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func namesReadOnlyHome() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let password = LocalTenant.Person.ana.user.password
            let signIn = "sign-in -p \(PasswordTenant.policy) --username ana@contoso.example --password-stdin"
            for command in [
                signIn, "token -p \(PasswordTenant.policy) --refresh", "import - ", "emulator run --port 0", "doctor",
                "store rekey --to file", "store backup \"$STORE/copy\"", "store repair --yes", "policies trust",
                "emulator reset --yes",
            ] {
                for home in ["$STORE", "$STORE/inside"] {
                    let line =
                        #"mount -o remount,ro "$STORE"; "#
                        + "SUSI_HOME=\"\(home)\" SUSI_CONFIG=\"$STORE/policies.json\" TMPDIR=\"$STORE\" $SUSI \(command)"
                    let outcome = try await onDisk(scene, 2_048, line, input: password)
                    let words = "\(outcome)"
                    for raw in ["Error", "NSUnderlying", "Domain", "Optional(", "Code="] {
                        #expect(!words.contains(raw), "\(line): \(words)")
                    }
                    if command == signIn {
                        #expect(outcome.status == 6 && words.lowercased().contains("read-only"), "\(line): \(words)")
                    }
                }
            }
        }
    }

    // MARK: Refused at once

    private struct Case: Sendable {
        let name: String
        let says: String
        let damage: @Sendable (StoreFolder) throws -> Void
    }

    private static let cases = [
        Case(name: "wrong mode", says: "chmod 600") {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: $0.database.string)
        },
        Case(name: "wrong mode of the key", says: "chmod 600") {
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: $0.key.string)
        },
        Case(name: "wrong mode of the folder", says: "chmod 700") {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: $0.path.string)
        },
        Case(name: "a link for the database", says: "symbolic link") {
            let other = $0.path.appending("elsewhere").string
            try FileManager.default.moveItem(atPath: $0.database.string, toPath: other)
            try FileManager.default.createSymbolicLink(atPath: $0.database.string, withDestinationPath: other)
        },
        Case(name: "a folder for the key", says: "not a regular file") {
            try FileManager.default.removeItem(atPath: $0.key.string)
            try FileManager.default.createDirectory(atPath: $0.key.string, withIntermediateDirectories: false)
        },
        Case(name: "a newer schema", says: "schema 99") { try $0.execute("PRAGMA user_version = 99") },
        Case(name: "another program's database", says: "another program") {
            try $0.execute("PRAGMA application_id = 7")
        },
        Case(name: "no database", says: "susi store repair") { folder in
            try folder.put(Data(repeating: 65, count: 40_000))
        },
    ]

    @Test("owner, mode, link, schema, damage: exit 6 with what to do, and the files stay as they are")
    func refusesUnsafeFiles() async throws {
        var cases = Self.cases
        if getuid() == 0 {
            cases.append(
                Case(name: "wrong owner", says: "belongs to user 4711") {
                    try FileManager.default.setAttributes([.ownerAccountID: 4_711], ofItemAtPath: $0.database.string)
                })
        }
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let keep = scene.susi.home.folder.appending("keep").string
            try FileManager.default.copyItem(atPath: scene.folder.path.string, toPath: keep)
            let commands = [
                ["accounts"], ["token", "-p", PasswordTenant.policy],
                ["token", "-p", PasswordTenant.policy, "--refresh"],
                ["remove", "ana@contoso.example", "--yes"], ["store", "repair", "--yes", "--dry-run"],
            ]
            for bad in cases {
                try FileManager.default.removeItem(atPath: scene.folder.path.string)
                try FileManager.default.copyItem(atPath: keep, toPath: scene.folder.path.string)
                try bad.damage(scene.folder)
                let before = scene.folder.contents()
                for command in commands {
                    let outcome = try await scene.susi.command(command).run()
                    let repairs = command[0] == "store" && bad.name == "no database"
                    #expect(outcome.status == (repairs ? 0 : 6), "\(bad.name), \(command): \(outcome)")
                    if !repairs, !Self.isForeign(command, bad) {
                        #expect(outcome.standardError.contains(bad.says), "\(bad.name), \(command): \(outcome)")
                    }
                }
                #expect(scene.folder.contents() == before, "\(bad.name)")
            }
        }
    }

    // If the key is missing, the command reports that first.
    private static func isForeign(_ command: [String], _ bad: Case) -> Bool {
        bad.name == "a folder for the key" && command[0] == "accounts"
    }
}

extension StoreFolder {
    fileprivate func execute(_ sql: String) throws {
        try Connection(path: database.string, mode: .readWrite).execute(sql)
    }

    /// Makes all encrypted data of a person unreadable.
    fileprivate func damage(_ label: String) throws {
        let database = try Connection(path: database.string, mode: .readWrite)
        let accounts = "(SELECT id FROM accounts WHERE label = ?)"
        try database.execute("UPDATE tokens SET secret = zeroblob(60) WHERE account IN \(accounts)", [.text(label)])
        try database.execute("UPDATE accounts SET claims = zeroblob(60) WHERE id IN \(accounts)", [.text(label)])
    }
}
