import HTTPTypes
import SusiPolicies

/// An application of the emulator's own: it redeems the code that a policy gave it and shows what the tokens say. Its tokens
/// stand on no page themselves.
enum TokenViewer {
    static let path = "/decode"
    /// Its client id, the same in every tenant.
    static let clientID = derivedGUID("the emulator's token viewer")

    /// Its registration, the same in every tenant.
    static func application(_ origin: String) -> RegisteredApplication {
        RegisteredApplication(clientID: clientID, redirectAddresses: ["\(origin)\(path)"])
    }

    static func show(_ site: Site, _ visit: Visit, origin: String) throws -> Answer {
        let query = visit.query
        let words = visit.words
        if let error = query["error"] {
            return failure(
                [error] + (query["error_description"] ?? "").split(separator: "\r\n").map(String.init), visit,
                language: .english)
        }
        guard let code = query["code"] else { return empty(site, visit, origin) }
        let asked = site.places(origin).first { $0.key == query["state"] }
        guard let place = asked, let verifier = visit.cookie(RunNow.cookie(visit)) else {
            return failure([words[.notAskedHere]], visit, again: asked)
        }
        do {
            let tokens = try redeem(code, verifier, place, now: visit.now)
            return try page(tokens, place, visit).answer().settingCookie(RunNow.cookie(visit), "")
        } catch let refusal as Refusal {
            let message = place.message(of: refusal, now: visit.now)
            return failure(message.text.split(separator: "\r\n").map(String.init), visit, language: .english)
        }
    }

    // As the token endpoint does it for everybody else.
    private static func redeem(_ code: String, _ verifier: String, _ place: Place, now: Int64) throws -> JSON {
        let viewer = application(place.origin)
        let fields =
            [("code", code), ("code_verifier", verifier)] + viewer.redirectAddresses.map { ("redirect_uri", $0) }
        let form = Parameters(fields.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&"))
        return try AuthorizationCodeGrant.answer(
            TokenRequest(place: place, now: now, form: form, type: .authorizationCode, application: viewer))
    }

    // Somebody opened the page by hand: what it is for, and how to fill it.
    private static func empty(_ site: Site, _ visit: Visit, _ origin: String) -> Answer {
        let words = visit.words
        let tenant = DeveloperPage.chosen(site, visit)
        var page = DeveloperPages.page(
            words[.tokenViewerTitle],
            """
            <h1>\(words[.tokenViewerTitle])</h1>
            <p class="lead">\(words[.viewerNote])</p>
            \(tenant.map { RunForm(tenant: $0, words: words, origin: origin).html(level: 2) })
            \(DeveloperPages.back(words))
            """, visit)
        page.formTarget = tenant.map(RunForm.targets) ?? ""
        return page.answer()
    }

    // The service's own words stay in its own language (WCAG 2.2, 3.1.2).
    private static func failure(
        _ lines: [String], _ visit: Visit, language: Language? = nil, again: Place? = nil
    ) -> Answer {
        let words = visit.words
        let foreign: HTML? = language.map { " lang=\"\($0.rawValue)\"" }
        var page = DeveloperPages.page(
            words[.noTokens],
            """
            <h1>\(words[.noTokens])</h1>
            <p class="alert"\(foreign) role="alert">\(HTML(lines.map { "\($0)<br>" }))</p>
            \(again.map { HTML("<p class=\"lead\"><a href=\"\(RunNow.address($0))\">\(words[.runAgain])</a></p>") })
            \(DeveloperPages.back(words))
            """, visit)
        page.isWrong = true
        return page.answer(.badRequest, note: lines.first)
    }

    private static func page(_ answer: JSON, _ place: Place, _ visit: Visit) throws -> Page {
        let words = visit.words
        let verifier = try place.tenant.verifier(now: visit.now)
        let names: [(String, DeveloperWord)] = [("id_token", .idToken), ("access_token", .accessToken)]
        let tokens = names.compactMap { name, title in
            answer[name]?.string.map {
                ShownToken(title: words[title], id: name, text: $0, verifier: verifier, words: words)
            }
        }
        let rest = ["token_type", "scope", "expires_in", "refresh_token_expires_in"].compactMap { name -> HTML? in
            answer[name].map { "<dt><code>\(name)</code></dt><dd><code>\(ShownToken.text($0))</code></dd>" }
        }
        let title = words[.tokensOf, place.shownName(words)]
        return DeveloperPages.page(
            title,
            """
            <h1>\(title)</h1>
            <p class="lead">\(words[.inTenant, words.name(of: place.tenant)])</p>
            <p class="links"><a id="again" href="\(RunNow.address(place))">\(words[.runAgain])</a></p>
            <dl>
            \(HTML(rest))
            </dl>
            \(HTML(tokens.map(\.html)))
            \(DeveloperPages.back(words))
            """, visit)
    }
}

extension TokenRequest {
    /// The request of an application that lives in the emulator itself.
    fileprivate init(place: Place, now: Int64, form: Parameters, type: GrantType, application: RegisteredApplication) {
        self.place = place
        self.now = now
        self.form = form
        self.type = type
        self.application = application
        isOfPage = false
        isNative = false
    }
}

/// What a token says, claim by claim.
struct ShownToken {
    let title: String
    let id: String
    let text: String
    let verifier: TokenVerifier
    let words: Words

    var html: HTML {
        let parts = text.split(separator: ".").prefix(2).map { part in
            bytes(base64URL: part).flatMap { try? JSON(parsing: $0) }
        }
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            \(state)
            \(HTML(zip([words[.header], words[.claims]], parts).map { table($0, $1) }))
            </section>
            """
    }

    private var state: HTML {
        do {
            _ = try verifier.claims(of: text)
            return "<p class=\"lead\">\(words[.tokenGood])</p>"
        } catch let refused as TokenVerifier.Refused {
            return "<p class=\"alert\" lang=\"en\">\(refused.reason)</p>"
        } catch { return "<p class=\"alert\">\(words[.unreadable])</p>" }
    }

    private func table(_ caption: String, _ json: JSON?) -> HTML {
        guard case .object(let members)? = json else { return "<p>\(words[.unreadable])</p>" }
        let rows = members.sorted { $0.key < $1.key }.map { name, value -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td><code>\(Self.text(value))</code></td>
            <td>\(meaning(name, value))</td></tr>
            """
        }
        return """
            <table class="claims"><caption>\(caption)</caption>
            <thead><tr><th scope="col">\(words[.name])</th><th scope="col">\(words[.value])</th>
            <th scope="col">\(words[.meaning])</th></tr></thead>
            <tbody>
            \(HTML(rows))
            </tbody></table>
            """
    }

    /// A value as a person reads it.
    static func text(_ value: JSON) -> String {
        value.string ?? (try? value.encoded()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static let times: Set<String> = ["exp", "nbf", "iat", "auth_time"]

    private func meaning(_ name: String, _ value: JSON) -> HTML? {
        guard let said = DeveloperWord(claim: name).map({ words[$0] }) else { return nil }
        guard Self.times.contains(name), let time = value.integer, EmulatorClock.times.contains(time) else {
            return "\(said)"
        }
        return "\(said)<br><code>\(timestamp(time))</code>"
    }
}
