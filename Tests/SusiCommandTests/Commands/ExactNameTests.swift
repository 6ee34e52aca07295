import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Names that are matched exactly: complete ones everywhere, and every name where no person sees what it chose.
@Suite("Exact names", .inTurn, .timeLimit(.minutes(5)))
struct ExactNameTests {
    /// The command lines that act on the account `NAME`.
    private static let commands: [[String]] = [
        ["token", "-a", "NAME"], ["token", "hello", "-a", "NAME", "-f", "header"],
        ["call", "hello", "-a", "NAME", "--dry-run"],
        ["exec", "-a", "NAME", "--api", "hello", "--", "/bin/sh", "-c", "echo $SUSI_ACCESS_TOKEN"],
        ["inspect", "-a", "NAME", "--offline", "--no-input"], ["status", "-a", "NAME"],
        ["status", "-a", "NAME", "-p", "B2C_1_susi"],
        ["sign-out", "-a", "NAME", "--dry-run"], ["sign-out", "-a", "NAME", "--person", "--yes"],
        ["sign-out", "-a", "NAME", "--yes"], ["remove", "NAME", "--dry-run"], ["remove", "NAME", "--person", "--yes"],
        ["remove", "NAME", "--yes"], ["remove", "NAME", "-p", "B2C_1_susi", "--yes"], ["switch", "NAME"],
        ["switch", "NAME", "--person"], ["export", "--format", "msal", "-a", "NAME", "-o", "-", "--yes"],
        ["compare", "NAME", "zed@contoso.example"], ["compare", "zed@contoso.example", "NAME"],
        ["edit-profile", "-a", "NAME", "--browser", "/bin/false"],
    ]

    /// The same with the account in the environment.
    private static let commandsOfVariable: [[String]] = [
        ["token"], ["call", "hello", "--dry-run"],
        ["exec", "--api", "hello", "--", "/bin/sh", "-c", "echo $SUSI_ACCESS_TOKEN"], ["inspect", "--offline"],
        ["status"], ["sign-out", "--yes"], ["export", "--format", "msal", "-o", "-", "--yes"],
        ["edit-profile", "--browser", "/bin/false"],
    ]

    private static let zed = StoredPerson("zed@contoso.example", "Zed Zola", isCurrent: true)

    /// Names that are complete, each with the account that begins with it.
    private static let complete: [(String, StoredPerson)] = [
        ("ana@contoso.com", StoredPerson("ana@contoso.com.br", "Ana Brito")),
        ("auth0|123", StoredPerson("eve@contoso.example", "Eve Adams", subject: "auth0|1234")),
        ("1147123", StoredPerson("eve@contoso.example", "Eve Adams", subject: "11471234567890")),
        (
            "a0a0a0a0-0000-4000-8000-000000000001-b2c_1_susi.a371deac-4dd6-8047-9119-865294b5d0a",
            StoredPerson("eve@contoso.example", "Eve Adams", subject: "a0a0a0a0-0000-4000-8000-000000000001")
        ),
    ]

    private static func naming(_ name: String, in command: [String]) -> [String] {
        command.map { $0 == "NAME" ? name : $0 }
    }

    private static func labels(_ susi: SusiBinary) async throws -> [String] {
        let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
        return list["accounts"]?.array?.compactMap { $0["label"]?.string } ?? []
    }

    private static func current(_ susi: SusiBinary) async throws -> String? {
        let status = try JSONNode(parsing: try await susi.run("status", "--json").standardOutput.utf8)
        return status["policies"]?.array?.first?["account"]?["label"]?.string
    }

    /// Expects that the outcome is an error about an unknown name, without a token.
    private static func expectUnknown(_ outcome: ProgramOutcome, _ what: [String]) {
        #expect(outcome.status == 5, "\(what): \(outcome)")
        #expect(!outcome.standardOutput.contains("token of"), "\(what): \(outcome)")
    }

