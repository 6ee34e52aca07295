import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// Completion in real shells on a terminal.
@Suite("Completion", .inTurn, .timeLimit(.minutes(5)))
struct CompletionTests {
    /// A shell with its completion script. `susi` prints its arguments there, unless the script calls it.
    enum Shell: String, CaseIterable, CustomTestStringConvertible {
        case bash, zsh, fish

        var testDescription: String { rawValue }

        private static let prompt = "ready> "

        func program(_ susi: SusiBinary) throws -> SusiTestSupport.Program {
            let folder = susi.home.folder
            let stub = folder.appending("bin")
            try stub.appending("susi").write(
                """
                #!/bin/sh
                case "$1" in completion|---completion) exec '\(susi.path)' "$@";; esac
                printf '<%s>' "$@"; echo '|'
                """, mode: 0o700)
            let path = try #require(TestEnvironment.program(rawValue))
            var program = susi.command([], environment: ["PATH": "\(stub):\(susi.home.environment["PATH"] ?? "")"])
            program.path = path
            program.environment["ZDOTDIR"] = folder.string
            program.environment["XDG_CONFIG_HOME"] = folder.string
            switch self {
            case .bash:
                let start = folder.appending("bashrc")
                try start.write("PS1='\(Self.prompt)'\nsource <(susi completion bash)\n")
                program.arguments = ["--rcfile", start.string, "-i"]
            case .zsh:
                let start =
                    "autoload -Uz compinit && compinit -u -D\nPS1='\(Self.prompt)'\nsource <(susi completion zsh)\n"
                try folder.appending(".zshrc").write(start)
                program.arguments = ["-i"]
            case .fish:
                let start = "function fish_prompt; echo -n '\(Self.prompt)'; end\nsusi completion fish | source\n"
                try folder.appending("fish/config.fish").write(start, mode: 0o600)
                program.arguments = ["-i"]
            }
            return try program.inTerminal()
        }

        /// Checks the arguments of `susi` after each line was completed and entered.
        func complete(_ lines: [(typed: String, words: [String])], _ susi: SusiBinary) async throws {
            try await program(susi).start { run in
                try await run.waitForText(Self.prompt)
                for (typed, words) in lines {
                    let expected = words.map { "<\($0)>" }.joined() + "|"
                    let before = await run.text(.output).components(separatedBy: expected).count
                    try await run.type(typed + "\n")
                    try await run.waitForLine(containing: expected, times: before)
                }
                try await run.type("exit\n")
                _ = try await run.waitUntilExit()
            }
        }
    }

