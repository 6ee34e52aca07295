import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Sign-ins of `--sign-in` and of suggestions, which are for the person of the known account.
@Suite("Same person", .inTurn, .timeLimit(.minutes(5)))
struct SamePersonTests {
    /// A time after which every token of a sign-in has expired.
    private static let late = ["SUSI_CLOCK": "+15d"]
    private static let commands = [["token", "hello"], ["call", "hello"], ["exec", "--api", "hello"]]

    /// Runs a tenant in which Ana's tokens have expired; Ben is stored too.
    private static func withEndedTokens(_ body: (LocalTenant) async throws -> Void) async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            tenant.emulator.clock.advance(by: 15 * 86_400)
            try await body(tenant)
        }
    }

    /// Runs the command with `--sign-in` while the test fills in the sign-in page.
    private static func signIn(
        _ command: [String], as person: LocalTenant.Person, _ tenant: LocalTenant
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        let tail = command[0] == "exec" ? ["--", "/bin/sh", "-c", "echo $SUSI_ACCESS_TOKEN"] : []
        let arguments = command + ["--sign-in", "--browser", browser.command] + tail
        let form = FormBrowser(answers: person.answers)
        return try await tenant.susi.command(arguments, environment: late).start { run in
            // A command that refuses the option ends without a browser.
            async let outcome = run.waitUntilExit()
            if let url = try? await browser.nextURL(limit: .seconds(60)) { try await form.open(url) }
            return try await outcome
        }
    }

    @Test("--sign-in refuses another person: exit 7, no token, and the current account is kept")
    func refusesAnotherPerson() async throws {
        try await Self.withEndedTokens { tenant in
            try await Self.signIn(["token", "hello"], as: .ben, tenant).exits(
                7, output: "", saying: "next: susi sign-in -a ana@contoso.example")
            #expect(try await tenant.client().account(AccountSelection()).label == "ana@contoso.example")
            let same = try await Self.signIn(["token", "hello"], as: .ana, tenant)
            #expect(same.status == 0 && same.standardOutput.hasPrefix("eyJ"), "\(same)")
            let token = try await tenant.susi.run("token", "hello", environment: Self.late).standardOutput
            #expect(same.standardOutput == token)
        }
    }

    @Test("--sign-in for a named account leaves the current one as it is", arguments: commands)
    func keepsCurrentAccount(_ command: [String]) async throws {
        try await Self.withEndedTokens { tenant in
            let outcome = try await Self.signIn(command + ["-a", "ben@contoso.example"], as: .ben, tenant)
            let expected = command[0] == "call" ? "Hello, Ben Okoro" : "eyJ"
            #expect(outcome.status == 0 && outcome.standardOutput.contains(expected), "\(outcome)")
            #expect(try await tenant.client().account(AccountSelection()).label == "ana@contoso.example")
        }
    }

    @Test("after a 401, the next step names the account of the call, not the current one")
    func namesAccountOfRefusedCall() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            tenant.emulator.faults.add(Fault(.status(401, body: "{}"), at: .api))
            let outcome = try await tenant.susi.run("call", "hello", "-a", "ben@contoso.example")
            let next = outcome.standardError.split(separator: "\n").first { $0.contains("next: ") } ?? ""
            #expect(outcome.status == 8 && next.contains("sign-in -a ben@contoso.example"), "\(outcome)")
        }
    }

    @Test("suggestions after an expired or refused token require the person of the account")
    func suggestsSamePerson() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant, susi in
            let signIn = "next: susi sign-in -a ana@contoso.example"
            try await susi.run("token", environment: Self.late).exits(4, saying: "\(signIn)\n")
            try await susi.run("call", "hello", environment: Self.late).exits(4, saying: "\(signIn)\n")
            // The server refuses the refresh token before it expires for the client.
            tenant.emulator.clock.advance(by: 15 * 86_400)
            try await susi.run("token", environment: ["SUSI_CLOCK": "+4h"]).exits(4, saying: "\(signIn)\n")
            try await susi.run("call", "hello", "/status?code=401").exits(8, saying: "\(signIn)    (or see why")
            try await susi.run("call", "hello", "/status?code=404", "--json").exits(
                8, saying: "\"status\": 404", "\"why\": \"see the body of its answer\"")
        }
    }

    @Test func suggestsToEditTheProfileOfTheSamePerson() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.susi.run("edit-profile", "--no-browser", "--timeout", "1s").exits(
                3, saying: "-a ana@contoso.example")
        }
    }
}
