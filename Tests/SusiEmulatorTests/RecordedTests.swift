import Foundation
import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// `susi doctor --record` at this emulator: its file is compared with what the emulator sends, as published captures are.
@Suite("Recorded captures", .inTurn, .timeLimit(.minutes(5)))
struct RecordedTests {
    /// Adds a policy for passwords, and an application of an External ID tenant.
    private static func policies(_ text: String) -> String {
        addingPasswordPolicy(to: addingExternalApplication(to: text))
    }

    /// Records with these words, and returns the captures by the kind of message.
    private func record(
        _ words: [String], as person: LocalTenant.Person = .ana, password: String? = nil, presses: [String] = [],
        status: Int32 = 0,
        in tenant: LocalTenant
    ) async throws -> [String: JSON] {
        let file = tenant.susi.home.folder.appending("capture-\(UUID()).json")
        let command = ["doctor", "--record", file.string] + words
        let outcome =
            if let password {
                try await tenant.susi.command(
                    command + ["--username", person.email, "--password-stdin"], input: .text(password + "\n")
                ).run()
            } else { try await tenant.interact(command, as: person, presses: presses) }
        #expect(outcome.status == status, "\(outcome)")
        let written = try file.text()
        #expect(outcome.standardOutput == written)
        for secret in [person.email, person.user.objectID, "contoso", "fabrikam", "B2C_1_", "localhost", "eyJ"] {
            #expect(!written.lowercased().contains(secret.lowercased()), "\(secret): \(written)")
        }
        guard case .array(let captures) = try JSON(parsing: written.utf8) else { return [:] }
        return Dictionary(captures.map { ($0["message"]?.string ?? "", $0) }) { $1 }
    }

    private func expect(_ captures: [String: JSON], toBe scenarios: [String: String]) async throws {
        #expect(Set(captures.keys) == Set(scenarios.keys))
        for (message, name) in scenarios {
            var recorded = try #require(captures[message])
            // The scenario sends none.
            if message == "id-token", case .object(var file) = recorded, case .object(var claims)? = file["members"] {
                claims["nonce"] = nil
                file["members"] = .object(claims)
                recorded = .object(file)
            }
            let capture = Capture(recorded, name: message, scenario: name)
            let differences = capture.differences(from: try await Scenarios.sent(name))
            #expect(differences == [], "\(message): \(capture.file)")
        }
    }

    @Test("records a sign-in by page") func recordsPage() async throws {
        try await withLocalTenant(policies: Self.policies) { tenant in
            let captures = try await record([], in: tenant)
            try await expect(
                captures,
                toBe: [
                    "metadata": "b2c.metadata", "keys": "b2c.keys", "redirect": "b2c.redirect.code",
                    "token-response": "b2c.tokens.client-info", "id-token": "b2c.id", "access-token": "b2c.access",
                    "client-info": "b2c.client-info",
                ])
            let settings = captures["redirect"]?["settings"]
            #expect(settings?["response_mode"] == "query" && settings?["policy"] == "user-flow")
        }
    }

    @Test("records a sign-in by password, and a refused one") func recordsPassword() async throws {
        try await withLocalTenant(policies: Self.policies) { tenant in
            let captures = try await record(["-p", "B2C_1_ropc"], password: User.standard[0].password, in: tenant)
            #expect(captures["token-response"]?["grant"] == "password")
            let refused = try await record(["-p", "B2C_1_ropc"], password: "Wrong-1234", status: 4, in: tenant)
            let error = try #require(refused["error-response"])
            #expect(error["says"] == "AADB2C90225: {text}")
            try await expect(refused, toBe: ["metadata": "b2c.metadata", "error-response": "b2c.error.90225"])
        }
    }

    @Test("records native authentication") func recordsNative() async throws {
        try await withLocalTenant(policies: Self.policies) { tenant in
            let captures = try await record(["-A", "ciam"], password: User.standard[0].password, in: tenant)
            #expect(Set(captures.keys).isSuperset(of: ["metadata", "native-response", "token-response", "id-token"]))
            #expect(captures["native-response"]?["service"] == "external")
        }
    }

    @Test("records another kind of policy, and what a cancelled page sent") func recordsOtherPolicies() async throws {
        try await withLocalTenant { tenant in
            let words = ["edit-profile", "-p", "B2C_1_edit_profile"]
            try await tenant.signIn(.ana)
            let captures = try await record(words, in: tenant)
            #expect(captures["token-response"] != nil && captures["redirect"] != nil)
            let cancelled = try await record(words, presses: ["cancel"], status: 2, in: tenant)
            #expect(cancelled["error-redirect"]?["says"] == "AADB2C90091: {text}", "\(cancelled)")
            #expect(cancelled["redirect"] == nil && cancelled["token-response"] == nil)
            let file = tenant.susi.home.folder.appending("refresh.json")
            let refreshed = try await tenant.susi.run("doctor", "--record", file.string, "token", "--refresh").exits(0)
            let written = try file.text()
            // The result of the command is a token.
            #expect(
                written.contains(#""grant": "refresh_token""#) && refreshed.standardOutput == written, "\(refreshed)")
        }
    }

    @Test("writes nothing after Ctrl-C") func writesNothingAfterInterrupt() async throws {
        try await withLocalTenant { tenant in
            let file = tenant.susi.home.folder.appending("capture.json")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            try await tenant.susi.start("doctor", "--record", file.string, "sign-in", "--browser", browser.command) {
                run in
                _ = try await browser.nextURL()
                try await run.interrupt()
                let outcome = try await run.waitUntilExit()
                #expect(outcome.status == 128 + SIGINT && outcome.standardOutput.isEmpty, "\(outcome)")
            }
            #expect(!file.exists)
        }
    }

    @Test("keeps an existing file, and runs a command only with --record") func refuses() async throws {
        try await withLocalTenant { tenant in
            let file = tenant.susi.home.folder.appending("capture.json")
            try file.write("mine")
            try await tenant.susi.run("doctor", "--record", file.string).exits(64, saying: "the file exists")
            #expect(try file.text() == "mine" && tenant.requestLines.isEmpty)
            try await tenant.susi.run("doctor", "sign-in").exits(64, saying: "“sign-in” needs --record")
            try await tenant.susi.run("doctor", "--record", file.string + "2", "accounts").exits(
                0, saying: "no file was written")
            #expect(!FileManager.default.fileExists(atPath: file.string + "2"))
            for words in [["doctor"], ["exec", "true"], ["emulator", "status"]] {
                try await tenant.susi.command(["doctor", "--record", file.string + "2"] + words).run().exits(64)
            }
        }
    }
}
