import SusiBase
import SusiPolicies

/// “Run now”, as in the portal: starts a policy for an application.
enum RunNow {
    static let path = "/run"

    /// The cookie with the token viewer's PKCE verifier. Its name contains the port, because ports share cookies.
    static func cookie(_ context: RequestContext) -> String { "susi_run_\(context.port.number)" }

    /// A link that runs a policy and shows its tokens.
    static func address(_ endpoint: PolicyEndpoint) -> String { address(endpoint.key) }

    /// The same for the key of an endpoint.
    static func address(_ key: String) -> String { "\(path)?place=\(PercentEncoding.encode(key))" }

    /// The values of `prompt` (OpenID Connect Core section 3.1.2.1; `create` of External ID).
    static let prompts = ["login", "select_account", "consent", "create", "none"]

    /// The response types that some application of the tenant may use, `code` first.
    static func responseTypes(_ endpoint: PolicyEndpoint) -> [String] {
        guard endpoint.tenant.configuration.applications.contains(where: \.allowsImplicit) else { return ["code"] }
        return ["code"] + endpoint.dialect.traits.responseTypes.filter { $0 != "code" }
    }

    static func start(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        guard let endpoint = context.query["place"].flatMap({ site.endpoint(at: $0, origin) }),
            let authorize = endpoint.address(.authorize)
        else { return DeveloperPages.problem("Nothing to run", "This emulator has no policy at that address.") }
        let verifier = RandomBytes.text()
        let query = fields(endpoint, context, verifier: verifier).map { "\($0)=\(PercentEncoding.encode($1))" }
        return .redirect(to: "\(authorize)\(endpoint.query.isEmpty ? "?" : "&")\(query.joined(separator: "&"))")
            .settingCookie(cookie(context), verifier)
    }

    // The authorization endpoint checks all of it.
    private static func fields(_ endpoint: PolicyEndpoint, _ context: RequestContext, verifier: String) -> [(
        String, String
    )] {
        let viewer = TokenViewer.application(endpoint.origin)
        // A client ID may contain spaces, a redirect address none.
        let chosen = context.query["to"].flatMap { text in
            text.lastIndex(of: " ").map { [String(text[..<$0]), String(text[text.index(after: $0)...])] }
        }
        let target = chosen ?? [viewer.clientID] + viewer.redirectAddresses
        let api = endpoint.tenant.configuration.apis.first { $0.name == context.query["api"] }
        let ticked = Set(context.query.all.filter { $0.key.hasPrefix("scope-") }.values)
        let scopes = endpoint.tenant.configuration.apis.flatMap(\.fullScopes).filter(ticked.contains)
        let scope = ["openid"] + (api?.fullScopes ?? scopes)
        let type = context.query["type"] ?? "code"
        var fields = [
            ("response_type", type), ("scope", scope.joined(separator: " ")), ("state", endpoint.key),
            ("nonce", RandomBytes.text()), ("code_challenge", Base64URL.encode(sha256(verifier))),
            ("code_challenge_method", "S256"),
        ]
        fields += zip(["client_id", "redirect_uri"], target).map { ($0, $1) }
        for (name, sent) in [("language", "ui_locales"), ("prompt", "prompt"), ("login_hint", "login_hint")] {
            if let value = context.query[name] { fields.append((sent, value)) }
        }
        return fields
    }
}
