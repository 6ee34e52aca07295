import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `susi store share`: one person at a time in every application, and sign-outs that leave nothing.
@Suite("Shared store", .inTurn, .timeLimit(.minutes(10)))
struct SharedStoreTests {
    private static let ana = "ana@contoso.example"
    private static let ben = "ben@contoso.example"
    /// No sign-out opens a browser.
    private static let noBrowser = ["BROWSER": "/bin/false"]

    private static func application(_ digit: String, _ more: String) -> String {
        """
        { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com",
          "clientId": "\(digit)1111111-1111-1111-1111-111111111111", "redirectPorts": [0],
          "policies": { \(more)
              "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true },
              "B2C_1_partner": { "kind": "signUpOrSignIn" }, "B2C_1_edit": { "kind": "editProfile" },
              "B2C_1_ropc": { "kind": "resourceOwner" } },
          "apis": { "hello": { "baseUrl": "http://localhost:8480/api/hello",
              "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"] } } }
        """
    }

    /// Two applications of one tenant; `more` are further policies.
    static func policies(_ more: String = "") -> String {
        """
        { "current": "one", "applications": {
          "one": \(application("1", more)), "two": \(application("2", more)) } }
        """
    }

    /// Runs `body` with a shared store and these applications.
    private func withSharedStore(_ body: (LocalTenant) async throws -> Void) async throws {
        try await withLocalTenant(policies: { _ in Self.policies() }) { tenant in
            try tenant.share()
            try await body(tenant)
        }
    }

    private func fields(_ susi: SusiBinary, _ words: String...) async throws -> JSONNode {
        try await susi.command(words + ["--json"]).run().json()
    }

    // MARK: Another person

    @Test("a person who is known to be another one is refused in every application, before anything is sent")
    func refusesKnownOtherPerson() async throws {
        try await withSharedStore { tenant in
            try await tenant.signIn(.ana)
            let before = tenant.requestLines.count
            let (ana, ben) = (
                try await tenant.client().account(AccountSelection()), AuthorizationOptions(loginHint: Self.ben)
            )
            for request in [
                SignInRequest(expected: .named(Self.ben)), SignInRequest(options: ben),
                // Each of the named people is compared, not only the first.
                SignInRequest(options: ben, expected: .account(ana)),
            ] {
                for application in ["one", "two"] {
                    await expectRefusal(.differentPerson) {
                        try await tenant.signIn(.ben, with: try tenant.client(application), request)
                    }
                }
            }
            let credentials = PasswordCredentials(username: Self.ben, password: "x")
            for request in [SignInRequest(), SignInRequest(expected: .account(ana))] {
                for application in ["one", "two"] {
                    await expectRefusal(.differentPerson) {
                        try await tenant.client(application).signIn(request, credentials: credentials)
                    }
                }
            }
            try await tenant.susi.run("sign-in", "-a", Self.ben, "--browser", "/bin/false").exits(
                7, saying: "next: susi sign-out")
            #expect(tenant.requestLines.count == before, "\(tenant.requestLines.dropFirst(before))")
        }
    }

    @Test("another person who turns out on the page is refused; the same person is accepted everywhere")
    func refusesOtherPersonAfterPage() async throws {
        try await withSharedStore { tenant in
            try await tenant.signIn(.ana)
            for application in ["one", "two"] {
                await expectRefusal(.differentPerson) {
                    try await tenant.signIn(.ben, with: try tenant.client(application))
                }
            }
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await tenant.signIn(.ana, of: "two")
            #expect(try await tenant.client().storedCount().all == 3)
        }
    }

    @Test("native authentication sends nothing of another person")
    func refusesOtherPersonNatively() async throws {
        try await NativeStage.with { stage in
            try stage.tenant.share()
            try await stage.client(signsIn: Self.ana, password: NativeStage.password)
            let before = stage.tenant.requestLines.count
            await expectRefusal(.differentPerson) {
                try await stage.client(signsIn: Self.ben, password: NativeStage.password)
            }
            #expect(stage.steps(after: before).isEmpty)
        }
    }

    // MARK: Sign-outs

