import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Localized texts", .inTurn, .timeLimit(.minutes(5)))
struct LocalizedTextTests {
    @Test("every text has letters and the placeholders of the English text", arguments: Language.allCases)
    func hasEveryText(language: Language) {
        for text in LocalizedText.allCases {
            let translated = language[text]
            #expect(placeholders(translated) == placeholders(text.english), "\(text)")
            #expect(translated.trimmed == translated, "\(text)")
            #expect(translated.replacing(#/\{\d\}/#, with: "").contains { $0.isLetter }, "\(text)")
        }
    }

    @Test("a text is the same as in English only where both languages have the same words")
    func translatesEveryText() {
        let same: Set<LocalizedText> = [.code, .application, .errorTitle, .optional]
        for language in Language.allCases where language != .english {
            let copied = LocalizedText.allCases.filter { language[$0] == $0.english && !same.contains($0) }
            #expect(copied.isEmpty, "\(language)")
        }
    }

    @Test("replaces each placeholder once, not those in a value")
    func replacesPlaceholdersOnce() {
        let words = Words(language: .english)
        #expect(words[.tenantAndPolicies, "{1}", "{0}"] == "The tenant is {1}; its policies are {0}.")
        #expect(words[.toContinueWith, "a{b"] == "to continue with a{b")
    }

    @Test(
        "prefers ui_locales, then Accept-Language with its weights, then English",
        arguments: [
            (nil, nil, Language.english), ("de-AT", nil, .german), ("xx DE", "en", .german), ("xx", "de", .german),
            ("", "de", .german), ("fr", nil, .english), (nil, "fr-CH, fr;q=0.9, de;q=0.8, en;q=0.7", .german),
            (nil, "en;q=0.5, de;q=0.9", .german), (nil, "de;q=0, *", .english), (nil, "en;q=0, *;q=0.1", .german),
            (nil, "xx, de;q=0.1", .german), (nil, "en;q=2, xx;q=nan, de;q=0.1", .german),
            (nil, "de;q=0.5, en;q=0.5", .german), (nil, "zz", .english), (nil, ";q=1,,", .english),
            ("deu d", "en-GB", .english),
        ] as [(String?, String?, Language)])
    func choosesLanguage(uiLocales: String?, accepted: String?, expected: Language) {
        #expect(Language(uiLocales: uiLocales, accepted: accepted) == expected)
    }

