import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// What every source of a key outside the key file does, with the built program and the kernel's keyring.
@Suite(
    "Key sources", .inTurn, .timeLimit(.minutes(5)),
    .enabled(if: KernelKeyring.refusal == nil, "the kernel keeps no keys here"))
struct KeySourceTests {
    /// A source with the variables that a command needs to load its key, and with wrong ones.
    struct Row: CustomTestStringConvertible, Sendable {
        let source: KeySource
        let right: @Sendable (FilePath) -> [String: String]
        let wrong: @Sendable (FilePath) -> [String: String]
        var testDescription: String { source.rawValue }
    }

    private static let rows = [
        Row(
            source: .passphrase, right: { ["SUSI_PASSPHRASE_FILE": "\($0)/right"] },
            wrong: { ["SUSI_PASSPHRASE_FILE": "\($0)/wrong"] }),
        Row(source: .command, right: { _ in ["SECRET": "s3cret"] }, wrong: { _ in ["SECRET": "other"] }),
        Row(
            source: .secretService, right: { ["PATH": "\($0)/bin:/usr/bin:/bin", "KEYS": "\($0)/keys"] },
            wrong: { ["PATH": "\($0)/bin:/usr/bin:/bin", "KEYS": "\($0)/none"] }),
    ]

    /// Runs `body` in a home with Ana's account and with what the sources need. The kernel's key is removed at the end.
    private static func withAccount(_ body: (SusiBinary, FilePath) async throws -> Void) async throws {
        let command = #"{ "keyCommand": ["printenv", "SECRET"],"#
        let ana = StoredPerson("ana@contoso.example", isCurrent: true)
        try await withStored([ana], policies: { command + $0.dropFirst() }) { susi in
            let folder = susi.home.folder
            try folder.appending("right").write("correct horse battery\nmore\n")
            try folder.appending("wrong").write("wrong horse battery\n")
            try FakeSecretTool.install(in: folder)
            try await body(susi, folder)
            _ = try await susi.run("store", "lock")
        }
    }

    private static func access(_ susi: SusiBinary) async throws -> String? {
        try await susi.run("store", "status", "--json").json()["access"]?.string
    }

    private static func record(_ susi: SusiBinary) throws -> String {
        try susi.home.file("key").text()
    }

    @Test("the key is loaded once, kept, forgotten, refused if wrong, changed and removed", arguments: rows)
    func keepsStoreReadable(_ row: Row) async throws {
        try await Self.withAccount { susi, folder in
            let (right, wrong) = (row.right(folder), row.wrong(folder))
            let token = try await susi.run("token").standardOutput
            #expect(!token.isEmpty)
            let rekey = ["store", "rekey", "--to", row.source.rawValue, "--lifetime", "30m"]
            try await susi.command(rekey, environment: right).run().exits(0, printing: "key: \(row.source.name)")
            let first = try Self.record(susi)
            #expect(first.hasPrefix("susi-key-2 \(row.source.rawValue) "))
            // The kernel keeps the key, so neither path asks for it.
            #expect(try await Self.access(susi) == "kept")
            for command in [["token"], ["token", "--format=raw"]] {
                #expect(try await susi.command(command).run().standardOutput == token)
            }
            for _ in 1...2 { #expect(try await susi.run("store", "lock").status == 0) }
            #expect(try await Self.access(susi) == "locked")
            for environment in [[:], wrong] {
                try await susi.command(["token"], environment: environment).run().exits(6, output: "")
            }
            #expect(try await susi.command(["token"], environment: right).run().standardOutput == token)
            #expect(try await susi.run("token").standardOutput == token)
            // The request for a source applies to new stores: this one keeps its own.
            try await susi.command(
                ["store", "rekey"], environment: right.merging(["SUSI_KEY_SOURCE": "file"]) { $1 }
            ).run().exits(0)
            let second = try Self.record(susi)
            #expect(second != first && second.hasPrefix("susi-key-2 \(row.source.rawValue) "))
            #expect(try await susi.run("token").standardOutput == token)
            try await susi.command(["store", "rekey", "--to", "file"], environment: right).run().exits(0)
            #expect(try await Self.access(susi) == "open")
            #expect(try await susi.run("token").standardOutput == token)
            #expect(FakeSecretTool.keys(in: folder).isEmpty, "an old key was not removed")
        }
    }

    @Test("a source that is unavailable makes no store and names the others; a new store has the requested one")
    func proposesOtherSources() async throws {
        let other = "set SUSI_KEY_SOURCE to file or passphrase"
        try await withLocalTenant { tenant in
            let (susi, folder) = (tenant.susi, tenant.susi.home.folder)
            for (source, status, next) in [
                ("secret-service", 6, "unlock the desktop's keyring, or \(other)"), ("keychain", 6, other),
                ("command", 6, "to it, or \(other)"), ("passphrase", 6, "SUSI_PASSPHRASE_FILE"),
                ("magic", 5, "SUSI_KEY_SOURCE"), ("memory", 5, "set SUSI_HOME to $XDG_RUNTIME_DIR"),
            ] as [(String, Int32, String)] {
                let environment = ["SUSI_KEY_SOURCE": source, "PATH": "/nowhere"]
                try await susi.run("sign-in", "--no-browser", environment: environment, input: "").exits(
                    status, saying: next, hiding: "store unlock", "Visit")
                #expect(!susi.home.file("key").exists)
            }
            #expect(tenant.requestLines.isEmpty)
            try folder.appending("right").write("correct horse battery\n")
            try await tenant.interact(
                ["sign-in"], as: .ana,
                environment: ["SUSI_KEY_SOURCE": "passphrase", "SUSI_PASSPHRASE_FILE": "\(folder)/right"]
            ).exits(0)
            #expect(try Self.record(susi).hasPrefix("susi-key-2 passphrase "))
            _ = try await susi.run("store", "lock")
        }
    }
}

/// A program in place of `secret-tool`: a folder with a file for each key.
enum FakeSecretTool {
    /// The first key is kept only after the command of `MEANWHILE`.
    private static let script = """
        #!/bin/sh
        for id; do :; done
        case $1 in
        store) cat >"$KEYS/$id"; test -z "$MEANWHILE" || MEANWHILE= sh -c "$MEANWHILE" ;;
        lookup) cat "$KEYS/$id" 2>/dev/null ;;
        clear) rm -f "$KEYS/$id" ;;
        esac
        """

    /// Installs the program in `bin`; `PATH` and `KEYS` name that folder and the one of the keys.
    static func install(in folder: FilePath) throws {
        try folder.appending("keys").makeFolder()
        try folder.appending("bin/secret-tool").write(script, mode: 0o700)
    }

    static func keys(in folder: FilePath) -> [String] {
        (try? folder.appending("keys").names()) ?? []
    }
}
