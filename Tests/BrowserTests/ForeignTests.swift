import Foundation
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// Sign-ins at an identity server that is independent of this project. `SUSI_FULL=1` runs the lifecycle with both
    /// algorithms instead of ES256 alone; the other tests have RS256.
    @Suite(.foreign) struct ForeignTests {
        private static let label = "default \(Glewlwyd.ana.email)*"
        private static let algorithms: [Glewlwyd.Algorithm] =
            TestEnvironment.variable("SUSI_FULL") == "1" ? Glewlwyd.Algorithm.allCases : [.es256]

        @Test("signs in, serves from the cache, refreshes, and is removed", arguments: algorithms)
        func keepsAccountLifecycle(algorithm: Glewlwyd.Algorithm) async throws {
            try await withForeignFixture(signing: algorithm) { foreign in
                let susi = foreign.susi
                try await refusesOtherSpellings(of: foreign.server)
                try await foreign.signIn().exits(0, printing: "Ana Lima <ana@contoso.example>")
                try await foreign.fixture.expectNothingSecretOnPage()
                #expect(try await foreign.fixture.accounts() == [Self.label])

                let first = try await token(susi)
                #expect(try await token(susi) == first)
                try await susi.run("call", "userinfo").exits(0, printing: Glewlwyd.ana.email)

                // After an hour the token has expired. Each refresh returns a new refresh token and voids the previous
                // one.
                let second = try await token(susi, clock: "+3601")
                #expect(second != first)
                let third = try await token(susi, "--refresh", clock: "+3602")
                #expect(third != second)

                // Cached tokens need no server. A refresh that cannot reach the server removes no account.
                try await foreign.server.stop()
                #expect(try await token(susi, clock: "+3604") == third)
                try await susi.run("token", "--refresh").exits(3)
                #expect(try await foreign.fixture.accounts() == [Self.label])
                #expect(try await susi.run("remove", Glewlwyd.ana.email, "--yes").status == 0)
                #expect(try await foreign.fixture.accounts().isEmpty)
            }
        }

        private func refusesOtherSpellings(of server: Glewlwyd) async throws {
            for spelled in ["\(server.issuer)/", server.issuer.replacing("localhost", with: "LOCALHOST")] {
                try await withSusi(policies: ForeignFixture.policies(server, issuer: spelled)) { susi in
                    let capture = try await BrowserCommand.capture(in: susi.home.folder)
                    try await susi.run("sign-in", "--browser", capture.command).exits(
                        7, saying: "“\(server.issuer)”", "“\(spelled)”")
                    #expect(capture.openedURLs.isEmpty)
                }
            }
        }

        @Test(
            "refuses a refresh token that another process used, and the tokens that came from it; a sign-out reports what the server's page did not end"
        )
        func refusesReusedRefreshToken() async throws {
            try await withForeignFixture { foreign in
                #expect(try await foreign.signIn().status == 0)
                try await withTemporaryFolder { folder in
                    // A copy of the store has the same refresh token. Once one store has used it, the other cannot.
                    let copy = folder.appending("susi")
                    try FileManager.default.copyItem(atPath: foreign.susi.home.susiHome.string, toPath: copy.string)
                    _ = try await token(foreign.susi, "--refresh")
                    try await foreign.susi.run("token", "--refresh", environment: ["SUSI_HOME": copy.string]).exits(
                        4, output: "", saying: "susi sign-in")
                }
                // The server treats this as theft and revokes the new refresh token too. The access token is valid
                // until it expires.
                try await foreign.susi.run("token", "--refresh").exits(4, output: "", saying: "susi sign-in")
                _ = try await token(foreign.susi)
                #expect(try await foreign.fixture.accounts() == [Self.label])
                try await foreign.run("sign-in", "--prompt", "auto").exits(0)
                _ = try await token(foreign.susi, "--refresh")
                try await signOut(foreign)
            }
        }

        @Test("signs in with a code that is entered on another device")
        func signsInWithDeviceCode() async throws {
            try await withForeignFixture { foreign in
                let browser = foreign.browser
                try await foreign.susi.command(["sign-in", "--device"]).start { program in
                    try await program.waitForLine(containing: "Waiting for the sign-in there")
                    let said = await program.text(.error)
                    let address = try #require(
                        said.firstMatch(of: #/^ +(http.*/api/oidc/device)$/#.anchorsMatchLineEndings()))
                    let code = try #require(
                        said.firstMatch(of: #/^ +([A-Z0-9]{4}-[A-Z0-9]{4})$/#.anchorsMatchLineEndings()))
                    try await browser.navigate(to: String(address.1))
                    try await browser.fill("input[maxlength='9']", with: String(code.1))
                    try await browser.click("button.btn-icon")
                    try await foreign.enter()
                    try await foreign.consent()
                    try await browser.click("button.btn-success")
                    try await program.waitUntilExit().exits(0)
                }
                #expect(foreign.fixture.capture.openedURLs.isEmpty)
                #expect(try await foreign.fixture.accounts() == [Self.label])
                _ = try await token(foreign.susi)
            }
        }

        // The server's page ends no session for a client on another origin: it is blank and does not redirect the
        // browser.
        private func signOut(_ foreign: ForeignFixture) async throws {
            let outcome = try await foreign.fixture.signOut("--browser") {
                let page = try await foreign.browser.waitForURL { $0.contains("prompt=end_session") }
                #expect(page.contains("post_redirect_to=http%3A%2F%2Flocalhost%3A"))
                #expect(page.contains("client_id=\(Glewlwyd.clientID)"))
            }.exits(3)
            // This server lets only clients with a secret revoke tokens.
            #expect(outcome.standardOutput.contains("not revoked"), "\(outcome)")
            #expect(outcome.standardOutput.contains("unknown: "), "\(outcome)")
            #expect(try await foreign.fixture.accounts().isEmpty)
        }

        private func token(_ susi: SusiBinary, _ arguments: String..., clock: String = "+0") async throws -> String {
            try await susi.command(["token"] + arguments, environment: ["SUSI_CLOCK": clock]).run().exits(0)
                .standardOutput
        }
    }
}
