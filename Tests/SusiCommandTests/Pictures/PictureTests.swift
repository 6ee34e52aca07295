import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// The pictures of a terminal in README and manuals, compared with what the program writes today. `.ci/pictures` accepts new
/// ones.
@Suite("Pictures of a terminal", .inTurn, .timeLimit(.minutes(5)))
struct PictureTests {
    // Files are equal but for ports, codes, times and tokens, and for the folder of a test.
    private func compare(_ picture: TerminalPicture, _ name: String, title: String, columns: Int) throws {
        let svg = picture.svg(title: title, columns: columns)
        let path = "Sources/Susi/Susi.docc/\(name).svg"
        let made = ReadmeTests.root.appending(".build/pictures/\(path)")
        try made.removingLastComponent().makeFolder()
        try made.write(svg)
        let known = try? ReadmeTests.root.appending(path).text()
        #expect(
            Document.normal(svg) == Document.normal(known ?? ""),
            "\(path) shows something else than \(made); .ci/pictures accepts it")
        // Nothing is wider than the window.
        #expect(picture.lines.allSatisfy { $0.map(\.text.count).reduce(0, +) <= columns })
    }

    @Test func firstSignIn() async throws {
        try await ManualStage.with { stage in
            var picture = TerminalPicture()
            for command in ["susi sign-in", "susi call hello", "susi token | cut -c 1-60"] {
                picture.add(command: command)
                // The port of the redirect address, as people see it.
                let output = try await stage.colored(command, columns: 80)
                try picture.add(output: output.replacing(#/localhost:\d+(?=\/go)/#, with: "localhost:8400"))
            }
            try compare(picture, "first-sign-in", title: "A terminal: sign in, call an API, print a token", columns: 80)
        }
    }

    @Test func picker() async throws {
        let people = [("ana", "Ana Lima"), ("ben", "Ben Okoro"), ("chi", "Chi Tanaka")].map { user, name in
            StoredPerson("\(user)@contoso.example", name, isCurrent: user == "ben")
        }
        try await withStored(people) { susi in
            let outcome = try await susi.command(["switch"]).inTerminal(columns: 80, rows: 12).start { run in
                try await run.type("\u{1b}", at: "1/3")
                return try await run.waitUntilExit()
            }
            let frame = try #require(outcome.standardOutput.components(separatedBy: "\r\u{1b}[J").dropFirst().first)
            var picture = TerminalPicture()
            picture.add(command: "susi switch")
            try picture.add(output: frame)
            try compare(picture, "picker", title: "A terminal: choose an account from a list", columns: 80)
        }
    }

    @Test("the drawing of policies and accounts names what the program names") func accounts() async throws {
        let path = ReadmeTests.root.appending("Sources/Susi/Susi.docc/accounts.svg")
        let svg = try path.text()
        let names = Set(svg.matches(of: #/B2C_1_\w+|localhost[^<…]+/#).map { String($0.0) })
        #expect(names.count == 3)
        try await withSusi(policies: PoliciesFile.builtInText) { susi in
            let shown = try await susi.run("policies", "list").standardOutput
            for name in names { #expect(shown.contains(name), "\(shown)") }
        }
    }

    @Test("the drawing of the three parts names their files") func parts() async throws {
        let svg = try ReadmeTests.root.appending("Sources/Susi/Susi.docc/parts.svg").text()
        let names = svg.matches(of: #/class="file"[^>]*>([^<]+)</#).map { String($0.1) }
        #expect(names.count == 5)
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let susi = tenant.susi
            let own = ["--client-id", "33333333-3333-3333-3333-333333333333", "-p", "B2C_1_susi", "--offline"]
            let address = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
            try await susi.command(["init", address, "--copy", "tenants.json"] + own).run().exits(0)
            try await susi.command(["emulator", "run", "--port", "0", "-A", "local"]).start { running in
                try await running.waitForLine(containing: "next ")
            }
            for name in names {
                let path = FilePath(name.replacing("~/.local/state/susi", with: susi.home.susiHome.string))
                #expect(susi.home.workingFolder.pushing(path).exists, "\(name)")
            }
        }
    }

    @Test("each picture is shown with a text in its place, and each text has its picture")
    func showsEveryPicture() throws {
        let root = ReadmeTests.root.string
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources")
        let pictures = files.filter { $0.contains(".docc/") && !$0.hasSuffix(".md") }.map { FilePath($0) }
        var shown: Set<String> = []
        for manual in Manuals.all {
            for match in try manual.read().text.matches(of: #/!\[([^\]]*)\]\(([^)]+)\)|src(?:set)?="([^"]+)"/#) {
                #expect(match.1?.isEmpty != true, "\(manual.path)")
                let name = try #require(FilePath(String(match.2 ?? match.3 ?? "")).lastComponent?.string)
                #expect(pictures.contains { $0.lastComponent?.string == name }, "\(manual.path): \(name)")
                shown.insert(name)
            }
        }
        let readme = try Manuals.readme.read().text
        #expect(readme.matches(of: #/<img\s/#).count == readme.matches(of: #/<img\salt="[^"]+"/#).count)
        // DocC takes the dark picture of a name by itself.
        let names = pictures.compactMap { $0.lastComponent?.string }
        #expect(names.filter { !shown.contains($0.replacing("~dark", with: "")) } == [])
    }

    @Test func trust() async throws {
        let text = PoliciesFile.builtInText.replacing("http://localhost:8480", with: "https://contoso.b2clogin.com")
        try await withSusi { susi in
            let file = susi.home.work("policies.json")
            try file.write(text)
            let command = try susi.command(["policies", "trust"]).inTerminal(columns: 80)
            let outcome = try await command.start { run in
                try await run.type("n\n", at: "[y/N]")
                return try await run.waitUntilExit()
            }
            var picture = TerminalPicture()
            picture.add(command: "susi policies trust")
            try picture.add(output: outcome.standardOutput.replacing(susi.home.workingFolder.string, with: "/srv/shop"))
            try compare(
                picture, "trust", title: "A terminal: the hosts of a policies file, and a question", columns: 80)
        }
    }
}
