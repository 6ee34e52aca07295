import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Files of `-o`: opened before any question or request, and written completely or not at all.
@Suite("Output files", .timeLimit(.minutes(5)))
struct OutputFileTests {
    private func files(_ tenant: LocalTenant) throws -> [String] {
        try tenant.susi.home.workingFolder.names()
    }

    @Test("an unwritable file exits with 64 and its name, before any request")
    func refusesUnwritableFilesBeforeRequests() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let folder = tenant.susi.home.workingFolder
            try folder.appending("there").write("mine")
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending("link").string, withDestinationPath: "nowhere")
            let (before, asked) = (try files(tenant), tenant.requestLines.count)
            for (place, why) in [
                ("there", "the file exists"), (".", "it is a folder"), ("bad/file", "no such file or folder"),
                ("link", "it is a link that leads nowhere"), ("there/file", "a part of the path is not a folder"),
                ("new/", "it is not a file name"),
                ("", "it is not a file name"),
            ] {
                for command in [["call", "hello"], ["export", "--format", "msal"]] {
                    let outcome = try await tenant.susi.command(command + ["-o", place]).run().exits(64)
                    #expect(
                        outcome.standardError.contains("susi: “\(place)” cannot be written\n  \(why)"), "\(outcome)")
                }
            }
            #expect(try files(tenant) == before && tenant.requestLines.count == asked)
        }
    }

    @Test("a pipe or device is written directly; - is standard output")
    func writesPipesAndDevicesDirectly() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            try await susi.run("call", "hello", "-o", "/dev/null").exits(0, output: "", error: "")
            try await susi.run("call", "hello", "-o", "-").exits(0, printing: "Hello, Ana Lima")
            try await susi.run("call", "hello", "-o", "/dev/full").exits(1, saying: "“/dev/full”")
            try await susi.shell("mkfifo pipe; \"$0\" call hello -o pipe & cat pipe; wait $!").run().exits(
                0, printing: "Hello, Ana Lima")
            #expect(try files(tenant) == ["pipe"])
        }
    }

    /// Runs `susi` with `-o pipe` while another program reads the pipe. Returns the outcome and the bytes that were read.
    private func write(
        _ command: String, _ tenant: LocalTenant, prepare: String = "true"
    ) async throws -> (outcome: ProgramOutcome, read: String) {
        let (susi, home) = (tenant.susi, tenant.susi.home)
        let line = """
            rm -f pipe read; mkfifo -m 666 pipe; \(prepare); cat pipe > read & reader=$!
            '\(susi.path)' \(command) -o pipe; status=$?
            kill $reader 2>/dev/null; wait $reader 2>/dev/null; exit $status
            """
        let outcome = try await susi.shell(line).run()
        let read = FileManager.default.contents(atPath: home.work("read").string)
        return (outcome, String(decoding: read ?? Data(), as: UTF8.self))
    }

    @Test(.enabled(if: getuid() == 0, "a pipe of another user needs root"))
    func refusesAPipeOfAnotherUser() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            for command in ["call hello", "export --format msal --all --yes"] {
                let (outcome, read) = try await write(command, tenant, prepare: "chown 65534 pipe")
                #expect(outcome.status == 64, "\(command): \(outcome)")
                #expect(outcome.standardError.contains("“pipe” cannot be written"), "\(command): \(outcome)")
                #expect(read.isEmpty, "\(command): \(read)")
            }
        }
    }

    @Test func exportsNoTokensIntoAPipe() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try tenant.susi.home.work("phrase").write("correct horse battery\n")
            for command in [
                "export --format msal --all --yes", "export --format susi --passphrase-file phrase",
            ] {
                let (outcome, read) = try await write(command, tenant)
                #expect(outcome.status == 64, "\(command): \(outcome)")
                #expect(outcome.standardError.contains("“pipe” cannot be written"), "\(command): \(outcome)")
                #expect(outcome.standardError.contains("-o -"), "\(command): \(outcome)")
                #expect(read.isEmpty, "\(command): \(read)")
            }
            // The export does not wait for a reader.
            let home = tenant.susi.home
            try await tenant.susi.command(
                ["export", "--format", "msal", "--all", "--yes", "-o", home.work("pipe").string],
                limit: .seconds(60)
            ).run().exits(64)
        }
    }

    @Test("an export to a disk that becomes full leaves no file with tokens")
    func leavesNoExportOnFullDisk() async throws {
        try await withStored(StoredPerson.users(300)) { susi in
            // The disk has room for the index of the store, not for the export.
            let export = ["export", "--format", "msal", "--all", "--yes", "-o", "cache"]
            try await Self.run(export, blocks: 256, susi).exits(1, saying: "“cache”")
            #expect(try susi.home.workingFolder.names() == [])
        }
    }

    /// Runs a command on a disk with room for a file of that many blocks of 512 bytes.
    private static func run(_ arguments: [String], blocks: Int, _ susi: SusiBinary) async throws -> ProgramOutcome {
        try await susi.shell("trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\"", arguments).run()
    }

    @Test func initLeavesNothingOnAFullDisk() async throws {
        try await withSusi { susi in
            let policies = (1...40).flatMap { ["--policy", "B2C_1_policy_\($0)=signUpOrSignIn"] }
            let address = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
            try await Self.run(
                ["init", address, "--client-id", "11111111-1111-1111-1111-111111111111", "--offline"] + policies,
                blocks: 2, susi
            ).exits(1, saying: "“policies.json”")
            #expect(try susi.home.workingFolder.names() == [])
        }
    }

    @Test("the body of an error response is shown and not written to the file")
    func showsErrorBodiesWithoutWritingThem() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let wrong = try await tenant.susi.run("call", "POST", "hello", "-d", "no json", "-o", "answer").exits(
                8, output: "")
            #expect(
                wrong.standardError.contains("400 Bad Request")
                    && wrong.standardError.contains("The body is not valid JSON"))
            try await tenant.susi.run("call", "hello", "-p", "B2C_1_partner", "-o", "answer").exits(4)
            #expect(try files(tenant).isEmpty)
            try await tenant.susi.run("call", "hello", "-o", "answer").exits(0)
            #expect(try files(tenant) == ["answer"])
            try await tenant.susi.run("export", "--format", "msal", "--yes", "-o", "cache").exits(0)
            #expect(try files(tenant) == ["answer", "cache"])
            for name in ["answer", "cache"] {
                #expect(try tenant.susi.home.work(name).permissions() == 0o600)
            }
        }
    }

    @Test("a full disk at standard output is an error with a message; a closed pipe is not")
    func reportsFullDiskAtStandardOutput() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let run = { (line: String) in try await tenant.susi.shell(line).run() }
            for command in ["token", "token -f json", "accounts", "call hello", "policies schema", "help exit-codes"] {
                try await run("'\(tenant.susi.path)' \(command) > /dev/full").exits(
                    1, saying: "the result cannot be written")
            }
            try await run("'\(try tenant.susi.installed().path)' token > /dev/full").exits(
                1, saying: "the disk is full")
            let json = try await run("'\(tenant.susi.path)' accounts --json > /dev/full")
            let error = try JSONNode(parsing: json.standardError.utf8)["error"]
            #expect(json.status == 1 && error?["why"]?.string?.hasPrefix("the disk is full") == true)
            try await run("'\(tenant.susi.path)' token >&-").exits(1, saying: "the result cannot be written")
        }
    }
}
