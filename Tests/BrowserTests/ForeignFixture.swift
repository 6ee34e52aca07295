import SusiTestSupport
import Testing

/// Debian's identity server, a fresh machine whose `policies.json` names it, and a real browser.
struct ForeignFixture: Sendable {
    let server: Glewlwyd
    let fixture: BrowserFixture

    var susi: SusiBinary { fixture.susi }
    var browser: Browser { fixture.browser }

    /// Returns the text of a `policies.json` for this server; `issuer` is another spelling of the authority.
    static func policies(_ server: Glewlwyd, issuer: String? = nil) -> String {
        """
        {
          "current": "foreign",
          "applications": {
            "foreign": {
              "kind": "openid",
              "authority": "\(issuer ?? server.issuer)",
              "clientId": "\(Glewlwyd.clientID)",
              "redirectPorts": [\(server.redirectPort)],
              "knownAuthorities": ["\(server.origin)"],
              "apis": {
                "userinfo": { "baseUrl": "\(server.issuer)/userinfo", "scopes": ["\(Glewlwyd.scope)"] }
              }
            }
          }
        }
        """
    }

    /// Signs Ana in for the first time and returns the outcome of the command.
    func signIn() async throws -> ProgramOutcome {
        try await run("sign-in") {
            try await enter()
            try await consent()
        }
    }

    /// Runs a command that signs in, lets `atPage` act until the server has identified the person, and continues to the
    /// program.
    func run(_ arguments: String..., atPage: () async throws -> Void = {}) async throws -> ProgramOutcome {
        try await fixture.run(arguments) {
            try await atPage()
            try await browser.click("button.btn-success")
            try await browser.waitForTitle("Signed in")
        }
    }

    /// Types name and password into the server's page.
    func enter() async throws {
        try await browser.fill("#username", with: Glewlwyd.ana.userName)
        try await browser.fill("#password", with: Glewlwyd.ana.password)
        try await browser.click("#loginbut")
    }

    /// Grants the scope; the server remembers the consent.
    func consent() async throws {
        try await browser.click("[id='grant-\(Glewlwyd.scope)']")
        try await browser.click("#carouselBody button.btn-primary")
    }
}

/// Runs `body` in a fresh fixture.
func withForeignFixture(
    signing algorithm: Glewlwyd.Algorithm = .rs256, _ body: (ForeignFixture) async throws -> Void
) async throws {
    try await withGlewlwyd(signing: algorithm) { server in
        try await withSusi(policies: ForeignFixture.policies(server)) { susi in
            let capture = try await BrowserCommand.capture(in: susi.home.folder)
            try await withBrowser { browser in
                let fixture = BrowserFixture(origin: server.origin, susi: susi, browser: browser, capture: capture)
                try await body(ForeignFixture(server: server, fixture: fixture))
            }
        }
    }
}
