import ArgumentParser
import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SusiStartup
import SystemPackage

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show a complete session with a temporary tenant.",
        discussion: """
              susi demo

            Needs no setup and no browser, and leaves nothing behind.
            """)

    func run() async throws {
        try await TemporaryFolder.with(named: "susi-demo") { folder in
            try await withEmulator(
                [try .builtIn()], folder: folder.emulator, clock: EmulatorClock { ProcessEnvironment.process.now() },
                { emulator in try await Self.play(Demo.steps, folder: folder.path.string, origin: emulator.origin) })
        }
    }

    private static func play(_ steps: [Demo.Step], folder: String, origin: String) async throws {
        let console = Console.standard
        let style = console.outStyle
        let policies = PoliciesFile.builtInText
            .replacing("http://localhost:8480", with: origin).replacing("[8400, 8401, 53682]", with: "[0]")
        try PrivateFile.write(policies.utf8, to: FilePath(folder).appending("policies.json"))
        console.out("A tenant with sign-in, edit-profile and reset policies runs at \(origin), for this demo only.")
        for step in steps {
            console.out("")
            console.out(style.faint("# \(step.story)"))
            console.out(style.strong("$ susi \(step.shown)"))
            let environment = ProcessEnvironment(
                variable: { ["SUSI_HOME": folder, "SUSI_CONFIG": "\(folder)/policies.json"][$0] },
                user: ProcessEnvironment.process.user,
                canAsk: false)
            try await ProcessEnvironment.$current.withValue(environment) {
                try await BrowserOptions.$replacement.withValue(step.browser) {
                    try await Program.execute(step.arguments)
                }
            }
            // A body written to a file or pipe has no final line break.
            if step.arguments.first == "call", !console.outIsTerminal { console.out("") }
        }
        console.out("")
        console.out("All of this was real: HTTP, signed tokens, an encrypted store. None of it is kept.")
        console.out(style.next("susi emulator run"))
    }
}

enum Demo {
    /// One command, with the user's input in the browser.
    struct Step {
        let story: String
        let arguments: [String]
        let browser: FormBrowser?

        init(_ story: String, _ arguments: [String], _ answers: [String: String]? = nil) {
            self.story = story
            self.arguments = arguments
            browser = answers.map { FormBrowser(answers: $0) }
        }

        /// The command quoted for a shell.
        var shown: String {
            arguments.map(\.shellWord).joined(separator: " ")
        }
    }

    private static func person(_ index: Int, _ more: [String: String] = [:]) -> [String: String] {
        let user = User.standard[index]
        return ["signInName": user.signInName, "password": user.password].merging(more) { $1 }
    }

    /// Two users, two policies, one API.
    static var steps: [Step] {
        let ana = User.standard[0].signInName
        let ben = User.standard[1].signInName
        return [
            Step("Ana signs in; the demo fills in the sign-in page.", ["sign-in"], person(0)),
            Step("Ben signs in under the same policy.", ["sign-in"], person(1)),
            Step(
                "Ana signs in under a second policy: a separate account.", ["sign-in", "-p", "B2C_1_partner"],
                person(0)),
            Step("List the accounts.", ["accounts"]),
            Step("Make Ana's account the current one again.", ["switch", ana]),
            Step("Call the API as Ana.", ["call", "hello"]),
            Step("Call it as Ben, once.", ["call", "POST", "hello", "-d", #"{"text":"good morning"}"#, "-a", ben]),
            Step(
                "Call it with Ana's other account and that policy's token.", ["call", "hello", "-p", "B2C_1_partner"]),
            Step(
                "Ana edits her profile.", ["edit-profile"],
                person(0, ["displayName": "Ana Maria Lima", "givenName": "Ana Maria"])),
            Step("Every policy has the new name.", ["status"]),
            Step("Remove one account; the others are kept.", ["remove", ana, "-p", "B2C_1_partner", "--yes"]),
            Step("Ben's account still works.", ["call", "hello", "-a", ben]),
            Step("So does Ana's first account, with her new name.", ["call", "hello"]),
        ]
    }
}