    @Test("a complete name is never completed, in any command", arguments: complete)
    func completesNoWholeName(_ name: String, _ person: StoredPerson) async throws {
        try await withStored([Self.zed, person]) { susi in
            for command in Self.commands {
                let arguments = Self.naming(name, in: command)
                Self.expectUnknown(try await susi.command(arguments).run(), arguments)
            }
            for command in Self.commandsOfVariable {
                let outcome = try await susi.command(command, environment: ["SUSI_ACCOUNT": name]).run()
                Self.expectUnknown(outcome, ["SUSI_ACCOUNT"] + command)
            }
            for command in [["token", "-a", name], ["remove", name], ["switch", name]] {
                Self.expectUnknown(try await susi.command(command).inTerminal().run(), ["terminal"] + command)
            }
            #expect(try await Self.labels(susi).sorted() == [person.email, "zed@contoso.example"].sorted())
            #expect(try await Self.current(susi) == "zed@contoso.example")
        }
    }

    @Test("a script with a complete name does not act as another account after the first one is removed")
    func keepsToNameAfterRemoval() async throws {
        let people = [
            Self.zed, StoredPerson("ana@contoso.com", "Ana Lima"), StoredPerson("ana@contoso.com.br", "Ana Brito"),
        ]
        try await withStored(people) { susi in
            for command in Self.commands where !command.contains("--yes") && !command.contains("edit-profile") {
                let outcome = try await susi.command(Self.naming("ana@contoso.com", in: command)).run()
                #expect([0, 1, 4, 7].contains(outcome.status), "\(command): \(outcome)")
                #expect(!outcome.standardOutput.contains("ana@contoso.com.br"), "\(command): \(outcome)")
            }
            #expect(try await susi.run("remove", "ana@contoso.com", "--yes").status == 0)
            #expect(try await susi.run("switch", "zed@contoso.example").status == 0)
            for command in Self.commands {
                let arguments = Self.naming("ana@contoso.com", in: command)
                Self.expectUnknown(try await susi.command(arguments).run(), arguments)
            }
            #expect(try await Self.labels(susi).sorted() == ["ana@contoso.com.br", "zed@contoso.example"])
        }
    }

