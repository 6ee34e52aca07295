import Foundation
import Susi
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
            let file = home.workingFolder.appending(path)
            let isFolder = path.hasSuffix("/")
            let folder = isFolder ? file : file.removingLastComponent()
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            if !isFolder { try Data(text.utf8).write(to: URL(filePath: file.string)) }
        }
    }

    private static func run(
        _ susi: SusiBinary, in folder: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        var command = susi.command(arguments, environment: environment)
        command.workingFolder = susi.home.workingFolder.appending(folder)
        return try await command.run()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String]
        let folder: String
        /// The folder of the file in use; `nil` for the user's own.
        let found: String?
        var home: String?
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "in the folder", files: ["policies.json"], folder: "", found: ""),
        Case(name: "two folders above", files: ["policies.json", "a/b/"], folder: "a/b", found: ""),
        Case(name: "the nearest", files: ["policies.json", "a/policies.json", "a/b/"], folder: "a/b", found: "a"),
        Case(
            name: "up to the root of the repository", files: ["a/.git/", "a/policies.json", "a/b/"], folder: "a/b",
            found: "a"),
        Case(
            name: "not above the repository", files: ["policies.json", "a/.git/", "a/b/"], folder: "a/b", found: nil),
        Case(
            name: "not above a worktree, whose .git is a file", files: ["policies.json", "a/.git", "a/b/"],
            folder: "a/b", found: nil),
        Case(
            name: "not above the repository from its root", files: ["policies.json", "a/.git/"], folder: "a",
            found: nil),
        Case(
            name: "up to the home folder", files: ["h/policies.json", "h/a/b/"], folder: "h/a/b", found: "h", home: "h"),
        Case(
            name: "not above the home folder", files: ["policies.json", "h/a/"], folder: "h/a", found: nil, home: "h/"),
        Case(
            name: "not above the home folder in it", files: ["policies.json", "h/"], folder: "h", found: nil, home: "h"),
        Case(name: "not beside", files: ["a/policies.json", "b/"], folder: "b", found: nil),
    ]

    @Test(arguments: cases)
    func findsTheNearestFile(row: Case) async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            let texts = row.files.map { path in
                (path, path.hasSuffix("json") ? Self.policies("in-\(path.split(separator: "/").count)") : "x")
            }
            try Self.make(Dictionary(uniqueKeysWithValues: texts), susi.home)
            let environment = row.home.map { ["HOME": "\(susi.home.workingFolder)/\($0)"] } ?? [:]
            let listed = try await Self.run(
                susi, in: row.folder, ["policies", "list", "--json"], environment: environment)
            let report = try JSONNode(parsing: listed.standardOutput.utf8)
            let file = row.found.map { folder in
                folder == row.folder
                    ? "./policies.json"
                    : susi.home.workingFolder.appending("\(folder)/policies.json").lexicallyNormalized().string
            }
            #expect(report["policiesFile"]?.string == file ?? susi.home.policiesFile.string, "\(listed)")
            let count = row.found.map { $0.split(separator: "/").count + 1 }
            #expect(report["application"]?.string == count.map { "in-\($0)" } ?? "own", "\(listed)")
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
            let file = folder.isEmpty ? "./policies.json" : home.workingFolder.appending("policies.json").string
            for arguments in [["accounts"], ["token"], ["sign-in", "--no-browser"]] {
                let outcome = try await Self.run(susi, in: folder, arguments)
                #expect(outcome.status == 7 && outcome.standardError.contains("user ID 4711"), "\(outcome)")
                #expect(outcome.standardError.contains("\(file) "), "\(outcome)")
                #expect(outcome.standardError.contains("next: susi policies trust"), "\(outcome)")
            }
            let doctor = try await Self.run(susi, in: folder, ["doctor"])
            #expect(doctor.status == 1 && doctor.standardOutput.contains("“other”"), "\(doctor)")
            let unasked = try await Self.run(susi, in: folder, ["policies", "trust"]).exits(64)
            for text in ["belongs to another user (user ID 4711)", "http://localhost:8480"] {
                #expect(unasked.standardError.contains(text), "\(unasked)")
            }
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
            let link = susi.home.workingFolder.appending("a/policies.json").string
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../policies.json")
            #expect(try await Self.run(susi, in: "a/b", ["accounts"]).status == 0)
            try await Self.give("a/policies.json", susi.home)
            let through = try await Self.run(susi, in: "a/b", ["accounts"])
            #expect(through.status == 7 && through.standardError.contains("user ID 4711"), "\(through)")
        }
    }

    @Test func trustsAFileAboveOnceForAllFoldersBelow() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            try Self.make(
                ["policies.json": Self.policies("far", host: "https://contoso.b2clogin.com"), "a/b/": ""], susi.home)
            let refused = try await Self.run(susi, in: "a/b", ["accounts"]).exits(7)
            let file = susi.home.workingFolder.appending("policies.json").string
            #expect(refused.standardError.contains("\(file) ") && refused.standardError.contains("“far”"), "\(refused)")
            let trusted = try await Self.run(susi, in: "a/b", ["policies", "trust", "--yes"])
            #expect(trusted.status == 0 && trusted.standardOutput.contains("Trusted \(file)"), "\(trusted)")
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
            let file = susi.home.workingFolder.appending("policies.json").string
            for arguments in [["status"], ["doctor"], ["accounts", "--debug"]] {
                let outcome = try await Self.run(susi, in: "a/b", arguments)
                #expect(outcome.description.contains(file), "\(outcome)")
            }
            let built = try await Self.run(susi, in: "a/b", ["accounts", "--debug", "--config", file])
            #expect(built.standardError.contains("policies file: \(file)"), "\(built)")
        }
    }

    @Test func printsTheSameTokenInEveryFolder() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home) { tenant in
                try await tenant.signIn(.ana)
            }
            let susi = try SusiBinary(home: home)
            let installed = try susi.installed()
            let token = try await susi.run("token").standardOutput
            let text = try String(contentsOfFile: home.policiesFile.string, encoding: .utf8)
            try Self.make(["policies.json": text, "a/b/": ""], home)
            try home.writePolicies(Self.policies("own"))
            for program in [susi, installed] {
                #expect(try await Self.run(program, in: "a/b", ["token"]).standardOutput == token)
                #expect(try await Self.run(program, in: "", ["token"]).standardOutput == token)
            }
            if getuid() == 0 {
                try await Self.give("policies.json", home)
                for (program, folder) in [(susi, "a/b"), (installed, "a/b"), (susi, ""), (installed, "")] {
                    let refused = try await Self.run(program, in: folder, ["token"])
                    #expect(refused.status == 7 && refused.standardOutput.isEmpty, "\(refused)")
                }
                try await Self.give("policies.json", to: 0, home)
            }
            try Self.make(["a/.git/": ""], home)
            #expect(try await Self.run(installed, in: "a/b", ["token"]).status != 0)
        }
    }
}
