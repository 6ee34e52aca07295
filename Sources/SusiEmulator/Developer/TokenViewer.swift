import HTTPTypes
import SusiBase
import SusiPolicies

/// An application in the emulator that redeems the code of a policy and shows the tokens.
enum TokenViewer {
    static let path = "/decode"
    /// The client ID, the same in every tenant.
    static let clientID = derivedGUID("the emulator's token viewer")

    /// The registration, the same in every tenant.
    static func application(_ origin: String) -> RegisteredApplication {
        RegisteredApplication(clientID: clientID, redirectAddresses: ["\(origin)\(path)"])
    }

    static func show(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        let query = context.query
        if let error = query["error"] {
            return failure([error] + (query["error_description"] ?? "").split(separator: "\r\n").map(String.init))
        }
        guard let code = query["code"] else { return empty(DeveloperPage.chosen(site, context), origin: origin) }
        let asked = site.policyEndpoints(at: origin).first { $0.key == query["state"] }
        guard let endpoint = asked, let verifier = context.cookie(RunNow.cookie(context)) else {
            return failure(
                ["The token viewer did not request this code, or has already redeemed it. Run the policy again."],
                again: asked)
        }
        do {
            let tokens = try redeem(code, verifier: verifier, endpoint, now: context.now)
            return try page(tokens, endpoint, now: context.now).response().settingCookie(RunNow.cookie(context), "")
        } catch let refusal as Refusal {
            let message = endpoint.message(of: refusal, now: context.now)
            return failure(message.text.split(separator: "\r\n").map(String.init))
        }
    }

    // Redeems a code like the token endpoint.
    private static func redeem(
        _ code: String, verifier: String, _ endpoint: PolicyEndpoint, now: Int64
    ) throws -> JSON {
        let viewer = application(endpoint.origin)
        let fields =
            [("code", code), ("code_verifier", verifier)] + viewer.redirectAddresses.map { ("redirect_uri", $0) }
        let form = Parameters(fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&"))
        return try AuthorizationCodeGrant.tokens(
            for: TokenRequest(endpoint: endpoint, now: now, form: form, type: .authorizationCode, application: viewer))
    }

    // The page without a code: its purpose, and a form that gets one.
    private static func empty(_ tenant: Tenant?, origin: String) -> Response {
        let form: HTML? = tenant.map { "<h2>Run a policy</h2>\n\(RunForm(tenant: $0, origin: origin).html)" }
        var page = DeveloperPages.page(
            "Token viewer",
            """
            <h1>Token viewer</h1>
            <p class="lead">This page shows the tokens of a policy, claim by claim. Run a policy first.</p>
            \(form)
            \(DeveloperPages.back(tenant))
            """)
        page.formTarget = tenant.map(RunForm.targets) ?? ""
        return page.response()
    }

    private static func failure(_ lines: [String], again: PolicyEndpoint? = nil) -> Response {
        var page = DeveloperPages.page(
            "No tokens",
            """
            <h1>No tokens</h1>
            <p class="alert" role="alert">\(HTML(lines.map { "\($0)<br>" }))</p>
            \(again.map { HTML("<p class=\"lead\"><a href=\"\(RunNow.address($0))\">Run again</a></p>") })
            \(DeveloperPages.back(again?.tenant))
            """)
        page.isWrong = true
        return page.response(.badRequest, note: lines.first)
    }

    private static func page(_ response: JSON, _ endpoint: PolicyEndpoint, now: Int64) throws -> Page {
        let verifier = try endpoint.tenant.verifier(now: now)
        let names = [("id_token", "ID token"), ("access_token", "Access token")]
        let tokens = names.compactMap { name, title in
            response[name]?.string.map { ShownToken(title: title, id: name, text: $0, verifier: verifier) }
        }
        let title = "Tokens of \(endpoint.shownName)"
        return DeveloperPages.page(
            title,
            """
            <h1>\(title)</h1>
            <p class="lead">\(endpoint.tenant.shownName)</p>
            <p class="links"><a id="again" href="\(RunNow.address(endpoint))">Run again</a></p>
            \(copyStatus)
            <dl class="facts">
            \(HTML(facts(response)))
            </dl>
            \(HTML(tokens.map(\.html)))
            \(DeveloperPages.back(endpoint.tenant))
            """)
    }

    private static let copyStatus: HTML = "<p id=\"status\" class=\"aside-name\" role=\"status\"></p>"

    // The other members of the response, unless they are empty.
    private static func facts(_ response: JSON) -> [HTML] {
        let names = [
            ("expires_in", "Access token valid for"), ("refresh_token_expires_in", "Refresh token valid for"),
            ("scope", "Scope"), ("token_type", "Token type"),
        ]
        return names.compactMap { name, title in
            guard let value = response[name] else { return nil }
            let text = ShownToken.text(value)
            guard !text.isEmpty else { return nil }
            let seconds = name.hasSuffix("expires_in") ? Int64(text) : nil
            let span: HTML? = seconds.map { "\(Duration.text(seconds: $0)) " }
            let shown: HTML = seconds == nil ? "<code>\(text)</code>" : "<span class=\"soft\">(\(text) s)</span>"
            return "<dt>\(title)</dt><dd>\(span)\(shown)</dd>"
        }
    }
}

struct ShownToken {
    let title: String
    let id: String
    let text: String
    let verifier: TokenVerifier