    @Test("without a terminal on standard error, a shortened name is an error that says what it would have meant")
    func refusesShortenedNameWithoutTerminal() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            for name in ["ana", "Ana Lima", "ana@contoso", "0f616e61"] {
                for command in Self.commands {
                    let arguments = Self.naming(name, in: command)
                    let outcome = try await susi.command(arguments).run()
                    Self.expectUnknown(outcome, arguments)
                    #expect(outcome.standardError.contains("ana@contoso.example"), "\(arguments): \(outcome)")
                }
                for command in Self.commandsOfVariable {
                    for isTerminal in [false, true] {
                        let program = susi.command(command, environment: ["SUSI_ACCOUNT": name])
                        let outcome = try await (isTerminal ? program.inTerminal() : program).run()
                        Self.expectUnknown(outcome, ["SUSI_ACCOUNT"] + command)
                    }
                }
            }
            #expect(try await Self.labels(susi).count == 2)
            #expect(try await Self.current(susi) == "zed@contoso.example")
            let error = try await susi.run("token", "-a", "ana").standardError
            #expect(error.contains("“ana” is short for ana@contoso.example"), "\(error)")
            #expect(error.contains("next: susi token -a ana@contoso.example"), "\(error)")
        }
    }

    @Test("a sign-in as a person opens no page for a shortened name or a display name")
    func refusesSignInByShortenedName() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            for name in ["ana", "Ana Lima", "ana@contoso", "0f616e61", "Dan Okafor"] {
                Self.expectUnknown(try await susi.run("sign-in", "-a", name, "--browser", browser.command), [name])
            }
            #expect(browser.openedURLs.isEmpty)
        }
    }

    @Test func suggestsAComparisonThatWorks() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            let whole = "susi compare ana@contoso.example zed@contoso.example"
            for names in [["ana", "zed"], ["ana", "zed@contoso.example"], ["ana@contoso.example", "zed"]] {
                let refused = try await susi.command(["compare"] + names).run()
                #expect(refused.status == 5 && refused.standardError.hasSuffix("next: \(whole)\n"), "\(refused)")
            }
            let words = whole.split(separator: " ").dropFirst().map(String.init)
            let compared = try await susi.command(words).run()
            #expect([0, 1].contains(compared.status), "\(compared)")
            let both = try await susi.run("compare", "/B2C_1_susi:ana", "zed")
            #expect(
                both.standardError.hasSuffix(
                    "next: susi compare /B2C_1_susi:ana@contoso.example zed@contoso.example\n"), "\(both)")
            let unknown = try await susi.run("compare", "ana", "chi@contoso.example")
            #expect(
                unknown.standardError.hasSuffix("next: susi compare ana@contoso.example chi@contoso.example\n"),
                "\(unknown)")
        }
    }

    @Test("on a terminal every command names the account that a shortened name chose")
    func namesChosenAccountOnTerminal() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            for name in ["ana", "Ana Lima", "0f616e61"] {
                for command in Self.commands where !command.contains("--yes") && !command.contains("edit-profile") {
                    let outcome = try await susi.command(Self.naming(name, in: command))
                        .inTerminal(columns: 160).run()
                    let note = "“\(name)” is short for Ana Lima <ana@contoso.example>"
                    #expect(outcome.standardOutput.contains(note), "\(command): \(outcome)")
                    #expect([0, 1, 4, 7].contains(outcome.status), "\(command): \(outcome)")
                }
                _ = try await susi.run("switch", "zed@contoso.example")
            }
            // A complete name chose nothing.
            let whole = try await susi.command(["token", "-a", "ana@contoso.example"]).inTerminal().run()
            #expect(whole.standardOutput == "token of ana@contoso.example\r\n")
        }
    }

    @Test("--yes takes no shortened names, even on a terminal", arguments: ["remove", "sign-out", "export"])
    func refusesShortenedNameWithYes(_ command: String) async throws {
        let account = command == "remove" ? ["ana"] : ["-a", "ana"]
        let more = command == "export" ? ["--format", "msal", "-o", "new.json"] : []
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            let outcome = try await susi.command([command] + account + more + ["--yes"]).inTerminal().run()
            Self.expectUnknown(outcome, [command])
            let policy = try await susi.command(
                [command] + account.dropLast() + ["ana@contoso.example", "-p", "sus"] + more + ["--yes"]
            ).inTerminal().run()
            Self.expectUnknown(policy, [command, "-p"])
            #expect(try await Self.labels(susi).count == 2)
            #expect(!FileManager.default.fileExists(atPath: susi.home.workingFolder.appending("new.json").string))
        }
    }

    @Test("the command suggested in place of a question names the account and the policy in full")
    func suggestsWholeNames() async throws {
        let people = [StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_partner")]
        try await withStored(people) { susi in
            for (command, next) in [
                (["remove", "ana", "-p", "part"], "susi remove ana@contoso.example -p B2C_1_partner --yes"),
                (
                    ["sign-out", "-a", "ana", "-p", "part"],
                    "susi sign-out -a ana@contoso.example -p B2C_1_partner --yes"
                ),
            ] {
                let outcome = try await susi.command(command + ["--no-input", "--no-color"])
                    .inTerminal(columns: 160).run()
                #expect(outcome.status == 64, "\(outcome)")
                let words = outcome.standardOutput.split(separator: "next: ").last?.split(whereSeparator: \.isNewline)
                    .first
                #expect(
                    Set((words ?? "").split(separator: " ")) == Set(next.split(separator: " ")), "\(outcome)")
            }
        }
    }

    // MARK: Policies

    /// The command lines that use the policy `NAME`.
    private static let policyCommands: [[String]] = [
        ["token", "-p", "NAME"], ["token", "--policy=NAME"], ["call", "hello", "-p", "NAME", "--dry-run"],
        ["exec", "-p", "NAME", "--", "/bin/sh", "-c", "echo $SUSI_ACCESS_TOKEN"],
        ["inspect", "-p", "NAME", "--offline"],
        ["status", "-p", "NAME"], ["accounts", "-p", "NAME"], ["sign-out", "-p", "NAME", "--yes"],
        ["remove", "ana@contoso.example", "-p", "NAME", "--yes"], ["switch", "ana@contoso.example", "-p", "NAME"],
        ["switch", "-", "-p", "NAME"], ["export", "--format", "msal", "-p", "NAME", "-o", "-", "--yes"],
        ["compare", "/NAME:ana@contoso.example", "/NAME:ana@contoso.example"],
        ["compare", ":", ":", "-p", "NAME"], ["sign-in", "-p", "NAME", "--browser", "/bin/false"],
        ["sign-in", "-p", "NAME", "--username", "ana@contoso.example", "--password-stdin"],
        ["policies", "check", "-p", "NAME"], ["edit-profile", "-p", "NAME", "--browser", "/bin/false"],
        ["reset-password", "-p", "NAME", "--browser", "/bin/false"],
    ]

    /// The built-in policies with longer names.
    private static func longer(_ text: String) -> String {
        text.replacing("B2C_1_susi", with: "B2C_1_susi_admin").replacing("B2C_1_edit_profile", with: "B2C_1_susi_edit")
            .replacing("B2C_1_reset", with: "B2C_1_susi_reset").replacing("B2C_1_partner", with: "B2C_1_other")
    }

    @Test("the complete name of a policy is never completed, in any command")
    func completesNoWholePolicyName() async throws {
        let ana = StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_susi_admin", isCurrent: true)
        try await withStored([ana], policies: Self.longer) { susi in
            for command in Self.policyCommands {
                let arguments = command.map { $0.replacing("NAME", with: "B2C_1_susi") }
                Self.expectUnknown(try await susi.command(arguments).run(), arguments)
                Self.expectUnknown(try await susi.command(arguments).inTerminal().run(), ["terminal"] + arguments)
            }
            for command in Self.commandsOfVariable where command[0] != "edit-profile" {
                let outcome = try await susi.command(command, environment: ["SUSI_POLICY": "B2C_1_susi"]).run()
                Self.expectUnknown(outcome, ["SUSI_POLICY"] + command)
            }
            #expect(try await Self.labels(susi) == ["ana@contoso.example"])
        }
    }

    @Test("a shortened policy is refused without a terminal and in variables, with what it would have meant")
    func refusesShortenedPolicyWithoutTerminal() async throws {
        let ana = StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_susi_admin", isCurrent: true)
        try await withStored([ana], policies: Self.longer) { susi in
            for command in Self.policyCommands {
                let isEdit = command[0] == "edit-profile"
                let name = isEdit ? "edit" : command[0] == "reset-password" ? "reset" : "admin"
                let arguments = command.map { $0.replacing("NAME", with: name) }
                let outcome = try await susi.command(arguments).run()
                Self.expectUnknown(outcome, arguments)
                #expect(outcome.standardError.contains("B2C_1_susi_\(name)"), "\(arguments): \(outcome)")
            }
            for command in Self.commandsOfVariable where command[0] != "edit-profile" {
                let program = susi.command(command, environment: ["SUSI_POLICY": "admin"])
                Self.expectUnknown(try await program.run(), ["SUSI_POLICY"] + command)
                Self.expectUnknown(try await program.inTerminal().run(), ["SUSI_POLICY", "terminal"] + command)
            }
            let error = try await susi.run("token", "-p", "admin").standardError
            #expect(error.contains("“admin” is short for B2C_1_susi_admin"), "\(error)")
            // On a terminal the note says what was chosen.
            for command in [["token", "-p", "admin"], ["status", "-p", "admin"], ["accounts", "-p", "admin"]] {
                let outcome = try await susi.command(command).inTerminal(columns: 160).run()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("“admin”"), "\(outcome)")
            }
        }
    }

    // MARK: Display names

    @Test("a display name with the text of another person's identifier finds no account")
    func ignoresDisplayNameOfIdentifier() async throws {
        let subject = "a0a0a0a0-0000-4000-8000-000000000001"
        let ben = StoredPerson("ben@contoso.example", subject, subject: "b0b0b0b0-0000-4000-8000-000000000002")
        try await withStored([Self.zed, ben]) { susi in
            for command in Self.commands {
                let arguments = Self.naming(subject, in: command)
                Self.expectUnknown(try await susi.command(arguments).run(), arguments)
            }
            for arguments in [["token", "-a", subject], ["token", "-a", "a0a0a0a0"]] {
                Self.expectUnknown(try await susi.command(arguments).inTerminal().run(), ["terminal"] + arguments)
            }
        }
    }
}
