import HTTPTypes
import SusiPolicies

/// An error that is told to the person, because there is no address to which it could safely be sent.
enum ErrorPage {
    static func answer(
        title: String, message: String, status: HTTPResponse.Status = .badRequest, note: String? = nil
    ) -> Answer {
        Page(
            title: title,
            content: """
                <h1>\(title)</h1>
                <p class="alert" role="alert">\(message)</p>
                <p class="foot"><a href="/">About this tenant</a></p>
                """
        ).answer(status, note: note ?? title)
    }

    /// One of the service's own errors.
    static func answer(_ refusal: Refusal, _ place: Place, now: Int64) -> Answer {
        let message = place.shape.message(of: refusal, now: now)
        let lines = message.text.split(separator: "\r\n").map { HTML("\(String($0))<br>") }
        return Page(
            title: "The request cannot be answered",
            content: """
                <h1>The request cannot be answered</h1>
                <p class="lead">Your application sent a request that this tenant does not accept. Nothing was sent back to it.</p>
                <p class="alert" role="alert">\(HTML(lines))</p>
                <p class="foot"><a href="/">About this tenant</a></p>
                """
        ).answer(.badRequest).noting(refusal, message)
    }
}

/// The end of a sign-out without an address to go to.
enum SignedOutPage {
    static func answer() -> Answer {
        Page(
            title: "You have signed out",
            content: """
                <h1>You have signed out</h1>
                <p class="lead">This browser is no longer signed in. Tokens that applications hold stay valid until they expire.</p>
                """
        ).answer()
    }
}

/// `response_mode=form_post`: the answer as a form (OAuth 2.0 Form Post Response Mode).
enum FormPostPage {
    static func answer(to address: String, fields: [(String, String)]) -> Answer {
        let inputs = fields.map { HTML("<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">") }
        var page = Page(
            title: "Back to your application",
            content: """
                <h1>Almost done</h1>
                <p class="lead">Continue to go back to your application.</p>
                <form method="post" action="\(address)">
                \(HTML(inputs))
                <button class="main" id="continue" type="submit" autofocus>Continue</button>
                </form>
                """)
        page.formTarget = ReturnAddress.origin(of: address)
        return page.answer()
    }
}
