import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@Suite(.inTurn, .timeLimit(.minutes(5)))
struct EmulatorCommandTests {
    private static let policies = """
        {
          "current": "local",
          "applications": {
            "local": {
              "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com", "clientId": "one",
              "redirectPorts": [0], "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
              "knownAuthorities": ["http://localhost:8480"]
            },
            "work": {
              "kind": "entra", "authority": "http://localhost:8480/common", "clientId": "two", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480"]
            },
            "plain": {
              "kind": "openid", "authority": "http://localhost:8480/login", "clientId": "three", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480"]
            },
            "elsewhere": {
              "kind": "openid", "authority": "http://localhost:8481/other", "clientId": "four", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8481"]
            }
          }
        }
        """

    /// A policies file of the user is not changed, and its schemes decide.
    @Test(
        "every application of the port is served, the selected one first; of one in the cloud, a copy",
        arguments: [
            ("", "", "work", ["contoso.onmicrosoft.com, login, tailspin.onmicrosoft.com listen at"]),
            (
                "http://localhost:8481", "https://localhost:8481", nil,
                ["contoso.onmicrosoft.com, login, ", "other", " listen at http:", " and https:"]
            ),
            (
                "http://localhost:8480/contoso", "https://login.example/contoso", "local",
                ["copy of", "local, https://login.example/contoso.onmicrosoft.com"]
            ),
        ] as [(String, String, String?, [String])])
    func servesApplications(old: String, new: String, application: String?, line words: [String]) async throws {
        let policies = old.isEmpty ? Self.policies : Self.policies.replacing(old, with: new)
        try await withSusi(policies: policies) { susi in
            let selected = application.map { ["-A", $0] } ?? []
            try await susi.command(["emulator", "run", "--port", "0"] + selected).start { program in
                try await program.waitForLine(containing: "next ")
                let text = await program.text(.output)
                #expect(text.split(separator: "\n").contains { line in words.allSatisfy(line.contains) }, "\(text)")
            }
            #expect(try susi.home.policiesFile.text() == policies)
            #expect(!susi.home.file("emulator/policies.json").exists)
        }
    }

    @Test("with a store and another address than before, it says that the accounts of the last one are kept")
    func tellsOfOtherAddress() async throws {
        try await withSusi { susi in
            func screen(port: UInt16) async throws -> String {
                try await susi.start("emulator", "run", "--port", "\(port)") { program in
                    try await program.waitForLine(containing: "next ")
                    return await program.text(.output)
                }
            }
            let (port, other) = (try await freePort(), try await freePort())
            let note = "accounts of the last one are kept"
            #expect(!(try await screen(port: port).contains(note)))
            let store = susi.home.file("store.sqlite")
            #expect(FileManager.default.createFile(atPath: store.string, contents: nil))
            #expect(!(try await screen(port: port).contains(note)))
            #expect(try await screen(port: other).contains(note))
        }
    }

