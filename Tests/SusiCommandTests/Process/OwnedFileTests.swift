import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Everything that susi takes settings, keys, authorities or secrets from must be written by the user or root alone.
@Suite("Owned files", .inTurn, .timeLimit(.minutes(5)))
struct OwnedFileTests {
    /// Makes a file or folder one that another user could have written. Every way to do that: `OwnedFileTests` of the policies.
    private static func giveAway(_ path: String, _ home: Home) async throws {
        try await shell(getuid() == 0 ? "chown -R 4711 \(path)" : "chmod o+w \(path)", home)
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
        try await SusiBinary(home: home).shell(command).run().exits(0)
    }

    /// A sign-in needs the store's key before anything is sent.
    private static func signIn(
        _ susi: SusiBinary, _ environment: [String: String] = [:], _ options: [String] = []
    ) async throws -> ProgramOutcome {
        let arguments = ["sign-in", "--username", "ana@contoso.example", "--password-stdin"]
        return try await susi.command(arguments + options, environment: environment, input: .text("x\n")).run()
    }

    /// A file that susi looks for by itself, in `SUSI_HOME` or in the XDG folders, and the file or folder of it that has the flaw.
    struct Place: Sendable, CustomTestStringConvertible {
        let file: String
        let flawed: String
        var command = ["accounts"]
        var isXDG = false
        var testDescription: String { "\(command.joined(separator: " ")): \(flawed)" }
    }

