import ArgumentParser
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Options that a suggested command repeats.
@Suite("Next commands")
struct GivenOptionsTests {
    @Test(
        "instructions name options of the program",
        arguments: [
            (NextStep.parameter("domain_hint"), "--domain-hint"),
            (.parameter("id_token_hint"), "--id-token-hint"),
            (.name(.application, ["a", "b c"]), "the right application: -A a or -A 'b c'"),
            (.name(.tenant, ["t.example"]), "name the tenant with --tenant t.example"),
            (.name(.format, ["adal"]), "leave out --from, or use --from adal"),
            (.providePassphrase, "set SUSI_PASSPHRASE_FILE"),
        ])
    func namesOptions(step: NextStep, text: String) {
        #expect(GivenOptions().text(step) == text)
    }

    @Test(
        "a program gets a command that can be typed as it is, and everything else in words",
        arguments: [
            (.signIn(), "susi sign-in", ""), ("set the clock", nil, "set the clock"), ("", nil, ""),
            (
                "\(.startEmulator)\(remark: "in another terminal")", "susi emulator run",
                "susi emulator run (in another terminal)"
            ),
            ("set the clock, then \(.signOut)", nil, "set the clock, then susi sign-out"),
            ("\(.signIn()), or \(.signOut)", nil, "susi sign-in, or susi sign-out"),
            ("\(SuggestedCommand("token")) | \(SuggestedCommand("inspect", "-"))", nil, "susi token | susi inspect -"),
            (.run(PolicyRun(.resourceOwner, nil)), nil, "susi sign-in --username NAME"),
            (
                .run(PolicyRun(.resourceOwner, nil, userName: "ana", means: .passwordFile)), nil,
                "susi sign-in --username ana --password-stdin < FILE"
            ),
            (.callAPI("hello"), nil, "susi call hello /PATH"),
            (.callAPI("hello", path: "/a"), "susi call hello /a", ""),
            (.correctAccount("ana"), nil, "name the account ana"), (.underPolicy("P"), "susi accounts", ""),
        ] as [(NextStep, String?, String)])
    func splitsCommandFromWords(step: NextStep, command: String?, words: String) {
        let found = GivenOptions().split(step)
        #expect(found.command == command && found.words == words)
    }

    @Test(
        "options before the command count for it, and are accepted once",
        arguments: [
            ("-A app status", "status -A app"), ("--debug -p P token hello", "token --debug -p P hello"),
            ("--config=f policies list", "policies list --config=f"), ("-v -A app sing-in", "sing-in -v -A app"),
            ("-v exec curl -v", "exec -v curl -v"), ("-A app emulator exec x -A app", "emulator exec -A app x -A app"),
            ("-p P token -- -p", "token -p P -- -p"), ("-v", "-v"),
            ("--json status", "--json status"),
            ("-A app", nil), ("--debug", nil),
            ("-v status --verbose", nil), ("-A a --application b status", nil), ("-p P edit-profile --policy=Q", nil),
            ("--config f exec --config=g ls", nil),
        ])
    func movesOptionsBehindTheCommand(line: String, moved: String?) throws {
        let words = line.split(separator: " ").map(String.init)
        guard let moved else {
            #expect(throws: UsageError.self) { try SusiCommand.Program.withCommandFirst(words) }
            return
        }
        #expect(try SusiCommand.Program.withCommandFirst(words).joined(separator: " ") == moved)
    }

    @Test(
        "options are repeated in commands where they have the same meaning",
        arguments: [
            ("token -p P -A app", "sign-in", "susi sign-in -p P -A app"),
            ("token hello -a ana --scope a --sign-in --port 0", "sign-in", "susi sign-in -a ana"),
            ("call POST hello /x --config f", "sign-in", "susi sign-in --config f"),
            ("exec --api hello -p P -- ls", "token", "susi token -p P"), ("exec ls -p P", "token", "susi token"),
            ("sign-in ana", "status", "susi status -a ana"), ("sign-in -p P", "edit-profile", "susi edit-profile"),
            ("edit-profile -p E -a ana", "sign-in", "susi sign-in -a ana"),
            ("reset-password -p R --browser w3m", "reset-password", "susi reset-password"),
            ("status -p P -a ana", "accounts", "susi accounts -p P"),
            ("accounts -p P", "switch", "susi switch -p P"),
            ("switch ana -p P -A app", "remove", "susi remove -p P -A app"),
            ("inspect -a ana", "status", "susi status -a ana"),
            ("compare a b -p P -A app", "switch", "susi switch -p P -A app"),
            ("sign-out -p P -a ana", "sign-out", "susi sign-out -p P -a ana"),
            ("export --format msal -a ana", "sign-in", "susi sign-in -a ana"),
            ("import f -A app", "token", "susi token -A app"),
            ("policies check -p P", "policies list", "susi policies list"),
            ("policies list --config f -A app", "policies schema", "susi policies schema"),
            ("policies explain http://x -A app", "help call", "susi help call"),
            ("token graph -p P --tenant t.example", "sign-in", "susi sign-in -p P --tenant t.example"),
            ("status --tenant t.example", "accounts", "susi accounts --tenant t.example"),
            ("token -A app", "store unlock", "susi store unlock"),
            ("emulator reset -A app", "emulator run", "susi emulator run -A app"),
            ("reset-password --no-browser", "reset-password", "susi reset-password --no-browser"),
            ("token --sign-in --no-browser", "sign-in", "susi sign-in --no-browser"),
            ("token --sign-in --no-browser", "token", "susi token"),
            ("emulator run -A app", "sign-in", "susi sign-in -A app"), ("demo", "sign-in", "susi sign-in"),
        ])
    func repeatsOptionsOfSameMeaning(_ typed: String, _ next: String, _ expected: String) throws {
        let given = GivenOptions(try Program.parse(typed.split(separator: " ").map(String.init)))
        #expect(given.completing(SuggestedCommand(next)).description == expected)
    }