    @Test("the built-in tenant works by name beside a policies.json without it")
    func findsBuiltInTenantBesideAnotherFile() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(
                """
                {
                  "current": "production",
                  "applications": {
                    "production": {
                      "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
                      "clientId": "one", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
                      "knownAuthorities": ["contoso.b2clogin.com"]
                    }
                  }
                }
                """)
            try await susi.run("policies", "check", "-A", "local").exits(3, printing: "http://localhost:8480")
            var port = ""
            try await susi.start("emulator", "run", "-A", "local", "--port", "0") { program in
                let line = try await program.waitForLine(containing: "contoso.onmicrosoft.com listens at http://")
                port = try #require(line.split(separator: ":").last).description
                let next = try await program.waitForLine(containing: "next ")
                #expect(next.contains("susi sign-in -A local"), "\(next)")
            }
            // susi finds a port that was given by option.
            try await susi.start("emulator", "run", "-A", "local", "--port", port) { program in
                _ = try await program.waitForLine(containing: "next ")
                try await susi.run("policies", "check", "-A", "local").exits(0, printing: "localhost:\(port)")
                try await susi.run("token", environment: ["SUSI_APPLICATION": "local"]).exits(
                    4, saying: "next: susi sign-in")
                // The file's own application is unchanged.
                try await susi.run("policies", "list", "--json").exits(0, printing: "contoso.b2clogin.com")
            }
            #expect(try await susi.refusal("token", "-A", "locall").status == 5)
        }
    }

    @Test("without a policies.json, --tls writes one with https that susi finds; a run without --tls reverts it")
    func updatesPoliciesForTLS() async throws {
        try await withSusi { susi in
            let file = susi.home.file("emulator").appending("policies.json")
            let authority = { try await susi.run("policies", "list", "--json").standardOutput }
            #expect(try await authority().contains("http://localhost:8480/"))
            try await susi.start("emulator", "run", "--tls", "--port", "0") { program in
                let line = try await program.waitForLine(containing: "listens at https://localhost:")
                _ = try await program.waitForLine(containing: "susi emulator trust")
                #expect(try await authority().contains("https://localhost:8480/"))
                // Writes the actual origin into the file, because susi does not know a free port in advance.
                let origin = try #require(line.split(separator: " ").last)
                let text = try file.text()
                try file.write(text.replacing("https://localhost:8480", with: origin))
                try await susi.run("policies", "check").exits(0)
            }
            try await susi.start("emulator", "run", "--port", "0") { program in
                _ = try await program.waitForLine(containing: "listens at http://localhost:")
                #expect(!file.exists)
                #expect(try await authority().contains("http://localhost:8480/"))
            }
        }
    }

    @Test("a start that fails, and a second emulator of the folder, keep the policies file")
    func keepsPoliciesOfRunningEmulator() async throws {
        try await withSusi { susi in
            let file = susi.home.file("emulator/policies.json")
            try await susi.start("emulator", "run", "--tls", "--port", "0") { program in
                _ = try await program.waitForLine(containing: "next ")
                let left = try file.text()
                try await susi.start("emulator", "run", "--port", "0") { second in
                    let line = try await second.waitForLine(containing: "listens at https://localhost:")
                    #expect(try file.text() == left)
                    let port = try #require(line.split(separator: ":").last).description
                    try await susi.run("emulator", "run", "--port", port).exits(1, saying: "is in use")
                }
                #expect(try file.text() == left)
            }
            let left = try file.text()
            try await withLocalTenant { other in
                try await susi.run("emulator", "run", "--port", "\(other.emulator.port)").exits(1, saying: "is in use")
            }
            #expect(try file.text() == left)
        }
    }

    /// Runs the command that a second emulator prints, with another one in place of the sign-in. Returns the emulator's origin and
    /// the policies file of the command.
    private static func tryPrinted(
        _ second: RunningProgram, _ susi: SusiBinary
    ) async throws -> (origin: String, file: String) {
        let next = try await second.waitForLine(containing: "next ")
        let text = await second.text(.output)
        let origin = String(try #require(text.firstMatch(of: #/listens at (http:\S+)/#)).1)
        let words = try #require(next.firstMatch(of: #/susi sign-in (.*?)    /#)).1
        let more = words.split(separator: " ").map(String.init)
        try await susi.command(["policies", "check"] + more).run().exits(0, printing: origin)
        return (origin, try #require(more.last))
    }

    /// Both emulators use the built-in policies, whose port only one of them can have.
    @Test func printsCommandsOfASecondEmulatorThatWork() async throws {
        try await withSusi { susi in
            try await susi.start("emulator", "run", "--port", "0") { first in
                _ = try await first.waitForLine(containing: "next ")
                try await susi.start("emulator", "run", "--port", "0") { second in
                    let file = try await Self.tryPrinted(second, susi).file
                    #expect(file.hasPrefix(susi.home.susiHome.string) && SmallFile.exists(file))
                    try await second.interrupt()
                    _ = try await second.waitUntilExit()
                    #expect(!SmallFile.exists(file))
                }
            }
        }
    }

    /// The settings of the user's own file are kept, but not its applications elsewhere.
    @Test func printsCommandsThatWorkWithTheUsersOwnFile() async throws {
        try await withSusi { susi in
            let port = try await freePort()
            try susi.home.writePolicies(
                """
                {
                  "current": "far", "keySource": "file",
                  "applications": {
                    "far": { "kind": "openid", "authority": "https://id.example", "clientId": "far" },
                    "mine": {
                      "kind": "b2c", "authority": "http://localhost:\(port)/contoso.onmicrosoft.com",
                      "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
                      "knownAuthorities": ["http://localhost:\(port)/contoso.onmicrosoft.com"],
                      "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "scopes": ["openid"] } },
                      "apis": { "hello": { "baseUrl": "http://localhost:\(port)/api/hello", "scopes": ["a/b"] } }
                    }
                  }
                }
                """)
            try await susi.start("emulator", "run", "-A", "mine") { first in
                _ = try await first.waitForLine(containing: "next ")
                try await susi.start("emulator", "run", "-A", "mine", "--port", "0") { second in
                    let (origin, path) = try await Self.tryPrinted(second, susi)
                    let file = try PoliciesFile(path: path)
                    #expect(file.applications.map(\.name) == ["mine"] && file.current == "mine")
                    let application = try #require(file.application("mine"))
                    #expect(application.destinations.allSatisfy { $0.origin == origin })
                    #expect(application.policies.map(\.scopes) == [["openid"]])
                }
                // The first one is still served from the user's file.
                #expect(try await susi.run("policies", "check", "-A", "mine").status == 0)
            }
        }
    }

    @Test("trust prints the certificate, and creates nothing")
    func printsCertificate() async throws {
        try await withHome { home in
            let susi = try SusiBinary(home: home)
            try await susi.run("emulator", "trust").exits(5, saying: "susi emulator run --tls")
            #expect(!home.susiHome.exists)
            try await withLocalTenant(in: home, isSecure: true) { tenant in
                let pem = try #require(tenant.emulator.authority).path.text()
                try await susi.run("emulator", "trust", "--pem").exits(0, output: pem)
            }
        }
    }
}
