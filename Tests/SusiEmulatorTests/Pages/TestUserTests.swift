import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The users whom the sign-in page offers in one click.
@Suite("Test users", .inTurn, .timeLimit(.minutes(5)))
struct TestUserTests {
    private static let ben = "b0b0b0b0-0000-4000-8000-000000000002"
    private static let ended = "<title>Error: This page has expired</title>"

    /// Returns the names on the buttons of a page.
    private func offered(_ page: Received) -> [String] {
        page.text.matches(of: #/name="user" value="[^"]*" type="submit"><bdi>([^<]*)</#).map { String($0.1) }
    }

    private func click(_ objectID: String, _ page: Received, _ fixture: EmulatorFixture, _ browser: Browser)
        async throws
        -> Received
    {
        try await browser.submit(page, ["user": objectID, "signInName": "", "password": ""])
    }

    @Test("signs in as a user with one click")
    func signsInWithOneClick() async throws {
        try await withFixture({ $0.add(4, email: "eve@contoso.example") { $0.password = "Own-secret-9" } }) { fixture in
            let eve = "e0e0e0e0-0000-4000-8000-000000000004"
            for objectID in [Self.ben, eve] {
                let browser = fixture.browser()
                let page = try await browser.get(fixture.authorize())
                #expect(offered(page) == ["Ana Lima", "Ben Okoro", "Chi Tanaka", "Person 4"])
                #expect(!page.text.contains(User.usualPassword) && !page.text.contains("Own-secret-9"))
                let token = try await fixture.idToken(try await click(objectID, page, fixture, browser))
                #expect(token["oid"]?.string == objectID)
            }
            // The profile's sign-in offers them too.
            let profile = try await fixture.browser().get(fixture.authorize("B2C_1_edit_profile"))
            #expect(offered(profile).count == 4)
            let forwarded = try await fixture.browser().get(fixture.authorize(), [("X-Forwarded-For", "192.0.2.1")])
            #expect(forwarded.status == 200 && offered(forwarded).isEmpty, "not for other machines")
            // A changed password has to be typed.
            let browser = fixture.browser()
            try fixture.database.change(Self.ben, password: PasswordHash("Other-pass-1"))
            let changed = try await click(Self.ben, try await browser.get(fixture.authorize()), fixture, browser)
            #expect(changed.alerts == ["This user’s password has been changed. Enter the new password."])
            #expect(try changed.form().fields["signInName"] == "ben@contoso.example")
        }
    }

    @Test("checks lock, block and expired password like a typed password")
    func checksLikeTypedPassword() async throws {
        try await withFixture {
            $0.change { ($0.lockoutFailures, $0.lockoutSeconds) = (1, 60) }
            $0.users = [$0.users[0], $0.users[1]]
            $0.add(1, email: "eve@contoso.example") { $0.isBlocked = true }
            $0.add(2, email: "fay@contoso.example") { $0.mustResetPassword = true }
        } _: { fixture, browser in
            _ = try await fixture.signIn(fixture.browser(), as: "ben@contoso.example", password: "wrong")
            let page = try await browser.get(fixture.authorize())
            let locked = try await click(Self.ben, page, fixture, browser)
            #expect(locked.alerts.first?.contains("temporarily locked") == true, "\(locked.alerts)")
            let blocked = try await click("e0e0e0e0-0000-4000-8000-000000000001", page, fixture, browser)
            #expect(blocked.alerts.first?.contains("has been locked") == true, "\(blocked.alerts)")
            let expired = try await click("e0e0e0e0-0000-4000-8000-000000000002", page, fixture, browser)
            #expect(expired.text.contains("<title>New password</title>"))
        }
    }

    @Test("offers the first five users with a password of this tenant")
    func offersFiveUsers() async throws {
        try await withFixture {
            $0.add(1, email: "eve@contoso.example") { $0.identityProvider = "social.example" }
            $0.add(2, email: "fay@contoso.example") { $0.passwordHash = PasswordHash.unmatchable }
            $0.add(3, userName: "gus")
            for number in 4...7 { $0.add(number, email: "p\(number)@contoso.example") }
        } _: { fixture in
            _ = try fixture.database.removeUser(objectID: Self.ben)
            try fixture.database.change(EmulatorFixture.ana) { $0.displayName = "<b>" }
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            #expect(offered(page) == ["&lt;b&gt;", "Chi Tanaka", "Person 4", "Person 5", "Person 6"])
            for gone in [Self.ben, "e0e0e0e0-0000-4000-8000-000000000002", "x"] {
                #expect(try await click(gone, page, fixture, browser).text.contains(Self.ended), "\(gone)")
            }
        }
    }

    @Test(
        "no list where the tenant says so, with a page of one's own, or to other machines; then a click means nothing")
    func offersUsersOnThisMachineOnly() async throws {
        try await withFixture({ $0.listsUsers = false }) { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            #expect(offered(page).isEmpty && !page.text.contains("test user"))
            #expect(try await click(Self.ben, page, fixture, browser).text.contains(Self.ended))
        }
        let reach = try ListenOptions(address: nil, publicAddresses: [try WebAddress("https://idp.test")])
        try await withFixture(tenants: [try tenantOfTests()], reach: reach) { fixture in
            let page = try await fixture.ask()
            #expect(page.status == 200 && offered(page).isEmpty)
        }
        try await withTemporaryFolder { folder in
            let path = folder.appending("page.html")
            try path.write("<html><body><div id=\"api\"></div></body></html>")
            try await withFixture({ $0.change { $0.template = path } }) { fixture in
                let page = try await fixture.ask()
                #expect(page.status == 200 && offered(page).isEmpty)
            }
        }
    }

    @Test("offers only users of the requested address in a workforce tenant")
    func offersUsersOfWorkforceAddress() async throws {
        try await withFixture(tenants: [Kinds.entra]) { fixture in
            let own = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let page = try await fixture.browser().get(try own.authorize("openid"))
            #expect(!offered(page).isEmpty && !offered(page).contains("Dee Novak"), "\(offered(page))")
        }
    }
}
