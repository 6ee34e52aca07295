import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// `exec` and the formats of `token`, for other programs.
@Suite("Serving other programs", .inTurn, .timeLimit(.minutes(5)))
struct ExecTests {
    @Test("the command gets the token and keeps streams and exit status; nothing else is printed")
    func commandGetsTokenAndKeepsStreams() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let token = try await tenant.susi.run("token").standardOutput
            let script = "cat; echo; echo $SUSI_ACCESS_TOKEN; test $API_TOKEN = $SUSI_ACCESS_TOKEN; exit 7"
            try await tenant.susi.run(
                "exec", "--api", "hello", "--env", "API_TOKEN", "--", "sh", "-c", script, input: "typed"
            ).exits(7, output: "typed\n\(token)", error: "")
            try await tenant.susi.run("exec", "--", "sh", "-c", "tr '\\0' ' ' < /proc/$$/cmdline").exits(
                0, hiding: "eyJ")
            let missing = try await tenant.susi.run("exec", "--json", "--", "no-such-command")
            #expect(missing.status == 127 && missing.standardError.hasPrefix("{"), "\(missing)")
            #expect(try await tenant.susi.run("exec", "--", tenant.susi.home.folder.string).status == 126)
        }
    }

    /// The command begins at the first word that is not an option of exec; its options and a later `--` are its own.
    @Test func runsACommandWithoutTwoDashes() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let print = ["sh", "-c", "printf '<%s>' \"$@\"; test -n \"$SUSI_ACCESS_TOKEN\"", "sh"]
            let words = ["-p", "--json", "--", "--help", "x"]
            for start in [["exec"], ["exec", "--api", "hello", "-v"], ["exec", "--"], ["emulator", "exec"]] {
                let susi = tenant.susi
                let command = start.first == "emulator" ? ["sh", "-c", "printf '<%s>' \"$@\"", "sh"] : print
                try await susi.command(start + command + words).run().exits(0, output: "<-p><--json><--><--help><x>")
            }
            #expect(try await tenant.susi.refusal("exec", "-p", "nothing", "ls", "--json").status == 5)
            try await tenant.susi.refusal("exec", "--polcy", "B2C_1_susi", "ls", "--polcy").exits(
                64, saying: "next: susi help exec\n")
            try await tenant.susi.run("exec", "--help").exits(
                0, output: CommandTree.help(ExecCommand.self, columns: 80) + "\n")
        }
    }

    @Test("without a sign-in, exec exits with 4 and does not start the command")
    func startsNoCommandWithoutSignIn() async throws {
        try await withSusi { susi in
            // The last word belongs to the command, so the error is no JSON.
            let outcome = try await susi.run("exec", "--", "touch", "started", "--json").exits(4, output: "")
            #expect(outcome.standardError.hasPrefix("susi:"), "\(outcome)")
            #expect(!susi.home.work("started").exists)
        }
    }

    @Test("signals reach the command, which inherits no file, signal mask or ignored signal")
    func commandGetsSignalsAndInheritsNothing() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let script = "trap 'echo caught; exit 9' TERM INT HUP; echo ready; while :; do sleep 0.05; done"
            for interrupts in [true, false] {
                let command = tenant.susi.command(["exec", "--", "sh", "-c", script])
                let outcome = try await command.start { running in
                    try await running.waitForLine(containing: "ready")
                    if interrupts { try await running.interrupt() } else { try await running.terminate() }
                    return try await running.waitUntilExit()
                }
                #expect(outcome.status == 9 && outcome.standardOutput == "ready\ncaught\n")
            }
            guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
            let status = try await tenant.susi.run("exec", "--", "grep", "-E", "Sig(Blk|Ign)", "/proc/self/status")
            let masks = status.standardOutput.split(whereSeparator: \.isNewline)
                .compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
            let ours = [SIGINT, SIGTERM, SIGPIPE].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
            #expect(masks.count == 2 && masks.allSatisfy { $0 & ours == 0 }, "\(status)")
            // File 3 is the folder that ls itself reads.
            try await tenant.susi.run("exec", "--", "ls", "/proc/self/fd").exits(0, output: "0\n1\n2\n3\n")
        }
    }

    @Test("token -f env works in a shell, token -f exec-credential in kubectl")
    func printsFormatsForShellAndKubectl() async throws {
        try await withLocalTenant(signedIn: [.ana]) { _, susi in
            let token = try await susi.run("token").standardOutput.trimmingCharacters(in: .newlines)
            let line = #"eval "$("$0" token -f env)"; echo "$SUSI_ACCESS_TOKEN $SUSI_ACCESS_TOKEN_EXPIRATION""#
            let words = try await susi.shell(line).run().standardOutput.split(separator: " ")
            #expect(words.first.map(String.init) == token)
            #expect(words.last?.hasSuffix("Z\n") ?? false)

            let request = { (version: String) in
                #"{"kind":"ExecCredential","apiVersion":"\#(version)","spec":{"interactive":false}}"#
            }
            for (asked, answered) in [
                (nil, "client.authentication.k8s.io/v1"),
                (request("client.authentication.k8s.io/v1beta1"), "client.authentication.k8s.io/v1beta1"),
            ] {
                let environment = asked.map { ["KUBERNETES_EXEC_INFO": $0] } ?? [:]
                let node = try await susi.run("token", "-f", "exec-credential", environment: environment).json()
                #expect(node["apiVersion"]?.string == answered && node["kind"]?.string == "ExecCredential")
                #expect(node["status"]?["token"]?.string == token)
                let end = node["status"]?["expirationTimestamp"]?.string ?? ""
                #expect(end.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil)
            }
        }
    }

    @Test("token --id has the id token in each format")
    func printsIDToken() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let token = try await tenant.client().idToken().token
            let credential = try await tenant.susi.run("token", "--id", "-f", "exec-credential").json()
            #expect(credential["status"]?["token"]?.string == token)
            let json = try await tenant.susi.run("token", "hello", "--id", "--json").json()
            #expect(json["idToken"]?.string == token && json["accessToken"] == nil)
            #expect(try await tenant.susi.refusal("token", "helo", "--id").status == 5)
            let variables = try await tenant.susi.run("token", "--id", "-f", "env").standardOutput
            #expect(variables.hasPrefix("export SUSI_ID_TOKEN='\(token)'\nexport SUSI_ID_TOKEN_EXPIRATION="))
        }
    }

    @Test("a quote in a value is escaped")
    func quotesValuesForShell() {
        #expect(TokenVariable("A", "it's").line == #"export A='it'\''s'"#)
    }

    @Test("--sign-in opens the browser only if no token is available; standard output has only the token")
    func opensBrowserOnlyWhenNeeded() async throws {
        try await withLocalTenant { tenant in
            let signed = try await tenant.interact(["token", "hello", "--sign-in"], as: .ana)
            #expect(signed.status == 0 && signed.standardOutput.split(separator: ".").count == 3, "\(signed)")
            #expect(signed.standardOutput.split(separator: "\n").count == 1)
            #expect(!signed.standardError.contains("Signed in as"), "\(signed)")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let again = try await tenant.susi.run("token", "hello", "--sign-in", "--browser", browser.command)
            #expect(again.standardOutput == signed.standardOutput && browser.openedURLs.isEmpty)
            let unknown = try await tenant.susi.run("token", "--sign-in", "-a", "unknown", "--browser", browser.command)
            #expect(unknown.status == 5 && browser.openedURLs.isEmpty)
        }
    }
}
