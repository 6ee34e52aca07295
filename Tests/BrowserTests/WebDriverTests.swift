import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// The WebDriver client, tested on its own pages.
@Suite(.browser, .serialized)
struct WebDriverTests {
    @Test func fillsInFormAndWaits() async throws {
        try await withPages { first, second in
            try await withBrowser { browser in
                try await browser.navigate(to: first)
                #expect(try await browser.title == "First")
                try await browser.fill("#name", with: "Ana & Ben")
                #expect(try await browser.activeElementID == "name")
                try await browser.press(.tab)
                #expect(try await browser.activeElementID == "send")
                #expect(try await browser.attribute("value", of: "#name") == "Ana & Ben")
                #expect(try await browser.attribute("title", of: "#name") == nil)
                try await browser.press(.enter)
                let url = try await browser.waitForURL { $0.contains("second.html") }
                #expect(url == second + "?name=Ana+%26+Ben")
                #expect(try await browser.text("h1") == "Arrived")
                #expect(try await browser.has("#name") == false)
                #expect(try await browser.screenshot("webdriver").starts(with: [0x89, 0x50, 0x4E, 0x47]))

                let script = "setTimeout(() => document.body.innerHTML = '<p id=late>here</p>', 300)"
                try await browser.navigate(to: "data:text/html,<body><script>\(script)</script>")
                #expect(try await browser.text("#late") == "here")
                let error = await #expect(throws: WebDriverError.self) {
                    try await browser.navigate(to: "not an address")
                }
                #expect(error?.code == "invalid argument")
                await #expect(throws: WebDriverError.self) {
                    try await browser.waitForURL(limit: .milliseconds(300)) { $0 == "never" }
                }
            }
        }
    }

    @Test func keepsColorSchemeAndWidth() async throws {
        try await withPages { first, second in
            try await withBrowser { browser in
                let seen = "return [matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]"
                for (isDark, width) in [(true, 390), (false, nil)] as [(Bool, Int?)] {
                    try await browser.prefer(isDark ? .dark : .light)
                    try await browser.setWidth(width)
                    for page in [first, "data:text/html,<p>between</p>", second] {
                        try await browser.navigate(to: page)
                        let found = try await browser.execute(seen)
                        #expect(found[0] == .bool(isDark), "\(page)")
                        #expect((found[1] == 390) == (width == 390), "\(page)")
                    }
                }
            }
        }
    }

    private func withPages(_ body: (_ first: String, _ second: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let style = "<meta name=viewport content='width=device-width'><style>body{font:18px sans-serif}</style>"
            let first = """
                <!doctype html><title>First</title>\(style)<form action=second.html>
                <label>Name <input id=name name=name></label> <button id=send>Send</button></form>
                """
            let second = "<!doctype html><title>Second</title>\(style)<h1>Arrived</h1>"
            for (name, text) in [("first", first), ("second", second)] {
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).html"))
            }
            try await body("file://\(folder)/first.html", "file://\(folder)/second.html")
        }
    }
}
