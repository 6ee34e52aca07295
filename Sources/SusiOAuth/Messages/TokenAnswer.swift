import SusiPolicies

/// A successful answer of the token endpoint as it was sent (RFC 6749 5.1, OpenID Connect Core 3.1.3.3), before any token was checked.
public struct TokenAnswer: Hashable, Sendable {
    /// The raw id token.
    public let idToken: String
    /// The access token; absent when no API's scope was asked.
    public let accessToken: String?
    /// The refresh token; absent without `offline_access`.
    public let refreshToken: String?
    /// The granted scopes; nil when the server left them out because they are the asked ones (RFC 6749 5.1).
    public let scopes: ScopeSet?
    /// The access token's life in seconds.
    public let expiresIn: Int64?
    /// Seconds after which the server would like a refresh.
    public let refreshIn: Int64?
    /// The refresh token's life in seconds.
    public let refreshTokenExpiresIn: Int64?
    /// The raw `client_info`.
    public let clientInfo: String?

    /// Reads the body of an answer with that status. An error answer is thrown as a ``ServerRefusal``.
    public init(parsing body: [UInt8], status: Int) throws {
        let node = try? JSONNode(parsing: body)
        if let node, let error = node["error"]?.string {
            throw ServerRefusal(error: error, description: node["error_description"]?.string ?? "")
        }
        guard status == 200 else {
            throw ProtocolViolation(
                .tokenAnswer, "it is a status \(status) without an OAuth error", source: "RFC 6749 5.2")
        }
        // B2C answers 200 with an HTML page when something is deeply wrong.
        guard let node else { throw ProtocolViolation(.tokenAnswer, "it is no JSON", source: "RFC 6749 5.1") }
        guard let idToken = node["id_token"]?.string else {
            throw ProtocolViolation(.tokenAnswer, "it has no id_token", source: "OpenID Connect Core 3.1.3.3")
        }
        let accessToken = node["access_token"]?.string
        if accessToken != nil, node["token_type"]?.string?.lowercased() != "bearer" {
            throw ProtocolViolation(.tokenAnswer, "its token_type is not Bearer", source: "RFC 6749 7.1")
        }
        for token in [accessToken, node["refresh_token"]?.string] where !(token ?? "").utf8.allSatisfy(Self.isPlain) {
            throw ProtocolViolation(
                .tokenAnswer, "a token in it holds characters that no token has", source: "RFC 6749 A.12 and A.17")
        }
        self.idToken = idToken
        self.accessToken = accessToken.flatMap { $0.isEmpty ? nil : $0 }
        refreshToken = node["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        scopes = node["scope"]?.string.map(ScopeSet.init(text:))
        expiresIn = node["expires_in"]?.lenientInteger
        refreshIn = node["refresh_in"]?.lenientInteger
        refreshTokenExpiresIn = node["refresh_token_expires_in"]?.lenientInteger
        clientInfo = node["client_info"]?.string
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) }
}
