import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// README and manuals: their commands are run, or at least parsed.
@Suite("Manuals", .inTurn, .timeLimit(.minutes(5)))
struct ManualTests {
    @Test func listNamesEveryManual() throws {
        let files = try Self.pages(below: "Sources").filter { $0.contains(".docc/") }
        let tables = try Self.pages(below: "Tests").filter { !$0.contains("/Files/") }
        #expect(Set(Manuals.all.map(\.path)) == Set(files + tables + ["README.md"]))
        let readme = try Manuals.readme.read().text
        for file in files { #expect(readme.contains("](\(file))"), "README.md has no link to \(file)") }
    }

    private static func pages(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: ReadmeTests.root.appending(folder).string)
            .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }

    @Test("README and manuals are short")
    func manualsAreShort() throws {
        func words(_ manual: Manuals.Manual) throws -> Int {
            try manual.read().text.split(whereSeparator: \.isWhitespace).count
        }
        #expect(try words(Manuals.readme) <= 900)
        #expect(try words(Manuals.Manual(path: ".github/CONTRIBUTING.md")) <= 1_600)
        #expect(try words(Manuals.dailyUse) <= 900)
        #expect(try words(Manuals.differences) <= 1_200)
        #expect(try Manuals.pages.map(words).reduce(0, +) <= 20_800)
    }

    @Test("each block runs, names the test that runs it, or gives a reason why it does not run", arguments: Manuals.all)
    func eachBlockRunsOrGivesReason(manual: Manuals.Manual) throws {
        let tests = try Self.testSources()
        for block in try manual.read().blocks {
            #expect(
                [
                    "sh", "console", "json", "yaml", "swift", "python", "js", "go", "ruby", "apache", "java", "csharp",
                    "",
                ].contains(block.language))
            guard let mark = block.mark, !Manuals.marksOfScripts.contains(mark) else { continue }
            let test = block.mark("run by")
            #expect(test != nil || block.mark("not run") != nil || block.mark("file") != nil, "unknown mark “\(mark)”")
            if let test { #expect(Self.declares(test, tests), "there is no test \(test)") }
        }
    }

    private static func testSources() throws -> [String] {
        let folder = ReadmeTests.root.appending("Tests").string
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }

    private static func declares(_ name: String, _ tests: [String]) -> Bool {
        let parts = name.split(separator: "/")
        return parts.count == 2
            && tests.contains { $0.contains("struct \(parts[0]) {") && $0.contains("func \(parts[1])(") }
    }

    @Test("the commands of each document run in their order", arguments: Manuals.all)
    func commandsOfEachDocumentRun(manual: Manuals.Manual) async throws {
        let blocks = try manual.read().blocks.filter { block in
            block.mark == nil || block.mark("file") != nil
        }
        guard blocks.contains(where: { ["sh", "console"].contains($0.language) }) else { return }
        try await ManualStage.with { stage in
            if manual.path != Manuals.readme.path { try await stage.tenant.signIn(.ana) }
            for block in blocks { try await stage.play(block) }
        }
    }

    @Test("the program accepts every command that is not run", arguments: Manuals.all)
    func programAcceptsUnrunCommands(manual: Manuals.Manual) throws {
        for words in Set(try manual.read().commands) {
            guard words.first == "help" else {
                #expect(throws: Never.self, "\(words)") { try SusiCommand.Program.parse(words) }
                continue
            }
            // For an unknown command, the program prints the general help.
            let topics = SusiCommand.Program.commandNames + HelpTopic.allCases.map(\.rawValue) + ["COMMAND"]
            #expect(words.dropFirst().allSatisfy { $0 == "--json" || topics.contains($0) }, "\(words)")
        }
    }

    @Test("the commands with which contributors debug run")
    func commandsOfGuideRun() async throws {
        let guide = try Document(path: ".github/CONTRIBUTING.md").text
        let section = try #require(guide.split(separator: "\n## ").first { $0.hasPrefix("Debug\n") })
        let commands = Document(String(section)).commands
        try #require(commands.count > 3)
        try await ManualStage.with { stage in
            try await stage.tenant.signIn(.ana)
            let address = "\(stage.tenant.emulator.origin)/contoso.onmicrosoft.com/B2C_1_susi"
            for words in commands {
                try await stage.tenant.susi.command(words.map { $0 == "ADDRESS" ? address : $0 }).run().exits(0)
            }
        }
    }

