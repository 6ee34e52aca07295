import SusiBase

/// A request of a public client to revoke a token (RFC 7009 section 2.1).
package struct RevocationRequest: Hashable, Sendable {
    /// A secret.
    package let token: String
    package let kind: TokenKind
    package let clientID: String

    package init(token: String, kind: TokenKind, clientID: String) {
        self.token = token
        self.kind = kind
        self.clientID = clientID
    }

    /// The form-encoded body. It contains a secret: it is sent and never shown.
    package var body: String {
        FormEncoding.encode([
            (name: "token", value: token),
            (name: "token_type_hint", value: kind == .refresh ? "refresh_token" : "access_token"),
            (name: "client_id", value: clientID),
        ])
    }
}
