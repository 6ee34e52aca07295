import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Everything that susi takes settings, keys, authorities or secrets from must be written by the user or root alone.
@Suite("Owned files", .inTurn, .timeLimit(.minutes(5)))
struct OwnedFileTests {
    /// What another user could do with a file or folder.
    enum Flaw: String, CaseIterable, Sendable {
        case otherOwner, linkOfOther, writableByAll, writableByGroup

        static var possible: [Flaw] { getuid() == 0 ? allCases : [.writableByAll] }

        /// A shell command that makes the flaw.
        func command(_ path: String) -> String {
            switch self {
            case .otherOwner: "chown -R 4711 \(path)"
            case .linkOfOther: "mv \(path) \(path).own && ln -s \(path).own \(path) && chown -h 4711 \(path)"
            case .writableByAll: "chmod o+w \(path)"
            case .writableByGroup: "chgrp 4712 \(path) && chmod g+w \(path)"
            }
        }

        func why(_ path: String) -> [String] {
            [.otherOwner, .linkOfOther].contains(self)
                ? ["“\(path)”", "it belongs to another user (user ID 4711)"]
                : ["“\(path)”", "other users may write to it", "next: chmod go-w \(path)"]
        }
    }

    private static let policies = """
        { "keySource": "command", "keyCommand": ["touch", "MARK"],
          "applications": { "theirs": { "kind": "b2c", "authority": "http://localhost:1/contoso.onmicrosoft.com",
            "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
            "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" }, "B2C_1_ropc": { "kind": "resourceOwner" } } } } }
        """

