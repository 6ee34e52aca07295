import Foundation
import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

/// Checks of folders with the policies of `SusiJourneysTests`.
@Suite("Check of policies", .inTurn, .timeLimit(.minutes(5))) struct EmulatorCheckTests {
    private static let originals = ReadmeTests.root.appending("Tests/SusiJourneysTests/Policies")

    private static func withPolicies(
        changing changes: [(of: String, to: String)] = [], _ body: (SusiBinary, FilePath) async throws -> Void
    ) async throws {
        try await withSusi { susi in
            let folder = susi.home.work("policies")
            try folder.makeFolder()
            for name in ["Base.xml", "SignUp.xml", "SignIn.xml"] {
                var text = try originals.appending(name).text()
                if name == "SignUp.xml" { for change in changes { text = text.replacing(change.of, with: change.to) } }
                try folder.appending(name).write(text)
            }
            try await body(susi, folder)
        }
    }

    private static let mistake = [(of: "\"EMAIL\"", to: "\"mail\"")]

    @Test func namesMistakes() async throws {
        try await Self.withPolicies(changing: Self.mistake) { susi, _ in
            let outcome = try await susi.run("emulator", "check", "policies")
            #expect(outcome.status == 1)
            let manual = try ReadmeTests.root.appending("Sources/SusiEmulator/SusiEmulator.docc/CheckPolicies.md")
                .text()
            #expect(manual.contains("$ susi emulator check policies\n\(outcome.standardOutput)```\n"), "\(outcome)")
        }
        try await Self.withPolicies { susi, _ in
            let outcome = try await susi.run("emulator", "check", "policies/")
            #expect(outcome.status == 0)
            #expect(outcome.standardOutput.hasSuffix("\n3 policies: no errors, 0 warnings\n"), "\(outcome)")
        }
    }

    @Test func takesSettings() async throws {
        let setting = [(of: "\"contoso.onmicrosoft.com\"", to: "\"{Settings:Tenant}\"")]
        try await Self.withPolicies(changing: setting) { susi, folder in
            let check = ["emulator", "check", "policies"]
            let without = try await susi.command(check).run()
            #expect(without.status == 1)
            #expect(without.standardOutput.contains("policies/SignUp.xml:2: error: {Settings:Tenant} has no value"))
            let given = check + ["--settings", "Tenant=contoso.onmicrosoft.com"]
            #expect(try await susi.command(given).run().status == 0)
            let environments = #"{"Environments": [{"Name": "Test", "Tenant": "fabrikam.onmicrosoft.com"}]}"#
            try folder.appending("appsettings.json").write(environments)
            let named = try await susi.command(check + ["--environment", "Test"]).run()
            #expect(named.standardOutput.contains("Settings of the environment Test.\n"))
            #expect(named.standardOutput.contains("error: TenantId in the policy xml 'fabrikam.onmicrosoft.com'"))
            #expect(try await susi.command(given + ["--environment", "Test"]).run().status == 0)
            let invalid = try await susi.command(check + ["--settings", "Tenant"]).run()
            #expect(invalid.status == 64 && invalid.standardError.contains("KEY=VALUE"), "\(invalid)")
        }
    }

    @Test func stopsACommit() async throws {
        try await Self.withPolicies(changing: Self.mistake) { susi, _ in
            let hook = try await susi.shell("exec \"$0\" emulator check policies").run()
            #expect(hook.status == 1, "\(hook)")
        }
    }

    @Test func writesJSON() async throws {
        try await Self.withPolicies(changing: Self.mistake) { susi, _ in
            let outcome = try await susi.run("emulator", "check", "policies", "--json")
            let result = try outcome.json()
            #expect(result["isFine"]?.bool == false)
            let finding = try #require(result["findings"]?.array?.first)
            #expect(finding["file"]?.string == "policies/SignUp.xml")
            #expect(finding["line"]?.lenientInteger == 14)
            #expect(finding["severity"]?.string == "error")
            #expect(finding["kind"]?.string == "reference")
        }
    }

    // A name or a text of a file must not control the terminal.
    @Test func escapesWhatFilesContain() async throws {
        let changes = [(of: "\"EMAIL\"", to: "\"&#x9b;31m\u{202e}\"")]
        try await Self.withPolicies(changing: changes) { susi, folder in
            try folder.appending("a\u{1b}[31m.xml").write("<TrustFrameworkPolicy")
            let outcome = try await susi.run("emulator", "check", "policies", "--verbose")
            #expect(outcome.standardOutput.contains("a\\u{1b}[31m.xml:1"), "\(outcome)")
            #expect(outcome.standardOutput.contains("\\u{9b}31m\\u{202e}"))
            #expect(!outcome.standardOutput.unicodeScalars.contains { ["\u{1b}", "\u{9b}", "\u{202e}"].contains($0) })
        }
    }

    @Test func readsNoLinksAndOtherFolders() async throws {
        try await Self.withPolicies { susi, folder in
            for name in [".git", "node_modules", "Environments"] {
                try folder.appending(name).makeFolder()
                try folder.appending(name).appending("p.xml").write("<TrustFrameworkPolicy")
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending("link").string, withDestinationPath: "/")
            try folder.appending("other.xml").write("<a/>")
            let outcome = try await susi.run("emulator", "check", "policies", "-v")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.standardOutput.contains("policies/other.xml: not a policy\n"))
            #expect(outcome.standardOutput.contains("3 policies"))
        }
    }

    @Test(arguments: [("nothing", "cannot be read"), ("file", "is not a folder"), ("empty", "no custom policies in")])
    func explainsAFolderThatCannotBeChecked(name: String, text: String) async throws {
        try await withSusi { susi in
            try susi.home.work("file").write("")
            try susi.home.work("empty").makeFolder()
            let outcome = try await susi.run("emulator", "check", name)
            #expect(outcome.status == 64)
            #expect(outcome.standardError.contains(text), "\(outcome)")
        }
    }
}
