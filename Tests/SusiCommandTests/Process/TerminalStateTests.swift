import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The settings of the terminal: changed while a password or the picker needs it, and at no other time.
@Suite("Terminal state", .inTurn, .timeLimit(.minutes(5)))
struct TerminalStateTests {
    private static let email = LocalTenant.Person.ana.email
    private static let password = LocalTenant.Person.ana.user.password
    private static let question = "Password for \(email): "
    private static let words = ["sign-in", "-p", "B2C_1_ropc", "--username", email, "--no-color"]

    private func withTenant(_ body: (SusiBinary) async throws -> Void) async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in try await body(tenant.susi) }
    }

    /// Runs `body` while a sign-in in a shell asks for the password, with the terminal's settings before it and at the question.
    private func ask(
        _ susi: SusiBinary, _ body: (_ shell: JobShell, _ normal: String, _ hidden: String) async throws -> Void
    ) async throws {
        try await JobShell.with(susi) { shell in
            let normal = try await shell.settings()
            try await shell.type([susi.path.string] + Self.words)
            try await shell.run.waitForText(Self.question)
            try await body(shell, normal, try await shell.settings())
        }
    }

    /// Answers the question, which hides the password, and waits for the shell's prompt.
    private func answer(_ shell: JobShell, hidden: String, normal: String) async throws {
        #expect(try await shell.settings() == hidden, "the password would be shown")
        try await shell.run.type("\(Self.password)\n")
        try await shell.run.waitForText("Signed in as Ana Lima")
        try await shell.type(["echo", "en", "d"])
        try await shell.run.waitForText("en d")
        #expect(try await shell.settings() == normal)
        #expect(await !shell.run.text(.output).contains(Self.password))
    }

    @Test("a stopped command gives the terminal back, and hides the password again when it continues")
    func restoresTerminalWhileStopped() async throws {
        try await withTenant { susi in
            for signal in [nil, SIGTSTP, SIGTTIN, SIGTTOU, SIGSTOP] {
                try await ask(susi) { shell, normal, hidden in
                    #expect(hidden != normal)
                    // What was typed before Ctrl-Z: neither the shell nor the next attempt may read it.
                    if let signal { try shell.send(signal) } else { try await shell.run.type("lost\u{1a}") }
                    try await shell.waitUntilStopped()
                    // No program can handle SIGSTOP; some shells restore the terminal themselves.
                    let isHandled = signal != SIGSTOP
                    if isHandled { #expect(try await shell.settings() == normal, "signal \(signal ?? 0)") }
                    try await shell.run.type(isHandled ? "fg\n" : "stty echo; fg\n")
                    try await shell.run.waitForText(Self.question, times: 2)
                    try await answer(shell, hidden: hidden, normal: normal)
                }
            }
        }
    }

    @Test("in the background a question stops the command, and the shell keeps its terminal")
    func waitsInBackground() async throws {
        try await withTenant { susi in
            try await JobShell.with(susi) { shell in
                let normal = try await shell.settings()
                try await shell.type([susi.path.string] + Self.words, then: " &")
                try await shell.waitUntilStopped()
                #expect(try await shell.settings() == normal)
                #expect(await !shell.run.text(.output).contains(Self.question))
                // Continued in the background, it stops again.
                try await shell.run.type("bg\n")
                try await shell.waitUntilStopped()
                #expect(try await shell.settings() == normal)
                try await shell.run.type("fg\n")
                try await shell.run.waitForText(Self.question)
                try await answer(shell, hidden: try await shell.settings(), normal: normal)
            }
        }
    }

    @Test(
        "a signal at a hidden question restores the terminal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM])
    func restoresTerminalAtEnd(_ signal: Int32) async throws {
        try await withTenant { susi in
            try await ask(susi) { shell, normal, _ in
                try shell.send(signal)
                try await shell.waitForPrompt(2)
                #expect(try await shell.settings() == normal)
                try await shell.run.type("echo status $?\n")
                try await shell.run.waitForText("status \(128 + signal)")
            }
        }
    }

    @Test("the picker gives the terminal back while it is stopped, and is drawn again")
    func stopsAndContinuesPicker() async throws {
        try await withStored(StoredPerson.users(3)) { susi in
            for signal in [nil, SIGTSTP, SIGTTIN, SIGTTOU] {
                try await JobShell.with(susi) { shell in
                    let normal = try await shell.settings()
                    try await shell.type([susi.path.string, "switch", "--no-color"])
                    try await shell.run.waitForText("1/3")
                    let raw = try await shell.settings()
                    if let signal { try shell.send(signal) } else { try await shell.run.type("\u{1a}") }
                    try await shell.waitUntilStopped()
                    #expect(try await shell.settings() == normal)
                    try await shell.run.type("fg\n")
                    try await shell.run.waitForText("1/3", times: 2)
                    #expect(try await shell.settings() == raw)
                    try await shell.run.type("\u{1b}[B\r")
                    try await shell.run.waitForText("is the current account")
                    try await shell.waitForPrompt(3)
                    #expect(try await shell.settings() == normal)
                }
            }
        }
    }
}
