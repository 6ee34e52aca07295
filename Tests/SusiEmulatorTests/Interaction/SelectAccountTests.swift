import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Choosing an account", .inTurn, .timeLimit(.minutes(5)))
struct SelectAccountTests {
    private static let emails = ["ana@contoso.example", "ben@contoso.example", "chi@contoso.example"]

    private func ask(
        _ door: Door, _ browser: Browser, _ prompt: String? = "select_account", _ more: [String: String?] = [:]
    ) async throws -> Received {
        try await browser.get(try door.authorize("openid profile", more.merging(["prompt": prompt]) { $1 }))
    }

    /// Signs in with a password, even if others are signed in.
    private func signIn(_ fixture: EmulatorFixture, _ door: Door, _ browser: Browser, _ email: String) async throws {
        let page = try await ask(door, browser, "login")
        let done = try await browser.submit(page, ["signInName": email, "password": "Passw0rd!"])
        try #require(try done.redirect["code"] != nil)
    }

    /// Returns the addresses that the page offers, in its order, with the values of their buttons.
    private func offered(_ page: Received) -> [(email: String, value: String)] {
        page.text.matches(of: #/name="account" value="([^"]+)"[\s\S]*?<bdi class="detail">([^<]+)</bdi>/#)
            .map { (String($0.2), String($0.1)) }
    }

    private func person(_ door: Door, _ response: Received) async throws -> JSON? {
        try await door.redeem(response).json.claims("id_token")["preferred_username"]
    }

    @Test("a user flow of B2C shows the sign-in page in place of a list")
    func showsSignInPageInUserFlow() async throws {
        try await withFixture { fixture, browser in
            _ = try await fixture.signIn(browser)
            let page = try await browser.get(fixture.authorize(["prompt": "select_account"]))
            #expect(page.status == 200 && offered(page).isEmpty && !page.text.contains("Use another account"))
            #expect(try page.form().fields["password"] != nil)
        }
    }

    @Test("a login hint chooses among the sessions of the browser, where the kind lists them")
    func choosesSessionByHint() async throws {
        try await withTailspin { fixture, door in
            let browser = fixture.browser()
            for email in Self.emails.prefix(2) { try await signIn(fixture, door, browser, email) }
            for email in Self.emails.prefix(2) {
                let silent = try await ask(door, browser, nil, ["login_hint": email.uppercased()])
                #expect(try await person(door, silent) == .string(email))
            }
            let third = try await ask(door, browser, nil, ["login_hint": Self.emails[2]])
            #expect(try third.form().fields["loginfmt"] == Self.emails[2])
            let none = try await ask(door, browser, "none", ["login_hint": Self.emails[2]])
            #expect(try none.redirect["error"] == "login_required")
        }
        try await withFixture { fixture, browser in
            _ = try await fixture.signIn(browser)
            let other = try await browser.get(fixture.authorize(["login_hint": Self.emails[1]]))
            let claims = try await fixture.redeem(try other.redirect["code"]).json.claims("id_token")
            #expect(claims["emails"] == ["ana@contoso.example"])
        }
    }

    @Test("lists the accounts of the browser and offers another one")
    func listsAccountsOfSession() async throws {
        try await withTailspin { fixture, door in
            let browser = fixture.browser()
            #expect(try await ask(door, browser).form().fields["passwd"] != nil, "no account to choose")
            for email in Self.emails.prefix(2) { try await signIn(fixture, door, browser, email) }
            let page = try await ask(door, browser)
            #expect(page.text.contains("Choose an account") && page.text.contains("Use another account"))
            #expect(offered(page).map(\.email) == ["ben@contoso.example", "ana@contoso.example"])
            #expect(!page.text.contains("type=\"password\""))
            // Ana is chosen without a password. From then on, silent requests sign her in.
            let ana = try #require(offered(page).last?.value)
            let chosen = try await browser.submit(page, ["account": ana])
            #expect(try await person(door, chosen) == "ana@contoso.example")
            let silent = try await ask(door, browser, "none")
            #expect(try await person(door, silent) == "ana@contoso.example")
            // “Another account” shows an empty sign-in page.
            let again = try await ask(door, browser)
            #expect(offered(again).map(\.email) == ["ana@contoso.example", "ben@contoso.example"])
            let other = try await browser.submit(again, ["another": "1"])
            #expect(try other.form().fields["loginfmt"] == "")
            let chi = try await browser.submit(other, ["signInName": Self.emails[2], "password": "Passw0rd!"])
            #expect(try await person(door, chi) == "chi@contoso.example")
            #expect(offered(try await ask(door, browser)).count == 3)
            // Signing in again does not list a person twice.
            try await signIn(fixture, door, browser, Self.emails[0])
            #expect(
                offered(try await ask(door, browser)).map(\.email) == [
                    Self.emails[0], Self.emails[2], Self.emails[1],
                ])
            let cancelled = try await browser.submit(try await ask(door, browser), ["cancel": "1"])
            #expect(try cancelled.redirect["error_description"]?.hasPrefix("AADSTS65004") == true)
            let consent = try await ask(door, browser, "select_account consent")
            let first = try #require(offered(consent).first)
            let asked = try await browser.submit(consent, ["account": first.value])
            #expect(first.email == Self.emails[0] && asked.text.contains("Permissions requested"))
            // A sign-out ends the sessions of all accounts.
            let kept = browser.cookies
            _ = try await browser.get(try door.endpoint("end_session_endpoint"))
            browser.cookies = kept
            #expect(offered(try await ask(door, browser)).isEmpty)
        }
    }

