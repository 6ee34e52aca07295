import SusiTestSupport
import Testing

extension Pages {
    /// The accessibility checker, on a correct page with one rule broken at a time.
    @Suite struct AccessibilityTests {
        /// A rule, and a script that breaks it.
        private static let breakages: [(rule: String, script: String)] = [
            ("html-has-lang", "document.documentElement.removeAttribute('lang')"),
            ("html-has-lang", "document.documentElement.lang = 'no language'"),
            ("document-title", "document.title = ' '"),
            ("page-has-heading-one", "one('h1').remove()"),
            ("page-has-heading-one", "one('main').append(one('h1').cloneNode(true))"),
            ("heading-order", "one('main').append(make('h4', 'Deep'))"),
            ("empty-heading", "one('main').append(make('h2', ''))"),
            ("landmark-one-main", "one('main').replaceWith(make('div', 'x'))"),
            ("landmark-no-duplicate-banner", "document.body.append(make('header', 'Again'))"),
            ("region", "document.body.append(make('p', 'Stray'))"),
            ("duplicate-id", "one('#givenName').id = 'surname'"),
            ("aria-valid-attr-value", "one('#email').setAttribute('aria-describedby', 'gone')"),
            ("listitem", "one('main').append(make('li', 'x'))"),
            ("list", "one('main').append(make('ul', '')); one('ul').append(make('p', 'x'))"),
            ("scope-attr-valid", "one('main').append(make('th', 'x'))"),
            ("svg-img-alt", "one('main').append(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))"),
            ("image-alt", "one('main').append(make('img', ''))"),
            (
                "valid-lang",
                "document.documentElement.lang = 'de'; const p = make('p', 'AADB2C90006: x'); p.role = 'alert'; one('main').append(p)"
            ),
            ("meta-viewport", "one('meta[name=viewport]').remove()"),
            ("meta-viewport", "one('meta[name=viewport]').content += ', maximum-scale=1'"),
            ("label", "one('label[for=email]').remove()"),
            ("label", "one('label[for=email]').textContent = ''"),
            ("autocomplete-valid", "one('#email').autocomplete = 'adress'"),
            ("autocomplete-purpose", "one('#newPassword').autocomplete = 'off'"),
            ("password-username", "one('#email').remove()"),
            ("error-described", "one('#newPassword').removeAttribute('aria-describedby')"),
            ("error-announced", "one('#newPassword-error').removeAttribute('role')"),
            ("error-invalid", "one('#givenName').removeAttribute('aria-invalid')"),
            ("error-focus", "one('#email').focus()"),
            ("error-focus", "const p = make('p', 'Wrong'); p.className = 'alert'; one('form').prepend(p)"),
            ("color-contrast", "one('h1').style.color = '#999'"),
            ("color-contrast", "one('.hint').style.color = '#8a8a8a'"),
            ("non-text-contrast", "one('#email').style.borderColor = '#ddd'"),
            ("target-size", "Object.assign(one('#cancel').style, {minHeight: 0, padding: 0})"),
            ("target-size", "const a = make('a', 'x'); a.href = '/'; a.style.fontSize = '8px'; one('main').append(a)"),
            ("reduced-motion", "one('h1').animate([{opacity: 0}, {opacity: 1}], {duration: 1e6})"),
            ("button-name", "one('#continue').textContent = ' '"),
            ("link-name", "const a = make('a', ''); a.href = '/'; one('main').append(a)"),
            ("tabindex", "one('#surname').tabIndex = 3"),
            ("focus-order", "Object.assign(one('form').style, {display: 'flex', flexDirection: 'column-reverse'})"),
            ("focus-visible", "one('#continue').style.outline = 'none'"),
            ("focus-visible", "one('#continue').style.outlineColor = '#eee'"),
        ]

        private static let start = """
            const one = css => document.querySelector(css);
            const make = (tag, text) => Object.assign(document.createElement(tag), {textContent: text});

            """

        // Scripts that save the page, and restore it with its focus.
        private static let save = "window.saved = document.documentElement.cloneNode(true)"
        private static let restore = """
            document.replaceChild(window.saved.cloneNode(true), document.documentElement);
            document.querySelector('[aria-invalid]').focus()
            """

        @Test func detectsEachBrokenRule() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: PageTests.address("B2C_1_susi", fixture))
                try await browser.click("#createAccount")
                try await browser.fill("#email", with: "dora@contoso.example")
                try await browser.click("#continue")
                try await browser.waitForTitle("Error: Sign up")
                try await browser.execute(Self.save)
                #expect(try await browser.complaints(Accessibility.script) == [])
                for (rule, script) in Self.breakages {
                    try await browser.execute(Self.start + script)
                    let found = try await browser.complaints(Accessibility.script)
                    #expect(found.contains { $0.hasPrefix("\(rule): ") }, "\(script): \(found)")
                    try await browser.execute(Self.restore)
                }
                #expect(try await browser.complaints(Accessibility.script) == [])
                #expect(try await browser.reflowComplaints() == [])
                try await browser.prefer(.dark)
                #expect(try await browser.execute("return matchMedia('(prefers-color-scheme: dark)').matches") == true)
                try await browser.execute("document.querySelector('#email').style.minWidth = '330px'")
                let narrow = try await browser.reflowComplaints()
                #expect(narrow.contains { $0.hasPrefix("320: reflow") } && narrow.allSatisfy { $0.hasPrefix("320: ") })
            }
        }
    }
}
