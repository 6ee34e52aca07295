import SusiBase
import SusiPolicies

/// A small page of the listener. Its texts are escaped; it loads nothing and sends no referrer.
package struct Page: Hashable, Sendable {
    /// The result, shown by the page's color and icon.
    package enum Outcome: String, Hashable, Sendable {
        case success
        case cancelled
        case failure
        case notice
    }

    package let status: Int
    package let outcome: Outcome
    package let title: String
    /// The text, one or two sentences.
    package let text: String
    /// The command to run next; empty for none.
    package let command: String

    package init(
        status: Int = 200, outcome: Outcome = .notice, title: String, text: String, command: String = ""
    ) {
        self.status = status
        self.outcome = outcome
        self.title = title
        self.text = text
        self.command = command
    }

    static let notFound = Page(
        status: 404, title: "Not found", text: "susi uses this address for a sign-in. There is no page here.")

    static let noResponse = Page(
        status: 404, title: "No response in the address",
        text:
            "susi waits for a response to a sign-in here, and this address has none in its query. If it has one after “#”, "
            + "the policy has to answer in the query instead: browsers keep what comes after “#”.")

    static let openedAlready = Page(
        status: 410, title: "Already opened",
        text: "This address works once, and it has been opened before. Continue in the window that opened it. If you "
            + "did not open it, press Ctrl-C in your terminal and sign in again without opening a browser.")

    static let anotherUser = Page(
        status: 403, title: "Another user’s sign-in",
        text: "Another user of this machine started this sign-in. If you started it, open the address that your "
            + "terminal shows.")

    static let noForm = Page(
        status: 415, title: "Not accepted", text: "A response that is posted must be a form.")

    static let tooLong = Page(
        status: 413, title: "Not accepted", text: "This response is too long for a sign-in.")

    static let ended = Page(
        status: 503, title: "Sign-in ended", text: "susi is no longer waiting for this response.")

    /// Returns the page as HTML; the nonce allows its style sheet.
    func html(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(DisplayText.html(title))</title><link rel="icon" href="\(Self.icon)">
        <style nonce="\(nonce)">\(Self.style)</style></head>
        <body><main class="\(outcome.rawValue)"><p class="brand">\(Self.mark)susi</p>
        \(outcome.sign)
        <h1>\(DisplayText.html(title))</h1><p>\(DisplayText.html(text))</p>\(next)\(ending)</main></body></html>
        """
    }

    private var next: String {
        guard !command.isEmpty else { return "" }
        return "<p>Run this in your terminal:</p><pre tabindex=\"0\"><code>\(DisplayText.html(command))</code></pre>"
    }

    private var ending: String {
        let text =
            switch outcome {
            case .notice: ""
            case .failure where command.isEmpty: "Return to your terminal for details. You can close this window."
            default: "Return to your terminal. You can close this window."
            }
        return text.isEmpty ? "" : "<p class=\"end\">\(text)</p>"
    }

    static let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Connection", "close"),
    ]

    static func contentPolicy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }
}

// MARK: - Appearance

extension Page.Outcome {
    fileprivate var sign: String {
        let lines =
            switch self {
            case .success: "M14.5 24.5l6.5 6.5 13-14"
            case .cancelled: "M15 24h18"
            case .failure: "M24 13.5v13M24 33.5v.5"
            case .notice: "M24 22v13M24 14v.5"
            }
        return """
            <svg class="sign" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true"><circle cx="24" cy="24" r="24"/>\
            <path d="\(lines)"/></svg>
            """
    }
}

extension Page {
    /// A keyhole.
    private static let mark = """
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8"/>\
        <path d="\(keyhole)"/></svg>
        """

    private static let keyhole = "M16 7a5.5 5.5 0 0 0-3 10.1L11.2 25h9.6L19 17.1A5.5 5.5 0 0 0 16 7z"

    private static let icon =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
        + "%3Crect width='32' height='32' rx='8' fill='%231f5fd0'/%3E%3Cpath fill='%23fff' d='\(keyhole)'/%3E%3C/svg%3E"

    private static let style = """
        :root{color-scheme:light dark;--ink:light-dark(#1b2230,#e8ecf4);--soft:light-dark(#586378,#a3aec2);\
        --line:light-dark(#e2e6ee,#2c3546);--tone:light-dark(#1f5fd0,#8ab4ff);--tint:light-dark(#eef3fc,#202b40)}
        .success{--tone:light-dark(#14743c,#7ddba0);--tint:light-dark(#e3f5e9,#17341f)}
        .cancelled{--tone:light-dark(#8a5a00,#f1c15b);--tint:light-dark(#fdf1d7,#3a2d0e)}
        .failure{--tone:light-dark(#b3261e,#ffb4ab);--tint:light-dark(#fdeceb,#3b1c1b)}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;\
        background:light-dark(#f3f5f9,#10141c);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
        main{position:relative;width:min(32rem,100%);padding:1.75rem 2.25rem 2.25rem;border:1px solid var(--line);\
        border-radius:14px;overflow:hidden;background:light-dark(#fff,#1a202c);\
        box-shadow:0 1px 2px rgb(0 0 0/.05),0 12px 32px rgb(0 0 0/.08);overflow-wrap:anywhere}
        main::before{content:"";position:absolute;inset:0 0 auto;height:4px;background:var(--tone)}
        .brand{display:flex;align-items:center;gap:.6rem;margin:0 0 2rem;font-weight:650;letter-spacing:-.01em}
        .brand rect{fill:#1f5fd0}.brand path{fill:#fff}
        .sign{display:block;margin:0 0 1rem}.sign circle{fill:var(--tint)}\
        .sign path{fill:none;stroke:var(--tone);stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
        h1{margin:0 0 .5rem;font-size:1.625rem;line-height:1.25;font-weight:650;letter-spacing:-.01em}
        p{margin:.5rem 0 0}
        pre{margin:.5rem 0 0;padding:.75rem 1rem;border-radius:8px;background:light-dark(#f3f5f9,#10141c);white-space:pre-wrap}\
        pre:focus-visible{outline:3px solid var(--tone);outline-offset:2px}
        code{font:.9375rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
        .end{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--soft)}
        @media (max-width:30rem){body{padding:0;place-items:stretch}main{border-width:0;border-radius:0;\
        padding:1.25rem 1.25rem 2rem;box-shadow:none}}
        @media (forced-colors:active){.sign path{stroke:CanvasText}.brand path{fill:Canvas}.brand rect{fill:CanvasText}}
        """
}
