import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `deviceMode: shared`: one person at a time, and a sign-out that removes everything.
@Suite("Shared device", .inTurn, .timeLimit(.minutes(5)))
struct SharedDeviceTests {
    private static func share(_ policies: String) -> String {
        policies.replacing("\"kind\": \"b2c\",", with: "\"kind\": \"b2c\",\n      \"deviceMode\": \"shared\",")
    }

    @Test("another person is refused before the browser opens, and after a sign-in of somebody else")
    func refusesSecondPerson() async throws {
        try await withLocalTenant(policies: Self.share) { tenant in
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let named = try await tenant.susi.run(
                "sign-in", "-a", "ben@contoso.example", "--browser", browser.command)
            #expect(named.status == 7 && named.standardError.hasSuffix("next: susi sign-out\n"))
            #expect(named.standardError.contains("ana@contoso.example"))
            #expect(browser.openedURLs.isEmpty)
            let other = try await tenant.interact(["sign-in", "-p", "B2C_1_partner"], as: .ben)
            #expect(other.status == 7 && other.standardError.contains("susi sign-out"))
            #expect(!other.standardOutput.contains("Signed in"))
            // The same person is accepted under every policy.
            #expect(try await tenant.interact(["sign-in", "-p", "B2C_1_partner"], as: .ana).status == 0)
            let list = try JSONNode(parsing: try await tenant.susi.run("accounts", "--json").standardOutput.utf8)
            #expect(
                list["accounts"]?.array?.map { $0["label"]?.string }
                    == Array(repeating: "ana@contoso.example", count: 2))
            #expect(try await tenant.susi.run("status").standardOutput.contains("shared: one person at a time"))
        }
    }

    @Test(
        "a sign-out removes everything and ends the browser's sessions; the last person is known until the next one"
    )
    func signOutRemovesEverything() async throws {
        try await withLocalTenant(policies: Self.share) { tenant in
            for policy in ["B2C_1_susi", "B2C_1_partner"] {
                _ = try await tenant.interact(["sign-in", "-p", policy], as: .ana)
            }
            let preview = try await tenant.susi.run("sign-out", "--dry-run")
            #expect(preview.standardOutput.contains("session under B2C_1_partner"))
            let (outcome, _, page) = try await signOutInBrowser(tenant, [])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(page.contains("Signed out"))
            // One window visits policy after policy.
            #expect(tenant.requests("GET", "/oauth2/v2.0/logout") == 2)
            // The other policies have no browser session.
            #expect(
                !outcome.standardOutput.contains("B2C_1_edit_profile") && !outcome.standardOutput.contains("may keep"))
            for _ in 1...2 {
                let status = try await tenant.susi.run("status", "--all").standardOutput
                #expect(status.components(separatedBy: "signed out: ana@contoso.example").count == 3, "\(status)")
                _ = try await tenant.susi.run("sign-out", "--yes", environment: ["BROWSER": "/bin/false"])
            }
            // The record of the last person is kept if the same person returns.
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            #expect(
                try await tenant.susi.run("status", "--all").standardOutput.contains("signed out: ana@contoso.example"))
            _ = try await signOutInBrowser(tenant, [])
            #expect(try await tenant.interact(["sign-in", "--no-switch"], as: .ben).status == 0)
            let status = try await tenant.susi.run("status").standardOutput
            #expect(!status.contains("ana@") && !status.contains("signed out"), "\(status)")
            let folder = tenant.susi.home.susiHome
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
                let bytes = FileManager.default.contents(atPath: folder.appending(name).string) ?? Data()
                #expect(bytes.range(of: Data("ana@contoso.example".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test("a sign-out reports no browser session of a policy without pages; doctor names the mode")
    func signOutSkipsPoliciesWithoutPages() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: Self.share($0)) }) { tenant in
            let ana = LocalTenant.Person.ana
            let signedIn = try await tenant.susi.run(
                "sign-in", "--username", ana.email, "--password-stdin", input: ana.user.password)
            try #require(signedIn.status == 0, "\(signedIn)")
            let outcome = try await tenant.susi.run("sign-out", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!outcome.standardOutput.contains("session") && outcome.standardError.isEmpty, "\(outcome)")
            let doctor = try await tenant.susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(doctor.standardOutput.contains("shared: "), "\(doctor)")
        }
    }

    private static func application(_ clientID: Character, _ mode: String) -> String {
        let id = String("11111111-1111-1111-1111-111111111111".map { $0 == "1" ? clientID : $0 })
        return """
            { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com", "clientId": "\(id)",
              "deviceMode": "\(mode)", "redirectPorts": [0],
              "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true } } }
            """
    }

    private static func policies(_ modes: [String]) -> String {
        let names = ["first", "second", "third"]
        let applications = zip(names, zip("123", modes)).map { name, rest in
            "\"\(name)\": \(application(rest.0, rest.1))"
        }
        return "{ \"current\": \"first\", \"applications\": { \(applications.joined(separator: ",\n")) } }"
    }

    private static func labels(_ tenant: LocalTenant, _ application: String) async throws -> [String?] {
        let outcome = try await tenant.susi.run("accounts", "-A", application, "--json")
        let list = try JSONNode(parsing: outcome.standardOutput.utf8)["accounts"]?.array ?? []
        return list.map { $0["label"]?.string }
    }

    @Test(
        "a device is shared as a whole: a second person is refused in every shared application, and a sign-out is for all"
    )
    func sharesWholeDevice() async throws {
        try await withLocalTenant(policies: { _ in Self.policies(["shared", "shared", "private"]) }) { tenant in
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            let other = try await tenant.interact(["sign-in", "-A", "second"], as: .ben)
            #expect(other.status == 7 && other.standardError.contains("ana@contoso.example"), "\(other)")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let named = try await tenant.susi.run(
                "sign-in", "-A", "second", "-a", "ben@contoso.example", "--browser", browser.command)
            #expect(named.status == 7 && browser.openedURLs.isEmpty, "\(named)")
            #expect(try await tenant.interact(["sign-in", "-A", "second"], as: .ana).status == 0)
            // An application that is not shared is not affected.
            #expect(try await tenant.interact(["sign-in", "-A", "third"], as: .ben).status == 0)
            let out = try await tenant.susi.run("sign-out", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(out.standardOutput.contains("under B2C_1_susi of “second”"), "\(out)")
            #expect(out.standardOutput.contains("session of “second”"), "\(out)")
            #expect(try await Self.labels(tenant, "first").isEmpty)
            #expect(try await Self.labels(tenant, "second").isEmpty)
            #expect(try await Self.labels(tenant, "third") == ["ben@contoso.example"])
        }
    }

    @Test(
        "two people who signed in before the device was shared: doctor reports them, switch refuses, sign-out removes both"
    )
    func reportsPeopleOfPrivateTimes() async throws {
        try await withLocalTenant(policies: { _ in Self.policies(["private", "private", "private"]) }) { tenant in
            let susi = tenant.susi
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
            #expect(try await tenant.interact(["sign-in"], as: .ben).status == 0)
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            try susi.home.writePolicies(text.replacing("\"private\"", with: "\"shared\""))
            let doctor = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(doctor.status == 1 && doctor.standardOutput.contains("are signed in"), "\(doctor)")
            let switched = try await susi.run("switch", "ana@contoso.example")
            #expect(switched.status == 7 && switched.standardError.contains("next: susi sign-out"), "\(switched)")
            let back = try await susi.run("switch", "-")
            #expect(back.status == 7, "\(back)")
            _ = try await susi.run("sign-out", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(try await Self.labels(tenant, "first").isEmpty)
            let healthy = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(healthy.standardOutput.contains("shared: "), "\(healthy)")
        }
    }

    private static func labels(_ susi: SusiBinary, _ more: [String]) async throws -> [String?] {
        let outcome = try await susi.command(["accounts", "--json"] + more).run()
        return try JSONNode(parsing: outcome.standardOutput.utf8)["accounts"]?.array?.map { $0["label"]?.string } ?? []
    }

    @Test("a sign-out revokes the tokens of each application at its own provider only, with its own client ID")
    func revokesAtOwnProvider() async throws {
        let application = { (path: String, digit: String) in
            """
            { "kind": "openid", "authority": "http://localhost:8480/\(path)", "deviceMode": "private",
              "clientId": "\(digit)1111111-1111-1111-1111-111111111111", "redirectPorts": [0] }
            """
        }
        let policies = { (_: String) in
            """
            { "current": "login", "applications": {
                "login": \(application("login", "1")), "work": \(application("work", "2")),
                "more": \(application("work", "3")) } }
            """
        }
        try await withLocalTenant(policies: policies) { tenant in
            let names = ["login", "work", "more"]
            for name in names { #expect(try await tenant.interact(["sign-in", "-A", name], as: .ana).status == 0) }
            let text = try String(contentsOfFile: tenant.susi.home.policiesFile.string, encoding: .utf8)
            try tenant.susi.home.writePolicies(text.replacing("\"private\"", with: "\"shared\""))
            let out = try await tenant.susi.run("sign-out", "--yes", "--json", environment: ["BROWSER": "/bin/false"])
            let results = try JSONNode(parsing: out.standardOutput.utf8)["revocations"]?.array ?? []
            #expect(results.map { $0["result"]?.string } == ["revoked", "revoked", "revoked"], "\(out)")
            let received = tenant.emulator.requests().filter { $0.path.hasSuffix("/revoke") }
            #expect(received.allSatisfy { $0.status == 200 })
            #expect(
                Set(received.map { "\($0.path.split(separator: "/")[0]) \($0.clientID?.first ?? "-")" })
                    == ["login 1", "work 2", "work 3"])
        }
    }

    @Test("an import of another person's account in any shared application is refused as a whole")
    func refusesImportOfAnotherPerson() async throws {
        try await withLocalTenant(policies: { _ in Self.policies(["shared", "shared", "private"]) }) { tenant in
            let susi = tenant.susi
            let phrase = susi.home.workingFolder.appending("phrase").string
            try Data("correct horse battery\n".utf8).write(to: URL(filePath: phrase))
            let config = ["--config", susi.home.policiesFile.string]
            for (application, status) in [("second", Int32(7)), ("third", 0)] {
                let other = [
                    "SUSI_HOME": susi.home.folder.appending("other-\(application)").string,
                    "SUSI_EXPORT_PASSPHRASE_FILE": phrase,
                ]
                let signedIn = try await tenant.interact(
                    ["sign-in", "-A", application] + config, as: .ben, environment: other)
                #expect(signedIn.status == 0, "\(signedIn)")
                let export = ["export", "--format", "susi", "-o", "\(application).susi", "--yes"] + config
                #expect(try await susi.command(export, environment: other).run().status == 0)
                _ = try await tenant.interact(["sign-in"], as: .ana)
                for more in [["--dry-run"], []] {
                    let taken = try await susi.command(
                        ["import", "\(application).susi"] + more, environment: ["SUSI_EXPORT_PASSPHRASE_FILE": phrase]
                    ).run()
                    #expect(taken.status == status, "\(application): \(taken)")
                }
                #expect(try await Self.labels(tenant, "second").isEmpty)
                #expect(try await Self.labels(tenant, "first") == ["ana@contoso.example"])
            }
        }
    }

    @Test("a found file that is not trusted shares the device for no application on other hosts")
    func ignoresApplicationsOfUntrustedFile() async throws {
        let shared = """
            "redirectPorts": [0], "deviceMode": "shared",
            "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true } }
            """
        let cloud = """
            "cloud": { "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
                "clientId": "22222222-2222-2222-2222-222222222222", \(shared) }
            """
        let found = """
            { "current": "here", "applications": {
                "here": { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com",
                    "clientId": "11111111-1111-1111-1111-111111111111", \(shared) }, \(cloud) } }
            """
        let ana = StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true)
        try await withStored([ana], policies: { _ in "{ \"applications\": { \(cloud) } }" }) { susi in
            let own = ["--config", susi.home.policiesFile.string]
            try susi.home.writeLocalPolicies(found)
            for more in [["--dry-run"], ["--yes"]] {
                let out = try await susi.command(
                    ["sign-out"] + more, environment: ["BROWSER": "/bin/false"]
                ).run()
                #expect(!out.description.contains("ana@"), "\(out)")
            }
            #expect(try await Self.labels(susi, own) == ["ana@contoso.example"])
            // Trusted, the same file signs out of both.
            #expect(try await susi.run("policies", "trust", "--yes").status == 0)
            let out = try await susi.run("sign-out", "--yes", environment: ["BROWSER": "/bin/false"])
            #expect(out.standardOutput.contains("ana@contoso.example"), "\(out)")
            #expect(try await Self.labels(susi, own).isEmpty)
        }
    }

    @Test("an unknown mode is refused with the line and the supported modes")
    func refusesUnknownMode() async throws {
        try await withSusi(policies: Self.share(PoliciesFile.builtInText).replacing("\"shared\"", with: "\"shred\"")) {
            susi in
            let outcome = try await susi.run("status")
            #expect(outcome.status == 5 && outcome.standardError.contains("deviceMode"))
            #expect(outcome.standardError.contains("“private”, “shared”"))
        }
    }
}
