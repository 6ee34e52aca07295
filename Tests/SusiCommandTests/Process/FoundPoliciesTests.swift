import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The policies file that no option and no variable names: the nearest one above the working folder, up to the repository or the home.
@Suite("Found policies", .inTurn, .timeLimit(.minutes(5)))
struct FoundPoliciesTests {
    /// A file whose application has this name and a tenant on this machine.
    private static func policies(_ name: String, host: String = "http://localhost:8480") -> String {
        """
        { "applications": { "\(name)": { "kind": "b2c", "authority": "\(host)/contoso.onmicrosoft.com",
            "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
            "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } } } } }
        """
    }

    /// Makes folders and files below the working folder; a path with a slash at its end is a folder.
    private static func make(_ files: [String: String], _ home: Home) throws {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            let file = home.work(path)
            let isFolder = path.hasSuffix("/")
            let folder = isFolder ? file : file.removingLastComponent()
            try folder.makeFolder()
            if !isFolder { try file.write(text) }
        }
    }

    private static func run(
        _ susi: SusiBinary, in folder: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        var command = susi.command(arguments, environment: environment)
        command.workingFolder = susi.home.work(folder)
        return try await command.run()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String]
        let folder: String
        /// The folder of the file in use; `nil` for the user's own.
        let found: String?
        let home: String?
        var testDescription: String { name }

        init(_ name: String, _ files: [String], in folder: String, found: String?, home: String? = nil) {
            (self.name, self.files, self.folder, self.found, self.home) = (name, files, folder, found, home)
        }
    }

    static let cases = [
        Case("in the folder", ["policies.json"], in: "", found: ""),
        Case("two folders above", ["policies.json", "a/b/"], in: "a/b", found: ""),
        Case("the nearest", ["policies.json", "a/policies.json", "a/b/"], in: "a/b", found: "a"),
        Case("up to the root of the repository", ["a/.git/", "a/policies.json", "a/b/"], in: "a/b", found: "a"),
        Case("not above the repository", ["policies.json", "a/.git/", "a/b/"], in: "a/b", found: nil),
        Case("not above a worktree, whose .git is a file", ["policies.json", "a/.git", "a/b/"], in: "a/b", found: nil),
        Case("not above the repository from its root", ["policies.json", "a/.git/"], in: "a", found: nil),
        Case("up to the home folder", ["h/policies.json", "h/a/b/"], in: "h/a/b", found: "h", home: "h"),
        Case("not above the home folder", ["policies.json", "h/a/"], in: "h/a", found: nil, home: "h/"),
        Case("not above the home folder in it", ["policies.json", "h/"], in: "h", found: nil, home: "h"),
        Case("not beside", ["a/policies.json", "b/"], in: "b", found: nil),
    ]

    @Test(arguments: cases)
    func findsTheNearestFile(row: Case) async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            let texts = row.files.map { path in
                (path, path.hasSuffix("json") ? Self.policies("in-\(path.split(separator: "/").count)") : "x")
            }
            try Self.make(Dictionary(uniqueKeysWithValues: texts), susi.home)
            let environment = row.home.map { ["HOME": "\(susi.home.workingFolder)/\($0)"] } ?? [:]
            let report = try await Self.run(
                susi, in: row.folder, ["policies", "list", "--json"], environment: environment
            ).json()
            let file = row.found.map { folder in
                folder == row.folder
                    ? "./policies.json"
                    : susi.home.work("\(folder)/policies.json").lexicallyNormalized().string
            }
            #expect(report["policiesFile"]?.string == file ?? susi.home.policiesFile.string)
            let count = row.found.map { $0.split(separator: "/").count + 1 }
            #expect(report["application"]?.string == count.map { "in-\($0)" } ?? "own")
        }
    }

    /// Gives a file below the working folder to another user; a link itself, not its target.
    private static func give(_ path: String, to user: Int = 4_711, _ home: Home) async throws {
        try await SusiBinary(home: home).shell("chown -h \(user) \(path)").run().exits(0)
    }

    /// The file names this machine only: another user can listen there.
    @Test(.enabled(if: getuid() == 0, "a file of another user needs root"), arguments: ["", "a/b"])
    func asksForTrustInAFileOfAnotherUser(folder: String) async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            let home = susi.home
            try Self.make(["policies.json": Self.policies("other"), "a/b/": ""], home)
            try await Self.give("policies.json", home)
            let file = folder.isEmpty ? "./policies.json" : home.work("policies.json").string
            for arguments in [["accounts"], ["token"], ["sign-in", "--no-browser"]] {
                try await Self.run(susi, in: folder, arguments).exits(
                    7, saying: "user ID 4711", "\(file) ", "next: susi policies trust")
            }
            try await Self.run(susi, in: folder, ["doctor"]).exits(1, printing: "“other”")
            try await Self.run(susi, in: folder, ["policies", "trust"]).exits(
                64, saying: "belongs to another user (user ID 4711)", "http://localhost:8480")
            try await Self.run(susi, in: folder, ["policies", "trust", "--yes"]).exits(0)
            #expect(try await Self.run(susi, in: folder, ["accounts"]).status == 0)
            // Its owner changes it.
            try Self.make(["policies.json": Self.policies("other", host: "http://localhost:8481")], home)
            try await Self.give("policies.json", home)
            #expect(try await Self.run(susi, in: folder, ["accounts"]).status == 7)
        }
    }

    @Test(.enabled(if: getuid() == 0, "a link of another user needs root"))
    func asksForTrustInALinkOfAnotherUser() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            try Self.make(["policies.json": Self.policies("above"), "a/b/": ""], susi.home)
            let link = susi.home.work("a/policies.json").string
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../policies.json")
            #expect(try await Self.run(susi, in: "a/b", ["accounts"]).status == 0)
            try await Self.give("a/policies.json", susi.home)
            try await Self.run(susi, in: "a/b", ["accounts"]).exits(7, saying: "user ID 4711")
        }
    }

    @Test(
        "who signs everybody out in a checkout that is not trusted needs no trust: nothing is sent",
        arguments: [true, false])
    func signsEverybodyOutWithoutTrust(isReadable: Bool) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let susi = tenant.susi
            let text = Self.policies(
                "other", host: tenant.emulator.origin.replacing("localhost", with: "other.example"))
            try Self.make(["a/policies.json": isReadable ? text : "{", "a/.git/": ""], susi.home)
            let before = tenant.emulator.requests().count
            for refused in [["sign-out"], ["sign-out", "--all", "-A", "other"], ["sign-out", "--all", "--browser"]] {
                try await Self.run(susi, in: "a", refused + ["--yes"]).exits(isReadable ? 7 : 5, output: "")
            }
            let note = "policies.json, which is not trusted; nothing is sent"
            try await Self.run(susi, in: "a", ["sign-out", "--all", "--dry-run"]).exits(
                0, saying: note, printing: "Would remove Ana Lima")
            try await Self.run(susi, in: "a", ["sign-out", "--all", "--yes"]).exits(
                0, saying: note, printing: "Removed Ana Lima", "not revoked")
            try await susi.run("accounts", "--all", "--json").exits(0, hiding: "ana@")
            #expect(tenant.emulator.requests().count == before)
        }
    }

    @Test func trustsAFileAboveOnceForAllFoldersBelow() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            try Self.make(
                ["policies.json": Self.policies("far", host: "https://contoso.b2clogin.com"), "a/b/": ""], susi.home)
            let file = susi.home.work("policies.json").string
            try await Self.run(susi, in: "a/b", ["accounts"]).exits(7, saying: "\(file) ", "“far”")
            try await Self.run(susi, in: "a/b", ["policies", "trust", "--yes"]).exits(0, printing: "Trusted \(file)")
            for folder in ["a/b", "a", ""] {
                #expect(try await Self.run(susi, in: folder, ["accounts"]).status == 0)
            }
            try Self.make(["policies.json": Self.policies("far", host: "https://other.b2clogin.com")], susi.home)
            #expect(try await Self.run(susi, in: "a", ["accounts"]).status == 7)
            #expect(try await Self.run(susi, in: "a", ["policies", "trust", "--remove"]).status == 0)
        }
    }

    @Test func namesTheFileInUse() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            try Self.make(["policies.json": Self.policies("project"), "a/b/": ""], susi.home)
            let file = susi.home.work("policies.json").string
            for arguments in [["status"], ["doctor"], ["accounts", "--debug"]] {
                let outcome = try await Self.run(susi, in: "a/b", arguments)
                #expect(outcome.description.contains(file), "\(outcome)")
            }
            try await Self.run(susi, in: "a/b", ["accounts", "--debug", "--config", file]).exits(
                0, saying: "policies file: \(file)")
        }
    }

    @Test func printsTheSameTokenInEveryFolder() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { _ in }
            let susi = try SusiBinary(home: home)
            let installed = try susi.installed()
            let token = try await susi.run("token").standardOutput
            let text = try home.policiesFile.text()
            try Self.make(["policies.json": text, "a/b/": ""], home)
            try home.writePolicies(Self.policies("own"))
            for program in [susi, installed] {
                #expect(try await Self.run(program, in: "a/b", ["token"]).standardOutput == token)
                #expect(try await Self.run(program, in: "", ["token"]).standardOutput == token)
            }
            if getuid() == 0 {
                try await Self.give("policies.json", home)
                for (program, folder) in [(susi, "a/b"), (installed, "a/b"), (susi, ""), (installed, "")] {
                    try await Self.run(program, in: folder, ["token"]).exits(7, output: "")
                }
                try await Self.give("policies.json", to: 0, home)
            }
            try Self.make(["a/.git/": ""], home)
            #expect(try await Self.run(installed, in: "a/b", ["token"]).status != 0)
        }
    }
}