    var html: HTML {
        let parts = text.split(separator: ".").prefix(2).map { part in
            Base64URL.decode(part).flatMap { try? JSON(parsing: $0) }
        }
        let (header, claims) = (parts.first.flatMap(\.self), parts.dropFirst().first.flatMap(\.self))
        return """
            <section aria-labelledby="\(id)">
            <div class="titled"><h2 id="\(id)">\(title)</h2>\(DeveloperPages.copyButton("\(id)-text", of: title))</div>
            \(state)
            \(table("Claims", claims))
            <details><summary>Header</summary>\(table("Header", header))</details>
            <details><summary>Encoded</summary>
            <pre tabindex="0" role="region" aria-label="\(title), encoded"><code id="\(id)-text">\(text)</code></pre></details>
            </section>
            """
    }

    private var state: HTML {
        do {
            _ = try verifier.claims(of: text)
            return "<p class=\"lead\">Valid now. Signed with a published key of this tenant.</p>"
        } catch let refused as TokenVerifier.Refused {
            return "<p class=\"alert\">\(refused.reason)</p>"
        } catch { return "<p class=\"alert\">\(Self.unreadable)</p>" }
    }

    private static let unreadable = "The token cannot be read."

    private func table(_ caption: String, _ json: JSON?) -> HTML {
        guard case .object(let members)? = json else { return "<p>\(Self.unreadable)</p>" }
        let times = ["exp", "nbf", "iat", "auth_time"]
        let rank = { (name: String) in times.firstIndex(of: name) ?? times.count }
        let rows = members.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }.map { name, value -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td>\(shown(name, value))</td>
            <td>\(ClaimMeaning.row(name)?.meaning ?? "")</td></tr>
            """
        }
        return """
            <table class="claims"><caption class="aside-name">\(caption)</caption>
            <thead><tr><th scope="col">Name</th><th scope="col">Value</th>
            <th scope="col">Meaning</th></tr></thead>
            <tbody>
            \(HTML(rows))
            </tbody></table>
            """
    }

    // A readable time, followed by the number in the token.
    private func shown(_ name: String, _ value: JSON) -> HTML {
        guard ClaimMeaning.row(name)?.isTime == true, let time = value.integer, EmulatorClock.times.contains(time)
        else {
            return "<code>\(Self.text(value))</code>"
        }
        return "<code>\(timestamp(time))</code> <span class=\"soft\">(\(String(time)))</span>"
    }

    static func text(_ value: JSON) -> String { value.string ?? value.text }
}