    @Test("every page has texts of its language only and declares the language")
    func showsPagesInTheirLanguage() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.external, Kinds.entra, Kinds.openid]) { fixture in
            let shown = try await everyPage(fixture, .german)
            #expect(shown.count >= 20)
            expect(shown, toHaveOnly: .german)
        }
    }

    @Test("the pages of a policy's settings have texts of their language only")
    func showsPagesOfSettingsInTheirLanguage() async throws {
        try await withFixture { configuration in
            configuration.change {
                $0.identityProviders = [.local, .social]
                $0.identifier = .either
                $0.attributes = ["city", "country", "jobTitle"].map { .init($0, isRequired: true) }
                $0.verifiesEmail = true
                $0.forgottenPassword = .inline
                $0.multiFactor = .always
                $0.session.keepSeconds = 60
            }
            configuration.change("B2C_1_edit_profile") { $0.multiFactor = .totp }
            configuration.add(0, userName: "gus") { $0.mustResetPassword = true }
        } _: { fixture in
            let shown = try await codePages(fixture, .german) + socialPages(fixture, .german)
            #expect(shown.count >= 12)
            for (name, page) in shown { #expect(page.status == 200, "\(name): \(page.text)") }
            expect(shown, toHaveOnly: .german)
        }
    }

    private func expect(_ shown: [(String, Received)], toHaveOnly language: Language) {
        let (known, words) = (KnownTexts(language), Words(language: language))
        for (name, page) in shown {
            #expect(page.text.contains("<html lang=\"\(language.rawValue)\" dir=\"ltr\">"), "\(name)")
            let texts = texts(page.text)
            // Every page says that it is not the real service.
            #expect(texts.contains(words[.emulator]) && texts.contains(words[.emulatorNote]), "\(name)")
            for text in texts { #expect(known.contains(text), "\(name) in \(language): “\(text)”") }
        }
    }

    @Test("shows the developer's pages in English, whatever the browser prefers")
    func showsDeveloperPagesInEnglish() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let german = [("Accept-Language", "de"), ("Accept", "text/html")]
            let user = "/user?tenant=contoso.onmicrosoft.com"
            for path in ["/", "/?ui_locales=de", "/decode", "/decode?error=access_denied", "/run?place=x", user] {
                let page = try await browser.get(path, german)
                #expect(page.text.contains("<html lang=\"en\" dir=\"ltr\">"), "\(path)")
                #expect(!page.text.contains("lang=\"de\"") && page.text.contains("Local emulator"), "\(path)")
            }
            // Unlike these pages, the page for an unknown address is translated.
            let missing = try await browser.get("/nowhere", german)
            #expect(missing.text.contains("<html lang=\"de\"") && missing.text.contains("Dieser Emulator bietet:"))
        }
    }

    @Test("uses the browser's language by default, keeps it for the transaction, and shows English for an unknown one")
    func usesLanguageOfBrowser() async throws {
        try await withFixture { fixture, browser in
            let page = try await browser.get(fixture.authorize(), [("Accept-Language", "xx, de-AT;q=0.9, en;q=0.5")])
            #expect(page.text.contains("<html lang=\"de\""))
            // The next request prefers another language, but the transaction keeps the first one.
            let signUp = try await browser.get(page.link("createAccount"), [("Accept-Language", "en")])
            #expect(signUp.text.contains("Konto erstellen"))
            let other = try await fixture.browser().get(
                fixture.authorize(), [("Accept-Language", "fr-CH, fr;q=0.9, ja;q=0.5")])
            #expect(other.text.contains("<html lang=\"en\"") && other.text.contains("Sign in"))
        }
    }

    // MARK: Every page

    private func everyPage(_ fixture: EmulatorFixture, _ language: Language) async throws -> [(String, Received)] {
        let asked: [String: String?] = ["ui_locales": "xx \(language.rawValue)-AT"]
        var shown: [(String, Received)] = []
        let browser = fixture.browser()
        let signIn = try await browser.get(fixture.authorize(asked))
        shown.append(("sign-in", signIn))
        shown.append(("wrong", try await browser.submit(signIn, ["signInName": "unknown@x.example"])))
        let signUp = try await browser.get(signIn.link("createAccount"))
        shown.append(("sign-up", signUp))
        for (name, filled) in [
            ("empty", ["email": "x"]), ("taken", Self.complete),
            ("long", ["surname": String(repeating: "x", count: 129)]),
            ("classes", ["newPassword": "alllowercase"]), ("differ", ["newPassword": "Good-enough-1"]),
        ] { shown.append(("sign-up \(name)", try await browser.submit(signUp, filled))) }
        shown += try await otherPolicies(fixture, asked)
        shown += try await otherKinds(fixture, asked, language)
        shown += try await errors(fixture, asked, language)
        return shown
    }

    private static let complete = [
        "email": "ana@contoso.example", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
        "displayName": "A", "givenName": "B", "surname": "C",
    ]

    private func otherPolicies(_ fixture: EmulatorFixture, _ asked: [String: String?]) async throws -> [(
        String, Received
    )] {
        let browser = fixture.browser()
        let reset = try await browser.get(fixture.authorize("B2C_1_reset", asked))
        let unknown = try await browser.submit(reset, ["email": "unknown@x.example"])
        let password = try await browser.submit(reset, ["email": "ana@contoso.example"])
        let short = try await browser.submit(password, ["newPassword": "short"])
        let before = try await browser.get(fixture.authorize("B2C_1_edit_profile", asked))
        let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile", asked)
        let empty = try await browser.submit(profile, ["surname": ""])
        let post = try await browser.get(fixture.authorize(asked.merging(["response_mode": "form_post"]) { $1 }))
        return [
            ("reset", reset), ("reset unknown", unknown), ("new password", password), ("short", short),
            ("sign-in for the profile", before), ("profile", profile), ("profile empty", empty), ("form post", post),
        ]
    }

    private func otherKinds(
        _ fixture: EmulatorFixture, _ asked: [String: String?], _ language: Language
    ) async throws -> [(String, Received)] {
        let browser = fixture.browser()
        let plain = try await Door(fixture, "/login")
        let signIn = try await browser.get(try plain.authorize("openid", asked))
        let door = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
        let consent = try await door.signIn(
            browser, "openid \(Kinds.scope)", asked.merging(["prompt": "login consent"]) { $1 })
        let device =
            "\(fixture.emulator.origin)/tailspin.onmicrosoft.com/oauth2/deviceauth?ui_locales=\(language.rawValue)"
        let code = try await browser.get(device)
        let unknown = try await browser.get(device + "&user_code=BCDFGHJK")
        // The browser signed in above, so the page asks at once whether to sign in on the device.
        let question = try await browser.get(try await waiting(door, device))
        let done = try await browser.submit(question, [:])
        let declined = try await browser.submit(try await browser.get(try await waiting(door, device)), ["cancel": "1"])
        return [
            ("plain sign-in", signIn), ("consent", consent), ("device", code), ("device unknown", unknown),
            ("device question", question), ("device done", done), ("device declined", declined),
        ]
    }

    /// Returns the address of the page for a waiting device.
    private func waiting(_ door: Door, _ page: String) async throws -> String {
        let begun = try await door.fixture.browser().post(
            try door.endpoint("device_authorization_endpoint"),
            ["client_id": EmulatorFixture.client, "scope": "openid"])
        return "\(page)&user_code=\(try #require(try begun.json["user_code"]?.string))"
    }

    private func errors(
        _ fixture: EmulatorFixture, _ asked: [String: String?], _ language: Language
    ) async throws -> [(String, Received)] {
        let browser = fixture.browser()
        let policy = "\(fixture.tenant)/B2C_1_susi"
        let spoken = "ui_locales=\(language.rawValue)"
        let forged = try await browser.get(fixture.authorize(asked))
        return [
            ("ended", try await browser.get("\(policy)/page/sign-up?transaction=gone&\(spoken)")),
            (
                "forged",
                try await fixture.browser().post((try forged.form().action) + "?\(spoken)", try forged.form().fields)
            ),
            (
                "refused",
                try await browser.get(fixture.authorize(asked.merging(["client_id": "unknown"]) { $1 }))
            ),
            ("not found", try await browser.get("\(policy)/none?\(spoken)", [("Accept", "text/html")])),
            ("signed out", try await browser.get("\(policy)/oauth2/v2.0/logout?\(spoken)")),
            (
                "not redirected",
                try await browser.get("\(policy)/oauth2/v2.0/logout?\(spoken)&post_logout_redirect_uri=x:y")
            ),
        ]
    }

    private func codePages(_ fixture: EmulatorFixture, _ language: Language) async throws -> [(String, Received)] {
        let browser = fixture.browser()
        let signIn = try await browser.get(fixture.authorize(["ui_locales": language.rawValue]))
        let signUp = try await browser.get(signIn.link("createAccount"))
        let sent = try await browser.submit(signUp, ["email": "dora@contoso.example"])
        let wrong = try await browser.submit(sent, ["emailVerificationCode": try fixture.wrongCode()])
        let code = try fixture.code(to: "dora@contoso.example", for: .verifyEmail)
        let details = try await browser.submit(wrong, ["emailVerificationCode": code])
        let empty = try await browser.submit(details, [:])
        let reset = try await browser.get(signIn.link("forgotPassword"))
        let resetSent = try await browser.submit(reset, ["email": "ana@contoso.example"])
        let expired = try await browser.submit(
            signIn, ["signInName": "gus", "password": User.usualPassword])
        let new = ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"]
        let factor = try await browser.submit(expired, new)
        let number = try await browser.submit(factor, ["number": "1"])
        let factorSent = try await browser.submit(number, ["number": "+49 30 901820"])
        let app = try await fixture.signIn(browser, policy: "B2C_1_edit_profile", ["ui_locales": language.rawValue])
        let appWrong = try await browser.submit(app, ["otpCode": "none"])
        return [
            ("app", app), ("app code wrong", appWrong), ("sign-in", signIn), ("address", signUp), ("code", sent),
            ("code wrong", wrong), ("details", details),
            ("details empty", empty), ("reset", reset), ("reset code", resetSent), ("expired", expired),
            ("factor", factor), ("number wrong", number), ("factor code", factorSent),
        ]
    }

    private func socialPages(_ fixture: EmulatorFixture, _ language: Language) async throws -> [(String, Received)] {
        let browser = fixture.browser()
        let signIn = try await browser.get(fixture.authorize(["ui_locales": language.rawValue]))
        let social = try await browser.get(signIn.link("SocialExchange"))
        let wrong = try await browser.submit(social, ["email": "x"])
        return [("social", social), ("social wrong", wrong)]
    }

    // MARK: Texts

    private func placeholders(_ text: String) -> [String] { text.matches(of: #/\{\d\}/#).map { String($0.0) }.sorted() }

    private func texts(_ page: String) -> [String] {
        let own = page.replacing(#/(?s)<script>.*?<\/script>/#, with: "")
            .replacing(#/<(style|code|bdi)[^>]*>[^<]*<\/(style|code|bdi)>/#, with: "")
            .replacing(#/(?s)<p class="[^"]*" lang="en"[^>]*>.*?<\/p>/#, with: "")
            .replacing(#/(?s)<p class="code"[^>]*>.*?<\/p>/#, with: "")
        let said =
            "aria-label|placeholder|title|alt|data-(?:error-title|missing|wrong|length|differs|show|hide|show-name|hide-name|name|pause|resume|running|paused|copied|copy-failed)"
        let named = try? Regex(" (?:\(said))=\"([^\"]*)\"", as: (Substring, Substring).self)
        let labels = named.map { own.matches(of: $0).map { String($0.output.1) } } ?? []
        let nodes = own.split(separator: #/<[^>]*>/#).map(String.init)
        return (nodes + labels).map(\.trimmed).filter { !$0.isEmpty }.map {
            $0.replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
        }
    }
}

/// The texts of a language. The parts of a text with placeholders are found in their order.
private struct KnownTexts {
    private let whole: Set<String>
    private let parts: [[Substring]]

    init(_ language: Language) {
        let all = LocalizedText.allCases.map {
            language[$0].split(separator: #/\{\d\}/#, omittingEmptySubsequences: false)
        }
        whole = Set(all.filter { $0.count == 1 }.map { String($0[0]) })
        parts = all.filter { $0.count > 1 }
    }

    func contains(_ text: String) -> Bool {
        whole.contains(text)
            || parts.contains { parts in
                guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else { return false }
                var rest = text[...]
                return parts.allSatisfy { part in
                    guard !part.isEmpty else { return true }
                    guard let found = rest.firstRange(of: part) else { return false }
                    rest = rest[found.upperBound...]
                    return true
                }
            }
    }
}
