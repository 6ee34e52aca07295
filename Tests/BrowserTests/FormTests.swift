import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

extension Pages {
    /// The forms in a browser: their hints, the checks before they are sent, and users who go back, click twice, paste, or
    /// allow no scripts.
    @Suite struct FormTests {
        private static let susi = PolicyName("B2C_1_susi")

        private func signUp(_ fixture: BrowserFixture) async throws {
            try await fixture.browser.navigate(to: PageTests.address("B2C_1_susi", fixture) + "&prompt=login")
            try await fixture.browser.click("#createAccount")
            try await fixture.browser.waitForTitle("Sign up")
        }

        @Test func sendsNoInvalidForm() async throws {
            try await withFixture {
                var settings = PolicySettings()
                settings.attributes = [
                    .init("displayName", isRequired: true), .init("surname", isRequired: true), .init("city"),
                ]
                $0.settings[Self.susi] = settings
            } _: { fixture in
                let browser = fixture.browser
                try await signUp(fixture)
                try await marksRequiredFields(browser)
                try await hasPatternsOfEmulator(browser)
                let audit = try #require(fixture.emulator).site.audit
                let before = audit.latest(1)
                try await browser.fill("#email", with: "dora")
                try await browser.fill("#newPassword", with: "alllowercase")
                try await browser.fill("#reenterPassword", with: "alllower")
                try await browser.fill("#displayName", with: "Dora")
                try await browser.click("#continue")
                try await browser.waitForTitle("Error: Sign up")
                try await showsErrorsBesideFields(browser)
                // Nothing was sent: the browser found the errors, and the typed text is kept.
                #expect(audit.latest(1) == before)
                #expect(try await browser.attribute("value", of: "#newPassword") == "alllowercase")
                try await browser.inspect("found-by-the-browser")
                // A corrected field loses its error at once.
                try await browser.fill("#email", with: BrowserFixture.ana.signInName)
                #expect(try await browser.attribute("aria-invalid", of: "#email") == nil)
                #expect(try await browser.execute("return document.querySelector('#email-error')") == .null)
                try await sendsTakenName(browser)
                // Cancel works with empty fields.
                try await browser.click("#cancel")
                try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?error=access_denied") }
            }
        }

        private func marksRequiredFields(_ browser: Browser) async throws {
            #expect(try await browser.text(".legend") == "Fields marked * are required.")
            let mark = "return getComputedStyle(document.querySelector(arguments[0]), '::after').content"
            #expect(try await browser.execute(mark, ["label[for=displayName]"]).string.contains("*"))
            #expect(try await browser.execute(mark, ["label[for=city]"]) == "none")
            #expect(try await browser.text("label[for=city]") == "City (optional)")
            // Screen readers announce the field as required and do not read the mark.
            #expect(try await browser.execute("return document.querySelector('#displayName').required") == true)
            #expect(try await browser.execute("return document.querySelector('#city').required") == false)
            #expect(try await browser.accessibleName(ofID: "displayName") == "Display name")
        }

        // The browser's patterns accept exactly what the emulator accepts.
        private func hasPatternsOfEmulator(_ browser: Browser) async throws {
            let script = """
                const field = Object.assign(document.createElement('input'), {pattern: arguments[0]});
                return arguments[1].map(text => (field.value = text, !field.validity.patternMismatch));
                """
            let rules: [(FieldRule, (String) -> Bool)] = [
                (.newPassword, { passwordProblem($0) != .passwordClasses }), (.email, isEmailAddress),
                (.phone, { phoneNumber($0) != nil }),
            ]
            let all = [
                "alllowercase", "ALLUPPER123", "Secret-7-lamps", "secret-7-lamps", "SECRET-7", "Geheim Über 1",
                "パスワード-Ab", "パスワード１２３", "a@b.example", "a@b", "a@@b.example", "a@.example", "a b@c.example",
                "döra@b.example", "<a@b.example", "\"a\"@b.example", "a@b..example", "+49 30 901820",
                "+49 (30) 90-18.20", "030 901820", "+0 30 901820", "+1234567", "+123456", "+1234567890123456",
                "+49 30 90182x", "+",
            ]
            for (rule, isRight) in rules {
                let pattern = try #require(rule.pattern)
                let texts = all.filter { passwordProblem($0) != .passwordLength || rule.lengths == nil }
                let found = try await browser.execute(script, [.string(pattern), .array(texts.map(JSONValue.string))])
                for (text, accepts) in zip(texts, found.elements) {
                    #expect(accepts == .bool(isRight(text)), "\(text) for \(pattern)")
                }
                #expect(found.elements.count == texts.count)
            }
        }

        private func showsErrorsBesideFields(_ browser: Browser) async throws {
            for (field, words) in [
                ("email", "Please enter a valid email address."),
                ("newPassword", "The password must contain at least three of these"),
                ("reenterPassword", "The passwords do not match."), ("surname", "This information is required."),
            ] {
                #expect(try await browser.text("#\(field)-error").hasPrefix(words), "\(field)")
                #expect(try await browser.attribute("aria-invalid", of: "#\(field)") == "true")
                let described = try await browser.attribute("aria-describedby", of: "#\(field)")
                #expect(described?.contains("\(field)-error") == true)
            }
            #expect(try await browser.attribute("aria-invalid", of: "#displayName") == nil)
            // The first invalid field has the focus.
            #expect(try await browser.activeElementID == "email")
        }

