import HTTPTypes
import SusiBase
import SusiPolicies

/// An error page, for errors that cannot safely be sent to a redirect address.
enum ErrorPage {
    /// The error of a page that cannot continue, with a link that starts the policy again.
    static func response(
        _ title: LocalizedText, message: LocalizedText, _ context: RequestContext,
        status: HTTPResponse.Status = .badRequest
    ) -> Response {
        let words = context.words
        let endpoint = context.path.firstRange(of: "/page/").map { String(context.path[..<$0.lowerBound]) }
        let again: HTML? = (context.isFromHere ? endpoint : nil).map {
            "<p class=\"others\"><a class=\"button\" id=\"again\" href=\"\(RunNow.address($0))\">\(words[.beginAgain])</a></p>"
        }
        return page(context, title, lines: [words[message]], more: again).response(status, note: title.english)
    }

    static func response(_ refusal: Refusal, at endpoint: PolicyEndpoint, _ context: RequestContext) -> Response {
        let message = endpoint.message(of: refusal, now: context.now)
        let lines = message.text.split(separator: "\r\n").map(String.init)
        // The service does not list the registered addresses; a developer needs them.
        let detail = refusal.code == .redirectNotRegistered ? refusal.detail : nil
        let remark: HTML? = detail.map { "<p class=\"remark\" lang=\"en\">\(DisplayText.safe($0))</p>" }
        return page(context, .requestRefused, lead: .requestRefusedNote, lines: lines, language: .english, more: remark)
            .response(.badRequest).noting(refusal, message)
    }

    /// The mistakes of custom policies, for their developer.
    static func response(lines: [String], _ context: RequestContext) -> Response {
        page(context, .requestRefused, lines: lines, language: .english)
            .response(.badRequest, note: lines.first)
    }

    /// The error of a template that became malformed while the emulator runs.
    static func response(_ template: PageTemplate.Unusable, _ context: RequestContext) -> Response {
        page(context, .templateUnusable, lines: [template.description], language: .english)
            .response(.internalServerError, note: template.description)
    }

    private static func page(
        _ context: RequestContext, _ title: LocalizedText, lead: LocalizedText? = nil, lines: [String],
        language: Language? = nil,
        more: HTML? = nil
    ) -> Page {
        let words = context.words
        let leadLine: HTML? = words[lead].map { "<p class=\"lead\">\($0)</p>" }
        // A screen reader needs the language of an alert in another language (WCAG 2.2, 3.1.2).
        let foreign: HTML? = language.map { " lang=\"\($0.rawValue)\"" }
        return Page(
            words: words, title: words[title], isWrong: true,
            content: """
                <h1>\(words[title])</h1>
                \(leadLine)
                <p class="alert"\(foreign) role="alert">\(HTML(lines.map { "\(DisplayText.safe($0))<br>" }))</p>
                \(more)
                \(DeveloperPages.footer(context))
                """)
    }
}

/// The page for an unknown address. It lists the policies that the emulator serves.
enum NotFoundPage {
    private static let most = 12

    /// `reason` is why there is nothing at the address, and `note` that for the log.
    static func response(
        _ context: RequestContext, _ places: [PolicyEndpoint], reason: String, note: String
    ) -> Response {
        let words = context.words
        let rows = places.prefix(most).map { endpoint -> HTML in
            let tenant = words.title(of: endpoint.tenant)
            let policy = endpoint.tenant.configuration.kind.traits.hasPolicies ? endpoint.policy.name.spelling : nil
            let of: HTML? = policy.map { _ in "<span class=\"of\"><bdi>\(tenant)</bdi></span>" }
            let run: HTML? =
                endpoint.policy.kind == .resourceOwner || !context.isFromHere
                ? nil
                : """
                <a href="\(RunNow.address(endpoint))">\(words[.run])<span class="aside-name"><bdi> \
                \(policy ?? tenant)</bdi></span></a>
                """
            return "<li><strong><bdi>\(policy ?? tenant)</bdi></strong> <span class=\"links\">\(run)</span>\(of)</li>"
        }
        return Page(
            words: words, title: words[.notFound], isWrong: true,
            content: """
                <h1>\(words[.notFound])</h1>
                <p class="alert" role="alert">\(reason)</p>
                <p class="lead">\(words[.served])</p>
                <ul class="rows">
                \(HTML(rows))
                </ul>
                \(DeveloperPages.footer(context))
                """
        ).response(.notFound, note: note)
    }
}

/// The page after a sign-out without a redirect address.
enum SignedOutPage {
    static func response(_ words: Words) -> Response {
        Page(
            words: words, title: words[.signedOut],
            content: """
                <h1>\(words[.signedOut])</h1>
                <p class="lead">\(words[.signedOutNote])</p>
                """
        ).response()
    }
}

/// `response_mode=form_post`: the response as a form (OAuth 2.0 Form Post Response Mode). A script submits it; without scripts
/// the user does.
enum FormPostPage {
    static func response(_ words: Words, to address: String, fields: [(String, String)]) -> Response {
        let inputs = fields.map { HTML("<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">") }
        var page = Page(
            words: words, title: words[.backToApplication],
            content: """
                <h1>\(words[.almostDone])</h1>
                <p class="lead">\(words[.goBack])</p>
                <form class="onward" method="post" action="\(address)">
                \(HTML(inputs))
                <button class="main" id="continue" type="submit" autofocus>\(words[.continue])</button>
                </form>
                """)
        page.formTarget = ReturnAddress.origin(of: address)
        return page.response()
    }
}
