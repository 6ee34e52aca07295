import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

extension Pages {
    /// The pages that a policy's settings add: their accessibility, and the flows through them.
    @Suite struct AccountPageTests {
        private static let susi = PolicyName("B2C_1_susi")

        /// The settings of a policy with every kind of page for a new account.
        private static var full: PolicySettings {
            var settings = PolicySettings()
            settings.identifier = .either
            settings.identityProviders = [.local, .social]
            settings.attributes = [
                .init("displayName", isRequired: true), .init("city"),
                .init("extension_Plan", label: "Your plan", isRequired: true, choices: ["Free", "Paid"]),
            ]
            settings.verifiesEmail = true
            settings.forgottenPassword = .inline
            settings.session.keepSeconds = 864_000
            return settings
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func signsUp(size: Chromium.Size) async throws {
            try await withFixture(size: size) {
                $0.settings[Self.susi] = Self.full
            } _: { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.waitForTitle("Sign in")
                    try await browser.inspect("\(size)-sign-in-full")
                    try await browser.click("#createAccount")
                    try await browser.waitForTitle("Verify your email address")
                    try await browser.inspect("\(size)-sign-up-address")
                    try await browser.fill("#email", with: "dora@contoso.example")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Verification code")
                    try await browser.inspect("\(size)-code")
                    try await browser.fill("#emailVerificationCode", with: "not it")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Error: Verification code")
                    try await browser.inspect("\(size)-code-wrong")
                    try await browser.type(try fixture.code(to: "dora@contoso.example"))
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Sign up")
                    try await browser.inspect("\(size)-sign-up-full")
                    try await signUpDetails(fixture, "\(size)")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await fixture.accounts() == ["B2C_1_susi dora@contoso.example*"])
            }
        }