    @Test(.shells, arguments: Shell.allCases)
    func offersCommandsAndStoredNames(_ shell: Shell) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.signIn(.ben, under: "B2C_1_partner")
            let store = try Connection(path: tenant.susi.home.file("store.sqlite").string, mode: .readWrite)
            let hostile = "ben $(touch pwned)`touch pwned`;'x"
            try store.execute("UPDATE persons SET emails = json_array(?) WHERE emails LIKE '%ben@%'", [.text(hostile)])
            var lines: [(typed: String, words: [String])] = [
                ("susi sta\t", ["status"]), ("susi store rek\t", ["store", "rekey"]),
                ("susi switch an\t", ["switch", "ana@contoso.example"]),
                ("susi switch ana@\t", ["switch", "ana@contoso.example"]),
                ("susi switch ana@con\t", ["switch", "ana@contoso.example"]),
                ("susi token -a b\t", ["token", "-a", shell == .bash ? "b" : hostile]),
                ("susi accounts -p B2C_1_p\t", ["accounts", "-p", "B2C_1_partner"]),
                ("susi edit-profile -p \t", ["edit-profile", "-p", "B2C_1_edit_profile"]),
                ("susi status -A lo\t", ["status", "-A", "local"]),
                ("susi token hel\t", ["token", "hello"]),
                ("susi exec --api hel\tls", ["exec", "--api", "hello", "ls"]),
                ("susi token --ref\t", ["token", "--refresh"]),
            ]
            // The parser's script for zsh completes the value only as a separate word.
            if shell != .zsh { lines.append(("susi token --policy=B2C_1_p\t", ["token", "--policy=B2C_1_partner"])) }
            try await shell.complete(lines, tenant.susi)
            #expect(try tenant.susi.home.workingFolder.names() == [])
        }
    }

    @Test(.shells, arguments: Shell.allCases)
    func completesAccountsToCompare(_ shell: Shell) async throws {
        try await withLocalTenant(policies: CompareTests.policies, signedIn: [.ana]) { tenant in
            try await tenant.signIn(.ben, of: "ciam")
            try await tenant.signIn(.chi, under: "B2C_1_partner")
            // fish adds no space after a colon.
            let separate = { (word: String) in shell == .fish ? ["\(word)x"] : [word, "x"] }
            try await shell.complete(
                [
                    ("susi compare an\tx", ["compare", "ana@contoso.example", "x"]),
                    ("susi compare x ci\tx", ["compare", "x"] + separate("ciam:")),
                    ("susi compare x ciam:b\t", ["compare", "x", "ciam:ben@contoso.example"]),
                    ("susi compare x /B2C_1_p\tx", ["compare", "x"] + separate("/B2C_1_partner:")),
                    ("susi compare x /part:\t", ["compare", "x", "/part:chi@contoso.example"]),
                    ("susi compare local/part:c\tx", ["compare", "local/part:chi@contoso.example", "x"]),
                ], tenant.susi)
        }
    }

    @Test func offersAccountsOfTheNamedApplicationToCompare() async throws {
        try await withLocalTenant(policies: CompareTests.policies, signedIn: [.ana]) { tenant in
            try await tenant.signIn(.ben, of: "ciam")
            for (prefix, names) in [
                ("", ["ana@contoso.example", "bare:", "ciam:", "local:"]), ("ciam:", ["ciam:ben@contoso.example"]),
                (":", [":ana@contoso.example"]), ("bare/", ["bare/B2C_1_susi:"]), ("nothing:", []), ("a:b:c", []),
                ("local/part:", []), ("local/nothing:", []),
            ] {
                let outcome = try await Self.names(tenant.susi, ["compare"], "positional@1", prefix: prefix)
                let offered = outcome.standardOutput.split(separator: "\n").map(String.init).sorted()
                #expect(offered == names && outcome.standardError.isEmpty, "\(prefix): \(outcome)")
            }
        }
    }

    @Test func offersTheAPIOfACallOnce() async throws {
        try await withLocalTenant { tenant in
            let first = try await Self.names(tenant.susi, ["call"], "positional@0")
            #expect(first.standardOutput.hasPrefix("hello\t") && first.standardError.isEmpty, "\(first)")
            for words in [["call", "hello"], ["call", "POST", "hello"]] {
                let more = try await Self.names(tenant.susi, words, "positional@0")
                #expect(more.standardOutput == "\n" && more.standardError.isEmpty, "\(more)")
            }
        }
    }

    static func names(
        _ susi: SusiBinary, _ words: [String], _ option: String, prefix: String = "",
        environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        let line = ["susi"] + words + [prefix]
        return try await susi.command(
            ["---completion"] + words.prefix(1) + ["--", option, "\(line.count - 1)", "\(prefix.count)"] + line,
            environment: ["SAP_SHELL": "fish"].merging(environment) { $1 }
        ).run()
    }

    /// A shell finds a completion script by the program's name, so `./susi` in a folder of others uses the same one.
    // fish completes only programs on the path.
    @Test(.shells, arguments: [Shell.bash, .zsh])
    func neverStartsTheTypedProgram(_ shell: Shell) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let folder = tenant.susi.home.workingFolder
            let program = folder.appending("susi")
            let script = """
                #!/bin/sh
                case "$1" in ---completion) touch started;; esac
                printf '<%s>' "$@"; echo '|'
                """
            try program.write(script, mode: 0o700)
            try await shell.complete([("./susi switch an\t", ["switch", "ana@contoso.example"])], tenant.susi)
            #expect(!folder.appending("started").exists)
        }
    }

    @Test func completesWithoutNetworkLockQuestionOrError() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            let asked = tenant.requestLines.count
            let files = {
                try FileManager.default.subpathsOfDirectory(atPath: susi.home.susiHome.string)
                    .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
            }
            let before = try files()
            let names = try await Self.names(susi, ["switch"], "positional@0")
            #expect(
                names.standardOutput == "ana@contoso.example\tAna Lima\n" && names.standardError.isEmpty, "\(names)")
            let shortened = try await Self.names(susi, ["token", "-p", "sus", "-a"], "--account")
            #expect(shortened.standardOutput == "ana@contoso.example\tAna Lima\n", "\(shortened)")
            #expect(try await Self.names(susi, ["token", "-p", "part", "-a"], "--account").standardOutput == "\n")
            let policies = try await Self.names(susi, ["token"], "--policy")
            #expect(policies.standardOutput.contains("B2C_1_partner\t"), "\(policies)")
            #expect(tenant.requestLines.count == asked)
            #expect(try files() == before)
            // Neither an unreadable store nor an unreadable policies file is an error.
            for (file, text) in [("store.sqlite", "not a database"), ("policies.json", "{")] {
                try susi.home.file(file).write(text)
                for (command, option) in [("switch", "positional@0"), ("token", "--policy"), ("token", "-A")] {
                    let outcome = try await Self.names(susi, [command], option)
                    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
                }
            }
            #expect(try await Self.names(susi, ["switch"], "positional@0").standardOutput == "\n")
        }
    }

    @Test func offersNoAccountsOfALockedStore() async throws {
        try await withLocalTenant { tenant, susi in
            let passphrase = susi.home.folder.appending("passphrase")
            try passphrase.write("a long passphrase\n", mode: 0o600)
            try await tenant.signIn(.ana)
            try await susi.run(
                "store", "rekey", "--to", "passphrase", environment: ["SUSI_PASSPHRASE_FILE": passphrase.string]
            ).exits(0)
            #expect(try await susi.run("store", "lock").status == 0)
            try await susi.command(
                ["---completion", "switch", "--", "positional@0", "2", "0", "susi", "switch", ""]
            ).inTerminal().run().exits(0, output: "\r\n")
        }
    }
}
