import Susi
import SusiTestSupport

/// Cases of responses to a refresh token.
extension RefreshCase {
    private static func claim(
        _ name: String, _ value: String?, _ expected: Case.Outcome, _ source: String = "OpenID Connect Core 12.2"
    ) -> RefreshCase {
        RefreshCase("another \(name)", source, expected) { $0.claims[name] = .some(value) }
    }

    /// Returns a case of a changed claim at a plain provider.
    private static func plain(
        _ title: String, _ name: String, _ value: String?, _ expected: Case.Outcome,
        _ source: String = "OpenID Connect Core 12.2"
    ) -> RefreshCase {
        RefreshCase(title, source, expected, at: .openid) { $0.claims[name] = .some(value) }
    }

    private static func refused(_ reason: String) -> Case.Outcome { .refused(.invalidResponse, reason) }

    static let accepted: [RefreshCase] = [
        RefreshCase("everything is right", "RFC 6749 6", .accepted, kept: "rt-2") { _ in },
        RefreshCase("no new refresh token", "RFC 6749 6", .accepted) { $0.response["refresh_token"] = .some(nil) },
        RefreshCase("no id token", "OpenID Connect Core 12.2", .accepted, kept: "rt-2") {
            $0.response["id_token"] = .some(nil)
        },
        RefreshCase(
            "no id token in a workforce tenant", "OpenID Connect Core 12.2", .accepted, at: .entra, kept: "rt-2"
        ) {
            $0.response["id_token"] = .some(nil)
        },
        RefreshCase("another name", "OpenID Connect Core 5.1", .accepted, kept: "rt-2") {
            $0.claims["name"] = "\"Ada L\""
        },
    ]

    static let otherPersons: [RefreshCase] = [
        claim("oid", "\"other\"", .refused(.differentPerson, "belong to another person"), "b2c-protocol 7 (5)"),
        claim("sub", "\"other\"", .refused(.differentPerson, "sub does not match the sign-in")),
        RefreshCase(
            "client_info of another person and no id token", "MSAL, client_info",
            refused("it does not belong to the account")
        ) {
            $0.response["id_token"] = .some(nil)
            $0.response["client_info"] = Provider.clientInfo("other-b2c_1_susi")
        },
        RefreshCase("a forged id token", "OpenID Connect Core 3.1.3.7 (6)", refused("signature")) {
            $0.signer = try Signer.other.get()
            $0.header = #"{"alg":"RS256","kid":"main"}"#
        },
    ]

    /// Claims that a refreshed id token of a plain provider must not change.
    static let changedClaims: [RefreshCase] = [
        plain(
            "another sub at a plain provider", "sub", "\"other\"",
            .refused(.differentPerson, "sub does not match the sign-in")),
        plain(
            "another issuer at a plain provider", "iss", "\"https://evil.example\"", refused("the issuer is"),
            "OpenID Connect Core 3.1.3.7 (2)"),
        plain(
            "another auth_time at a plain provider", "auth_time", "\(Provider.now)",
            refused("auth_time does not match the sign-in")),
    ]

    /// Configurations and keys that no longer belong to the authority.
    static let changedAuthorities: [RefreshCase] = [
        RefreshCase("a configuration of another issuer", "OpenID Discovery 4.3", refused("does not match")) {
            $0.discovery["issuer"] = "\"https://evil.example/\""
        },
        RefreshCase("a token endpoint elsewhere", "RFC 9700 4.4", refused("token_endpoint is at")) {
            $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/x\""
        },
        RefreshCase("no keys", "RFC 7517 5", refused("signing keys")) { $0.keysReply = .text("[]") },
    ]

    private static func says(
        _ error: String, _ description: String, _ source: String, _ code: SusiError.Code, kept: String?,
        more: String = "",
        status: Int = 400
    ) -> RefreshCase {
        RefreshCase("\(error) \(description) \(more)", source, .refused(code, ""), kept: kept) {
            $0.refuseToken(error, description, status: status, more: more)
        }
    }

    /// Refusals of which only a final one removes the refresh token.
    static let refusals: [RefreshCase] = [
        says("invalid_grant", "", "RFC 6749 5.2", .signInNeeded, kept: nil),
        says("invalid_grant", "AADSTS50173: x", "AADSTS50173", .signInNeeded, kept: nil),
        says(
            "invalid_grant", "AADSTS70000: x", "MSAL, suberror", .signInNeeded, kept: nil,
            more: ",\"suberror\":\"bad_token\""),
        says("invalid_grant", "AADB2C90085: x", "AADB2C90085", .signInNeeded, kept: "rt-1"),
        says("invalid_grant", "AADSTS65001: x", "AADSTS65001", .consentNeeded, kept: "rt-1"),
        says("interaction_required", "", "OpenID Connect Core 3.1.2.6", .signInNeeded, kept: "rt-1"),
        says("invalid_client", "", "RFC 6749 5.2", .refused, kept: "rt-1", status: 401),
        says("temporarily_unavailable", "", "RFC 6749 4.1.2.1", .network, kept: "rt-1"),
        says("invalid_grant", "", "RFC 9110 15.6.4", .network, kept: "rt-1", status: 503),
    ]

    /// Failures that are not refusals: the refresh token is kept.
    static let broken: [RefreshCase] = [
        RefreshCase("a page", "b2c-protocol 4", refused("a page, not JSON")) { $0.rewrite = { _ in .text("<html>") } },
        RefreshCase("a redirect", "RFC 9700 4.12", refused("redirect (status")) { script in
            let elsewhere = script.elsewhere
            script.rewrite = { _ in .response(status: 307, headers: [("Location", "\(elsewhere)/token")]) }
        },
        RefreshCase("no response", "susi's own limit", .refused(.timeout, "in time")) {
            $0.rewrite = { _ in .silence }
        },
        RefreshCase("a connection that closes before the response", "RFC 9112 9.6", .refused(.network, "broke")) {
            $0.rewrite = { _ in .bytes("") }
        },
        RefreshCase("an empty body with status 403", "foreign-clients", .refused(.signInNeeded, "status 403")) {
            $0.rewrite = { _ in .text("", status: 403) }
        },
        RefreshCase("no access token", "b2c-protocol 4", .refused(.scopesDeclined, "granted: none"), kept: "rt-2") {
            $0.response["access_token"] = .some(nil)
        },
    ]

    static let all = accepted + otherPersons + changedClaims + refusals + broken
}