    static let places = [
        Place(file: "susi/policies.json", flawed: "susi"),
        Place(file: "susi/policies.json", flawed: "susi/policies.json", command: ["status"]),
        Place(file: "susi/policies.json", flawed: "susi/policies.json", command: ["policies", "list"]),
        Place(file: "susi/policies.json", flawed: "susi", command: ["sign-in", "--config", "own.json"]),
        Place(file: "susi/policies.json", flawed: "susi", command: ["doctor"]),
        Place(file: "susi/emulator/policies.json", flawed: "susi/emulator"),
        Place(file: "susi/emulator/policies.json", flawed: "susi/emulator/policies.json"),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator", command: ["emulator", "trust"]),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator/ca.pem", command: ["emulator", "trust"]),
        Place(file: "susi/emulator/ca.pem", flawed: "susi/emulator", command: ["emulator", "run", "--port", "0"]),
        Place(
            file: "susi/copies/contoso.b2clogin.com-contoso.onmicrosoft.com/emulator/ca.pem",
            flawed: "susi/copies/contoso.b2clogin.com-contoso.onmicrosoft.com/emulator",
            command: ["emulator", "trust", "--config", "cloud.json"]),
        Place(file: "c/susi/policies.json", flawed: "c/susi", isXDG: true),
        Place(file: "c/susi/policies.json", flawed: "c/susi/policies.json", isXDG: true),
        Place(file: "s/susi/emulator/policies.json", flawed: "s/susi", isXDG: true),
    ]

    @Test(arguments: places)
    func refusesWhatAnotherUserCouldHaveWritten(place: Place) async throws {
        try await withSusi { susi in
            let (home, folder) = (susi.home, susi.home.folder)
            let file = folder.appending(place.file)
            try file.write(Self.policies, mode: 0o600)
            try home.work("own.json").write(Self.plain, mode: 0o600)
            let cloud = Self.plain.replacing("http://localhost:1", with: "https://contoso.b2clogin.com")
            try home.work("cloud.json").write(cloud, mode: 0o600)
            var variables = place.command == ["accounts"] ? ["SUSI_CONFIG": file.string] : [:]
            if place.isXDG {
                variables["SUSI_HOME"] = ""
                (variables["XDG_CONFIG_HOME"], variables["XDG_STATE_HOME"]) = ("\(folder)/c", "\(folder)/s")
            }
            let path = folder.appending(place.flawed).string
            try await Self.giveAway(path, home)
            try await susi.command(place.command, environment: variables).run().exits(7, saying: "“\(path)”")
            #expect(!home.work("MARK").exists, "the key command ran")
            // What was refused is left as it is.
            #expect(file.exists)
        }
    }

    @Test func runsNoKeyCommandOfAnotherUsersFileInAnOpenFolder() async throws {
        try await withSusi { susi in
            let home = susi.home
            try home.policiesFile.write(Self.policies, mode: 0o600)
            try home.work("own.json").write(Self.plain, mode: 0o600)
            try await Self.shell("chmod 1777 \(home.susiHome)", home)
            for options in [[], ["--config", "own.json"]] {
                try await Self.signIn(susi, [:], options).exits(7)
                #expect(!home.work("MARK").exists, "the key command ran")
            }
        }
    }

    @Test func takesAnEmptyVariableAsUnset() async throws {
        try await withSusi { susi in
            try susi.home.work("policies.json").write(Self.policies, mode: 0o600)
            // The file was found in the working folder, where it may name no key source.
            try await susi.run("status", environment: ["SUSI_HOME": ""]).exits(5, saying: "keySource")
        }
    }

    /// What the emulator serves is decided by the tenant file, too: users, connectors, files that are read.
    @Test func refusesATenantFileBesideThePolicies() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(
                Self.plain.replacing("http://localhost:1", with: "https://contoso.b2clogin.com"))
            let file = susi.home.file("tenants.json")
            let text = #"{ "tenants": { "contoso.onmicrosoft.com": { "kind": "b2c" } } }"#
            for (text, status) in [(text, Int32(7)), (#"{ "customers": [] }"#, 0)] {
                try file.write(text, mode: 0o600)
                try await Self.giveAway(file.string, susi.home)
                for command in [["emulator", "exec", "true"], ["emulator", "exec", "--as-cloud", "true"]] {
                    let outcome = try await susi.command(command).run()
                    #expect(outcome.status == status && outcome.standardError.contains("“\(file)”") == (status == 7))
                }
            }
            try file.write(text, mode: 0o600)
            try await Self.giveAway(file.string, susi.home)
            try await susi.run("emulator", "exec", "--seed", file.string, "true").exits(0)
        }
    }

    /// A pipe has no content that could be trusted.
    @Test(arguments: [true, false], [true, false])
    func refusesAPipe(isOwn: Bool, isPassphrase: Bool) async throws {
        try await withSusi { susi in
            try susi.home.policiesFile.write(Self.plain, mode: 0o600)
            let pipe = susi.home.folder.appending("p/pipe")
            try await Self.shell("mkdir -p \(susi.home.folder)/p; mkfifo -m 600 \(pipe)", susi.home)
            if !isOwn { try await Self.giveAway(pipe.string, susi.home) }
            let signIn = "\"$0\" sign-in -p B2C_1_ropc --username ana@contoso.example --password-stdin"
            let keys = [
                "SUSI_KEY_SOURCE": "passphrase", "SUSI_PASSPHRASE_FILE": pipe.string, "TEXT": "six words of one phrase",
            ]
            let command = isPassphrase ? "echo x | \(signIn)" : "\"$0\" accounts --config \(pipe)"
            let outcome = try await susi.shell(
                "printf '%s\\n' \"$TEXT\" 2>/dev/null >\(pipe) & \(command)",
                environment: isPassphrase ? keys : ["TEXT": Self.plain]
            ).run()
            #expect(outcome.status == (isOwn ? isPassphrase ? 3 : 0 : 7), "\(outcome)")
            #expect(outcome.standardError.contains("“\(pipe)”") == !isOwn, "\(outcome)")
        }
    }

    @Test("trust in a file also counts for the copy of its tenant, which has a store of its own")
    func trustsForTheCopy() async throws {
        try await withSusi { susi in
            let file = susi.home.folder.appending("n/own.json")
            try file.write(
                Self.plain.replacing("http://localhost:1", with: "https://contoso.b2clogin.com"), mode: 0o600)
            try await Self.giveAway(file.string, susi.home)
            let environment = ["SUSI_CONFIG": file.string]
            let ran = { try await susi.command(["emulator", "exec", "true"], environment: environment).run() }
            try await ran().exits(7, saying: "next:", "susi policies trust")
            try await susi.command(["policies", "trust", "--yes"], environment: environment).run().exits(0)
            try await ran().exits(0)
        }
    }

    @Test(arguments: [["--config", "FILE"], ["--config", "../n/own.json"], []])
    func trustsANamedFileUntilTheTrustIsRemoved(named: [String]) async throws {
        try await withSusi { susi in
            let file = susi.home.folder.appending("n/own.json")
            try file.write(Self.plain, mode: 0o600)
            let environment = named.isEmpty ? ["SUSI_CONFIG": file.string] : [:]
            func status(_ arguments: [String]) async throws -> Int32 {
                let options = named.map { $0 == "FILE" ? file.string : $0 }
                return try await susi.command(arguments + options, environment: environment).run().status
            }
            #expect(try await status(["accounts"]) == 0)
            try await Self.giveAway(file.string, susi.home)
            #expect(try await status(["accounts"]) == 7)
            #expect(try await status(["policies", "trust", "--yes"]) == 0)
            #expect(try await status(["accounts"]) == 0)
            #expect(try await status(["policies", "trust", "--remove"]) == 0)
            #expect(try await status(["accounts"]) == 7)
        }
    }

    @Test func refusesAPassphraseFile() async throws {
        try await withSusi { susi in
            let home = susi.home
            try home.policiesFile.write(Self.plain, mode: 0o600)
            let file = home.folder.appending("p/passphrase")
            try file.write("correct horse battery staple\n", mode: 0o600)
            let environment = ["SUSI_KEY_SOURCE": "passphrase", "SUSI_PASSPHRASE_FILE": file.string]
            try await Self.giveAway(file.string, home)
            try await Self.signIn(susi, environment).exits(7, saying: "“\(file)”")
        }
    }

    @Test func refusesAKeyCommandThatAnotherUserCouldChange() async throws {
        try await withSusi { susi in
            let home = susi.home
            let program = home.folder.appending("p/key")
            try program.write("#!/bin/sh\ntouch \(home.workingFolder)/MARK\necho secret-of-this-store\n", mode: 0o700)
            try home.writePolicies(Self.policies.replacing(#""touch", "MARK""#, with: "\"\(program)\""))
            try await Self.giveAway(program.string, home)
            try await Self.signIn(susi).exits(7, saying: "“\(program)”")
            #expect(!home.work("MARK").exists, "the key command ran")
        }
    }

    /// An authority of another user would make every server on this machine trusted.
    @Test func trustsNoCertificateThatAnotherUserCouldHaveWritten() async throws {
        try await withSusi(policies: Self.plain.replacing("http:", with: "https:")) { susi in
            let file = susi.home.file("emulator/ca.pem")
            try file.write("x", mode: 0o600)
            try await Self.giveAway(file.string, susi.home)
            let outcome = try await susi.run("policies", "check")
            #expect(outcome.status != 0 && outcome.description.contains(file.string), "\(outcome)")
        }
    }
}