    @Test(
        "every form of sign-out empties the store, of all applications, and leaves no name",
        arguments: [
            [], ["-p", "B2C_1_partner"], ["-a", ana], ["--person", "-a", ana], ["--all"], ["-A", "two", "--all"],
            ["-A", "two", "-p", "B2C_1_partner"],
        ])
    func signOutEmptiesStore(_ form: [String]) async throws {
        try await withSharedStore { tenant in
            let susi = tenant.susi
            for application in ["one", "two"] { try await tenant.signIn(.ana, of: application) }
            #expect(try !susi.home.susiHome.files(containing: Self.ana).isEmpty)
            let preview = try await susi.command(["sign-out", "--dry-run"] + form, environment: Self.noBrowser).run()
            #expect(preview.standardOutput.components(separatedBy: "Would remove").count == 3, "\(preview)")
            let out = try await susi.command(["sign-out", "--yes"] + form, environment: Self.noBrowser).run()
            #expect(out.standardOutput.components(separatedBy: "Removed").count == 3, "\(out)")
            #expect(try await tenant.client().storedCount().all == 0)
            let user = LocalTenant.Person.ana.user
            for text in [Self.ana, user.objectID, user.displayName] {
                #expect(
                    try Set(susi.home.susiHome.files(containing: text)).subtracting(["policies.json"]) == [], "\(text)")
            }
            try await tenant.signIn(.ben, of: "two")
        }
    }

    @Test("a sign-out ends the browser's sessions of the application")
    func signOutEndsSessions() async throws {
        try await withSharedStore { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await tenant.susi.run("sign-out", "--dry-run").exits(0, printing: "session under B2C_1_partner")
            let (outcome, _, page) = try await signOutInBrowser(tenant, [])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(page.contains("Signed out"))
            // One window visits policy after policy.
            #expect(tenant.requests("GET", "/oauth2/v2.0/logout") == 3)
            // No account names the policy that edits the profile, so it is always visited.
            #expect(outcome.standardOutput.contains("ended: the browser's session under B2C_1_edit"), "\(outcome)")
        }
    }

    @Test("a sign-out reports no browser session of a policy without pages")
    func signOutSkipsPoliciesWithoutPages() async throws {
        try await withSharedStore { tenant in
            let ana = LocalTenant.Person.ana
            _ = try await tenant.client().signIn(SignInRequest(), credentials: ana.credentials)
            try await tenant.susi.run("sign-out", "--yes", environment: Self.noBrowser).exits(
                0, error: "", hiding: "session")
        }
    }

    @Test("the ID token of a sign-out goes to the tenant that issued it")
    func hintsOwnIDToken() async throws {
        try await withLocalTenant { tenant in
            try await withLocalTenant { other in
                let susi = tenant.susi
                let text = try susi.home.policiesFile.text()
                let there = text.replacing(tenant.emulator.origin, with: other.emulator.origin)
                for policies in [text, there] {
                    try susi.home.writePolicies(policies)
                    try await tenant.signIn(.ana)
                }
                let browser = try await BrowserCommand.capture(in: susi.home.folder)
                let command = susi.command(
                    ["sign-out", "--yes", "--browser"], environment: ["BROWSER": browser.command])
                let location = try await command.start { run in
                    let location = try await browser.nextURL()
                    _ = try await run.waitUntilExit()
                    return location
                }
                #expect(location.hasPrefix(other.emulator.origin), "\(location)")
                let hint = try #require(queryFields(location)["id_token_hint"])
                let claims = try SignedToken(parsing: hint).claims
                #expect(claims["iss"]?.string?.hasPrefix(other.emulator.origin) == true)
            }
        }
    }

    @Test("a sign-out revokes the tokens of each application at its own provider only, with its own client ID")
    func revokesAtOwnProvider() async throws {
        let application = { (path: String, digit: String) in
            """
            { "kind": "openid", "authority": "http://localhost:8480/\(path)",
              "clientId": "\(digit)1111111-1111-1111-1111-111111111111", "redirectPorts": [0] }
            """
        }
        let policies = { (_: String) in
            """
            { "current": "local", "applications": {
                "local": { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com", "clientId": "local",
                    "redirectPorts": [0], "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } } },
                "login": \(application("login", "1")), "again": \(application("login", "2")) } }
            """
        }
        try await withLocalTenant(policies: policies) { tenant in
            for name in ["login", "again"] { try await tenant.signIn(.ana, of: name) }
            try tenant.share()
            // The application in use cannot revoke; those of the accounts can.
            let preview = try await tenant.susi.run("sign-out", "--dry-run")
            let asked = preview.standardOutput.components(separatedBy: "would ask the provider to revoke")
            #expect(asked.count == 2 && !preview.standardOutput.contains("no revocation endpoint"), "\(preview)")
            let out = try await tenant.susi.run("sign-out", "--yes", "--json", environment: Self.noBrowser)
            let results = try out.json()["revocations"]?.array ?? []
            #expect(results.map { $0["result"]?.string } == ["revoked", "revoked"], "\(out)")
            let received = tenant.emulator.requests().filter { $0.path.hasSuffix("/revoke") }
            #expect(received.allSatisfy { $0.status == 200 })
            #expect(Set(received.map { "\($0.clientID?.first ?? "-")" }) == ["1", "2"])
        }
    }

    // MARK: The property

    @Test("reports name a shared store; sharing again changes nothing, and ends with unshare")
    func reportsSharing() async throws {
        try await withSharedStore { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run("store", "share").status == 0)
            for command in [["status"], ["store", "status"], ["doctor"]] {
                let text = try await susi.command(command, environment: ["BROWSER": "true"]).run().standardOutput
                #expect(text.contains("shared: one person at a time"), "\(text)")
            }
            for command in [["status"], ["store", "status"], ["store", "share"]] {
                let json = try await susi.command(command + ["--json"]).run().json()
                #expect(json["isShared"]?.bool == true, "\(command)")
            }
            #expect(try await fields(susi, "store", "unshare")["isShared"]?.bool == false)
            try await tenant.signIn(.ben)
            #expect(try await !susi.run("status").standardOutput.contains("shared"))
            try await susi.run("store", "share").exits(7, saying: Self.ana, Self.ben)
        }
    }

    @Test("store share makes a store without a key, and asks for none; unshare makes nothing")
    func sharesWithoutKey() async throws {
        try await withSusi { susi in
            #expect(try await fields(susi, "store", "unshare")["isShared"]?.bool == false)
            #expect(try await fields(susi, "store", "status")["access"]?.string == "none")
            try await susi.run("store", "share", environment: ["SUSI_KEY_SOURCE": "passphrase"]).exits(0)
            let status = try await fields(susi, "store", "status")
            #expect(status["isShared"]?.bool == true && status["access"]?.string == "none")
        }
    }
}
