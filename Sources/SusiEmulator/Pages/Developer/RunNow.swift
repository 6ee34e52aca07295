import SusiPolicies

/// “Run now”, as the portal has it: starts a policy with a chosen application, without a program of one's own.
enum RunNow {
    static let path = "/run"

    /// The cookie with the token viewer's PKCE verifier. Cookies do not tell ports apart.
    static func cookie(_ visit: Visit) -> String { "susi_run_\(visit.port.number)" }

    /// A link that runs a policy and shows its tokens.
    static func address(_ place: Place) -> String { address(place.key) }

    /// The same of a place that an address names.
    static func address(_ place: String) -> String { "\(path)?place=\(percentEncoded(place))" }

    /// What can be asked of the pages (OpenID Connect Core section 3.1.2.1; `create` of External ID).
    static let prompts = ["login", "select_account", "consent", "create", "none"]

    /// What some application of the tenant may ask for, `code` first.
    static func responseTypes(_ place: Place) -> [String] {
        guard place.tenant.configuration.applications.contains(where: \.allowsImplicit) else { return ["code"] }
        return ["code"] + place.shape.responseTypes.filter { $0 != "code" }
    }

    static func start(_ site: Site, _ visit: Visit, origin: String) throws -> Answer {
        guard let place = visit.query["place"].flatMap({ site.place(at: $0, origin) }),
            let authorize = place.address(.authorize)
        else { return DeveloperPages.problem("Nothing to run", "This emulator has no policy at that address.") }
        let verifier = randomSecret()
        let query = fields(place, visit, verifier: verifier).map { "\($0)=\(percentEncoded($1))" }
        return .redirect(to: "\(authorize)\(place.query.isEmpty ? "?" : "&")\(query.joined(separator: "&"))")
            .settingCookie(cookie(visit), verifier)
    }

    // The authorization endpoint checks all of it, as it does with every application.
    private static func fields(_ place: Place, _ visit: Visit, verifier: String) -> [(String, String)] {
        let viewer = TokenViewer.application(place.origin)
        let chosen = visit.query["to"]?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        let target = chosen.count == 2 ? chosen : [viewer.clientID] + viewer.redirectAddresses
        let api = place.tenant.configuration.apis.first { $0.name == visit.query["api"] }
        let ticked = Set(visit.query.all.filter { $0.key.hasPrefix("scope-") }.values)
        let scopes = place.tenant.configuration.apis.flatMap(\.fullScopes).filter(ticked.contains)
        let scope = ["openid"] + (api?.fullScopes ?? scopes)
        let type = visit.query["type"] ?? "code"
        var fields = [
            ("response_type", type), ("scope", scope.joined(separator: " ")), ("state", place.key),
            ("nonce", randomSecret()), ("code_challenge", base64URL(sha256(verifier))),
            ("code_challenge_method", "S256"),
        ]
        fields += zip(["client_id", "redirect_uri"], target).map { ($0, $1) }
        for (name, sent) in [("language", "ui_locales"), ("prompt", "prompt"), ("login_hint", "login_hint")] {
            if let value = visit.query[name] { fields.append((sent, value)) }
        }
        return fields
    }
}
