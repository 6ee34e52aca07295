package import SusiBase

/// A token to create without a sign-in, valid or with chosen flaws, to test what a web API or a client must refuse.
package struct TokenOrder: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case access
        case id
    }

    /// A defect of a token.
    package enum Flaw: String, CaseIterable, Sendable {
        /// It expired an hour ago.
        case expired
        /// It becomes valid in an hour.
        case notYetValid
        /// Its audience does not exist.
        case otherAudience
        /// Its issuer is another server.
        case otherIssuer
        /// Its issuer is another tenant of the same server.
        case otherTenant
        case noNonce
        case otherNonce
        /// It has no signature; `alg` is `none` (RFC 8725 section 2.1).
        case unsigned
        /// It is signed with HS256 and the public key as its secret (RFC 8725 section 2.1).
        case hmacWithPublicKey
        /// It is signed with a key that was never published.
        case unknownKey
        /// One bit of its signature is inverted.
        case wrongSignature
        /// It is signed with a withdrawn key, which must exist.
        case withdrawnKey
    }

    /// The user: object id, address or user name.
    package var user: String
    package var kind: Kind
    /// The tenant's name or id; nil is the first tenant.
    package var tenant: String?
    /// The policy; nil is the tenant's first sign-in policy.
    package var policy: String?
    /// The client; nil is the tenant's first application.
    package var clientID: String?
    /// The scopes; nil is `openid` and those of the first API.
    package var scope: String?
    package var nonce: String?
    /// Its defects; without any it equals a token from a sign-in.
    package var flaws: [Flaw]
    /// Claims to replace, after the flaws; null removes one.
    package var claims: [String: JSON] = [:]

    package init(user: String, kind: Kind = .access, flaws: [Flaw] = []) {
        self.user = user
        self.kind = kind
        self.flaws = flaws
    }
}

package struct TokenOrderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The invalid part of the order: `user`, `policy`, `client`, `scope`, `tenant` or `flaws`.
    package let field: String
    package let reason: String

    package var description: String { "Cannot create the token: \(reason)." }
}
