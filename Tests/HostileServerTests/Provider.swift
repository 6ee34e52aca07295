import Susi

enum Provider: String, Sendable, CaseIterable {
    case b2c, external, entra, common, openid

    static let now: Int64 = 1_800_000_000
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let home = "11115555-9a37-4307-8b3d-cc311f58d925"
    static let object = "aaaaaaaa-0000-4000-8000-000000000001"
    static let client = "11111111-1111-1111-1111-111111111111"
    static let scope = "https://contoso.onmicrosoft.com/hello/demo.read"

    private var kind: String { self == .common ? "entra" : rawValue }

    private func authority(_ origin: String) -> String {
        switch self {
        case .b2c, .external: "\(origin)/contoso.onmicrosoft.com"
        case .entra: "\(origin)/\(Self.guid)"
        case .common: "\(origin)/common"
        case .openid: origin
        }
    }

    /// Returns the base address of the endpoints.
    func base(_ origin: String) -> String {
        self == .b2c ? "\(authority(origin))/B2C_1_susi/oauth2/v2.0" : "\(authority(origin))/oauth2/v2.0"
    }

    func issuer(_ origin: String) -> String {
        switch self {
        case .b2c: "\(origin)/\(Self.guid)/v2.0/"
        case .external, .entra: "\(origin)/\(Self.guid)/v2.0"
        case .common: "\(origin)/{tenantid}/v2.0"
        case .openid: origin
        }
    }

    /// Returns valid claims for a request with this nonce (nil for a refresh).
    func claims(_ origin: String, nonce: String?) -> [String: String] {
        var claims = [
            "iss": "\"\(issuer(origin).replacing("{tenantid}", with: Self.guid))\"", "aud": "\"\(Self.client)\"",
            "exp": "\(Self.now + 3_600)", "iat": "\(Self.now)", "sub": "\"s1\"", "name": "\"Ada\"",
        ]
        claims["nonce"] = nonce.map { "\"\($0)\"" }
        switch self {
        case .b2c:
            claims["tfp"] = "\"B2C_1_susi\""
            claims["emails"] = "[\"ada@example.com\"]"
            claims["nbf"] = "\(Self.now)"
        case .external, .entra, .common: claims["tid"] = "\"\(Self.guid)\""
        case .openid:
            claims["auth_time"] = "\(Self.now - 60)"
            return claims
        }
        claims["oid"] = "\"\(Self.object)\""
        return claims
    }

    /// The valid `client_info`; nil if the kind has none.
    var clientInfo: String? {
        switch self {
        case .b2c: Self.clientInfo("\(Self.object)-b2c_1_susi")
        case .external, .entra, .common: Self.clientInfo(Self.object)
        case .openid: nil
        }
    }

    static func clientInfo(_ uid: String, _ utid: String = guid) -> String {
        "\"\(Base64URL.encode("{\"uid\":\"\(uid)\",\"utid\":\"\(utid)\"}".utf8))\""
    }

    func policies(_ origin: String) -> String {
        let policies =
            self == .b2c ? "\"policies\": {\"B2C_1_susi\": {\"kind\": \"signUpOrSignIn\", \"default\": true}}," : ""
        return """
            {"current": "it", "applications": {"it": {
                "kind": "\(kind)", "authority": "\(authority(origin))", "clientId": "\(Self.client)",
                "redirectPorts": [0], \(policies) "knownAuthorities": ["\(origin)"],
                "apis": {"hello": {"baseUrl": "\(origin)/api", "scopes": ["\(Self.scope)"]}}
            }}}
            """
    }
}