    @Test("asks for the password if the chosen session is missing or too old")
    func asksForPasswordOfOldSession() async throws {
        try await withTailspin { fixture, door in
            let browser = fixture.browser()
            for email in Self.emails.prefix(2) { try await signIn(fixture, door, browser, email) }
            let page = try await ask(door, browser)
            let stranger = try await browser.submit(page, ["account": User.standard[2].objectID])
            #expect(stranger.location == nil && stranger.status == 400, "\(stranger.text)")
            fixture.emulator.clock.advance(by: 120)
            for asked in [["max_age": "60"], ["claims": #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#]]
            {
                let page = try await ask(door, browser, "select_account", asked)
                let ana = try #require(offered(page).last?.value)
                let old = try await browser.submit(page, ["account": ana])
                #expect(old.location == nil)
                #expect(try old.form().fields["loginfmt"] == "ana@contoso.example")
            }
            // A browser without the session's cookie cannot choose.
            let thief = fixture.browser()
            thief.cookies = browser.cookies.filter { !$0.key.hasPrefix("susi_session_") }
            let stolen = try await thief.submit(try await ask(door, browser), ["account": User.standard[0].objectID])
            #expect(stolen.location == nil)
        }
    }

    @Test func listsAtMostFiveAccounts() async throws {
        let users = (1...6).map { number in
            User(
                objectID: "d0d0d0d0-0000-4000-8000-00000000000\(number)", email: "p\(number)@contoso.example",
                password: "Passw0rd!", displayName: "Eve\u{202e}<\(number)>", givenName: "P", surname: "\(number)")
        }
        try await withTailspin({ $0.users = users }) { fixture, door in
            let browser = fixture.browser()
            for user in users { try await signIn(fixture, door, browser, user.signInName) }
            let page = try await ask(door, browser)
            #expect(offered(page).map(\.email) == users.dropFirst().reversed().map(\.signInName))
            #expect(page.text.contains("Eve\\u{202e}&lt;6&gt;") && !page.text.unicodeScalars.contains("\u{202e}"))
        }
    }

    @Test func renewsChosenSession() async throws {
        try await withTailspin { fixture, door in
            let (browser, hours) = (fixture.browser(), 3_600 as Int64)
            try await signIn(fixture, door, browser, Self.emails[0])
            for _ in 1...3 {
                fixture.emulator.clock.advance(by: 20 * hours)
                let page = try await ask(door, browser)
                let ana = try #require(offered(page).first?.value)
                let chosen = try await browser.submit(page, ["account": ana])
                #expect(try await person(door, chosen) == "ana@contoso.example")
            }
        }
    }

    @Test func keepsTheLongestSession() async throws {
        let day: Int64 = 86_400
        try await withTailspin({ $0.change("default") { $0.session.keepSeconds = 30 * day } }) { fixture, door in
            let browser = fixture.browser()
            func enter(_ email: String, _ more: [String: String]) async throws -> Received {
                let filled = ["signInName": email, "password": "Passw0rd!"].merging(more) { $1 }
                return try await browser.submit(try await ask(door, browser, "login"), filled)
            }
            _ = try await enter(Self.emails[0], ["rememberMe": "1"])
            let second = try await enter(Self.emails[1], [:])
            let cookie = second.headers["set-cookie"].first { $0.hasPrefix("susi_session_") }
            #expect(cookie?.contains("; Max-Age=2592000") == true, "\(second.headers)")
            // Ben's session ends after a day; then silent requests sign Ana in.
            fixture.emulator.clock.advance(by: 2 * day)
            #expect(offered(try await ask(door, browser)).map(\.email) == ["ana@contoso.example"])
            #expect(try await person(door, try await ask(door, browser, "none")) == "ana@contoso.example")
        }
    }
}
