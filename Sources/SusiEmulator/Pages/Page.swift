import FoundationEssentials
import HTTPTypes

/// The frame of every page: one card, one style sheet, and one small script, without which the page works too.
struct Page: Sendable {
    let words: Words
    let title: String
    /// Whether something has to be mended here; the title says so first.
    var isWrong = false
    let content: HTML
    /// Where a form of the page may lead besides the emulator itself. Chromium checks the redirect after a form too.
    var formTarget: String = ""
    var isWide = false
    /// Whether it has two columns where there is room.
    var isBoard = false
    var script = Script.page
    /// A page of one's own around the content.
    var template: PageTemplate?

    private static let sheet = String(decoding: PackageResources.page_css, as: UTF8.self)
    private static let sheetHash = Data(sha256(sheet)).base64EncodedString()

    private var document: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(words.language.rawValue)" dir="\(words.language.direction)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>\(isWrong ? errorTitle : title)</title>
        <link rel="icon" href="data:,">
        \(HTML.style(Self.sheet))
        </head>
        <body>
        <header class="banner"><p><strong>\(words[.emulator])</strong> <span>\(words[.emulatorNote])</span></p></header>
        <main\(isBoard ? " class=\"wide board\"" : isWide ? HTML(" class=\"wide\"") : nil) data-error-title="\(errorTitle)">
        \(content)
        </main>
        \(script.html)
        </body>
        </html>

        """
    }

    private var errorTitle: String { words[.errorTitle, title] }

    /// The page as an answer, with a content security policy that lets nothing in but its own style sheet and script.
    func answer(_ status: HTTPResponse.Status = .ok, note: String? = nil) -> Response {
        let sources =
            template == nil
            ? ["default-src 'none'", "style-src 'sha256-\(Self.sheetHash)'", "img-src data:"] + script.policy
            : PageTemplate.policy
        let text = template?.filled(with: content, words) ?? document.text
        let policy =
            sources + [
                "form-action 'self'" + (formTarget.isEmpty ? "" : " \(formTarget)"), "frame-ancestors 'none'",
                "base-uri 'none'",
            ]
        return Response(
            status: status, body: Array(text.utf8), type: "text/html; charset=utf-8", note: note
        )
        .setting("Content-Security-Policy", policy.joined(separator: "; "))
        .setting("X-Frame-Options", "DENY")
    }
}

/// A script of a page. It stands in the page, so that nothing is loaded, and the content security policy knows its digest.
struct Script: Sendable {
    /// Of the pages for a person who signs in.
    static let page = Script(String(decoding: PackageResources.page_js, as: UTF8.self))
    /// Of the developer's pages; it asks the emulator for news.
    static let developer = Script(
        String(decoding: PackageResources.developer_js, as: UTF8.self), more: ["connect-src 'self'"])

    let html: HTML
    let policy: [String]

    private init(_ text: String, more: [String] = []) {
        html = .script(text)
        policy = ["script-src 'sha256-\(Data(sha256(text)).base64EncodedString())'"] + more
    }
}

extension Flow {
    /// A page of this transaction: its form may lead back to the application.
    func answer(_ page: Page, note: String? = nil) -> Response {
        var page = page
        do { page.template = try endpoint.settings.template.map(PageTemplate.init) } catch {
            // It was right when the emulator started.
            return ErrorPage.answer(error, context)
        }
        page.formTarget = ReturnAddress.origin(of: transaction.request.redirectURI)
        var answer = page.answer(note: note)
        // Whoever goes back to the answer of a form sees it again, instead of a browser that asks whether to send it twice.
        // The page of an authorization request is asked for anew.
        if context.method == .post { answer = answer.setting("Cache-Control", "private, no-cache") }
        answer.facts.clientID = transaction.request.clientID
        answer.facts.acrValues = transaction.request.acrValues
        return context.cookie(context.formCookie) == formSecret
            ? answer : answer.settingCookie(context.formCookie, formSecret)
    }

    /// The address of a link within the transaction.
    func link(_ page: String) -> String {
        "\(endpoint.page(page))?transaction=\(percentEncoded(transaction.id))&csrf=\(csrfToken)"
    }
}
