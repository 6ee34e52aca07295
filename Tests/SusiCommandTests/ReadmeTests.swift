import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The README is true: what it shows is replayed, what it names is tried.
@Suite("README", .inTurn, .timeLimit(.minutes(2)))
struct ReadmeTests {
    static let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
    let readme: Readme

    init() throws { readme = Readme(try Self.text("README.md")) }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root.appending(path).string, encoding: .utf8)
    }

    @Test("each session gives the output that is shown")
    func sessions() async throws {
        let sessions = readme.blocks("console").map(Readme.steps)
        #expect(sessions.count == 3)
        for steps in sessions {
            try await withLocalTenant { tenant in
                for step in steps { try await replay(step, tenant) }
            }
        }
    }

    private func replay(_ step: Readme.Step, _ tenant: LocalTenant) async throws {
        let susi = tenant.susi
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        var environment = susi.home.environment
        let path = environment["PATH"] ?? ""
        environment["PATH"] = "\(susi.path.removingLastComponent()):\(path)"
        environment["BROWSER"] = browser.command
        environment["NO_COLOR"] = "1"
        let runsEmulator = step.command == "susi emulator run"
        let program = try SusiTestSupport.Program(
            "/bin/sh", ["-c", step.command + (runsEmulator ? " --port 0" : "")], environment: environment,
            workingFolder: susi.home.workingFolder
        ).inTerminal()
        let shown = try await program.start { running in
            if runsEmulator {
                try await running.waitForLine(containing: "next ")
                return await running.text(.output)
            }
            if let person = SeededUser.standard.first(where: { step.output.contains("Signed in as \($0.displayName)") })
            {
                let answers = ["signInName": person.signInName, "password": person.password]
                try await FormBrowser(answers: answers).open(try await browser.nextURL())
            }
            return try await running.waitUntilExit().standardOutput
        }
        #expect(Readme.normal(shown) == Readme.normal(step.output), "\(step.command)")
    }

    @Test("every command line is accepted, and those that need nobody else run")
    func commands() async throws {
        let commands = readme.commands
        #expect(commands.count > 20)
        try await withSusi { susi in
            for words in commands {
                let isOffline =
                    ["policies", "accounts", "status", "help"].contains(words.first ?? "")
                    && !["check", "trust"].contains(words.dropFirst().first ?? "")
                guard isOffline else {
                    #expect(throws: Never.self, "\(words)") { try SusiCommand.Program.parse(words) }
                    continue
                }
                let file = Self.root.appending("policies.json").string
                let outcome = try await susi.command(words, environment: ["SUSI_CONFIG": file]).run()
                #expect(outcome.status == 0, "\(words): \(outcome)")
                // Help for a command that is not there is the help of all of them.
                guard words.first == "help" else { continue }
                let topics = SusiCommand.Program.commandNames + HelpTopic.allCases.map(\.rawValue)
                #expect(topics.contains(words.last ?? ""), "\(words)")
            }
        }
    }

    @Test("every command, exit code and variable is there")
    func complete() throws {
        for name in SusiCommand.Program.commandNames where name != "help" {
            #expect(readme.text.contains("| `susi \(name)"), "\(name)")
        }
        for name in HelpTopic.variables.flatMap({ $0.name.components(separatedBy: ", ") }) {
            #expect(readme.text.contains("`\(name)`"), "\(name)")
        }
    }

    @Test("what each place of the key protects against is said as the program says it")
    func keys() throws {
        let guide = try Self.text("Sources/Susi/Susi.docc/Keys.md")
        for source in KeySource.allCases {
            let row = "| \(source.name) | \(source.protection.against) | \(source.protection.notAgainst) |\n"
            #expect(readme.text.contains(row) && guide.contains(row), "\(row)")
        }
    }

    @Test("policies.json and the addresses to register are as shown")
    func policies() async throws {
        let file = try PoliciesFile(text: try #require(readme.blocks("json").first).utf8, source: "README.md")
        let application = try #require(file.application("production"))
        for policy in application.policies {
            guard case .allowed = application.knownAuthorities.decision(for: application.authority(for: policy)) else {
                Issue.record("\(policy.name) is not known")
                continue
            }
        }
        let authority = application.authority(for: try #require(application.defaultPolicy))
        for entry in ["contoso.b2clogin.com", "contoso.b2clogin.com/contoso.onmicrosoft.com", "\(authority.address)"] {
            #expect(readme.text.contains("(`\(entry)`)"))
            let known = KnownAuthorities([try KnownAuthorities.Entry(entry)])
            #expect(known.decision(for: authority) == .allowed(by: try KnownAuthorities.Entry(entry)))
        }
        for port in application.redirectPorts { #expect(readme.text.contains("`http://localhost:\(port)/`")) }
    }

    @Test("applications of the other kinds are read, and call nobody who is not listed")
    func kinds() throws {
        let applications = try #require(readme.blocks("json").dropFirst().first)
        let file = try PoliciesFile(
            text: #"{ "current": "work", "applications": \#(applications) }"#.utf8, source: "README.md")
        #expect(file.applications.map(\.kind) == [.entra, .external, .openid])
        for application in file.applications {
            let policy = try #require(application.defaultPolicy)
            let decision = application.knownAuthorities.decision(for: application.authority(for: policy))
            guard case .allowed = decision else {
                Issue.record("\(application.name): \(decision)")
                continue
            }
        }
    }

    @Test("the set-up installs what `.ci/run` installs, and the tests are those that it runs")
    func setUp() throws {
        let script = try Self.text(".ci/run")
        let list = try #require(script.split(separator: "packages=(", maxSplits: 1).last?.split(separator: ")").first)
        let wanted = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
        let lines = readme.blocks("sh").filter { $0.contains("apt-get install") }
        let installed = lines.map(Readme.packages)
        #expect(installed.count == 2)
        #expect(installed.last == wanted)
        #expect(installed.first?.isSubset(of: wanted) == true && installed.first?.contains("libsqlite3-dev") == true)
        #expect(lines.allSatisfy { $0.split(separator: "\n").count == 1 })
        #expect(lines.first?.hasSuffix("swift run susi demo\n") == true)
        #expect(readme.text.contains("<!-- tests -->\n```sh\nswift test\n```\n"))
    }

    @Test("the library's example is shown as it is, and works")
    func library() async throws {
        let code = try Self.text("Tests/Example/main.swift")
        #expect(readme.blocks("swift").last == code)
        #expect(Readme(try Self.text("Sources/Susi/Susi.docc/Susi.md")).blocks("swift") == [code])
        try await withLocalTenant { tenant in
            let home = tenant.susi.home
            let browser = try await BrowserCommand.capture(in: home.folder)
            let script = try #require(browser.command.split(separator: " ").first.map(String.init))
            let example = SusiTestSupport.Program(
                try #require(SusiTestSupport.Surroundings.builtProduct("LibraryExample")),
                [home.policiesFile.string, home.folder.appending("library").string, script],
                environment: home.environment)
            let outcome = try await example.start { running in
                let ana = LocalTenant.Person.ana.user
                try await FormBrowser(answers: ["signInName": ana.signInName, "password": ana.password])
                    .open(try await browser.nextURL())
                return try await running.waitUntilExit()
            }
            let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
            try #require(lines.count == 5, "\(outcome)")
            #expect(lines[0] == "signed in as ana@contoso.example")
            #expect(lines[1] == "a token for https://contoso.onmicrosoft.com/hello/demo.read")
            #expect(lines[2].contains("Hello, Ana Lima"))
            #expect(lines[3...] == ["the API answered 200", "removed"])
        }
    }

    @Test("git and curl take the token as shown", .enabled(if: SusiTestSupport.Surroundings.program("git") != nil))
    func otherPrograms() async throws {
        try await withLocalTenant { tenant in
            _ = try await tenant.interact(["sign-in"], as: .ana)
            let home = tenant.susi.home
            let token = try await tenant.susi.run("token").standardOutput
            let shell = { (line: String, input: String) in
                var environment = home.environment
                environment["PATH"] = "\(tenant.susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
                environment["GIT_TERMINAL_PROMPT"] = "0"
                return SusiTestSupport.Program(
                    "/bin/sh", ["-c", line], environment: environment, workingFolder: home.workingFolder,
                    input: .text(input))
            }
            let git = try #require(readme.block(after: "git"))
            let asked = "protocol=https\nhost=git.contoso.example\n\n"
            let filled = try await shell("git init -q . && \(git) git credential fill", asked).run()
            #expect(filled.standardOutput.contains("username=susi\n"), "\(filled)")
            #expect(filled.standardOutput.contains("password=\(token)"))
            // Approving and rejecting are no business of a helper that stores nothing.
            let approved = try await shell("git credential approve", filled.standardOutput).run()
            #expect(approved.status == 0 && approved.standardOutput.isEmpty && approved.standardError.isEmpty)
            guard SusiTestSupport.Surroundings.program("curl") != nil else { return }
            let curl = try #require(readme.block(after: "curl"))
            let called = try await shell(
                curl.replacing("http://localhost:8480", with: tenant.emulator.origin), ""
            ).run()
            #expect(called.standardOutput.contains("Hello, Ana Lima"), "\(called)")
        }
    }

    @Test("the exec plug-in of a kubeconfig is a command that parses")
    func kubeconfig() throws {
        let block = try #require(readme.blocks("yaml").first)
        let list = try #require(block.firstMatch(of: #/args: \[(.*)\]/#)?.1)
        _ = try SusiCommand.Program.parse(list.split(separator: ", ").map(String.init))
        #expect(block.contains("apiVersion: \(try ExecCredential.version(nil))"))
    }
}
