import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Names that two people have, in commands. Who is meant by a name: `ExpectedPersonTests` of the library.
@Suite("Identity", .inTurn, .timeLimit(.minutes(5)))
struct IdentityTests {
    @Test(
        "a name that two people have is ambiguous for a sign-in, which lists their identifiers",
        arguments: [(false, ["B2C_1_susi", "B2C_1_partner", "B2C_1_edit_profile"]), (true, ["B2C_1_susi"])])
    func refusesNameOfTwoPeople(inTerminal: Bool, policies: [String]) async throws {
        let subjects = ["0a0a0a0a-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"]
        let people = [
            StoredPerson("shared@contoso.example", "Ana Lima", subject: subjects[0]),
            StoredPerson("shared@contoso.example", "Ben Okoro", policy: "B2C_1_partner", subject: subjects[1]),
            StoredPerson("zed@contoso.example", "Zed Zola", isCurrent: true),
        ]
        try await withStored(people) { susi in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            for policy in policies {
                let command = susi.command(
                    ["sign-in", "-p", policy, "-a", "SHARED@contoso.example", "--browser", browser.command])
                let outcome = try await (inTerminal ? command.inTerminal(columns: 160) : command).run()
                let output = outcome.standardOutput + outcome.standardError
                #expect(outcome.status == 5, "\(outcome)")
                #expect(output.contains("“SHARED@contoso.example”"), "\(outcome)")
                for subject in subjects { #expect(output.contains("  \(subject)"), "\(outcome)") }
            }
            #expect(browser.openedURLs.isEmpty)
            // Each of them can be named by the identifier; there is no server here.
            let named = try await susi.run("sign-in", "-a", subjects[1], "--browser", browser.command)
            #expect(named.status == 3, "\(named)")
        }
    }

    @Test("a name that two people have under one policy chooses neither, in any command")
    func choosesNeitherOfTwoPeople() async throws {
        let subjects = ["0a0a0a0a-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"]
        let people = subjects.map { StoredPerson("shared@contoso.example", subject: $0) }
        try await withStored(people + [StoredPerson("zed@contoso.example", "Zed Zola", isCurrent: true)]) { susi in
            let named = ["-a", "shared@contoso.example"]
            for arguments in [
                ["token"] + named, ["call", "hello", "--dry-run"] + named, ["inspect"] + named,
                ["sign-out", "--dry-run"] + named, ["switch", named[1]], ["remove", named[1], "--dry-run"],
            ] {
                let outcome = try await susi.command(arguments).run()
                #expect(outcome.status == 5, "\(arguments): \(outcome)")
                for subject in subjects { #expect("\(outcome)".contains(subject), "\(arguments): \(outcome)") }
            }
        }
    }
}
