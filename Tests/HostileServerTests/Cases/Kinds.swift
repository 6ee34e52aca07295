import Susi
import SusiTestSupport

/// Cases that differ between kinds of authority.
extension Case {
    private static let guest = "\"https://sts.windows.net/\(Provider.home)/\""
    private static let guestInfo = Provider.clientInfo("at-home", Provider.home)

    static let external: [Case] = [
        Case("everything is right", "b2c-protocol 1", .accepted, at: .external) { _ in },
        Case("a tid of another tenant", "Entra ID, tid", .refused(.invalidAnswer, "tid is"), at: .external) {
            $0.claims["tid"] = "\"\(Provider.home)\""
        },
        Case("a guest, with the tenant at home", "MSAL, client_info", .accepted, at: .external) {
            $0.answer["client_info"] = guestInfo
        },
        Case(
            "a guest from another home", "Entra ID, idp", .refused(.invalidAnswer, "is not the tenant of the id token"),
            at: .external
        ) {
            $0.claims["idp"] = guest
            $0.answer["client_info"] = Provider.clientInfo("x", "22225555-9a37-4307-8b3d-cc311f58d925")
        },
    ]

    static let entra: [Case] = [
        Case("everything is right", "Entra ID, id token", .accepted, at: .entra) { _ in },
        Case("a guest, with the tenant at home", "Entra ID, idp", .accepted, at: .entra) {
            $0.claims["idp"] = guest
            $0.answer["client_info"] = guestInfo
        },
        Case("a guest with a personal account", "Entra ID, idp", .accepted, at: .entra) {
            $0.claims["idp"] = "\"live.com\""
            $0.answer["client_info"] = guestInfo
        },
        Case(
            "a guest from another home", "Entra ID, idp", .refused(.invalidAnswer, "is not the tenant of the id token"),
            at: .entra
        ) {
            $0.claims["idp"] = guest
            $0.answer["client_info"] = Provider.clientInfo("x", "22225555-9a37-4307-8b3d-cc311f58d925")
        },
    ]

    static let common: [Case] = [
        Case("a tenant of several", "Entra ID, tid", .accepted, at: .common) { _ in },
        Case("the issuer of the tenant in the redirect", "RFC 9207 2.4", .accepted, at: .common) {
            $0.redirect(("code", "c"), ("state", "STATE"), ("iss", "\($0.origin)/\(Provider.guid)/v2.0"))
        },
        Case("another issuer in the redirect", "RFC 9207 2.4", .refused(.invalidAnswer, "iss is"), at: .common) {
            $0.redirect(("code", "c"), ("state", "STATE"), ("iss", "\($0.elsewhere)/\(Provider.guid)/v2.0"))
        },
        Case("no tid", "Entra ID, tid", .refused(.invalidAnswer, "the tenant"), at: .common) {
            $0.claims["tid"] = .some(nil)
        },
        Case(
            "a tid that the issuer contradicts", "OpenID Connect Core 3.1.3.7 (2)",
            .refused(.invalidAnswer, "the issuer is"), at: .common
        ) {
            $0.claims["tid"] = "\"\(Provider.home)\""
        },
        Case(
            "a guest of a tenant without guests", "MSAL, client_info",
            .refused(.invalidAnswer, "is not the tenant of the id token"),
            at: .common
        ) {
            $0.claims["idp"] = guest
            $0.answer["client_info"] = guestInfo
        },
        Case(
            "an issuer of one tenant", "OpenID Discovery 4.3", .refused(.invalidAnswer, "does not match"), at: .common
        ) {
            $0.discovery["issuer"] = "\"\($0.origin)/\(Provider.guid)/v2.0\""
        },
    ]

    static let openid: [Case] = [
        Case("everything is right", "OpenID Connect Core 3.1.3.7", .accepted, at: .openid) { _ in },
        Case("client_info that means something else", "a parameter of Microsoft's", .accepted, at: .openid) {
            $0.answer["client_info"] = "\"???\""
        },
        Case("an audience in a list", "foreign-clients", .accepted, at: .openid) {
            $0.claims["aud"] = "[\"\(Provider.client)\"]"
        },
        Case("auth_time with a fraction", "foreign-clients", .accepted, at: .openid) {
            $0.claims["auth_time"] = "\(Provider.now).25"
        },
        Case("claims that another server holds", "OpenID Connect Core 5.6.2", .accepted, at: .openid) {
            $0.claims["_claim_names"] = #"{"credit":"src"}"#
            $0.claims["_claim_sources"] = "{\"src\":{\"endpoint\":\"\($0.elsewhere)/c\",\"access_token\":\"x\"}}"
        },
        Case(
            "another issuer beside login_required", "RFC 9207 2.4", .refused(.invalidAnswer, "iss is"), at: .openid
        ) {
            $0.redirect(("error", "login_required"), ("state", "STATE"), ("iss", $0.elsewhere))
        },
        Case("ES256", "RFC 7518 3.4", .accepted, at: .openid) {
            $0.signer = Signer.curve
            $0.publish(try Signer.curve.jwk())
        },
        Case(
            "an object id in place of a subject", "OpenID Connect Core 5.7", .refused(.invalidAnswer, "no person"),
            at: .openid
        ) {
            $0.claims["sub"] = .some(nil)
            $0.claims["oid"] = "\"\(Provider.object)\""
        },
        Case(
            "an issuer with an additional slash", "OpenID Discovery 4.3",
            .refused(.invalidAnswer, "write it exactly as the server does"),
            at: .openid
        ) {
            $0.discovery["issuer"] = "\"\($0.origin)/\""
        },
        Case("an issuer elsewhere", "OpenID Discovery 4.3", .refused(.invalidAnswer, "does not match"), at: .openid) {
            $0.discovery["issuer"] = "\"\($0.elsewhere)\""
        },
        Case("keys elsewhere", "RFC 9700 4.4", .refused(.invalidAnswer, "jwks_uri is at"), at: .openid) {
            $0.discovery["jwks_uri"] = "\"\($0.elsewhere)/keys\""
        },
    ]
}