    @Test("standard input is a value like others, and a refused option is not added") func writesCommands() {
        #expect(SuggestedCommand("init").option("-o", "-").description == "susi init -o -")
        #expect(SuggestedCommand("init").without("-a").settles("-a"))
    }

    @Test("another application takes the place of the given one, and has no policy of it")
    func namesAnotherApplication() throws {
        let given = GivenOptions(try Program.parse(["compare", "a", "b:", "-p", "P", "-A", "app", "--config", "f"]))
        let other = given.using(application: "b").completing(SuggestedCommand("sign-in"))
        #expect(other.description == "susi sign-in -A b --config f")
        #expect(given.completing(SuggestedCommand("sign-in")).description == "susi sign-in -p P -A app --config f")
    }

    @Test("options of the suggested command itself are kept")
    func keepsOptionsOfSuggestion() throws {
        let given = GivenOptions(try Program.parse(["token", "hello", "-p", "P", "-a", "ana", "-A", "app"]))
        let signIn = SuggestedCommand("sign-in").option("-p", "Q").option("-a", "ben")
        #expect(given.text("ask, then \(signIn)") == "ask, then susi sign-in -p Q -a ben -A app")
        #expect(given.text("\(SuggestedCommand("token", "other"))") == "susi token other -p P -a ana -A app")
        #expect(given.text("wait") == "wait" && given.text("").isEmpty)
        #expect(given.completing(signIn.without("-A")) == signIn.without("-A"))
        let usual = SuggestedCommand("sign-in").option("-p", "B2C_1_susi")
        #expect(GivenOptions(try Program.parse(["token", "-p", "P"])).text("\(usual)") == "\(usual)")
    }

    @Test(
        "what is missing or misspelled is named in the form that the command accepts",
        arguments: [
            (["token", "-p", "P", "-a", "ana"], .name(.api, ["hello"]), "susi token hello -p P -a ana"),
            (["inspect", "-p", "P"], .name(.api, ["hello"]), "susi token hello -p P | susi inspect -"),
            (["sign-in", "--api", "helo"], .name(.api, ["a b"]), "name the API with --api 'a b'"),
            (["token", "-a", "bne"], .correctAccount("ben"), "name the account with -a ben"),
            (["switch", "bne", "-p", "P"], .correctAccount("ben"), "susi switch ben -p P"),
            (["remove", "bne"], .correctAccount("ben"), "susi accounts"),
            (["sign-out", "-a", "bne"], .correctAccount("ben"), "susi accounts"),
            (["token", "-p", "P"], .correctAccount("-x"), "susi accounts -p P"),
            (["token"], .underPolicy(PolicyName("Q")), "name a policy with -p, for example -p Q"),
            (["edit-profile"], .underPolicy(PolicyName("Q")), "susi accounts"),
            (
                ["store", "rekey", "--to", "file"], .name(.keySource, ["file", "command"]),
                "susi store rekey --to file or command"
            ),
            (["token"], .name(.keySource, ["file"]), "set SUSI_KEY_SOURCE to file"),
        ] as [([String], NextStep, String)])
    func namesInFormOfCommand(_ typed: [String], _ step: NextStep, _ expected: String) throws {
        #expect(GivenOptions(try Program.parse(typed)).text(step) == expected)
    }

