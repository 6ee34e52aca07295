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
        if let error = query["error"] {
            return failure([error] + (query["error_description"] ?? "").split(separator: "\r\n").map(String.init))
        }
        guard let code = query["code"] else {
            return failure(["Nothing came with this request. Run a policy: its tokens are shown here then."])
        }
        guard let place = site.places(origin).first(where: { $0.key == query["state"] }),
            let verifier = visit.cookie(RunNow.cookie(visit))
        else { return failure(["This code was not asked for here. Run the policy again."]) }
        do {
            let tokens = try redeem(code, verifier, place, now: visit.now)
            return try page(tokens, place, now: visit.now).answer().settingCookie(RunNow.cookie(visit), "")
        } catch let refusal as Refusal {
            let message = place.shape.message(of: refusal, now: visit.now)
            return failure(message.text.split(separator: "\r\n").map(String.init))
        }
    }

    // As the token endpoint does it for everybody else.
    private static func redeem(_ code: String, _ verifier: String, _ place: Place, now: Int64) throws -> JSON {
        let viewer = application(place.origin)
        let fields =
            [("code", code), ("code_verifier", verifier)] + viewer.redirectAddresses.map { ("redirect_uri", $0) }
        let form = Parameters(fields.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&"))
        return try AuthorizationCodeGrant.answer(
            TokenRequest(place: place, now: now, form: form, type: .authorizationCode, clientID: viewer.clientID))
    }

    private static func failure(_ lines: [String]) -> Answer {
        let page = DeveloperPages.page(
            "No tokens",
            """
            <h1>No tokens</h1>
            <p class="alert" role="alert">\(HTML(lines.map { "\($0)<br>" }))</p>
            <p class="foot"><a href="/">Back to the tenants</a></p>
            """)
        return page.answer(.badRequest, note: lines.first)
    }

    private static func page(_ answer: JSON, _ place: Place, now: Int64) throws -> Page {
        let verifier = try place.tenant.verifier(now: now)
        let names = [("id_token", "Id token"), ("access_token", "Access token")]
        let tokens = names.compactMap { name, title in
            answer[name]?.string.map { ShownToken(title: title, id: name, text: $0, verifier: verifier) }
        }
        let rest = ["token_type", "scope", "expires_in", "refresh_token_expires_in"].compactMap { name -> HTML? in
            answer[name].map { "<dt><code>\(name)</code></dt><dd><code>\(ShownToken.text($0))</code></dd>" }
        }
        let what = place.tenant.configuration.kind == .b2c ? place.policy.name.spelling : place.tenant.title
        return DeveloperPages.page(
            "Tokens of \(what)",
            """
            <h1>Tokens of \(what)</h1>
            <p class="lead">in \(place.tenant.title). <a href="\(RunNow.address(place))">Run again</a></p>
            <dl>
            \(HTML(rest))
            </dl>
            \(HTML(tokens.map(\.html)))
            <p class="foot"><a href="/">Back to the tenants</a></p>
            """)
    }
}

extension TokenRequest {
    /// The request of an application that lives in the emulator itself.
    fileprivate init(place: Place, now: Int64, form: Parameters, type: GrantType, clientID: String) {
        self.place = place
        self.now = now
        self.form = form
        self.type = type
        self.clientID = clientID
        isNative = false
    }
}

/// What a token says, claim by claim.
struct ShownToken {
    let title: String
    let id: String
    let text: String
    let verifier: TokenVerifier

    var html: HTML {
        let parts = text.split(separator: ".").prefix(2).map { part in
            bytes(base64URL: part).flatMap { try? JSON(parsing: $0) }
        }
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            <p class="lead">\(state)</p>
            \(HTML(zip(["Header", "Claims"], parts).map { table($0, $1) }))
            </section>
            """
    }

    private var state: String {
        do {
            _ = try verifier.claims(of: text)
            return "Signed by a published key of this tenant, and valid now."
        } catch let refused as TokenVerifier.Refused { return refused.reason } catch { return "It cannot be read." }
    }

    private func table(_ caption: String, _ json: JSON?) -> HTML {
        guard case .object(let members)? = json else { return "<p>It cannot be read.</p>" }
        let rows = members.sorted { $0.key < $1.key }.map { name, value -> HTML in
            """
            <tr><th scope="row"><code>\(name)</code></th><td><code>\(Self.text(value))</code></td>
            <td>\(Self.meaning(name, value))</td></tr>
            """
        }
        return """
            <table class="claims"><caption>\(caption)</caption>
            <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
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

    private static func meaning(_ name: String, _ value: JSON) -> String {
        let said = meanings[name] ?? ""
        guard times.contains(name), let time = value.integer, EmulatorClock.times.contains(time) else { return said }
        return "\(said): \(timestamp(time))"
    }

    private static let meanings = [
        "acr": "The policy, in lower case", "alg": "How it is signed", "at_hash": "Ties the access token to this one",
        "aud": "Whom it is for", "auth_time": "When the person signed in", "azp": "The application that got it",
        "emails": "The person's addresses", "exp": "Until when it is valid", "family_name": "The person's family name",
        "given_name": "The person's given name", "iat": "When it was issued", "idp": "Who knows the password",
        "iss": "Who issued it", "kid": "Which key signed it", "name": "The name that is shown",
        "nbf": "From when it is valid", "newUser": "The person signed up just now",
        "nonce": "Ties it to the request", "oid": "The person, for every application of the tenant",
        "preferred_username": "What the person calls the account", "scp": "What it allows",
        "sub": "The person, for this application", "tfp": "The policy", "tid": "The tenant", "typ": "What it is",
        "ver": "The version of its form",
    ]
}
