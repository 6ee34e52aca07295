import FoundationEssentials
import HTTPTypes
import SusiBase
import SystemPackage

/// The frame of every page: one card, one style sheet, and a small script that is optional.
struct Page: Sendable {
    let words: Words
    let title: String
    /// Whether the user has to fix something; the title then begins with the error.
    var isWrong = false
    let content: HTML
    /// The origin other than the emulator to which a form of the page may lead. Chromium checks the redirect after a
    /// form too.
    var formTarget = ""
    var isWide = false
    /// Whether it has two columns where there is room.
    var isBoard = false
    var script = Script.page
    /// The custom page around the content.
    var template: PageTemplate?

    private static let sheet = String(decoding: PackageResources.page_css, as: UTF8.self)
    private static let sheetHash = Data(sha256(sheet)).base64EncodedString()

    private var document: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(words.language.rawValue)" dir="ltr">
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
        <main id="api"\(isBoard ? " class=\"wide board\"" : isWide ? HTML(" class=\"wide\"") : nil) data-error-title="\(errorTitle)">
        \(content)
        </main>
        \(script.html)
        </body>
        </html>

        """
    }

    private var errorTitle: String { words[.errorTitle, title] }

    /// The page as a response. Its content security policy allows its own style sheet and script only.
    func response(_ status: HTTPResponse.Status = .ok, note: String? = nil) -> Response {
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

/// A script of a page. It is part of the page, and the content security policy has its digest.
struct Script: Sendable {
    /// The script of the pages on which a user signs in.
    static let page = Script(String(decoding: PackageResources.page_js, as: UTF8.self))
    /// The script of the developer's pages, which polls the emulator.
    static let developer = Script(
        String(decoding: PackageResources.developer_js, as: UTF8.self), more: ["connect-src 'self'"])

    let html: HTML
    let policy: [String]

    private init(_ text: String, more: [String] = []) {
        html = .script(text)
        policy = ["script-src 'sha256-\(Data(sha256(text)).base64EncodedString())'"] + more
    }
}

extension Transaction {
    /// A page of this transaction with the usual parts. `wrong` says what the user has to fix, for the request log.
    func page(
        _ title: String, heading: String? = nil, lead: String? = nil, wrong: String? = nil, template: String? = nil,
        _ content: HTML
    ) -> Response {
        let leadLine: HTML? = lead.map { "<p class=\"lead\">\($0)</p>\n" }
        var page = Page(
            words: words, title: title, isWrong: wrong != nil,
            content: "<h1>\(heading ?? title)</h1>\n\(leadLine)\(content)")
        do {
            page.template = try (template.map { FilePath($0) } ?? endpoint.settings.template).map(PageTemplate.init)
        } catch {
            // The file was valid when the emulator started.
            return ErrorPage.response(error, context)
        }
        // The form may lead back to the application.
        page.formTarget = ReturnAddress.origin(of: request.redirectURI)
        var response = page.response(note: wrong)
        // A user who goes back to the response of a form sees it again, instead of the browser's question whether to send
        // the form twice. The page of an authorization request is requested again.
        if context.method == .post { response = response.setting("Cache-Control", "private, no-cache") }
        response.facts.clientID = request.clientID
        response.facts.acrValues = request.acrValues
        return context.cookie(context.formCookie) == formSecret
            ? response : response.settingCookie(context.formCookie, formSecret)
    }

    /// The minutes until a time, rounded up.
    func minutes(until end: Int64) -> String { "\((end - context.now + 59) / 60)" }

    var inTenant: String { words[.inTenant, endpoint.tenant.configuration.name] }

    func link(_ page: String) -> String {
        "\(endpoint.page(page))?transaction=\(PercentEncoding.encode(id))&csrf=\(csrfToken)"
    }

    var hiddenFields: HTML {
        """
        <input type="hidden" name="transaction" value="\(id)">
        <input type="hidden" name="csrf" value="\(csrfToken)">
        """
    }
}
