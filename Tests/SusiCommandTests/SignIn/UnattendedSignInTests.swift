import Foundation
import Susi
import SusiTestSupport
import Testing

/// A sign-in where no person can see the page: it ends at once and names what works in scripts.
@Suite("Unattended sign-in", .inTurn, .timeLimit(.minutes(5)))
struct UnattendedSignInTests {
    private static let variables = ["CI": "true"]

    /// Runs a command that must end at once, without output and without a request.
    private func end(_ arguments: [String], _ tenant: LocalTenant) async throws -> ProgramOutcome {
        let before = tenant.requestLines.count
        let outcome = try await tenant.susi.command(arguments, environment: Self.variables, limit: .seconds(60)).run()
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
        "with a browser, a display, a remote session or --no-browser, it waits",
        arguments: [
            (["--no-browser"], [:]), (["--browser", "true %u"], [:]), ([], ["BROWSER": "true"]),
            ([], ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]),
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
