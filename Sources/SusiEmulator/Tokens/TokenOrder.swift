/// A token that the emulator is to make outside of any sign-in, right or wrong in a chosen way: what a web API or a client
/// has to refuse can be shown to it.
public struct TokenOrder: Hashable, Sendable {
    /// Which token.
    public enum Kind: String, CaseIterable, Sendable {
        /// An access token.
        case access
        /// An id token.
        case id
    }

    /// What is wrong with a token.
    public enum Flaw: String, CaseIterable, Sendable {
        /// It ended an hour ago.
        case expired
        /// It begins in an hour.
        case notYetValid
        /// It is for an audience that nobody is.
        case otherAudience
        /// Another server claims to have issued it.
        case otherIssuer
        /// Another tenant of the same server claims to have issued it.
        case otherTenant
        /// It has no nonce.
        case noNonce
        /// It has a nonce that nobody sent.
        case otherNonce
        /// It has no signature and says so: `alg` is `none` (RFC 8725 section 2.1).
        case unsigned
        /// It is signed with HS256 and the public key as its secret (RFC 8725 section 2.1).
        case hmacWithPublicKey
        /// It is signed with a key that was never published.
        case unknownKey
        /// A bit of its signature is another one.
        case wrongSignature
        /// It is signed with a key that has been withdrawn; there must be one.
        case withdrawnKey
    }

    /// What a claim is to be.
    public enum Claim: Hashable, Sendable {
        /// A text.
        case text(String)
        /// A whole number.
        case number(Int64)
        /// Yes or no.
        case flag(Bool)
        /// Several.
        case list([Claim])
        /// It is left out.
        case absent
    }

    /// The user: object id, address or user name.
    public var user: String
    /// Which token.
    public var kind: Kind
    /// The tenant's name or id; nil is the first one.
    public var tenant: String?
    /// The policy; nil is the tenant's first one for signing in.
    public var policy: String?
    /// The client; nil is the tenant's first application.
    public var clientID: String?
    /// The scopes; nil is `openid` and those of the first API.
    public var scope: String?
    /// The nonce of an id token.
    public var nonce: String?
    /// What is wrong with it; without a flaw it is as good as one from a sign-in.
    public var flaws: [Flaw]
    /// Claims that replace others, after the flaws.
    public var claims: [String: Claim] = [:]

    /// Orders a token.
    public init(user: String, kind: Kind = .access, flaws: [Flaw] = []) {
        self.user = user
        self.kind = kind
        self.flaws = flaws
    }
}

/// Why a token cannot be made as it was ordered.
public struct TokenOrderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the order that cannot be met: `user`, `policy`, `client`, `scope`, `tenant` or `flaws`.
    public let field: String
    /// Why.
    public let reason: String

    /// What happened.
    public var description: String { "Cannot create the token: \(reason)." }
}

extension TokenOrder.Claim {
    /// The claim as JSON; nil when it is left out.
    var json: JSON? {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .flag(let flag): .bool(flag)
        case .list(let elements): .array(elements.compactMap(\.json))
        case .absent: nil
        }
    }
}
