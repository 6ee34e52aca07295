import Foundation
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
                    let redirect = try #require(queryFields(url)["redirect_uri"])
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
                    try await program.waitUntilExit().exits(0, printing: "Signed in as Ana Lima")
                }
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
                #expect(fixture.capture.openedURLs.isEmpty)
            }
        }
    }
}

extension Browser {
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