    @Test("the parser of documents finds commands")
    func commandsAreFound() throws {
        #expect(try Manuals.all.flatMap { try $0.read().commands }.count > 60)
        let script = #"""
            A=1 susi token hello -f header | curl -H @- http://localhost # susi no
            f() { test "$1" || { echo "x=$(susi token hello)"; }; }; f
            eval "$(susi token -f env)" && susi call POST hello -d '{"a":"b | susi no"}' > out \
                -i
            source <(susi completion bash)
            """#
        #expect(
            Document.commands(inScript: script) == [
                ["token", "hello", "-f", "header"], ["token", "hello"], ["token", "-f", "env"],
                ["call", "POST", "hello", "-d", #"{"a":"b | susi no"}"#, "-i"], ["completion", "bash"],
            ])
    }

    @Test("the program reads the example files, and policies contact only listed authorities", arguments: Manuals.all)
    func programReadsExampleFiles(manual: Manuals.Manual) throws {
        // The settings of another program; and a tenant file that needs the policies of a policies.json, which a test reads.
        let others = ["not run: settings of another program", "run by: YourApplicationTests/msal"]
        let blocks = try manual.read().blocks.filter { $0.language == "json" && !others.contains($0.mark ?? "") }
        for text in blocks.map(\.text) {
            let node = try JSONNode(parsing: text.utf8)
            if node["tenants"] != nil {
                let tenants = try TenantFile(text: text.utf8, source: manual.path, folder: "/").tenants()
                let again = TenantFile.text(of: tenants)
                #expect(try TenantFile(text: again.utf8, source: "again", folder: "/").tenants() == tenants)
                continue
            }
            for application in try PoliciesFile(text: text.utf8, source: manual.path).applications {
                for policy in application.policies {
                    let decision = application.knownAuthorities.decision(for: application.authority(for: policy))
                    guard case .allowed = decision else {
                        Issue.record("\(application.name), \(policy.name): \(decision)")
                        continue
                    }
                }
            }
        }
    }

    @Sendable static func hasYAML() async -> Bool { await TestEnvironment.hasPython("yaml") }

    @Test("YAML blocks are valid YAML", .enabled("python3 with yaml is missing", hasYAML), arguments: Manuals.all)
    func yamlIsValid(manual: Manuals.Manual) async throws {
        let texts = try manual.read().blocks("yaml")
        guard !texts.isEmpty else { return }
        let python = try #require(TestEnvironment.program("python3"))
        let check = "import sys, yaml; assert all(isinstance(x, dict) for x in yaml.safe_load_all(sys.stdin))"
        try await SusiTestSupport.Program(
            python, ["-c", check], input: .text(texts.joined(separator: "\n---\n"))
        ).run().exits(0)
    }

    @Test("every line of a Swift block is in one file of the tests", arguments: Manuals.all)
    func swiftIsCompiledInTests(manual: Manuals.Manual) throws {
        let blocks = try manual.read().blocks("swift")
        guard !blocks.isEmpty else { return }
        let tests = try Self.testSources().map { Set(Self.lines($0)) }
        for block in blocks {
            let lines = Self.lines(block).filter { !$0.hasPrefix("//") }
            #expect(lines.count > 1 && tests.contains { $0.isSuperset(of: lines) }, "\(block)")
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("links lead to files and headings", arguments: Manuals.all)
    func linksLeadToFilesAndHeadings(manual: Manuals.Manual) throws {
        let document = try manual.read()
        #expect(!document.text.contains("<doc:"), "code hosts do not support links of DocC")
        for match in document.prose.matches(of: #/\]\(([^)#]*)(?:#([^)]*))?\)/#) where !match.1.contains("://") {
            let path = FilePath(match.1.isEmpty ? manual.path : manual.folder + match.1).lexicallyNormalized().string
            let isThere = ReadmeTests.root.appending(path).exists
            #expect(isThere, "\(match.0)")
            guard isThere, let anchor = match.2 else { continue }
            #expect(Self.anchors(try Document(path: path)).contains(String(anchor)), "\(match.0)")
        }
    }

    // The anchors that code hosts give to headings.
    private static func anchors(_ document: Document) -> Set<String> {
        let headings = document.prose.matches(of: #/(?m)^#+ (.+)$/#).map { $0.1.lowercased() }
        return Set(
            headings.map { heading in
                String(heading.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) })
            })
    }
}
