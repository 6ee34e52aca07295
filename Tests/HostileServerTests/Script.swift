import Susi
import SusiTestSupport

/// A provider's responses in one case: valid until a case changes them. Values of members are JSON.
struct Script: Sendable {
    let provider: Provider
    /// Scheme, host and port of the server.
    let origin: String
    /// A second server that must not be contacted.
    let elsewhere: String

    /// The OpenID configuration's members.
    var discovery: [String: String]
    var discoveryReply: Reply?
    /// The key set's JWKs.
    let keys: [String]
    var keysReply: Reply?
    /// The parameters of each redirect by the authorization endpoint; the last entry serves all later visits.
    /// `STATE` becomes the state of the request.
    var redirects: [[(name: String, value: String)]] = [[("code", "code-1"), ("state", "STATE")]]
    /// Whether these fields come as a form that the browser posts.
    var postsAnswers = false
    /// Members of the token response that are added or replaced; nil removes one.
    var response: [String: String?] = [:]
    var tokenReply: Reply?
    /// The response of the userinfo endpoint, if the configuration names one at `/userinfo`.
    var userinfo: Reply?
    /// The response of the device authorization endpoint at `/device`.
    var device: Reply?
    var native = NativeScript()
    /// The API's responses, by the number of earlier calls.
    var apiReplies: [Reply] = []
    /// Replies to a request before everything else; `nil` leaves it to the other members.
    var respond: @Sendable (Asked) -> Reply? = { _ in nil }
    /// Makes the reply from the text of the valid token response.
    var rewrite: @Sendable (String) -> Reply = { .text($0) }
    /// The same by the request; `nil` leaves it to `rewrite`.
    var rewriting: @Sendable (Asked) -> (@Sendable (String) -> Reply)? = { _ in nil }
    /// Claims of the id token that are added or replaced; nil removes one.
    var claims: [String: String?] = [:]
    /// The id token's header; nil for the usual one.
    var header: String?
    var algorithm: String?
    var signer: Signer
    var idToken: @Sendable (String) -> String = { $0 }
    /// The time of the client's clock.
    var now = Provider.now

    init(_ provider: Provider, origin: String, elsewhere: String) throws {
        (self.provider, self.origin, self.elsewhere) = (provider, origin, elsewhere)
        let base = provider.base(origin)
        discovery = [
            "issuer": "\"\(provider.issuer(origin))\"", "authorization_endpoint": "\"\(base)/authorize\"",
            "token_endpoint": "\"\(base)/token\"", "jwks_uri": "\"\(base)/keys\"",
            "end_session_endpoint": "\"\(base)/logout\"",
        ]
        signer = try Signer.main.get()
        keys = [try signer.jwk()]
    }

    /// Redirects every visit with these fields.
    mutating func redirect(_ fields: (name: String, value: String)...) { redirects = [fields] }

    /// Sends an error to the redirect address.
    mutating func refuse(_ error: String, _ description: String = "") {
        redirects = [[("error", error), ("error_description", description), ("state", "STATE")]]
    }

    mutating func refuseToken(_ error: String, _ description: String = "", status: Int = 400, more: String = "") {
        tokenReply = .text("{\"error\":\"\(error)\",\"error_description\":\"\(description)\"\(more)}", status: status)
    }

    /// Names another origin in every address, for a server behind another one.
    mutating func move(to origin: String) {
        for (name, value) in discovery { discovery[name] = value.replacing(self.origin, with: origin) }
        claims["iss"] = discovery["issuer"]
    }
}

/// Returns an object of the members with these changes; nil removes a member.
func json(_ members: [String: String], _ changes: [String: String?] = [:]) -> String {
    var members = members
    for (name, value) in changes { members[name] = value }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
}
