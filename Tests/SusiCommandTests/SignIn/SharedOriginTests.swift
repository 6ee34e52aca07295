import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// A shared device and one client id at two origins: client ids are public, so that any file may name one.
@Suite("Shared device at two origins", .inTurn, .timeLimit(.minutes(5)))
struct SharedOriginTests {
    private static func application(_ name: String, _ origin: String, _ mode: String) -> String {
        """
        "\(name)": { "kind": "b2c", "authority": "\(origin)/contoso.onmicrosoft.com", "deviceMode": "\(mode)",
            "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
            "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true } },
            "apis": { "hello": { "baseUrl": "\(origin)/api/hello",
                "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"] } } }
        """
    }

    private static func file(_ applications: String...) -> String {
        "{ \"current\": \"production\", \"applications\": { \(applications.joined(separator: ",\n")) } }"
    }

    /// Runs two emulators of the same tenant; the first one's program is used.
    private func withTwoTenants(_ body: (LocalTenant, String) async throws -> Void) async throws {
        try await withLocalTenant { production in
            try await withLocalTenant { other in try await body(production, other.emulator.origin) }
        }
    }

    private func labels(_ susi: SusiBinary, _ application: String) async throws -> [String] {
        let outcome = try await susi.run("accounts", "-A", application, "--json")
        let list = try JSONNode(parsing: outcome.standardOutput.utf8)["accounts"]?.array ?? []
        return list.compactMap { $0["label"]?.string }
    }

    @Test("a private application of the file keeps its accounts at another origin, and its people do not count")
    func keepsAccountsOfOtherOrigin() async throws {
        try await withTwoTenants { tenant, other in
            let susi = tenant.susi
            try susi.home.writePolicies(
                Self.file(
                    Self.application("production", tenant.emulator.origin, "private"),
                    Self.application("kiosk", other, "shared")))
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            let ben = try await tenant.interact(["sign-in", "-A", "kiosk"], as: .ben)
            #expect(ben.status == 0, "\(ben)")
            let doctor = try await susi.run("doctor", "-A", "kiosk", environment: ["BROWSER": "true"])
            #expect(doctor.standardOutput.contains("shared: "), "\(doctor)")
            let out = try await susi.run("sign-out", "-A", "kiosk", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(!out.standardOutput.contains("Ana"), "\(out)")
            #expect(try await labels(susi, "production") == ["ana@contoso.example"])
            #expect(try await labels(susi, "kiosk").isEmpty)
        }
    }

    @Test("a file that was found and not trusted removes nothing of another origin")
    func foundFileRemovesNothing() async throws {
        try await withTwoTenants { tenant, other in
            let susi = tenant.susi
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            let found = susi.home.workingFolder.appending("policies.json")
            let text = Self.file(Self.application("production", other, "shared"))
            try Data(text.utf8).write(to: URL(filePath: found.string))
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let out = try await susi.run("sign-out", "--yes", environment: ["BROWSER": browser.command])
            #expect(!"\(out)".contains("Ana"), "\(out)")
            let doctor = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(!doctor.standardOutput.contains("ana@"), "\(doctor)")
            try FileManager.default.removeItem(atPath: found.string)
            #expect(try await susi.run("token").status == 0, "the account was removed")
        }
    }

    @Test("of one client id at one origin, the accounts of the private application are not exclusive")
    func keepsAccountsOfPrivateTwin() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let origin = tenant.emulator.origin
            try susi.home.writePolicies(
                Self.file(
                    Self.application("production", origin, "private"), Self.application("kiosk", origin, "shared")))
            for person in [LocalTenant.Person.ben, .ana] {
                #expect(try await tenant.interact(["sign-in"], as: person).status == 0)
            }
            // The accounts of both are the same; the current one is signed out, as without the mode.
            let out = try await susi.run("sign-out", "-A", "kiosk", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(out.standardOutput.contains("Ana") && !out.standardOutput.contains("Ben"), "\(out)")
            #expect(try await labels(susi, "production") == ["ben@contoso.example"])
        }
    }

    @Test("the ID token of a sign-out goes to the tenant that issued it")
    func hintsOwnIDToken() async throws {
        try await withTwoTenants { tenant, other in
            let susi = tenant.susi
            let write = { (mode: String) in
                try susi.home.writePolicies(
                    Self.file(
                        Self.application("production", tenant.emulator.origin, mode),
                        Self.application("staging", other, mode)))
            }
            try write("private")
            for application in ["production", "staging"] {
                let signedIn = try await tenant.interact(["sign-in", "-A", application], as: .ana)
                #expect(signedIn.status == 0, "\(signedIn)")
            }
            try write("shared")
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let command = susi.command(
                ["sign-out", "-A", "staging", "--yes"], environment: ["BROWSER": browser.command])
            let location = try await command.start { run in
                let location = try await Self.redirect(from: try await browser.nextArgument())
                _ = try await run.waitUntilExit()
                return location
            }
            #expect(location.hasPrefix(other), "\(location)")
            let query = try #require(URLComponents(string: location)?.queryItems)
            let hint = try #require(query.first { $0.name == "id_token_hint" }?.value)
            let claims = try SignedToken(parsing: hint).claims
            #expect(claims["iss"]?.string?.hasPrefix(other) == true, "\(claims["iss"]?.string ?? "")")
        }
    }

    /// Returns where a short address leads.
    private static func redirect(from address: String) async throws -> String {
        let run = try await Program("/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{redirect_url}", address]).run()
        return run.standardOutput
    }

    @Test("two people who signed in before the device was shared get no token, not even a cached one")
    func refusesTokensOfTwoPeople() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            for person in [LocalTenant.Person.ben, .ana] {
                #expect(try await tenant.interact(["sign-in"], as: person).status == 0)
            }
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            #expect(try await susi.run("token").status == 0)
            try susi.home.writePolicies(
                text.replacing("\"kind\": \"b2c\",", with: "\"kind\": \"b2c\",\n      \"deviceMode\": \"shared\","))
            let count = tenant.requestLines.count
            let commands = [
                ["token"], ["token", "-a", "ben@contoso.example"], ["call", "hello", "-a", "ben@contoso.example"],
                ["call", "hello"], ["call", "hello", "--dry-run"],
                ["exec", "-a", "ana@contoso.example", "--", "/bin/sh", "-c", "echo $SUSI_ACCESS_TOKEN"],
            ]
            for command in commands {
                let refused = try await susi.command(command).run()
                #expect(refused.status == 7 && refused.standardOutput.isEmpty, "\(command): \(refused)")
                #expect(refused.standardError.contains("next: susi sign-out"), "\(refused)")
            }
            #expect(tenant.requestLines.count == count)
            _ = try await susi.run("remove", "ben@contoso.example", "--yes")
            #expect(try await susi.run("token").status == 0)
        }
    }
}