    /// A policies file that any folder may contain.
    private static var plain: String {
        policies.replacing(#""keySource": "command", "keyCommand": ["touch", "MARK"],"#, with: "")
    }

    private static func shell(_ command: String, _ home: Home) async throws {
        let outcome = try await SusiTestSupport.Program(
            "/bin/sh", ["-c", command], environment: home.environment, workingFolder: home.workingFolder
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// A sign-in needs the store's key before anything is sent.
    private static func signIn(
        _ susi: SusiBinary, _ environment: [String: String] = [:], _ options: [String] = []
    ) async throws -> ProgramOutcome {
        let arguments = ["sign-in", "--username", "ana@contoso.example", "--password-stdin"]
        return try await susi.command(arguments + options, environment: environment, input: .text("x\n")).run()
    }

    private static func write(_ text: String, to path: FilePath) throws {
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(filePath: path.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.string)
    }

    /// A place that susi looks into by itself, in `SUSI_HOME` or in the XDG folders.
    struct Place: Sendable, CustomTestStringConvertible {
        /// The file that exists, and the file or folder of it that has the flaw.
        let file: String
        let flawed: String
        let arguments: [String]
        var variables: [String: String?] = [:]
        var testDescription: String { "\(flawed): \(arguments.joined(separator: " "))" }
    }

    private static let xdg: [String: String?] = [
        "SUSI_HOME": nil, "XDG_CONFIG_HOME": "FOLDER/c", "XDG_STATE_HOME": "FOLDER/s",
    ]

    static let places = [
        Place(file: "susi/policies.json", flawed: "susi", arguments: ["status"]),
        Place(file: "susi/policies.json", flawed: "susi/policies.json", arguments: ["status"]),
        Place(file: "susi/policies.json", flawed: "susi/policies.json", arguments: ["policies", "list"]),
        Place(file: "susi/policies.json", flawed: "susi", arguments: ["sign-in", "--config", "own.json"]),
        Place(file: "susi/policies.json", flawed: "susi", arguments: ["doctor"]),
        Place(file: "susi/emulator/policies.json", flawed: "susi/emulator", arguments: ["status"]),
        Place(file: "susi/emulator/policies.json", flawed: "susi/emulator/policies.json", arguments: ["status"]),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator", arguments: ["emulator", "trust"]),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator/ca.pem", arguments: ["emulator", "trust"]),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator", arguments: ["emulator", "run", "--port", "0"]),
        Place(
            file: "susi/rehearsal/emulator/ca.pem", flawed: "susi/rehearsal/emulator",
            arguments: ["emulator", "trust", "--rehearse"]),
        Place(file: "c/susi/policies.json", flawed: "c/susi", arguments: ["status"], variables: xdg),
        Place(file: "c/susi/policies.json", flawed: "c/susi/policies.json", arguments: ["status"], variables: xdg),
        Place(file: "s/susi/emulator/policies.json", flawed: "s/susi", arguments: ["status"], variables: xdg),
    ]

    @Test(arguments: places, Flaw.possible)
    func refusesWhatAnotherUserCouldHaveWritten(place: Place, flaw: Flaw) async throws {
        try await withSusi { susi in
            let home = susi.home
            try Self.write(Self.policies, to: home.folder.appending(place.file))
            try Self.write(Self.plain, to: home.workingFolder.appending("own.json"))
            let path = home.folder.appending(place.flawed).string
            try await Self.shell(flaw.command(path), home)
            var command = susi.command(place.arguments)
            for (name, value) in place.variables {
                command.environment[name] = value?.replacing("FOLDER", with: home.folder.string)
            }
            let outcome = try await command.run()
            #expect(outcome.status == 7, "\(outcome)")
            for text in flaw.why(path) { #expect(outcome.standardError.contains(text), "\(outcome)") }
            #expect(
                !FileManager.default.fileExists(atPath: home.workingFolder.appending("MARK").string),
                "the key command ran")
            // What was refused is left as it is.
            #expect(FileManager.default.fileExists(atPath: home.folder.appending(place.file).string))
        }
    }

    @Test func runsNoKeyCommandOfAnotherUsersFileInAnOpenFolder() async throws {
        try await withSusi { susi in
            let home = susi.home
            try Self.write(Self.policies, to: home.policiesFile)
            try Self.write(Self.plain, to: home.workingFolder.appending("own.json"))
            try await Self.shell("chmod 1777 \(home.susiHome)", home)
            for options in [[], ["--config", "own.json"]] {
                let outcome = try await Self.signIn(susi, [:], options)
                #expect(outcome.status == 7, "\(outcome)")
                #expect(
                    !FileManager.default.fileExists(atPath: home.workingFolder.appending("MARK").string),
                    "the key command ran")
            }
        }
    }

    @Test(arguments: [".susi", "susi", ""])
    func refusesARelativeHome(path: String) async throws {
        try await withSusi { susi in
            let home = susi.home
            try Self.write(Self.policies, to: home.workingFolder.appending("\(path)/policies.json"))
            let outcome = try await susi.run("status", environment: ["SUSI_HOME": path])
            if path.isEmpty {
                // An empty variable counts as unset: the file was found in the working folder, where it may name no key source.
                #expect(outcome.status == 5 && outcome.standardError.contains("keySource"), "\(outcome)")
            } else {
                #expect(outcome.status == 64, "\(outcome)")
                #expect(outcome.standardError.contains("SUSI_HOME is not an absolute path"), "\(outcome)")
            }
        }
    }

    @Test func keepsAHomeThatOthersMayOnlyRead() async throws {
        try await withSusi { susi in
            try Self.write(Self.plain, to: susi.home.policiesFile)
            try await Self.shell("chmod 755 \(susi.home.susiHome)", susi.home)
            let outcome = try await susi.run("policies", "list")
            #expect(outcome.status == 0 && outcome.standardOutput.contains("theirs"), "\(outcome)")
        }
    }

    @Test(arguments: Flaw.possible, [true, false])
    func asksForTrustInANamedFile(flaw: Flaw, ofFolder: Bool) async throws {
        for named in [["--config", "FILE"], ["--config", "../n/own.json"], []] {
            try await withSusi { susi in
                let file = susi.home.folder.appending("n/own.json")
                try Self.write(Self.plain, to: file)
                let environment = named.isEmpty ? ["SUSI_CONFIG": file.string] : [:]
                func run(_ arguments: [String]) async throws -> ProgramOutcome {
                    let options = named.map { $0 == "FILE" ? file.string : $0 }
                    return try await susi.command(arguments + options, environment: environment).run()
                }
                #expect(try await run(["accounts"]).status == 0)
                try await Self.shell(
                    flaw.command(ofFolder ? file.removingLastComponent().string : file.string), susi.home)
                let refused = try await run(["accounts"])
                #expect(refused.status == 7, "\(refused)")
                #expect(refused.standardError.contains("is not trusted for “theirs”"), "\(refused)")
                // The suggested command can be pasted.
                #expect(refused.standardError.contains("susi policies trust"), "\(refused)")
                #expect(try await run(["policies", "trust", "--yes"]).status == 0)
                #expect(try await run(["accounts"]).status == 0)
                #expect(try await run(["policies", "trust", "--remove"]).status == 0)
                #expect(try await run(["accounts"]).status == 7)
            }
        }
    }

    @Test func acceptsAFileInASharedFolderWithTheStickyBit() async throws {
        try await withSusi { susi in
            let file = susi.home.folder.appending("n/own.json")
            try Self.write(Self.plain, to: file)
            try await Self.shell("chmod 1777 \(file.removingLastComponent())", susi.home)
            #expect(try await susi.run("accounts", "--config", file.string).status == 0)
        }
    }

    @Test(arguments: Flaw.possible)
    func refusesAPassphraseFile(flaw: Flaw) async throws {
        try await withSusi { susi in
            let home = susi.home
            try Self.write(Self.plain, to: home.policiesFile)
            let file = home.folder.appending("p/passphrase")
            try Self.write("correct horse battery staple\n", to: file)
            let environment = ["SUSI_KEY_SOURCE": "passphrase", "SUSI_PASSPHRASE_FILE": file.string]
            try await Self.shell(flaw.command(file.string), home)
            let outcome = try await Self.signIn(susi, environment)
            #expect(outcome.status == 7, "\(outcome)")
            for text in flaw.why(file.string) { #expect(outcome.standardError.contains(text), "\(outcome)") }
        }
    }

    @Test(arguments: Flaw.possible)
    func refusesAKeyCommandThatAnotherUserCouldChange(flaw: Flaw) async throws {
        try await withSusi { susi in
            let home = susi.home
            let program = home.folder.appending("p/key")
            try Self.write("#!/bin/sh\ntouch \(home.workingFolder)/MARK\necho secret-of-this-store\n", to: program)
            try await Self.shell("chmod 700 \(program)", home)
            try home.writePolicies(Self.policies.replacing(#""touch", "MARK""#, with: "\"\(program)\""))
            try await Self.shell(flaw.command(program.string), home)
            let outcome = try await Self.signIn(susi)
            #expect(outcome.status == 7, "\(outcome)")
            for text in flaw.why(program.string) { #expect(outcome.standardError.contains(text), "\(outcome)") }
            #expect(
                !FileManager.default.fileExists(atPath: home.workingFolder.appending("MARK").string),
                "the key command ran")
        }
    }

    /// An authority of another user would make every server on this machine trusted.
    @Test(arguments: Flaw.possible)
    func trustsNoCertificateThatAnotherUserCouldHaveWritten(flaw: Flaw) async throws {
        try await withSusi(policies: Self.plain.replacing("http:", with: "https:")) { susi in
            let file = susi.home.susiHome.appending("emulator/ca.pem")
            try Self.write("x", to: file)
            try await Self.shell(flaw.command(file.string), susi.home)
            let outcome = try await susi.run("policies", "check")
            #expect(outcome.status != 0, "\(outcome)")
            let text = outcome.standardOutput + outcome.standardError
            #expect(text.contains(file.string) && text.contains(flaw.why("")[1]), "\(outcome)")
        }
    }
}
