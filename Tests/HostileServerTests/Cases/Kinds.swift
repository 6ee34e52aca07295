import Susi

/// Cases that differ between kinds of authority.
extension Case {
    private static let guest = "\"https://sts.windows.net/\(Provider.home)/\""
    private static let guestInfo = Provider.clientInfo("at-home", Provider.home)

    static let external: [Case] = [
        Case("everything is right", "b2c-protocol 1", .accepted, at: .external) { _ in }
    ]

    static let entra: [Case] = [
        Case("everything is right", "Entra ID, id token", .accepted, at: .entra) { _ in },
        Case("a guest, with the tenant at home", "Entra ID, idp", .accepted, at: .entra) {
            $0.claims["idp"] = guest
            $0.response["client_info"] = guestInfo
        },
        Case(
            "a guest from another home", "Entra ID, idp",
            .refused(.invalidResponse, "is not the tenant of the id token"),
            at: .entra
        ) {
            $0.claims["idp"] = guest
            $0.response["client_info"] = Provider.clientInfo("x", "22225555-9a37-4307-8b3d-cc311f58d925")
        },
    ]

    static let common: [Case] = [
        Case("a tenant of several", "Entra ID, tid", .accepted, at: .common) { _ in },
        Case("the issuer of the tenant in the redirect", "RFC 9207 2.4", .accepted, at: .common) {
            $0.redirect(("code", "c"), ("state", "STATE"), ("iss", "\($0.origin)/\(Provider.guid)/v2.0"))
        },
        Case("another issuer in the redirect", "RFC 9207 2.4", .refused(.invalidResponse, "iss is"), at: .common) {
            $0.redirect(("code", "c"), ("state", "STATE"), ("iss", "\($0.elsewhere)/\(Provider.guid)/v2.0"))
        },
    ]

    static let openid: [Case] = [
        Case("everything is right", "OpenID Connect Core 3.1.3.7", .accepted, at: .openid) { _ in },
        Case("client_info that means something else", "a parameter of Microsoft's", .accepted, at: .openid) {
            $0.response["client_info"] = "\"???\""
        },
        Case(
            "an issuer with an additional slash", "OpenID Discovery 4.3",
            .refused(.invalidResponse, "write it exactly as the server does"),
            at: .openid
        ) {
            $0.discovery["issuer"] = "\"\($0.origin)/\""
        },
    ]
}
