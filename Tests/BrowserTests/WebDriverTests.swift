import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// The WebDriver client, tested on its own pages.
@Suite(.browser, .serialized)
struct WebDriverTests {
    @Test(arguments: [Chromium.Size.desktop, .phone])
    func fillsInForm(size: Chromium.Size) async throws {
        try await withPages { first, second in
            try await withBrowser(size: size) { browser in
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
                let width = try await browser.execute("return window.innerWidth")
                #expect((width == 390) == (size == .phone), "\(width)")
                let picture = try await browser.screenshot("webdriver-\(size)")
                #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
        }
    }

    @Test(arguments: [Chromium.ColorScheme.light, .dark])
    func keepsColorScheme(scheme: Chromium.ColorScheme) async throws {
        try await withPages { first, second in
            try await withBrowser(colorScheme: scheme) { browser in
                for page in [first, "data:text/html,<p>between</p>", second] {
                    try await browser.navigate(to: page)
                    let dark = try await browser.execute("return matchMedia('(prefers-color-scheme: dark)').matches")
                    #expect(dark == .bool(scheme == .dark), "\(page)")
                }
            }
        }
    }

    @Test func waitsForElement() async throws {
        try await withBrowser { browser in
            let script = "setTimeout(() => document.body.innerHTML = '<p id=late>here</p>', 300)"
            try await browser.navigate(to: "data:text/html,<body><script>\(script)</script>")
            #expect(try await browser.text("#late") == "here")
        }
    }

    @Test func reportsTextOfDriver() async throws {
        try await withBrowser { browser in
            let error = await #expect(throws: WebDriverError.self) {
                try await browser.navigate(to: "not an address")
            }
            #expect(error?.code == "invalid argument")
            await #expect(throws: WebDriverError.self) {
                try await browser.waitForURL(limit: .milliseconds(300)) { $0 == "never" }
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
