import SusiPolicies

/// A small page that the listener shows. Texts are escaped here; it loads nothing and sends no referrer.
public struct Page: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The heading.
    public let title: String
    /// One or two sentences.
    public let text: String
    /// What to type next; empty for nothing.
    public let command: String

    /// Makes a page of plain texts.
    public init(status: Int = 200, title: String, text: String, command: String = "") {
        self.status = status
        self.title = title
        self.text = text
        self.command = command
    }

    static let notFound = Page(status: 404, title: "Nothing here", text: "This address belongs to a sign-in of susi.")

    static let openedAlready = Page(
        status: 410, title: "Opened already",
        text: "This address works once, and it has been opened. Go on in the window that opened it. If that was not "
            + "you, end susi with Ctrl-C and run the same command with --no-browser.")

    static let anotherUser = Page(
        status: 403, title: "Another user's sign-in",
        text: "Another user of this machine started this. If that was you, open the address that the terminal shows.")

    static let noForm = Page(status: 415, title: "Not accepted", text: "An answer that is posted is a form.")

    static let tooLong = Page(status: 413, title: "Not accepted", text: "An answer to a sign-in is shorter.")

    static let ended = Page(status: 503, title: "Sign-in ended", text: "susi no longer waits for this answer.")

    var html: String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(DisplayText.html(title))</title><style>\(Self.style)</style></head>
        <body><main><h1>\(DisplayText.html(title))</h1><p>\(DisplayText.html(text))</p>\(next)</main></body></html>
        """
    }

    private var next: String {
        command.isEmpty ? "" : "<p>Next: <code>\(DisplayText.html(command))</code></p>"
    }

    static let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        ("Connection", "close"),
    ]

    private static let style = """
        :root{color-scheme:light dark}body{font:1.05rem/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;\
        place-items:center;background:light-dark(#f3f4f6,#111827);color:light-dark(#111827,#f3f4f6)}main{\
        box-sizing:border-box;width:min(32rem,100% - 2rem);overflow-wrap:anywhere;margin:1rem;padding:2rem;border-radius:12px;background:light-dark(#fff,#1f2937);\
        box-shadow:0 1px 3px rgb(0 0 0/.2)}h1{font-size:1.4rem;margin:0 0 .5rem}p{margin:.5rem 0 0}code{font:.95em ui-monospace,monospace}
        """
}
