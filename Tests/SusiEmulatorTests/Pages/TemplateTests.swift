import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Page templates", .inTurn, .timeLimit(.minutes(5)))
struct TemplateTests {
    private static let policy = PolicyName("B2C_1_susi")
    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Contoso</title><style>h1 { color: teal }</style>
        <script src="https://evil.example/steal.js"></script></head>
        <body class="a"><header>Contoso Travel</header><div class="x" ID='api' data-name="Unified"> </div></body></html>
        """

    private func withTemplate(_ text: String, _ body: (EmulatorFixture, FilePath) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("page.html")
            try text.write(toFile: path.string, atomically: true, encoding: .utf8)
            try await withFixture { configuration in
                var settings = configuration.settings(of: Self.policy)
                settings.template = path
                configuration.settings[Self.policy] = settings
            } _: { fixture in
                try await body(fixture, path)
            }
        }
    }

    @Test("inserts the form and the warning, and allows no scripts")
    func insertsForm() async throws {
        try await withTemplate(Self.page) { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize(["ui_locales": "de"]))
            #expect(page.text.contains("<header>Contoso Travel</header>"))
            #expect(page.text.contains(#/ID='api' data-name="Unified">\s*<div lang="de" dir="ltr"><h1>Anmelden/#))
            #expect(page.text.contains(#/<body class="a">\s*<p role="note" lang="de" dir="ltr"/#))
            #expect(page.text.contains("Keine echte Anmeldung"))
            let policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; "))
            #expect(!policy.contains("script-src") && policy.contains("frame-ancestors 'none'"))
            // The form works, and other policies look as usual.
            let done = try await browser.submit(page, EmulatorFixture.answers)
            #expect(try done.redirect["code"] != nil)
            let other = try await browser.get(fixture.authorize("B2C_1_reset"))
            #expect(!other.text.contains("Contoso Travel"))
        }
    }

    @Test("shows a changed file at once, and an error for a malformed one")
    func readsTemplateAgain() async throws {
        try await withTemplate(Self.page) { fixture, path in
            let browser = fixture.browser()
            try path.write(Self.page.replacing("Contoso Travel", with: "Fabrikam"))
            #expect(try await browser.get(fixture.authorize()).text.contains("Fabrikam"))
            try "<p>".write(toFile: path.string, atomically: true, encoding: .utf8)
            let spoilt = try await browser.get(fixture.authorize()).expecting(500)
            #expect(spoilt.text.contains("the file has no empty element &lt;div id=&quot;api&quot;&gt;"))
        }
    }

    @Test("refuses an unusable template at the start, with the reason")
    func refusesUnusableTemplate() async throws {
        let error = await #expect(throws: EmulatorError.self) {
            try await withTemplate("<html><body></body></html>") { _, _ in }
        }
        #expect(error?.description.contains("no empty element") == true, "\(error as Any)")
        #expect(error?.description.contains("policy B2C_1_susi") == true)
        for text in [
            "<div id=\"apis\"></div><div data-id=\"api\"></div>", "<div id=\"api\">not empty</div>", "\u{0}",
        ] { #expect(PageTemplate(text: text) == nil, "\(text)") }
    }

    @Test("refuses a file that is missing, too large or not text")
    func refusesUnreadableFile() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("page.html")
            #expect { try PageTemplate(path) } throws: { "\($0)".contains("the file does not exist or cannot be read") }
            let large = String(repeating: " ", count: PageTemplate.largest) + "<div id=\"api\"></div>"
            try large.write(toFile: path.string, atomically: true, encoding: .utf8)
            #expect { try PageTemplate(path) } throws: { "\($0)".contains("larger than 262144 bytes") }
            try Data([0xff, 0xfe]).write(to: URL(filePath: path.string))
            #expect { try PageTemplate(path) } throws: { "\($0)".contains("the file is not UTF-8") }
        }
    }

    @Test("ways to write the element", arguments: ["<div id=api></div>", "<DIV\nclass='b' id = \"API\" >\n</DIV >"])
    func findsElement(element: String) {
        #expect(PageTemplate(text: "<body>\(element)</body>") != nil)
    }
}