        // The passwords are valid, but a page never repeats them.
        private func sendsTakenName(_ browser: Browser) async throws {
            for field in ["newPassword", "reenterPassword"] {
                try await browser.fill("#\(field)", with: "Secret-7-lamps")
            }
            try await browser.fill("#surname", with: "Second")
            try await browser.click("#continue")
            #expect(try await browser.text("#email-error").contains("already exists"))
            #expect(try await browser.activeElementID == "email")
            #expect(try await browser.attribute("value", of: "#displayName") == "Dora")
            #expect(try await browser.attribute("value", of: "#newPassword") == "")
            #expect(try await browser.text("#newPassword-note").hasPrefix("Enter the password again"))
            let described = try await browser.attribute("aria-describedby", of: "#newPassword")
            #expect(described?.contains("newPassword-note") == true)
            try await browser.inspect("sign-up-taken")
        }

        @Test func survivesTwoClicksAndGoingBack() async throws {
            try await withFixture {
                var settings = PolicySettings()
                settings.verifiesEmail = true
                $0.settings[Self.susi] = settings
            } _: { fixture in
                let (browser, running) = (fixture.browser, try #require(fixture.emulator))
                try await browser.navigate(to: PageTests.address("B2C_1_susi", fixture))
                try await browser.fill("#email", with: BrowserFixture.ana.signInName)
                try await browser.fill("#password", with: "not it")
                // The first response is delayed, so the page is still there for a second click.
                running.faults.add(Fault(.delay(milliseconds: 2_000), at: .page, count: 1))
                try await browser.execute(
                    "const next = document.querySelector('#next'); next.click(); setTimeout(() => next.click(), 500)")
                try await browser.waitForTitle("Error: Sign in")
                let sent = running.site.audit.latest(100).filter { $0.method == "POST" }
                #expect(sent.count == 1)

                try await browser.click("#createAccount")
                try await browser.fill("#email", with: "dora@contoso.example")
                try await browser.press(.enter)
                try await browser.waitForTitle("Verification code")
                try await paste(fixture.code(to: "dora@contoso.example"), into: "#emailVerificationCode", browser)
                try await browser.press(.enter)
                try await browser.waitForTitle("Sign up")
                // The previous page is the response to a form, but no browser asks whether to send the form again.
                try await browser.goBack()
                try await browser.waitForTitle("Verification code")
                // A code is valid once. The page says so and offers a new start.
                try await browser.fill("#emailVerificationCode", with: "000000")
                try await browser.press(.enter)
                try await browser.waitForTitle("Error: This page has expired")
                try await browser.click("#again")
                try await browser.waitForTitle("Sign in")
            }
        }

        // Pastes as a person does, with an event that the page can handle.
        private func paste(_ text: String, into css: String, _ browser: Browser) async throws {
            try await browser.execute(
                """
                const field = document.querySelector(arguments[0]);
                const copied = new DataTransfer();
                copied.setData('text/plain', arguments[1]);
                field.focus();
                const isAllowed = field.dispatchEvent(
                  new ClipboardEvent('paste', {clipboardData: copied, bubbles: true, cancelable: true}));
                if (isAllowed) document.execCommand('insertText', false, arguments[1]);
                """, [.string(css), .string(text)])
            #expect(try await browser.execute("return document.activeElement.value").string == text)
        }

        @Test func worksWithoutScripts() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await supportsMediaFeatures(fixture)
                try await browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
                try await browser.navigate(to: PageTests.address("B2C_1_susi", fixture) + "&prompt=login")
                #expect(try await browser.find(".reveal").attribute("hidden") != nil)
                try await fixture.enter(BrowserFixture.ana, password: "not it")
                try await browser.waitForTitle("Error: Sign in")
                try await browser.click("#createAccount")
                try await browser.waitForTitle("Sign up")
                // Without scripts, the browser itself rejects missing values and lets a person cancel.
                try await browser.click("#continue")
                #expect(try await browser.title == "Sign up")
                try await browser.click("#cancel")
                try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?error=access_denied") }
                try await browser.navigate(to: fixture.origin + "/")
                #expect(try await browser.text("#live-state") == "Reload to update")
                #expect(try await browser.find("button.copy").attribute("hidden") != nil)
                try await browser.navigate(to: PageTests.address("B2C_1_susi", fixture) + "&response_mode=form_post")
                try await fixture.enter(BrowserFixture.ana)
                try await browser.waitForTitle("Back to your application")
                #expect(try await browser.activeElementID == "continue")
            }
        }

        private func supportsMediaFeatures(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            let kinds: [JSONValue] = [
                ["features": [["name": "forced-colors", "value": "active"]]],
                ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]], ["media": "print"],
            ]
            for kind in kinds {
                try await browser.devTools("Emulation.setEmulatedMedia", kind)
                try await signUp(fixture)
                for address in [try await browser.currentURL, fixture.origin + "/"] {
                    try await browser.navigate(to: address)
                    #expect(try await browser.complaints(Accessibility.reflow) == [])
                }
            }
            // A printed page shows no buttons.
            let seen = "return [...document.querySelectorAll('button')].filter(one => one.checkVisibility()).length"
            #expect(try await browser.execute(seen) == 0)
            try await browser.devTools("Emulation.setEmulatedMedia", ["media": ""])
        }
    }
}
