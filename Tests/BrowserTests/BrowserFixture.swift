import Foundation
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Tests with the built program, a real browser and a running emulator; one at a time, beside those of `Pages`: more browsers
/// would slow each other down, and all in one row would be the longest part of a run of all tests. Both rows take equally
/// long.
@Suite(.browser, .serialized, .timeLimit(.minutes(5)))
enum EndToEnd {}

/// The other row: most tests of the emulator's pages.
@Suite(.browser, .serialized, .timeLimit(.minutes(5)))
enum Pages {}

/// The built `susi` on a fresh machine, an emulator that its `policies.json` names, and a real browser.
struct BrowserFixture: Sendable {
    static let ana = User.standard[0]
    static let ben = User.standard[1]
    static let chi = User.standard[2]

    let origin: String
    /// The emulator, for tests that read its state.
    var emulator: RunningEmulator?
    let susi: SusiBinary
    let browser: Browser
    /// The command that the program starts instead of a browser; the test opens the address in the real one.
    let capture: BrowserCommand

    /// The tenant's address.
    var tenant: String { "\(origin)/contoso.onmicrosoft.com" }

    /// The database of the emulator's tenant.
    var database: Database { get throws { try #require(emulator).site.tenants[0].database } }

    /// Returns the code that was sent last.
    func code(to recipient: String) throws -> String {
        let message = try #require(try database.outbox(limit: 1).first)
        #expect(message.recipient == recipient)
        return message.code
    }

    /// Returns the address that runs a policy and shows its tokens; `more` are further fields.
    func runner(_ policy: String, _ more: String = "") -> String {
        "\(origin)/run?place=%2Fcontoso.onmicrosoft.com%2F\(policy)\(more)"
    }

    /// Runs a command that needs a browser, opens the address there, lets `atPage` act, and waits for the command's end.
    func run(_ arguments: String..., atPage: () async throws -> Void) async throws -> ProgramOutcome {
        try await run(arguments, atPage: atPage)
    }

    func run(_ arguments: [String], atPage: () async throws -> Void) async throws -> ProgramOutcome {
        try await run(susi.command(arguments + ["--browser", capture.command]), atPage)
    }

    /// Runs a sign-out that opens the browser.
    func signOut(_ more: String..., atPage: () async throws -> Void) async throws -> ProgramOutcome {
        try await run(
            susi.command(["sign-out", "--yes"] + more, environment: ["BROWSER": capture.command]), atPage)
    }

    private func run(_ command: SusiTestSupport.Program, _ atPage: () async throws -> Void) async throws
        -> ProgramOutcome
    {
        try await command.start { program in
            try await browser.navigate(to: try await capture.nextArgument())
            try await atPage()
            return try await program.waitUntilExit()
        }
    }

    /// Signs a person in on the page.
    func signIn(_ person: User) async throws {
        try await run("sign-in") {
            try await enter(person)
            try await browser.waitForTitle("Signed in")
        }.exits(0)
    }

    /// Fills in the sign-in page and sends it.
    func enter(_ person: User, password: String? = nil) async throws {
        // With a browser session, the page first offers the signed-in accounts.
        _ = try await browser.find("#localAccountForm")
        try await browser.waitForTitle("Sign in")
        try await browser.fill("#localAccountForm [autocomplete=username]", with: person.signInName)
        try await browser.fill("#localAccountForm [type=password]", with: password ?? person.password)
        try await browser.click("#localAccountForm .main")
    }

    /// Runs a command with `--json` and returns its output.
    func json(_ arguments: String...) async throws -> JSONValue {
        let outcome = try await susi.command(arguments + ["--json"]).run().exits(0)
        return try JSONDecoder().decode(JSONValue.self, from: Data(outcome.standardOutput.utf8))
    }

    /// Returns `POLICY label` for every account, sorted; a star marks a policy's current account.
    func accounts() async throws -> [String] {
        try await json("accounts")["accounts"].elements.map { account in
            "\(account["policy"].string) \(account["label"].string)\(account["isCurrent"] == true ? "*" : "")"
        }.sorted()
    }

    /// Expects that neither the page nor its address contains a code, a state or a token, and that the browser's
    /// history does not lead back to an address that does.
    func expectNothingSecretOnPage() async throws {
        let address = try await browser.currentURL
        #expect(address.wholeMatch(of: #/http:\/\/localhost:\d+\/result\/[a-z2-9]{8}/#) != nil, "\(address)")
        let (source, history) = (try await browser.source, try await browser.history())
        #expect(!history.isEmpty && history.allSatisfy { !$0.contains("code=") }, "\(history)")
        #expect(!source.contains("code=") && !source.contains("state="))
        // Every JSON Web Token begins with these characters: base64url of `{"`.
        #expect(!source.contains("eyJ"))
        // Codes, states and verifiers have 43 characters or more; no word on the page is that long.
        #expect(source.firstMatch(of: /[A-Za-z0-9_\-]{40,}/) == nil, "\(source)")
    }
}

/// Runs `body` in a fresh fixture; `configure` changes the built-in tenant.
func withFixture(
    browserArguments: [String] = [], configure: (inout TenantConfiguration) -> Void = { _ in },
    _ body: (BrowserFixture) async throws -> Void
) async throws {
    try await withHome { home in
        try await withLocalTenant(
            in: home,
            configure: {
                $0.redirectPorts = .any
                configure(&$0)
            }
        ) { tenant in
            try await withBrowserFixture(tenant, browserArguments: browserArguments, body)
        }
    }
}

/// Opens a browser beside a local tenant.
func withBrowserFixture(
    _ tenant: LocalTenant, browserArguments: [String] = [], _ body: (BrowserFixture) async throws -> Void
) async throws {
    let capture = try await BrowserCommand.capture(in: tenant.susi.home.folder)
    try await withBrowser(arguments: browserArguments) { browser in
        try await body(
            BrowserFixture(
                origin: tenant.emulator.origin, emulator: tenant.emulator, susi: tenant.susi, browser: browser,
                capture: capture))
    }
}
