import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A sign-in where no person can see the page: it ends at once and names what works in scripts.
@Suite("Unattended sign-in", .inTurn, .timeLimit(.minutes(5)))
struct UnattendedSignInTests {
    private static let variables = ["CI": "true"]

    /// Runs a command that must end at once, without output and without a request.
    private func end(
        _ arguments: [String], _ tenant: LocalTenant, _ more: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        let before = tenant.requestLines.count
        let environment = Self.variables.merging(more) { $1 }
        let outcome = try await tenant.susi.command(arguments, environment: environment, limit: .seconds(60)).run()
        #expect(tenant.requestLines.count == before)
        return outcome.exits(4, output: "")
    }

    @Test(
        "without a terminal, a browser and a display it ends with exit code 4 and sends nothing",
        arguments: [
            ["sign-in", "--no-input"], ["sign-in"], ["token", "--sign-in"],
        ])
    func endsAtOnce(_ arguments: [String]) async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            try await end(arguments, tenant).exits(
                4, saying: "ROPC", "native authentication", "--username NAME --password-stdin", "susi import")
        }
    }

    @Test(
        arguments: [
            ["sign-in"], ["token", "--sign-in"], ["edit-profile", "-a", "ana@contoso.example"], ["reset-password"],
        ])
    func endsAtOnceOverSSHToo(_ arguments: [String]) async throws {
        let people: [LocalTenant.Person] = arguments[0] == "edit-profile" ? [.ana] : []
        try await withLocalTenant(signedIn: people) { tenant in
            let remote = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
            try await end(arguments, tenant, remote).exits(4, saying: "no terminal", "--no-browser")
        }
    }

    /// The accounts are removed all the same; the provider is asked for its metadata alone.
    @Test(arguments: [["--browser", "--yes"], ["--browser-only"]])
    func signOutEndsAtOnceToo(_ options: [String]) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let command = tenant.susi.command(["sign-out"] + options, environment: Self.variables, limit: .seconds(60))
            try await command.run().exits(
                1, printing: "not ended: the browser's session under B2C_1_susi: no terminal, browser or display",
                hiding: "http://localhost:")
            #expect(try await tenant.client().accounts().isEmpty == options.contains("--browser"))
        }
    }

    /// No person could open the printed address instead.
    @Test(
        "a browser command that fails ends the command with its last lines",
        arguments: [
            ["sign-in"], ["token", "--sign-in"], ["call", "hello", "--sign-in"], ["edit-profile"], ["reset-password"],
        ])
    func endsWithTheBrowser(_ arguments: [String]) async throws {
        let people: [LocalTenant.Person] = arguments[0] == "edit-profile" ? [.ana] : []
        try await withLocalTenant(signedIn: people) { tenant in
            let script = tenant.susi.home.folder.appending("enter.sh")
            // A program that it leaves behind keeps standard error open.
            try script.write(
                """
                #!/bin/sh
                sleep 20 & seq 5000 >&2; printf 'no field \\033[31m#password\\n\\n   at %s\\n' "${1%%:*}" >&2; exit 3
                """, mode: 0o700)
            let command = tenant.susi.command(
                arguments + ["--browser", script.string], environment: Self.variables, limit: .seconds(60))
            try await command.run().exits(
                1, output: "", saying: "the browser command failed", "enter.sh exited with code 3 / ",
                "/ 5000 / no field \\u{1b}[31m#password / at http\n", "next: fix the command",
                hiding: "/ 3000 /")
        }
    }

    @Test(
        "a browser command fails as well where the page cannot return to the address: it is named",
        arguments: [true, false])
    func namesUnlistedAddress(isListed: Bool) async throws {
        try await withLocalTenant { tenant in
            let (port, other) = (try await freePort(), try await freePort())
            try tenant.susi.home.changePolicies {
                $0.replacing("\"redirectPorts\": [0]", with: "\"redirectPorts\": [\(isListed ? port : other)]")
            }
            let outcome = try await tenant.susi.command(
                ["sign-in", "--port", "\(port)", "--browser", "false"], environment: Self.variables
            ).run()
            outcome.exits(1, saying: "the browser command failed")
            #expect(outcome.standardError.contains("next: register http://localhost:\(port)/; fix") == !isListed)
        }
    }

    @Test("without a terminal, a browser that cannot be started ends the command", arguments: ["BROWSER", "DISPLAY"])
    func endsWithoutTheBrowser(_ variable: String) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let environment = [variable: "/no/browser", "PATH": "/no"]
            try await tenant.susi.run("sign-in", environment: environment).exits(1, saying: "cannot be started")
            try await tenant.susi.run("sign-out", "--browser", "--yes", environment: environment).exits(
                3, saying: "cannot be started")
        }
    }

    @Test("without a policy that takes a password, none is suggested") func suggestsNoPassword() async throws {
        try await withLocalTenant { tenant in
            try await end(["sign-in"], tenant).exits(
                4, saying: "or susi import FILE", "no policy of “local” takes a password", hiding: "--username")
        }
    }

    /// A sign-in by password edits no profile and sets no password.
    @Test(arguments: [["edit-profile", "-a", "ana@contoso.example"], ["edit-profile"], ["reset-password"]])
    func suggestsAPageOnAnotherMachine(_ arguments: [String]) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let outcome = try await end(arguments, tenant).exits(4, hiding: "--username")
            let named = arguments.count > 1 ? " -a ana@contoso.example" : ""
            #expect(outcome.standardError.hasSuffix("next: susi \(arguments[0]) --no-browser\(named)\n"), "\(outcome)")
        }
    }

    @Test("a sign-out with --no-browser prints its address, and waits as long as a sign-in for the person")
    func signsOutByAddress() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let command = tenant.susi.command(
                ["sign-out", "--browser", "--no-browser", "--yes"], environment: Self.variables)
            try await command.start { run in
                let line = try await run.waitForLine(containing: "http://localhost:")
                let address = line.split(separator: " ").first { $0.hasPrefix("http") }
                _ = try await WebClient.with { web in
                    try await FormVisitor(answers: [:], client: web).visit(String(try #require(address)))
                }
                try await run.waitUntilExit().exits(
                    0, saying: "Waiting for the sign-out\n",
                    printing: "  ended: the browser's session under B2C_1_susi",
                    hiding: "paste")
            }
        }
    }

    @Test("--no-input on a terminal counts as unattended only if standard input is closed")
    func readsStandardErrorOfTerminal() async throws {
        try await withLocalTenant { _, susi in
            for (options, isUnattended) in [
                ("--no-input </dev/null", true), ("</dev/null", false), ("--no-input", false),
            ] {
                let line = "'\(susi.path)' sign-in \(options)"
                try await susi.shell(line, limit: .seconds(60)).inTerminal().start { run in
                    if isUnattended {
                        #expect(try await run.waitUntilExit().status == 4)
                    } else {
                        try await run.type("\u{3}", at: "http://localhost:")
                        #expect(try await run.waitUntilExit().status == 128 + SIGINT)
                    }
                }
            }
        }
    }

    @Test(
        "with a browser or --no-browser, it waits",
        arguments: [
            (["--no-browser"], [:]), (["--browser", "true %u"], [:]), ([], ["BROWSER": "true"]),
        ] as [([String], [String: String])])
    func waitsForPerson(_ options: [String], _ variables: [String: String]) async throws {
        try await withLocalTenant { tenant in
            let environment = Self.variables.merging(variables) { $1 }
            try await tenant.susi.command(["sign-in"] + options, environment: environment, limit: .seconds(60)).start {
                run in
                try await run.waitForLine(containing: "http://localhost:")
                try await run.interrupt()
                #expect(try await run.waitUntilExit().signal == SIGINT)
            }
        }
    }
}
