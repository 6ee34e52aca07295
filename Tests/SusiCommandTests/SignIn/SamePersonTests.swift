import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
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
        let form = FormBrowser(answers: ["signInName": person.email, "password": person.user.password])
        return try await tenant.susi.command(arguments, environment: late).start { run in
            // A command that refuses the option ends without a browser.
            async let outcome = run.waitUntilExit()
            if let url = try? await browser.nextURL(limit: .seconds(60)) { try await form.open(url) }
            return try await outcome
        }
    }

    private static func current(_ tenant: LocalTenant) async throws -> String? {
        let outcome = try await tenant.susi.run("status", "-p", "B2C_1_susi", "--json", environment: late)
        let status = try JSONNode(parsing: outcome.standardOutput.utf8)
        return status["policies"]?.array?.first?["account"]?["label"]?.string
    }

    @Test("--sign-in refuses another person: exit 7, no token, and the current account is kept", arguments: commands)
    func refusesAnotherPerson(_ command: [String]) async throws {
        try await Self.withEndedTokens { tenant in
            let outcome = try await Self.signIn(command, as: .ben, tenant)
            #expect(outcome.status == 7 && outcome.standardOutput.isEmpty, "\(outcome)")
            #expect(outcome.standardError.contains("ben@contoso.example"), "\(outcome)")
            #expect(outcome.standardError.contains("next: susi sign-in -a ana@contoso.example"))
            // The beginning of Ana's object id.
            #expect(!outcome.standardError.contains("a0a0a0a0"))
            #expect(try await Self.current(tenant) == "ana@contoso.example")
        }
    }

    @Test("--sign-in for a named account leaves the current one as it is", arguments: commands)
    func keepsCurrentAccount(_ command: [String]) async throws {
        try await Self.withEndedTokens { tenant in
            let outcome = try await Self.signIn(command + ["-a", "ben@contoso.example"], as: .ben, tenant)
            #expect(outcome.status == 0 && !outcome.standardOutput.isEmpty, "\(outcome)")
            #expect(try await Self.current(tenant) == "ana@contoso.example")
        }
    }

    @Test("after a 401, the next step names the account of the call, not the current one")
    func namesAccountOfRefusedCall() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            tenant.emulator.faults.add(Fault(.status(401, body: "{}"), at: .api))
            for (options, name) in [(["-a", "ben@contoso.example"], "ben"), (["-a", "ana@contoso.example"], "ana")] {
                let outcome = try await tenant.susi.command(["call", "hello"] + options).run()
                let next = outcome.standardError.split(separator: "\n").first { $0.contains("next: ") } ?? ""
                #expect(outcome.status == 8 && next.contains("sign-in -a \(name)@contoso.example"), "\(outcome)")
            }
        }
    }

    @Test("--sign-in continues with the token of the person who signed in again", arguments: commands)
    func continuesWithSamePerson(_ command: [String]) async throws {
        try await Self.withEndedTokens { tenant in
            let outcome = try await Self.signIn(command, as: .ana, tenant)
            #expect(outcome.status == 0, "\(outcome)")
            let expected = command[0] == "call" ? "Hello, Ana Lima" : "eyJ"
            #expect(outcome.standardOutput.contains(expected), "\(outcome)")
            let token = try await tenant.susi.run("token", "hello", environment: Self.late).standardOutput
            if command[0] != "call" { #expect(outcome.standardOutput == token) }
        }
    }

    @Test("a display name or a user name with the text of another person's identifier does not make that person")
    func ignoresNamesThatLookLikeIdentifiers() async throws {
        let ana = LocalTenant.Person.ana.user.objectID
        try await withLocalTenant(configure: { $0.users[1].displayName = ana }) { tenant in
            let susi = tenant.susi
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            tenant.emulator.clock.advance(by: 15 * 86_400)
            for name in [ana, "ana@contoso.example"] {
                let outcome = try await Self.signIn(["token", "hello", "-a", name, "--refresh"], as: .ben, tenant)
                #expect(outcome.status == 7 && outcome.standardOutput.isEmpty, "\(outcome)")
            }
            #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
            let token = try await susi.run("token", "hello", "-a", ana, environment: Self.late)
            #expect(token.status == 5 && token.standardOutput.isEmpty, "\(token)")
            let other = try await tenant.interact(["sign-in", "-a", ana], as: .ben, environment: Self.late)
            #expect(other.status == 7, "\(other)")
        }
    }

    @Test("the error for a person named by an object id shows addresses")
    func namesAddresses() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let list = try JSONNode(parsing: try await tenant.susi.run("accounts", "--json").standardOutput.utf8)
            let subject = try #require(list["accounts"]?.array?.first?["subject"]?.string)
            let outcome = try await tenant.interact(["sign-in", "-a", subject], as: .ben)
            #expect(outcome.status == 7, "\(outcome)")
            let error = outcome.standardError
            #expect(error.contains("ben@contoso.example") && error.contains("ana@contoso.example"), "\(outcome)")
        }
    }

    @Test("a shortened name of a person who is not stored: the error suggests the whole one")
    func completesName() async throws {
        try await withLocalTenant { tenant in
            let outcome = try await tenant.interact(["sign-in", "ben"], as: .ben)
            #expect(outcome.status == 7, "\(outcome)")
            #expect(outcome.standardError.contains("next: susi sign-in -a ben@contoso.example"), "\(outcome)")
            let other = try await tenant.interact(["sign-in", "ana"], as: .ben)
            #expect(other.status == 7 && other.standardError.contains("next: susi sign-in -a ana"), "\(other)")
            #expect(!other.standardError.contains("-a ana@"), "\(other)")
        }
    }

    @Test("without an account under the policy, the error names the one policy that has some")
    func namesOtherPolicy() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            let called = try await tenant.susi.run("call", "hello")
            let why = "no account is signed in under B2C_1_susi; there is one under B2C_1_partner\n"
            #expect(called.status == 4 && called.standardError.contains(why), "\(called)")
        }
    }

    @Test("suggestions after an expired or refused token require the person of the account")
    func suggestsSamePerson() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let signIn = "next: susi sign-in -a ana@contoso.example"
            let ended = try await susi.run("token", environment: Self.late)
            #expect(ended.status == 4 && ended.standardError.contains("\(signIn)\n"), "\(ended)")
            let called = try await susi.run("call", "hello", environment: Self.late)
            #expect(called.status == 4 && called.standardError.contains("\(signIn) --api hello\n"), "\(called)")
            // The server refuses the refresh token before it expires for the client.
            tenant.emulator.clock.advance(by: 15 * 86_400)
            let refused = try await susi.run("token", environment: ["SUSI_CLOCK": "+4h"])
            #expect(refused.status == 4 && refused.standardError.contains("\(signIn)\n"), "\(refused)")
            let unauthorized = try await susi.run("call", "hello", "/status?code=401")
            #expect(unauthorized.status == 8 && unauthorized.standardError.contains("\(signIn) --api hello, or"))
        }
    }

    @Test func suggestsToEditTheProfileOfTheSamePerson() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let outcome = try await tenant.susi.run("edit-profile", "--no-browser", "--timeout", "1s")
            #expect(outcome.status == 3 && outcome.standardError.contains("-a ana@contoso.example"), "\(outcome)")
        }
    }

    @Test("a suggested sign-in by password has the user name of the account")
    func suggestsUserName() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let ana = LocalTenant.Person.ana
            let signedIn = try await tenant.susi.run(
                "sign-in", "-p", "B2C_1_ropc", "--api", "hello", "--username", ana.email, "--password-stdin",
                input: ana.user.password)
            try #require(signedIn.status == 0, "\(signedIn)")
            // The response to a password does not tell when its refresh token expires: the server refuses it.
            tenant.emulator.clock.advance(by: 15 * 86_400)
            let ended = try await tenant.susi.run("token", "hello", "-p", "B2C_1_ropc", environment: Self.late)
            #expect(
                ended.standardError.contains("next: susi sign-in -p B2C_1_ropc --username ana@contoso.example"),
                "\(ended)")
        }
    }
}
