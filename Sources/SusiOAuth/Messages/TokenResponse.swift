import SusiBase
import SusiPolicies

/// A successful token response before any token is checked (RFC 6749 5.1, OpenID Connect Core 3.1.3.3).
package struct TokenResponse: Hashable, Sendable {
    /// The raw id token; `nil` if a refresh returned none (OpenID Connect Core 12.2).
    package let idToken: String?
    /// The access token; absent if no scope of an API was requested.
    package let accessToken: String?
    /// The refresh token; absent without `offline_access`.
    package let refreshToken: String?
    /// The granted scopes; `nil` if they are the requested ones (RFC 6749 5.1).
    package let scopes: ScopeSet?
    /// The access token's lifetime in seconds; `nil` if the server sent none, so that the token is used once.
    package let expiresIn: Int64?
    /// Seconds after which the server suggests a refresh.
    package let refreshIn: Int64?
    /// The refresh token's lifetime in seconds.
    package let refreshTokenExpiresIn: Int64?
    package let clientInfo: String?
    /// The server's time, if the response contains it.
    package let serverTime: Int64?

    /// Parses the body of a response with that status. An error response is thrown as a ``ServerRefusal``, whose texts contain
    /// none of `secrets`.
    ///
    /// `Content-Type` is ignored: some servers label JSON as `text/html` and pages as JSON. MSAL ignores it too.
    package init(
        parsing body: [UInt8], status: Int, serverTime: Int64? = nil, hiding secrets: SentSecrets = SentSecrets()
    ) throws {
        guard !(300...399).contains(status) else {
            throw ProtocolViolation(
                .noTokenResponse, "redirect (status \(status)) not followed", source: "RFC 9700 4.12")
        }
        let read = Result { try Self.object(body) }
        if case .success(let node) = read { try Self.refuse(node, hiding: secrets) }
        guard status == 200 else {
            throw ProtocolViolation(
                [400, 401, 403].contains(status) ? .tokenRefusal : .noTokenResponse,
                "status \(status) without an OAuth error", source: "RFC 6749 5.2")
        }
        let node = try read.get()
        idToken = try Self.text("id_token", node)
        accessToken = try Self.secret("access_token", node)
        refreshToken = try Self.secret("refresh_token", node)
        if accessToken != nil, node["token_type"]?.string?.lowercased() != "bearer" {
            throw ProtocolViolation(.tokenResponse, "token_type is not Bearer", source: "RFC 6749 7.1")
        }
        scopes = try Self.text("scope", node).map(ScopeSet.init(text:))
        expiresIn = node["expires_in"]?.lenientInteger
        refreshIn = node["refresh_in"]?.lenientInteger
        refreshTokenExpiresIn = node["refresh_token_expires_in"]?.lenientInteger
        clientInfo = try Self.text("client_info", node)
        self.serverTime = serverTime
    }

    /// Returns the error response in a body, if it is one, without `secrets` in its texts.
    package static func refusal(in body: [UInt8], hiding secrets: SentSecrets = SentSecrets()) -> ServerRefusal? {
        (try? object(body)).flatMap { ServerRefusal(response: $0, hiding: secrets) }
    }

    /// Parses a body that must be a JSON object.
    static func object(
        _ body: [UInt8], of subject: ProtocolViolation.Subject = .noTokenResponse, source: String = "RFC 6749 5.1"
    ) throws(ProtocolViolation) -> JSONNode {
        let node: JSONNode
        do { node = try JSONNode(parsing: body) } catch {
            let isPage = body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
            throw ProtocolViolation(
                subject, isPage ? "a page, not JSON" : "not JSON: \(error.problem)", source: source)
        }
        guard node.isObject else {
            throw ProtocolViolation(subject, "expected an object, found \(node.kind)", source: source)
        }
        return node
    }

    // An error takes precedence over tokens in the same response.
    private static func refuse(_ node: JSONNode, hiding secrets: SentSecrets) throws {
        guard node["error"] != nil else { return }
        guard let refusal = ServerRefusal(response: node, hiding: secrets) else {
            throw ProtocolViolation(.tokenResponse, "error is not text", source: "RFC 6749 5.2")
        }
        throw refusal
    }

    private static func text(_ name: String, _ node: JSONNode) throws(ProtocolViolation) -> String? {
        guard let member = node[name] else { return nil }
        guard let text = member.string else {
            throw ProtocolViolation(
                .tokenResponse, "\(name): expected a string, found \(member.kind)", source: "RFC 6749 5.1")
        }
        return text
    }

    // An empty token counts as missing.
    private static func secret(_ name: String, _ node: JSONNode) throws(ProtocolViolation) -> String? {
        guard let token = try text(name, node), !token.isEmpty else { return nil }
        guard token.isTokenText else {
            throw ProtocolViolation(
                .tokenResponse, "\(name) contains characters that are not allowed in a token",
                source: "RFC 6749 A.12 and A.17")
        }
        return token
    }
}

extension String {
    /// Whether the text contains only characters of a token: visible ASCII and the space (RFC 6749 A.12 and A.17).
    /// Other characters could end a header or a line.
    package var isTokenText: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
