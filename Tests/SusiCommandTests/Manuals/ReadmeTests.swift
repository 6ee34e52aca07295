import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// README and manuals in comparison with the program, the scripts and other programs.
@Suite("README and manuals", .inTurn, .timeLimit(.minutes(5)))
struct ReadmeTests {
    static let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent()

    private static func text(_ path: String) throws -> String {
        try root.appending(path).text()
    }

    @Test("the reference names every command and variable")
    func namesEveryCommandAndVariable() throws {
        let manual = try Manuals.reference.read().text
        for name in SusiCommand.Program.commandNames where name != "help" {
            #expect(manual.contains("| `susi \(name)"), "Reference.md has no row of the command \(name)")
        }
        for name in HelpTopic.variables.flatMap({ $0.name.components(separatedBy: ", ") }) {
            #expect(manual.contains("`\(name)`"), "Reference.md has no row of the variable \(name)")
        }
    }

    @Test("the protection of each key source is described as in the program")
    func describesProtectionOfKeySources() throws {
        let manual = try Manuals.storeAndKeys.read().text
        for source in KeySource.allCases {
            let row = "| \(source.name) | \(source.protection.against) | \(source.protection.notAgainst) |\n"
            #expect(manual.contains(row), "StoreAndKeys.md has no row of this key source: \(row)")
        }
    }

    @Test("every key of policies.json is described; example entries and ports are right")
    func describesPoliciesFile() async throws {
        let manual = try Manuals.policiesFile.read()
        let file = try PoliciesFile(text: try #require(manual.blocks("json").first).utf8, source: "PoliciesFile.md")
        #expect(file.applications.map(\.kind) == [.b2c, .entra, .external, .openid])
        let application = try #require(file.application("production"))
        let authority = application.authority(for: try #require(application.defaultPolicy))
        for entry in ["contoso.b2clogin.com", "contoso.b2clogin.com/contoso.onmicrosoft.com", "\(authority.address)"] {
            #expect(manual.text.contains("(`\(entry)`)"))
            let known = KnownAuthorities([try KnownAuthorities.Entry(entry)])
            #expect(known.decision(for: authority) == .allowed(by: try KnownAuthorities.Entry(entry)))
        }
        let schema = try await withSusi { try await $0.run("policies", "schema").standardOutput }
        for name in Self.names(try JSONNode(parsing: schema.utf8)) where name != "$schema" && name != "applications" {
            #expect(manual.prose.contains("`\(name)`"), "PoliciesFile.md does not describe \(name)")
        }
        let text = try #require(manual.block(marked: "file: policies.json"))
        let real = try PoliciesFile(text: text.utf8, source: "PoliciesFile.md")
        for port in try #require(real.application(nil)).redirectPorts {
            #expect(manual.text.contains("`http://localhost:\(port)/`"))
        }
    }

    // The names of all keys that a schema describes.
    private static func names(_ schema: JSONNode) -> Set<String> {
        let own = schema["properties"]?.members ?? []
        let inner = own.map(\.node) + [schema["additionalProperties"], schema["items"]].compactMap(\.self)
        return Set(own.map(\.name)).union(inner.filter(\.isObject).flatMap(names))
    }

    @Test("the demo prints what the README shows; … stands for what is left out")
    func demoPrintsWhatIsShown() async throws {
        let shown = try #require(
            try Manuals.readme.read().block(marked: "run by: ReadmeTests/demoPrintsWhatIsShown"))
        try #require(shown.hasPrefix("$ susi demo\n"))
        try await withSusi { susi in
            var rest = try await susi.run("demo").exits(0).standardOutput
            let parts = shown.dropFirst("$ susi demo\n".count).components(separatedBy: "…\n").filter { !$0.isEmpty }
            try #require(parts.count > 3)
            for part in parts {
                let found = try #require(rest.range(of: part), "\(part)")
                rest = String(rest[found.upperBound...])
            }
        }
    }

    @Test("one script installs what README, `.ci/run` and the release need")
    func setUpUsesOneScript() throws {
        let lines = try Manuals.readme.read().blocks("sh").filter { $0.contains(".ci/prepare") }
        #expect(lines == [".ci/prepare && swift run susi demo\n", ".ci/prepare --tests && swift test\n"])
        let run = try Self.text(".ci/run")
        #expect(run.contains("\" .ci/prepare --tests --others ${full:+--release}\n"))
        #expect(run.contains("run_readme demo\n") && run.contains("run_readme tests "))
        for path in [".ci/run", ".github/workflows/release.yml"] {
            let text = try Self.text(path)
            #expect(text.contains(".ci/prepare --") && !text.contains("apt-get"), "\(path)")
        }
    }

