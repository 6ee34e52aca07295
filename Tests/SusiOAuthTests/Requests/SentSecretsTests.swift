import Testing

@testable import SusiOAuth

/// Secrets in a server's texts: each usual spelling, whole or shortened.
@Suite("Sent secrets", .timeLimit(.minutes(5)))
struct SentSecretsTests {
    private static let password = #"p&w "<é/+%\'~!*()"#

    @Test(
        "each usual spelling is hidden",
        arguments: [
            password, "p%26w%20%22%3C%C3%A9%2F%2B%25%5C%27~%21%2A%28%29",
            "p%26w+%22%3c%c3%a9%2f%2b%25%5c%27%7e%21*%28%29", "p%26w%20%22%3C%C3%A9%2F%2B%25%5C'~!*()",
            "p%2526w%2520%2522%253C%25C3%25A9%252F%252B%2525%255C%2527~%2521%252A%2528%2529",
            #"p&w \"<é/+%\\'~!*()"#, #"p&w \"<é\/+%\\'~!*()"#, #"p&w \"<\u00e9\/+%\\'~!*()"#,
            #"p\u0026w \u0022\u003C\u00E9/\u002B%\\\u0027~!*()"#, #"p\u0026w \"\u003c\u00e9/+%\\\u0027~!*()"#,
            #"p&amp;w &quot;&lt;é/+%\&#39;~!*()"#, #"p&amp;w &quot;&lt;é/+%\&#x27;~!*()"#,
            #"&#112;&#38;&#119;&#32;&#34;&#60;&#233;&#47;&#43;&#37;&#92;&#39;&#126;&#33;&#42;&#40;&#41;"#,
            #"p&amp;w &quot;&lt;é/+%\&apos;~!*()"#,
            "cCZ3ICI8w6kvKyVcJ34hKigp", "IHAmdyAiPMOpLyslXCd-ISooKQ==", "ICBwJncgIjzDqS8rJVwnfiEqKCk=",
        ])
    func hidesSpelling(text: String) {
        let shown = SentSecrets(Self.password).hidden(in: "got \(text) here")
        #expect(shown.hasPrefix("got ") && shown.hasSuffix(" here") && shown.contains("[hidden]"), "\(shown)")
        // Two letters of base64 beside the secret also depend on the text beside it.
        #expect(shown.count <= "got [hidden] here".count + 6, "\(shown)")
    }

    @Test("a secret that is added later is hidden, too") func hidesAddedSecret() {
        var secrets = SentSecrets("swordfish")
        #expect(secrets.hidden(in: "swordfish marzipan") == "[hidden] marzipan")
        secrets.add(form: "grant_type=password&password=marzipan")
        #expect(secrets.hidden(in: "swordfish marzipan") == "[hidden] [hidden]")
    }

    @Test(
        "a shortened secret is hidden from six bytes on beside any mark, and from sixteen on everywhere",
        arguments: [
            ("got swordfish", "got [hidden]"), ("got swordf", "got [hidden]"), ("got sword", "got sword"),
            ("got swordf… here", "got [hidden]… here"), ("got swordfis... here", "got [hidden]... here"),
            ("got swordfis here", "got swordfis here"), ("swordfis", "[hidden]"), ("swordswordfish", "sword[hidden]"),
            ("no swordfisher", "no swordfisher"),
            ("got swordfish[truncated]", "got [hidden][truncated]"), ("got swordfish*** x", "got [hidden]*** x"),
            ("***rdfish-12 here", "***[hidden] here"), ("…fish-12 here", "…[hidden] here"), ("...h-12 x", "...h-12 x"),
            ("<fish-1> here", "<[hidden]> here"), ("a wordfish. Yes", "a wordfish. Yes"),
            ("wordfish_12 <wordfish_12 wordfish-1-2 x", "wordfish_12 <[hidden]_12 wordfish-1-2 x"),
            ("got \u{fffd}swordfi\u{fffd}", "got \u{fffd}[hidden]\u{fffd}"), ("got c3dvcmRma…", "got [hidden]…"),
            ("…vcmRmaXNoLTEy here", "…[hidden] here"), ("swordfish-12 swordfish-1…", "[hidden] [hidden]…"),
        ])
    func hidesPieces(text: String, expected: String) {
        #expect(SentSecrets("swordfish-12").hidden(in: text) == expected)
    }

    @Test("of a long secret, sixteen bytes in a row are hidden without a mark, too") func hidesLongPieces() {
        let secrets = SentSecrets("0123456789abcdefghijklmnopqrstuvwxyz")
        #expect(secrets.hidden(in: "a 56789abcdefghijk b") == "a [hidden] b")
        #expect(secrets.hidden(in: "a 56789abcdefghij b") == "a 56789abcdefghij b")
        #expect(secrets.hidden(in: "ax56789abcdefghijkxb") == "ax[hidden]xb")
    }

    @Test("a secret with an ellipsis, one that repeats itself, and one within another are hidden as a whole")
    func hidesOverlaps() {
        #expect(SentSecrets("abcdef...ghijkl").hidden(in: "x abcdef...ghijkl y") == "x [hidden] y")
        #expect(SentSecrets("abcabcabd").hidden(in: "abcabcabcabd!") == "abc[hidden]!")
        #expect(SentSecrets("abab").hidden(in: "xababab.ab") == "x[hidden].ab")
        #expect(SentSecrets("inner", "an inner one").hidden(in: "an inner one, inner") == "[hidden], [hidden]")
        #expect(SentSecrets("hidden").hidden(in: "it is hidden here") == "it is [hidden] here")
    }

    @Test("a text with a very short secret is hidden as a whole")
    func hidesTextWithShortSecret() {
        #expect(SentSecrets("&").hidden(in: "a %26 b") == "[hidden]")
        #expect(SentSecrets("&", "long secret").hidden(in: "a long secret") == "a [hidden]")
        #expect(SentSecrets("", nil).hidden(in: "as it is") == "as it is")
    }

    // Each beginning of the secret is found everywhere, in each spelling.
    @Test("a secret of the same letters is found in a long text of these letters", arguments: ["a", "%25", "\\u0061"])
    func searchesLongTexts(piece: String) {
        let secret = String(repeating: "a", count: 2_000) + "b"
        let text = String(repeating: piece, count: 30_000)
        #expect(SentSecrets(secret).hidden(in: text + "! \(secret) !").hasSuffix("! [hidden] !"))
    }

    @Test("texts that are only shown are shortened before and after; no character is cut")
    func shortens() {
        #expect(SentSecrets("swordfish").hidden(in: "0123 swordfish", shortenedTo: 12) == "0123 [hidden…")
        #expect("aé".shortened(to: 2) == "a…" && "aé".shortened(to: 3) == "aé")
    }
}
