import Foundation
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// Sign-ins at an identity server that is independent of this project.
    @Suite(.foreign) struct ForeignTests {
        private static let label = "default \(Glewlwyd.ana.email)*"

        @Test("signs in, serves from the cache, refreshes, and is removed", arguments: Glewlwyd.Algorithm.allCases)
        func keepsAccountLifecycle(algorithm: Glewlwyd.Algorithm) async throws {
            try await withForeignFixture(signing: algorithm) { foreign in
                let susi = foreign.susi
                #expect(try await susi.run("token").status == 4)
                let outcome = try await foreign.signIn()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Ana Lima <ana@contoso.example>"), "\(outcome)")
                try await foreign.fixture.expectNothingSecretOnPage()
                #expect(try await foreign.fixture.accounts() == [Self.label])

                let first = try await token(susi)
                #expect(try await token(susi) == first)
                let call = try await susi.run("call", "userinfo")
                #expect(call.standardOutput.contains(Glewlwyd.ana.email), "\(call)")

                // After an hour the token has expired. Each refresh returns a new refresh token and voids the previous
                // one.
                let second = try await token(susi, clock: "+3601")
                #expect(second != first)
                let third = try await token(susi, "--refresh", clock: "+3602")
                #expect(third != second)
                #expect(try await token(susi, clock: "+3603") == third)
                let status = try await susi.run("status")
                #expect(status.status == 0 && status.standardOutput.contains(Glewlwyd.ana.email), "\(status)")

                // Cached tokens need no server. A refresh that cannot reach the server removes no account.
                try await foreign.server.stop()
                #expect(try await token(susi, clock: "+3604") == third)
                let refused = try await susi.run("token", "--refresh")
                #expect(refused.status == 3, "\(refused)")
                #expect(try await foreign.fixture.accounts() == [Self.label])
                #expect(try await susi.run("remove", Glewlwyd.ana.email, "--yes").status == 0)
                #expect(try await foreign.fixture.accounts().isEmpty)
                #expect(try await susi.run("token").status == 4)
            }
        }

        @Test("refuses a refresh token that another process used, and the tokens that came from it")
        func refusesReusedRefreshToken() async throws {
            try await withForeignFixture { foreign in
                #expect(try await foreign.signIn().status == 0)
                try await withTemporaryFolder { folder in
                    // A copy of the store has the same refresh token. Once one store has used it, the other cannot.
                    let copy = folder.appending("susi")
                    try FileManager.default.copyItem(
                        atPath: foreign.susi.home.susiHome.string, toPath: copy.string)
                    _ = try await token(foreign.susi, "--refresh")
                    let second = try await foreign.susi.run(
                        "token", "--refresh", environment: ["SUSI_HOME": copy.string])
                    Self.expectSignInNeeded(second)
                }
                // The server treats this as theft and revokes the new refresh token too. The access token is valid
                // until it expires.
                Self.expectSignInNeeded(try await foreign.susi.run("token", "--refresh"))
                _ = try await token(foreign.susi)
                #expect(try await foreign.fixture.accounts() == [Self.label])
                let again = try await foreign.run("sign-in", "--prompt", "auto")
                #expect(again.status == 0, "\(again)")
                _ = try await token(foreign.susi, "--refresh")
            }
        }

        @Test("signs in with a code that is entered on another device")
        func signsInWithDeviceCode() async throws {
            try await withForeignFixture { foreign in
                let browser = foreign.browser
                let outcome = try await foreign.susi.command(["sign-in", "--device"]).start { program in
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
                    return try await program.waitUntilExit()
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(foreign.fixture.capture.openedURLs.isEmpty)
                #expect(try await foreign.fixture.accounts() == [Self.label])
                _ = try await token(foreign.susi)
            }
        }

        @Test("refuses another spelling of the issuer and names the right one")
        func refusesOtherSpellingOfIssuer() async throws {
            try await withGlewlwyd { server in
                for spelled in ["\(server.issuer)/", server.issuer.replacing("localhost", with: "LOCALHOST")] {
                    try await withSusi(policies: ForeignFixture.policies(server, issuer: spelled)) { susi in
                        let capture = try await BrowserCommand.capture(in: susi.home.folder)
                        let outcome = try await susi.run("sign-in", "--browser", capture.command)
                        #expect(outcome.status == 7, "\(outcome)")
                        #expect(outcome.standardError.contains("“\(server.issuer)”"), "\(outcome)")
                        #expect(outcome.standardError.contains("“\(spelled)”"), "\(outcome)")
                        #expect(capture.openedURLs.isEmpty)
                    }
                }
            }
        }

        // The server's page ends no session for a client on another origin: it is blank and does not redirect the
        // browser.
        @Test("opens the server's sign-out, reports what it did not end, and removes the account")
        func opensSignOutOfServer() async throws {
            try await withForeignFixture { foreign in
                #expect(try await foreign.signIn().status == 0)
                let command = foreign.susi.command(
                    ["sign-out", "--browser", "--yes"], environment: ["BROWSER": foreign.fixture.capture.command])
                let outcome = try await command.start { program in
                    try await foreign.browser.navigate(to: try await foreign.fixture.capture.nextArgument())
                    let page = try await foreign.browser.waitForURL { $0.contains("prompt=end_session") }
                    #expect(page.contains("post_redirect_to=http%3A%2F%2Flocalhost%3A"))
                    #expect(page.contains("client_id=\(Glewlwyd.clientID)"))
                    return try await program.waitUntilExit()
                }
                #expect(outcome.status == 3, "\(outcome)")
                // This server lets only clients with a secret revoke tokens.
                #expect(outcome.standardOutput.contains("not revoked"), "\(outcome)")
                #expect(outcome.standardOutput.contains("unknown: "), "\(outcome)")
                #expect(try await foreign.fixture.accounts().isEmpty)
            }
        }

        private static func expectSignInNeeded(_ outcome: ProgramOutcome) {
            #expect(outcome.status == 4, "\(outcome)")
            #expect(outcome.standardOutput == "")
            #expect(outcome.standardError.contains("susi sign-in"), "\(outcome)")
        }

        private func token(_ susi: SusiBinary, _ arguments: String..., clock: String = "+0") async throws -> String {
            let outcome = try await susi.command(["token"] + arguments, environment: ["SUSI_CLOCK": clock]).run()
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.standardOutput
        }
    }
}
