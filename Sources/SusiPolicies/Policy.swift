/// A policy's name. It compares without case and keeps the case it was registered with.
public struct PolicyName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it was written.
    public let spelling: String

    /// Takes any text; `Policy` files are checked for names that a path segment cannot carry.
    public init(_ spelling: String) { self.spelling = spelling }

    /// The form in which Azure AD B2C writes a policy into `client_info` and the claim `acr`.
    public var lowercased: String { spelling.lowercased() }

    /// The name as it was written.
    public var description: String { spelling }

    /// Equal without regard to case.
    public static func == (left: PolicyName, right: PolicyName) -> Bool { left.lowercased == right.lowercased }

    /// Equal names give equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }
}

/// What a policy is for.
public enum PolicyKind: String, CaseIterable, Sendable {
    /// Signs an existing person in or a new one up.
    case signUpOrSignIn
    /// Changes the profile of the person who is signed in.
    case editProfile
    /// Sets a new password for a person who forgot it.
    case passwordReset
    /// Signs in by user name and password without a page (ROPC, RFC 6749 section 4.3).
    case resourceOwner

    /// The kind in a person's words.
    public var label: String {
        switch self {
        case .signUpOrSignIn: "sign-up or sign-in"
        case .editProfile: "edit profile"
        case .passwordReset: "password reset"
        case .resourceOwner: "resource owner password"
        }
    }

    /// Whether the policy only changes something about a person who signs in under another one. Lists leave its accounts
    /// out, because they are a by-product.
    public var isUtility: Bool { self == .editProfile || self == .passwordReset }

    /// Whether the policy shows pages in a browser, which then may keep a session.
    public var hasPage: Bool { self != .resourceOwner }
}

/// One policy of an application.
public struct Policy: Hashable, Sendable {
    /// The name under which the tenant knows it.
    public let name: PolicyName
    /// What it is for.
    public let kind: PolicyKind
    /// Whether commands take it when none is named.
    public let isDefault: Bool
    /// A base of its own instead of the application's, without the policy.
    public let authority: WebAddress?
    /// Scopes of its own that a sign-in asks; empty means those of the APIs that belong to it.
    public let scopes: [String]
    /// The path of the redirect address, beginning with a slash.
    public let redirectPath: String
    /// How the answer comes back where a request does not say.
    public let responseMode: ResponseMode
    /// Whether the person's stored id token is sent with a request, as some custom policies want it.
    public let sendsIDTokenHint: Bool

    /// Makes a policy.
    public init(
        name: PolicyName, kind: PolicyKind, isDefault: Bool = false, authority: WebAddress? = nil,
        scopes: [String] = [], redirectPath: String = "/", responseMode: ResponseMode = .query,
        sendsIDTokenHint: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.isDefault = isDefault
        self.authority = authority
        self.scopes = scopes
        self.redirectPath = redirectPath
        self.responseMode = responseMode
        self.sendsIDTokenHint = sendsIDTokenHint
    }
}
