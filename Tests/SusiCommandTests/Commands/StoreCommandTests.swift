import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Key sources with the built program and the kernel's keyring.
@Suite(
    "Keys", .inTurn, .timeLimit(.minutes(5)),
    .enabled(if: KernelKeyring.refusal == nil, "the kernel keeps no keys here"))
struct StoreCommandTests {
    private static let passphrase = "correct horse battery"

    /// Runs `body` in a home with Ana's account and with a file that holds a passphrase. The kernel's key is removed at the
    /// end.
    private static func withSignedIn(_ body: (SusiBinary, _ passphrase: String) async throws -> Void) async throws {
        try await withStored([StoredPerson("ana@contoso.example", isCurrent: true)]) { susi in
            let file = susi.home.folder.appending("passphrase")
            try file.write("\(passphrase)\nmore\n")
            try await body(susi, file.string)
            _ = try await susi.run("store", "lock")
        }
    }

    private static func access(_ susi: SusiBinary) async throws -> String? {
        try await susi.run("store", "status", "--json").json()["access"]?.string
    }

    @Test("a locked store says what to do; a time limit ends an unlocked one")
    func locksAfterItsTime() async throws {
        try await Self.withSignedIn { susi, right in
            let file = ["SUSI_PASSPHRASE_FILE": right]
            _ = try await susi.run("store", "rekey", "--to", "passphrase", environment: file)
            _ = try await susi.run("store", "lock")
            for arguments in [["accounts"], ["remove", "ana@contoso.example", "--yes"]] {
                let refused = try await susi.refusal(arguments)
                #expect(refused.status == 6 && refused.next.contains("susi store unlock"), "\(refused)")
            }
            #expect(try await susi.run("store", "unlock", environment: file).status == 0)
            try await susi.run("store", "unlock", "--lifetime", "1s").exits(0)
            while try await Self.access(susi) != "locked" {}
            #expect(try await susi.run("token").status == 6)
        }
    }

    /// Replaces the key in the kernel's keyring, as any program of the user can.
    private static let replaceKey = """
        import ctypes, os, platform, sys
        add, control = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
        call = ctypes.CDLL(None, use_errno=True).syscall
        name, payload = b"susi:" + sys.argv[1].encode(), os.urandom(32) + bytes(8)
        key = call(add, b"user", name, payload, len(payload), -2)
        assert key > 0 and call(control, 5, key, 0x3f0b0000) == 0 and call(control, 8, key, -4) == 0
        """

    @Test func refusesAnotherKeyInTheKernelsKeyring() async throws {
        try await Self.withSignedIn { susi, right in
            let token = try await susi.run("token").standardOutput
            try await susi.run(
                "store", "rekey", "--to", "passphrase", environment: ["SUSI_PASSPHRASE_FILE": right]
            ).exits(0)
            let record = try susi.home.file("key").text()
            let id = try #require(record.split(separator: " ").dropFirst(2).first)
            let replaced = try await SusiTestSupport.Program(
                "/usr/bin/env", ["python3", "-c", Self.replaceKey, String(id)], environment: susi.home.environment
            ).run()
            try #require(replaced.status == 0, "\(replaced)")
            #expect(try await Self.access(susi) == "locked")
            for arguments in [["token"], ["accounts"], ["status", "--claims"]] {
                let refused = try await susi.refusal(arguments)
                #expect(refused.status == 6 && refused.next.contains("susi store unlock"), "\(refused)")
            }
            try await susi.run("store", "unlock", environment: ["SUSI_PASSPHRASE_FILE": right]).exits(0)
            #expect(try await susi.run("token").standardOutput == token)
        }
    }

    @Test("on a terminal a new passphrase is asked for twice, without echo; --no-input never asks")
    func asksForPassphraseOnTerminal() async throws {
        try await Self.withSignedIn { susi, right in
            _ = try await susi.run("store", "rekey", "--to", "passphrase", environment: ["SUSI_PASSPHRASE_FILE": right])
            _ = try await susi.run("store", "lock")
            try await susi.command(["accounts", "--no-input"]).inTerminal().run().exits(6)
            // A new passphrase is asked for twice.
            try await susi.command(["store", "rekey", "--no-color"]).inTerminal().start { run in
                try await run.type("\(Self.passphrase)\n", at: "Passphrase for the store: ")
                try await run.type("another one\n", at: "New passphrase for the store: ")
                try await run.type("another two\n", at: "Repeat the passphrase: ")
                let outcome = try await run.waitUntilExit().exits(6, printing: "differ")
                #expect(!outcome.standardOutput.contains("horse") && !outcome.standardOutput.contains("another one"))
            }
            _ = try await susi.run("store", "lock")
            #expect(try await susi.run("accounts", environment: ["SUSI_PASSPHRASE_FILE": right]).status == 0)
        }
    }

