import Susi
import SusiTestSupport

/// What a provider does in one case: everything is right until a case changes it. Values of members are JSON.
struct Script: Sendable {
    /// The provider.
    let provider: Provider
    /// Scheme, host and port of the server.
    let origin: String
    /// A second server, which nobody may ever ask.
    let elsewhere: String

    /// The OpenID configuration's members.
    var discovery: [String: String]
    var discoveryReply: Reply?
    /// The key set's JWKs.
    var keys: [String]
    var keysReply: Reply?
    /// What each visit of the authorization endpoint is sent back with; the last one stands for all later visits.
    /// `STATE` stands for the state of the request.
    var redirects: [[(name: String, value: String)]] = [[("code", "code-1"), ("state", "STATE")]]
    /// Whether these fields come as a form that a page lets the browser post.
    var postsAnswers = false
    /// Members of the token answer beside those that are always there, or in their place; nil takes one away.
    var answer: [String: String?] = [:]
    var tokenReply: Reply?
    /// What the userinfo endpoint answers, where the configuration names one at `/userinfo`.
    var userinfo: Reply?
    /// The same for the device authorization endpoint at `/device`.
    var device: Reply?
    /// What the API answers, by the number of calls before.
    var apiReplies: [Reply] = []
    /// Made of the right answer's text.
    var rewrite: @Sendable (String) -> Reply = { .text($0) }
    /// Claims of the id token beside those that are always there, or in their place; nil takes one away.
    var claims: [String: String?] = [:]
    /// The id token's header; nil for the usual one.
    var header: String?
    var algorithm: String?
    var signer: Signer
    /// What becomes of the signed id token.
    var idToken: @Sendable (String) -> String = { $0 }
    /// What the client's clock says.
    var now = Provider.now

    init(_ provider: Provider, origin: String, elsewhere: String) throws {
        self.provider = provider
        self.origin = origin
        self.elsewhere = elsewhere
        let base = provider.base(origin)
        discovery = [
            "issuer": "\"\(provider.issuer(origin))\"", "authorization_endpoint": "\"\(base)/authorize\"",
            "token_endpoint": "\"\(base)/token\"", "jwks_uri": "\"\(base)/keys\"",
            "end_session_endpoint": "\"\(base)/logout\"",
        ]
        signer = try Signer.main.get()
        keys = [try signer.jwk()]
    }

    /// Sends every visit back with these fields.
    mutating func redirect(_ fields: (name: String, value: String)...) { redirects = [fields] }

    /// Sends an error to the redirect address.
    mutating func refuse(_ error: String, _ description: String = "") {
        redirects = [[("error", error), ("error_description", description), ("state", "STATE")]]
    }

    /// Answers the token request with an error.
    mutating func refuseToken(_ error: String, _ description: String = "", status: Int = 400, more: String = "") {
        tokenReply = .text(
            "{\"error\":\"\(error)\",\"error_description\":\"\(description)\"\(more)}", status: status)
    }

    /// The key set of these JWKs.
    mutating func publish(_ keys: String...) { self.keys = keys }
}

/// JSON of members, the later ones in place of the earlier; nil takes one away.
func json(_ members: [String: String], _ changes: [String: String?] = [:]) -> String {
    var members = members
    for (name, value) in changes { members[name] = value }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
}
