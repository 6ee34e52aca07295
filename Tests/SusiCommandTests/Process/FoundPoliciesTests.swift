import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// The policies file that nobody names: the nearest one above the working folder, up to the repository or the home.
@Suite("Found policies", .inTurn, .timeLimit(.minutes(2)))
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

    @Test func ignoresFilesOfOthersAbove() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            guard getuid() == 0 else { return }
            let home = susi.home
            try Self.make(
                ["policies.json": Self.policies("above"), "a/policies.json": Self.policies("other"), "a/b/": ""], home)
            try FileManager.default.setAttributes(
                [.ownerAccountID: 4_711], ofItemAtPath: home.workingFolder.appending("a/policies.json").string)
            let listed = try await Self.run(susi, in: "a/b", ["policies", "list", "--json"])
            let report = try JSONNode(parsing: listed.standardOutput.utf8)
            #expect(report["application"]?.string == "above", "\(listed)")
            // A link of somebody else to a file of the user.
            let link = home.workingFolder.appending("a/policies.json").string
            try FileManager.default.removeItem(atPath: link)
            let linked = try await SusiTestSupport.Program(
                "/bin/sh", ["-c", "ln -s ../policies.json a/policies.json && chown -h 4711 a/policies.json"],
                workingFolder: home.workingFolder
            ).run()
            #expect(linked.status == 0, "\(linked)")
            let through = try await Self.run(susi, in: "a/b", ["policies", "list", "--json"])
            #expect(through.standardOutput.contains("\(home.workingFolder)/policies.json"), "\(through)")
        }
    }

    @Test func trustsAFileAboveOnceForAllFoldersBelow() async throws {
        try await withSusi(policies: Self.policies("own")) { susi in
            try Self.make(
                ["policies.json": Self.policies("far", host: "https://contoso.b2clogin.com"), "a/b/": ""], susi.home)
            let refused = try await Self.run(susi, in: "a/b", ["accounts"])
            #expect(refused.status == 7, "\(refused)")
            let file = susi.home.workingFolder.appending("policies.json").string
            #expect(refused.standardError.contains("\(file) is not trusted for “far”"), "\(refused)")
            #expect(refused.standardError.contains("it was found above this folder"), "\(refused)")
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
                _ = try await tenant.interact(["sign-in"], as: .ana)
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
            try Self.make(["a/.git/": ""], home)
            #expect(try await Self.run(installed, in: "a/b", ["token"]).status != 0)
        }
    }
}