    @Test("a key command: its first line, its messages and failures; only the user's own file may name one")
    func readsKeyFromCommand() async throws {
        try await Self.withSignedIn { susi, _ in
            let own = susi.home.policiesFile
            let plain = try own.text()
            let name = { (script: String) in
                let text = "{\n\"keyCommand\": [\"sh\", \"-c\", \"\(script)\"],"
                try own.write((text + plain.dropFirst()))
            }
            let token = try await susi.run("token").standardOutput
            #expect(try await susi.run("store", "rekey", "--to", "command").status == 6)
            try name("echo from the command >&2; echo s3cret; echo more")
            try await susi.run("store", "rekey", "--to", "command").exits(0, error: "from the command\n")
            _ = try await susi.run("store", "lock")
            #expect(try await Self.access(susi) == "locked")
            try await susi.run("token").exits(0, output: token, error: "from the command\n")
            for script in ["echo other", "echo s3cret; exit 1", "true", "exec /nowhere"] {
                _ = try await susi.run("store", "lock")
                try name(script)
                try await susi.run("token").exits(6, output: "", saying: "keyCommand")
            }
            // The author of a checkout must not choose what runs.
            try name("echo s3cret")
            let text = try own.text()
            try susi.home.writeLocalPolicies(text.replacing("s3cret", with: "s3cret; touch ran"))
            for arguments in [["token"], ["token", "--format=raw"], ["token", "--config", "./policies.json"]] {
                try await susi.command(arguments).run().exits(5, saying: "“keyCommand”")
            }
            #expect(!susi.home.work("ran").exists)
            // Another file is in use, but the command comes from the user's own file.
            try susi.home.writeLocalPolicies(plain)
            #expect(try await susi.run("token").standardOutput == token)
        }
    }

    @Test("another session of the user finds the key; without a kernel keyring each command needs the passphrase")
    func sharesKeyBetweenSessions() async throws {
        let python = try #require(TestEnvironment.program("python3"))
        try await Self.withSignedIn { susi, right in
            let within = { (script: String, arguments: [String], environment: [String: String]) in
                try await SusiTestSupport.Program(
                    python, ["-c", script, susi.path.string] + arguments,
                    environment: susi.home.environment.merging(environment) { $1 },
                    workingFolder: susi.home.workingFolder
                ).run()
            }
            let file = ["SUSI_PASSPHRASE_FILE": right]
            let token = try await susi.run("token").standardOutput
            _ = try await susi.run("store", "rekey", "--to", "passphrase", environment: file)
            // An anonymous session keyring, as a system service or cron has: it does not possess the user's keyring.
            #expect(try await within(Self.newSession, ["token"], [:]).standardOutput == token)
            _ = try await within(Self.newSession, ["store", "lock"], [:])
            #expect(try await susi.run("token").status == 6)
            _ = try await within(Self.newSession, ["store", "unlock"], file)
            #expect(try await susi.run("token").standardOutput == token)

            // Without keyrings the key is not found.
            let denied = try await within(Self.noKeyrings, ["token"], [:])
            #expect(denied.status == 6, "\(denied)")
            #expect(try await within(Self.noKeyrings, ["token"], file).standardOutput == token)
            let status = try await within(Self.noKeyrings, ["store", "status"], [:])
            #expect(status.standardOutput.contains("keyring   unavailable ("), "\(status)")
            let unlock = try await within(Self.noKeyrings, ["store", "unlock"], file)
            #expect(unlock.status == 6 && unlock.standardError.contains("keyring"), "\(unlock)")
            #expect(try await within(Self.noKeyrings, ["token"], file).standardOutput == token)
        }
    }

    /// Joins a new session keyring, then executes the command.
    private static let newSession = """
        import ctypes, os, platform, sys
        call = 250 if platform.machine() == "x86_64" else 219
        assert ctypes.CDLL(None).syscall(call, 1, None) > 0
        os.execv(sys.argv[1], sys.argv[1:])
        """

    /// Blocks the system calls of keyrings, as containers do (seccomp), then executes the command.
    private static let noKeyrings = """
        import ctypes, os, platform, struct, sys
        first = 248 if platform.machine() == "x86_64" else 217
        code = [(0x20, 0, 0, 0), (0x35, 0, 2, first), (0x25, 1, 0, first + 2), (0x06, 0, 0, 0x00050001),
                (0x06, 0, 0, 0x7fff0000)]
        rules = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *rule) for rule in code))
        class Filter(ctypes.Structure):
            _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.c_void_p)]
        libc = ctypes.CDLL(None)
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.byref(Filter(len(code), ctypes.addressof(rules))), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])
        """
}