        private func signUpDetails(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            #expect(try await browser.attribute("value", of: "#email") == "dora@contoso.example")
            try await browser.fill("#newPassword", with: "Secret-7-lamps")
            try await browser.fill("#reenterPassword", with: "Secret-7-lamps")
            try await browser.fill("#displayName", with: "Dora")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Sign up")
            try await browser.inspect("\(size)-sign-up-full-wrong")
            #expect(try await browser.activeElementID == "extension_Plan")
            // Chooses an option of the list by keyboard.
            try await browser.type("P")
            for field in ["newPassword", "reenterPassword"] {
                try await browser.fill("#\(field)", with: "Secret-7-lamps")
            }
            try await browser.press(.enter)
            try await browser.waitForTitle("Signed in")
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func signsInWithSocialProvider(size: Chromium.Size) async throws {
            try await withFixture(size: size) {
                $0.offerSocialProvider()
            } _: { fixture in
                let browser = fixture.browser
                let new = try await fixture.run("sign-in") {
                    try await browser.click("#SocialExchange")
                    try await browser.waitForTitle("Sign in with social.example")
                    try await browser.inspect("\(size)-social")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Error: Sign in with social.example")
                    try await browser.inspect("\(size)-social-wrong")
                    try await browser.fill("#email", with: "quin@mail.example")
                    try await browser.fill("#displayName", with: "Quin")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Sign up")
                    try await browser.inspect("\(size)-social-sign-up")
                    try await browser.fill("#givenName", with: "Quin")
                    try await browser.fill("#surname", with: "Ash")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(new.status == 0, "\(new)")
                try await browser.deleteCookies()
                let known = try await fixture.run("sign-in") {
                    try await browser.click("#SocialExchange")
                    try await browser.click("#account1")
                    try await browser.waitForTitle("Signed in")
                }
                #expect(known.status == 0 && known.standardOutput.contains("pat@mail.example"), "\(known)")
            }
        }

        @Test func returnsAfterCancellationAtProvider() async throws {
            try await withFixture {
                var settings = PolicySettings()
                settings.identityProviders = [.social]
                $0.settings[Self.susi] = settings
            } _: { fixture in
                let outcome = try await fixture.run("sign-in") {
                    try await fixture.browser.waitForTitle("Sign in with social.example")
                    try await fixture.browser.click("#cancel")
                    try await fixture.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
            }
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func asksForSecondFactor(size: Chromium.Size) async throws {
            try await withFixture(size: size) {
                var settings = PolicySettings()
                settings.identifier = .userName
                settings.multiFactor = .always
                settings.lockoutFailures = 2
                $0.settings[Self.susi] = settings
                var gus = User(
                    objectID: "d0d0d0d0-0000-4000-8000-000000000009", userName: "gus",
                    password: User.standard[0].password, displayName: "Gus", givenName: "Gus", surname: "Berg")
                gus.mustResetPassword = true
                $0.users.append(gus)
            } _: { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.fill("#signInName", with: "gus")
                    try await browser.fill("#password", with: User.standard[0].password)
                    try await browser.press(.enter)
                    try await newPassword(fixture, "\(size)")
                    try await browser.waitForTitle("Verify your identity")
                    try await browser.inspect("\(size)-second-factor-number")
                    try await browser.fill("#number", with: "123")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Error: Verify your identity")
                    try await browser.inspect("\(size)-second-factor-number-wrong")
                    try await browser.fill("#number", with: "+49 30 901820")
                    try await browser.press(.enter)
                    _ = try await browser.find("#verificationCode")
                    try await browser.inspect("\(size)-second-factor-code")
                    try await browser.type(try fixture.code(to: "+4930901820"))
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                try await browser.deleteCookies()
                try await knownNumber(fixture, "\(size)")
            }
        }

        private func newPassword(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await browser.waitForTitle("New password")
            try await browser.inspect("\(size)-password-expired")
            for field in ["newPassword", "reenterPassword"] {
                try await browser.fill("#\(field)", with: "Fresh-9-apples")
            }
            try await browser.press(.enter)
        }

        // The phone number is known now. Wrong codes lock the account.
        private func knownNumber(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            let outcome = try await fixture.run("sign-in", "--prompt", "login") {
                try await browser.fill("#signInName", with: "gus")
                try await browser.fill("#password", with: "Fresh-9-apples")
                try await browser.press(.enter)
                try await browser.waitForTitle("Verify your identity")
                try await browser.inspect("\(size)-second-factor")
                try await browser.click("#phoneVerificationControl_but_send_code")
                for _ in 1...2 {
                    try await browser.fill("#verificationCode", with: "none")
                    try await browser.click("#phoneVerificationControl_but_verify_code")
                }
                _ = try await browser.find("form .alert")
                try await browser.inspect("\(size)-locked")
                try await browser.click("#cancel")
                try await browser.waitForTitle("Cancelled")
            }
            #expect(outcome.status == 2, "\(outcome)")
        }

        @Test func resetsPasswordDuringSignIn() async throws {
            try await withFixture {
                $0.settings[Self.susi] = Self.full
            } _: { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.click("#forgotPassword")
                    try await browser.waitForTitle("Reset password")
                    try await browser.inspect("reset-with-code")
                    try await browser.fill("#email", with: BrowserFixture.ben.signInName)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Verification code")
                    try await browser.inspect("reset-code")
                    try await browser.type(try fixture.code(to: BrowserFixture.ben.signInName))
                    try await browser.press(.enter)
                    try await browser.waitForTitle("New password")
                    for field in ["newPassword", "reenterPassword"] {
                        try await browser.fill("#\(field)", with: "Fresh-9-apples")
                    }
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await fixture.accounts() == ["B2C_1_susi ben@contoso.example*"])
            }
        }
    }
}

extension BrowserFixture {
    /// Returns the code that was sent last.
    fileprivate func code(to recipient: String) throws -> String {
        let running = try #require(emulator)
        let message = try #require(try running.site.tenants[0].database.outbox(limit: 1).first)
        #expect(message.recipient == recipient)
        return message.code
    }
}
