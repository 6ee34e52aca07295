import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The question “Sign in now?” on a terminal.
@Suite("Question for a sign-in", .inTurn, .timeLimit(.minutes(5)))
struct SignInQuestionTests {
    private static func form(_ person: LocalTenant.Person, _ more: [String: String] = [:]) -> FormBrowser {
        let user = person.user
        return FormBrowser(answers: ["signInName": user.signInName, "password": user.password].merging(more) { $1 })
    }

    /// Runs a command on a terminal, answers the question, and signs in as often as the browser opens.
    private static func run(
        _ arguments: [String], answer: String, pages: [FormBrowser], _ tenant: LocalTenant,
        environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        let variables = environment.merging(["BROWSER": browser.command]) { $1 }
        return try await tenant.susi.command(arguments + ["--no-color"], environment: variables).inTerminal().start {
            run in
            try await run.waitForText("Sign in now? [Y/n] ")
            try await run.type("\(answer)\n")
            for page in pages {
                let url: String
                do { url = try await browser.nextURL() } catch {
                    Issue.record("\(await run.text(.output))")
                    throw error
                }
                try await page.open(url)
            }
            return try await run.waitUntilExit()
        }
    }

    @Test(arguments: [["token", "hello"], ["call", "hello", "-i"]])
    func signsInAndContinues(_ arguments: [String]) async throws {
        try await withLocalTenant { tenant in
            let outcome = try await Self.run(arguments, answer: "", pages: [Self.form(.ana)], tenant).exits(0)
            #expect(outcome.standardOutput.contains("Signed in as Ana Lima"), "\(outcome)")
            let end = arguments[0] == "token" ? #/eyJ[A-Za-z0-9_.-]+\s*$/# : #/Hello, Ana Lima/#
            #expect(outcome.standardOutput.contains(end), "\(outcome)")
        }
    }

    @Test func writesNothingButTheResultToStandardOutput() async throws {
        try await withLocalTenant { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let line = "\"$0\" token > result; exit $?"
            let command = tenant.susi.shell(line, environment: ["BROWSER": browser.command])
            let outcome = try await command.inTerminal().start { run in
                try await run.waitForText("[Y/n] ")
                try await run.type("yes\n")
                try await Self.form(.ana).open(try await browser.nextURL())
                return try await run.waitUntilExit()
            }
            #expect(outcome.status == 0 && outcome.standardOutput.contains("Ana Lima"), "\(outcome)")
            let file = tenant.susi.home.workingFolder.appending("result").string
            let result = try String(contentsOfFile: file, encoding: .utf8)
            #expect(result.wholeMatch(of: #/eyJ[A-Za-z0-9_.-]+\n/#) != nil, "\(result)")
        }
    }

    @Test func startsTheCommandOfExecAfterwards() async throws {
        try await withLocalTenant { tenant in
            let arguments = ["exec", "sh", "-c", "echo started ${SUSI_ACCESS_TOKEN%%.*}"]
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let command = tenant.susi.command(arguments, environment: ["BROWSER": browser.command])
            let outcome = try await command.inTerminal().start { run in
                try await run.waitForText("[Y/n] ")
                try await run.type("y\n")
                try await Self.form(.ana).open(try await browser.nextURL())
                return try await run.waitUntilExit()
            }
            #expect(outcome.status == 0 && outcome.standardOutput.contains("started eyJ"), "\(outcome)")
        }
    }

    @Test func requiresTheSamePersonAndKeepsTheCurrentAccount() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person) }
            tenant.emulator.clock.advance(by: 15 * 86_400)
            let later = ["SUSI_CLOCK": "+15d"]
            let arguments = ["token", "-a", "ana@contoso.example"]
            let other = try await Self.run(
                arguments, answer: "y", pages: [Self.form(.chi)], tenant, environment: later)
            #expect(other.status == 7 && !other.standardOutput.contains("eyJ"), "\(other)")
            let same = try await Self.run(arguments, answer: "y", pages: [Self.form(.ana)], tenant, environment: later)
            #expect(same.status == 0 && same.standardOutput.contains("ben@contoso.example"), "\(same)")
            let status = try await tenant.susi.run("status", environment: later)
            #expect(status.standardOutput.contains("Ben"), "\(status)")
        }
    }

    @Test(arguments: ["n", "maybe"])
    func failsWithoutAYes(_ answer: String) async throws {
        try await withLocalTenant { tenant in
            let outcome = try await Self.run(["token"], answer: answer, pages: [], tenant).exits(4)
            #expect(outcome.standardOutput.hasSuffix("next: susi sign-in\r\n"), "\(outcome)")
        }
    }

    @Test func asksOnlyOnATerminal() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            for arguments in [["token", "--no-input"], ["token", "--json"], ["exec", "--json", "ls"]] {
                let outcome = try await susi.command(arguments).inTerminal().run()
                #expect(outcome.status == 4 && !outcome.standardOutput.contains("[Y/n]"), "\(outcome)")
            }
            let piped = try await susi.run("token", input: "y\n")
            #expect(piped.status == 4 && !piped.standardError.contains("[Y/n]"), "\(piped)")
            try await susi.shell("\"$0\" token 2> error; exit $?").inTerminal().run().exits(4)
        }
    }
}
