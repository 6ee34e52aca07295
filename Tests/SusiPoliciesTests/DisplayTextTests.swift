import SusiBase
import SusiPolicies
import Testing

/// Text of others on terminals and pages.
@Suite("Display text")
struct DisplayTextTests {
    @Test(
        "characters with an effect are written as their numbers, all others are kept",
        arguments: [
            ("", ""), (" ~aZ", " ~aZ"), ("\u{1b}[1m", "\\u{1b}[1m"), ("a\nb\tc", "a\\u{a}b\\u{9}c"),
            ("\u{7f}", "\\u{7f}"),
            ("\u{1f}\u{80}", "\\u{1f}\\u{80}"), ("é日本👩‍👧", "é日本👩‍👧"), ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{e000}", "\\u{e000}"),
        ])
    func escapesEffects(text: String, shown: String) {
        #expect(DisplayText.safe(text) == shown)
        #expect(DisplayText.isHarmless(text) == (text == shown))
    }

    @Test func keepsLinesIfAsked() {
        #expect(DisplayText.safe("a\nb\r", keepingLines: true) == "a\nb\\u{d}")
    }
}
