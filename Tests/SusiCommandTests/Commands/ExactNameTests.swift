import Susi
import SusiTestSupport
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

    private static func naming(_ name: String, in command: [String]) -> [String] {
        command.map { $0 == "NAME" ? name : $0 }
    }

    private static func labels(_ susi: SusiBinary) async throws -> [String] {
        try await susi.client().accounts().map(\.label).sorted()
    }

    private static func expectCurrent(_ email: String, _ susi: SusiBinary) async throws {
        #expect(try await susi.client().token(api: nil, of: AccountSelection()).secret == "token of \(email)")
    }

    /// Expects that a command does not know the name, whether it is typed or in a variable.
    @discardableResult
    private static func expectUnknown(
        _ arguments: [String], _ susi: SusiBinary, _ variables: [String: String] = [:]
    ) async throws -> Refusal {
        let refused = try await susi.refusal(arguments, environment: variables).exits(5, hiding: "token of")
        return refused
    }

    private static func expectUnknown(name: String, _ susi: SusiBinary, suggesting label: String = "") async throws {
        for command in commands {
            let refused = try await expectUnknown(naming(name, in: command), susi)
            #expect(refused.text.contains(label) || label.isEmpty, "\(command): \(refused)")
        }
        for command in commandsOfVariable { try await expectUnknown(command, susi, ["SUSI_ACCOUNT": name]) }
    }

    /// Expects the same of a command on a terminal.
    private static func expectUnknownOnTerminal(
        _ arguments: [String], _ susi: SusiBinary, _ variables: [String: String] = [:]
    ) async throws {
        try await susi.command(arguments, environment: variables).inTerminal().run().exits(5, hiding: "token of")
    }

    @Test("without a terminal on standard error, a shortened name is an error that says what it would have meant")
    func refusesShortenedNameWithoutTerminal() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            for name in ["ana", "Ana Lima", "ana@contoso", "0f616e61"] {
                try await Self.expectUnknown(name: name, susi, suggesting: "ana@contoso.example")
            }
            // A sign-in opens no page, which would have another exit code.
            for name in ["ana", "Ana Lima", "Dan Okafor"] {
                try await Self.expectUnknown(["sign-in", "-a", name, "--browser", "/bin/false"], susi)
            }
            // A variable is not completed on a terminal either.
            for command in [["token"], ["sign-out", "--yes"]] {
                try await Self.expectUnknownOnTerminal(command, susi, ["SUSI_ACCOUNT": "ana"])
            }
            #expect(try await Self.labels(susi).count == 2)
            try await Self.expectCurrent("zed@contoso.example", susi)
            try await susi.run("token", "-a", "ana").exits(
                5, output: "", saying: "next: name the account with -a ana@contoso.example")
        }
    }

    @Test func namesWhomAComparisonMeans() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            let (ana, zed) = ("ana@contoso.example", "zed@contoso.example")
            for (names, meant) in [
                (["ana", "zed"], ana), (["ana", zed], ana), ([ana, "zed"], zed),
                (["/B2C_1_susi:ana", "zed"], "/B2C_1_susi:\(ana)"), (["ana", "chi@contoso.example"], ana),
            ] {
                try await susi.refusal(["compare"] + names).exits(5, saying: "next: name the account \(meant)\n")
            }
            let compared = try await susi.run("compare", ana, zed)
            #expect([0, 1].contains(compared.status), "\(compared)")
        }
    }

    @Test("on a terminal every command names the account that a shortened name chose")
    func namesChosenAccountOnTerminal() async throws {
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            let changing = ["--yes", "edit-profile"]
            let lines = Self.commands.filter { !$0.contains(where: changing.contains) }.map { ("ana", $0) }
            for (name, command) in lines + [("Ana Lima", ["token", "-a", "NAME"]), ("0f616e61", ["switch", "NAME"])] {
                let outcome = try await susi.command(Self.naming(name, in: command)).inTerminal(columns: 160).run()
                let note = "“\(name)” is short for Ana Lima <ana@contoso.example>"
                #expect(outcome.standardOutput.contains(note), "\(command): \(outcome)")
                #expect([0, 1, 4, 7].contains(outcome.status), "\(command): \(outcome)")
                if command[0] == "switch" { _ = try await susi.run("switch", "zed@contoso.example") }
            }
            // A complete name chose nothing.
            for command in [["token", "-a", "NAME"], ["remove", "NAME", "--dry-run"]] {
                try await susi.command(Self.naming("ana@contoso.example", in: command)).inTerminal().run().exits(
                    0, hiding: "is short for")
            }
        }
    }

    @Test("--yes takes no shortened names, even on a terminal", arguments: ["remove", "sign-out", "export"])
    func refusesShortenedNameWithYes(_ command: String) async throws {
        let account = command == "remove" ? [] : ["-a"]
        let more = (command == "export" ? ["--format", "msal", "-o", "new.json"] : []) + ["--yes"]
        try await withStored([Self.zed, StoredPerson("ana@contoso.example", "Ana Lima")]) { susi in
            try await Self.expectUnknownOnTerminal([command] + account + ["ana"] + more, susi)
            try await Self.expectUnknownOnTerminal(
                [command] + account + ["ana@contoso.example", "-p", "sus"] + more, susi)
            #expect(try await Self.labels(susi).count == 2)
            #expect(!susi.home.work("new.json").exists)
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
                let words =
                    outcome.standardOutput.split(separator: "next: ").last?.split(whereSeparator: \.isNewline)
                    .first ?? ""
                #expect(outcome.status == 64, "\(outcome)")
                #expect(Set(words.split(separator: " ")) == Set(next.split(separator: " ")), "\(outcome)")
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

    @Test(
        "without a terminal and in variables no policy is completed, and the error says what it would have meant",
        arguments: ["admin", "B2C_1_susi"])
    func refusesShortenedPolicyWithoutTerminal(name: String) async throws {
        let ana = StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_susi_admin", isCurrent: true)
        try await withStored([ana], policies: Self.longer) { susi in
            for command in Self.policyCommands {
                let ofKind = ["edit-profile": "edit", "reset-password": "reset"][command[0]] ?? "admin"
                let typed = name == "admin" ? ofKind : name
                let refused = try await Self.expectUnknown(command.map { $0.replacing("NAME", with: typed) }, susi)
                let isNamed = refused.text.contains("B2C_1_susi_\(ofKind)")
                #expect(isNamed || name != "admin", "\(command): \(refused)")
            }
            for command in Self.commandsOfVariable where command[0] != "edit-profile" {
                try await Self.expectUnknown(command, susi, ["SUSI_POLICY": name])
            }
            try await Self.expectUnknownOnTerminal(["token"], susi, ["SUSI_POLICY": name])
            guard name == "admin" else { return }
            // On a terminal the note says what was chosen.
            for command in [["token", "-p", "admin"], ["status", "-p", "admin"], ["accounts", "-p", "admin"]] {
                try await susi.command(command).inTerminal(columns: 160).run().exits(0, printing: "“admin”")
            }
            try await susi.runInTerminal("token", "-p", "susi").exits(5, printing: "“susi” matches 3 policies")
        }
    }
}