    @Test("the script installs what is missing, with sudo if it is not root", arguments: [0, 1_000])
    func scriptInstallsWhatIsMissing(user: Int) async throws {
        try await withSusi { susi in
            let work = susi.home.workingFolder
            try work.appending("package/.ci/prepare").write(try Self.text(".ci/prepare"), mode: 0o700)
            let programs = [
                "id": "echo \(user)", "dpkg-query": "test \"$4\" = git && echo installed",
                "sudo": "echo sudo >>'\(work)/log'; exec \"$@\"", "apt-get": "echo \"apt-get $@\" >>'\(work)/log'",
                "swift": "exit 0", "../package/.build/venv/bin/pip": "echo \"pip $@\" >>'\(work)/log'",
            ]
            for (name, line) in programs {
                try work.appending("bin/\(name)").write("#!/bin/sh\n\(line)\n", mode: 0o700)
            }
            func log(_ option: String) async throws -> [Substring] {
                try await susi.script("rm -f log; PATH=$PWD/bin:$PATH package/.ci/prepare \(option)").run().exits(0)
                return try work.appending("log").text().split(separator: "\n")
            }
            func packages(_ log: [Substring]) -> Set<Substring> {
                Set(log.flatMap { $0.split(separator: " ").drop { $0 != "install" } })
            }
            let (build, tests) = (try await log(""), try await log("--tests"))
            #expect(build.filter { $0 == "sudo" }.count == (user == 0 ? 0 : 2), "\(build)")
            #expect(packages(build).contains("libsqlite3-dev") && !packages(build).contains("git"), "\(build)")
            #expect(packages(tests).isStrictSuperset(of: packages(build)))
            #expect(
                packages(tests).isSuperset(of: ["chromium", "python3-venv", "msal", "pytest-playwright"]), "\(tests)")
        }
    }

    @Test("the library's example is shown unchanged, and works")
    func libraryExampleWorks() async throws {
        #expect(try Manuals.library.read().blocks("swift").first == Self.text("Tests/Example/main.swift"))
        try await withLocalTenant { tenant in
            let home = tenant.susi.home
            let browser = try await BrowserCommand.capture(in: home.folder)
            let script = try #require(browser.command.split(separator: " ").first.map(String.init))
            try FileManager.default.createSymbolicLink(
                atPath: home.userHome.appending("xdg-open").string, withDestinationPath: script)
            var environment = home.environment
            environment["PATH"] = "\(home.userHome):\(environment["PATH"] ?? "")"
            let example = SusiTestSupport.Program(
                try #require(TestEnvironment.builtProduct("LibraryExample")), [], environment: environment,
                workingFolder: home.susiHome)
            let outcome = try await example.start { running in
                try await FormBrowser(answers: LocalTenant.Person.ana.answers)
                    .open(try await browser.nextURL())
                return try await running.waitUntilExit()
            }
            let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
            try #require(lines.count == 4, "\(outcome)")
            #expect(lines[0] == "signed in as ana@contoso.example")
            #expect(lines[1].hasPrefix("token: ey"))
            #expect(lines[2].hasPrefix("200: ") && lines[2].contains("Hello, Ana Lima"))
            #expect(lines[3] == "ana@contoso.example under B2C_1_susi")
            #expect(home.userHome.appending(".local/state/LibraryExample/store.sqlite").exists)
        }
    }

    @Test("the library's manual names every error code")
    func describesErrorCodes() throws {
        let section = try #require(try Manuals.library.read().prose.split(separator: "### Errors").dropFirst().first)
        let cells = section.matches(of: #/(?m)^\| (`[^|]+) \|/#).flatMap { $0.1.split(separator: ", ") }
        #expect(cells.sorted() == SusiError.Code.allCases.map { "`\($0.rawValue)`" }.sorted())
    }

    @Test("git accepts the token as shown", .enabled(if: TestEnvironment.program("git") != nil))
    func gitAcceptsTokenAsShown() async throws {
        let git = try #require(
            try Manuals.otherPrograms.read().block(marked: "run by: ReadmeTests/gitAcceptsTokenAsShown"))
        try await ManualStage.with { stage in
            let asked = "protocol=https\nhost=git.contoso.example\n\n"
            let fill = stage.shell(
                "export GIT_TERMINAL_PROMPT=0; git init -q . && \(git) git credential fill", input: .text(asked))
            try await fill.run().exits(128, output: "", saying: "next: susi sign-in")
            try await stage.tenant.signIn(.ana)
            let token = try await stage.tenant.susi.run("token").standardOutput
            let filled = try await fill.run().exits(0, printing: "username=susi\n", "password=\(token)")
            // A helper that stores nothing ignores approvals and rejections.
            let approved = try await stage.shell("git credential approve", input: .text(filled.standardOutput)).run()
            #expect(approved.status == 0 && approved.standardOutput.isEmpty && approved.standardError.isEmpty)
        }
    }

    @Test("the command of a kubeconfig's exec plug-in parses")
    func kubeconfigCommandParses() throws {
        let block = try #require(try Manuals.otherPrograms.read().blocks("yaml").first)
        let list = try #require(block.firstMatch(of: #/args: \[(.*)\]/#)?.1)
        _ = try SusiCommand.Program.parse(list.split(separator: ", ").map(String.init))
        #expect(block.contains("apiVersion: \(try ExecCredential.version(nil))"))
    }
}
