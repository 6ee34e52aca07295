import Foundation
import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// The program while it waits for the browser.
    @Suite struct ListenerTests {
        @Test func acceptsPastedAddress() async throws {
            // As over SSH: on the browser's machine no program listens at the redirect address.
            try await withFixture(browserArguments: ["--host-resolver-rules=MAP localhost ~NOTFOUND"]) { fixture in
                let browser = fixture.browser
                try await fixture.susi.start("sign-in", "--no-browser") { program in
                    let url = try await program.waitForLine(containing: "oauth2/v2.0/authorize").trimmed
                    let redirect = try #require(redirectAddress(in: url))
                    try await browser.navigate(to: url.replacing("//localhost:", with: "//127.0.0.1:"))
                    // The driver may report that the redirect failed, which is expected.
                    try? await fixture.enter(BrowserFixture.ana)
                    let end = try await browser.waitForURL { $0.hasPrefix(redirect) }

                    let wrong = [
                        "nonsense", end.replacing("localhost", with: "attacker.example"),
                        end.replacing("state=", with: "state=x"), "\(redirect)?code=abc",
                    ]
                    for (number, text) in wrong.enumerated() {
                        try await program.type(text + "\n")
                        try await program.waitForLine(containing: "Still waiting", times: number + 1)
                    }
                    #expect(try await fixture.accounts().isEmpty)
                    try await program.type("  \(end)\n")
                    let outcome = try await program.waitUntilExit()
                    #expect(outcome.status == 0, "\(outcome)")
                    #expect(outcome.standardOutput.contains("Signed in as Ana Lima"), "\(outcome)")
                }
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
                #expect(fixture.capture.openedURLs.isEmpty)
            }
        }

        @Test func ignoresStrayRequests() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let command = fixture.susi.command(["sign-in", "--browser", fixture.capture.command])
                let url = try await command.start { program in
                    let url = try await fixture.capture.nextURL()
                    try await browser.navigate(to: url)
                    try await interrupt(program)
                    return url
                }
                // The port is free again at once. The page that is still open belongs to the interrupted sign-in.
                let redirect = try #require(redirectAddress(in: url))
                let port = try #require(URLComponents(string: redirect)?.port)
                let again = fixture.susi.command(["sign-in", "--port", "\(port)", "--browser", fixture.capture.command])
                try await again.start { program in
                    let url = try await fixture.capture.nextURL()
                    #expect(redirectAddress(in: url) == redirect)
                    try await fixture.enter(BrowserFixture.ana)
                    try await browser.waitForTitle("Not this sign-in")
                    try await visitStrayAddresses(redirect, fixture)
                    #expect(await program.text(.error).contains("Refused a response"))
                    #expect(try await fixture.accounts().isEmpty)
                    try await browser.navigate(to: url)
                    try await fixture.enter(BrowserFixture.ana)
                    let outcome = try await program.waitUntilExit()
                    #expect(outcome.status == 0, "\(outcome)")
                }
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
            }
        }

        private func visitStrayAddresses(_ redirect: String, _ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            let stray = [
                ("?code=abc", 400), ("?error=access_denied&state=wrong", 400), ("favicon.ico", 404), ("", 404),
                ("other?code=abc&state=wrong", 404), ("?code=abc&state=wrong", 400),
            ]
            for (rest, status) in stray {
                try await browser.navigate(to: redirect + rest)
                #expect(try await browser.status == status, "\(rest)")
                #expect(try await browser.source.contains("abc") == false)
                guard rest.contains("state=wrong"), rest.contains("code=") else {
                    _ = try await browser.takeLog()
                    continue
                }
                try await browser.inspect("program-stray-\(status)", status: status)
            }
        }

        /// Sends Ctrl-C and expects the program to end within about a second.
        private func interrupt(_ program: RunningProgram) async throws {
            let clock = ContinuousClock()
            let start = clock.now
            try await program.interrupt()
            let outcome = try await program.waitUntilExit()
            #expect(outcome.signal == SIGINT, "\(outcome)")
            #expect(outcome.standardOutput == "")
            #expect(clock.now - start < .milliseconds(1_500))
        }

        private func redirectAddress(in url: String) -> String? {
            URLComponents(string: url)?.queryItems?.first { $0.name == "redirect_uri" }?.value
        }
    }
}

extension Browser {
    /// The HTTP status of the open page.
    var status: Int {
        get async throws {
            let script = "return performance.getEntriesByType('navigation')[0].responseStatus"
            return if case .number(let status) = try await execute(script) { Int(status) } else { 0 }
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