    /// Every command with its required arguments.
    static let commands: [(command: SuggestedCommand, type: any ParsableCommand.Type)] = CommandTree.leaves.map {
        words, type in
        let command = SuggestedCommand(words.joined(separator: " "))
        return switch words.last {
        case "remove", "switch", "call", "import", "explain", "backup": (command.replacing(arguments: ["x"]), type)
        case "check" where words.first == "emulator": (command.replacing(arguments: ["x"]), type)
        case "compare": (command.replacing(arguments: ["x", "y"]), type)
        case "completion": (command.replacing(arguments: ["bash"]), type)
        case "exec": (command.running(["ls"]), type)
        case "rekey": (command.option("--to", "file"), type)
        case "export" where words.count == 1: (command.option("--format", "msal"), type)
        default: (command, type)
        }
    }

    @Test("every command that reads policies repeats its options, and accepts those that are added")
    func everyCommandAcceptsRepeatedOptions() throws {
        #expect(Self.commands.count > 18)
        // The values need quotes in a shell.
        let typed = [
            "token", "-p", "a policy", "--tenant", "t.example", "-a", "Ana Lima", "-A", "an app", "--config", "a file",
        ]
        let given = GivenOptions(try Program.parse(typed))
        for (command, type) in Self.commands {
            // The store and the emulator's folder are the same for every application, and a folder of policies needs none.
            let isAlone =
                [
                    "completion", "demo", "explain", "init", "policies schema", "emulator schema", "emulator check",
                ].contains(command.name) || command.name.hasPrefix("store ")
            #expect((type is any GivenCommand.Type) != isAlone, "\(command.name)")
            let words = CommandWords.split(given.completing(command).description).dropFirst()
            let again = GivenOptions(try Program.parse(Array(words)))
            #expect(again.completing(command).description == given.completing(command).description)
            #expect(words.contains("an app") != isAlone, "\(words)")
        }
    }

    @Test("a shell reads the repeated names unchanged, whatever characters they have")
    func quotesRepeatedNames() async throws {
        let hostile = ["it's", "$(id)", "a b", "--config=x", "-", "`x`;\"", ""]
        for text in hostile {
            let command = SuggestedCommand("switch", text).option("-a", text).running([text])
            let line = "printf '%s\\n' \(command.description.dropFirst(5))"
            let shown = try await SusiTestSupport.Program("/bin/sh", ["-c", line]).run().standardOutput
            let words = shown.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            let option = text.hasPrefix("--") ? ["--account=\(text)"] : ["-a", text]
            let expected =
                text.hasPrefix("--")
                ? ["switch"] + option + ["--", text, text] : ["switch", text] + option + ["--", text]
            #expect(words == expected, "\(line)")
        }
    }

    @Test("suggestions of library and store errors are completed, on a terminal and in JSON")
    func completesSuggestionsOfLibraryErrors() async throws {
        try await withLocalTenant { tenant in
            let (susi, file) = (tenant.susi, tenant.susi.home.policiesFile.string)
            let config = ["-A", "local", "--config", file]
            let tail = "-A local --config \(file.shellWord)"
            let unknown = try await susi.refusal("status", "-A", "lokal", "--config", file)
            #expect(unknown.next.hasPrefix("susi policies list --config \(file.shellWord)"), "\(unknown)")
            try await susi.command(["accounts"] + config).run().exits(0, saying: "next: susi sign-in \(tail)")
            let json = try await susi.command(["token", "--json"] + config).run()
            let error = try JSONNode(parsing: json.standardError.utf8)["error"]
            #expect(error?["next"]?.string == "susi sign-in \(tail)")
            try await tenant.signIn(.ana)
            try await tenant.interact(["sign-in", "-p", "B2C_1_susi"] + config, as: .ben).exits(
                0, printing: "susi switch - -p B2C_1_susi \(tail)")
            // The result page has the same text as the terminal.
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let signIn = ["sign-in", "-a", "ben@contoso.example", "--browser", browser.command]
            try await susi.command(signIn + config).start { run in
                let url = try await browser.nextURL()
                let page = try await WebClient.with { web in
                    try await FormVisitor(answers: LocalTenant.Person.ana.answers, client: web).visit(url)
                }
                let outcome = try await run.waitUntilExit()
                let next = "susi sign-in -a ben@contoso.example -A local"
                #expect(outcome.status == 7 && outcome.standardError.contains("next: \(next)"), "\(outcome)")
                #expect(page.contains("<code>\(next) --config"), "\(page)")
            }
            try await susi.refusal(["remove", "ana@contoso.example", "-p", "B2C_1_susi"] + config).exits(
                64, next: "susi remove ana@contoso.example -p B2C_1_susi --yes \(tail)")
            try await susi.command(["call", "hello", "--curl", "-a", "ana@contoso.example"] + config).run().exits(
                0, printing: "susi token hello -f header -a ana@contoso.example \(tail) | curl -g -H @- ")
        }
    }
}
