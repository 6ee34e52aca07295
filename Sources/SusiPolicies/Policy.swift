/// A policy's name; comparisons ignore its case.
public struct PolicyName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it was written.
    package let spelling: String

    /// Makes a name of any text; the reader of policies.json checks the characters.
    public init(_ spelling: String) { self.spelling = spelling }

    /// Makes a name of a literal.
    public init(stringLiteral spelling: String) { self.init(spelling) }

    /// The name in lower case, as in `client_info` and the claim `acr`.
    package var lowercased: String { spelling.lowercased() }

    /// The name as it was written.
    public var description: String { spelling }

    /// Compares names, ignoring case.
    public static func == (left: PolicyName, right: PolicyName) -> Bool { left.lowercased == right.lowercased }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }
}

/// The purpose of a policy.
public enum PolicyKind: String, CaseIterable, Sendable {
    /// Signs in; a new person can sign up on the same page.
    case signUpOrSignIn
    /// Changes the profile of a signed-in person.
    case editProfile
    /// Sets a new password.
    case passwordReset
    /// Sign-in by user name and password without a page (ROPC, RFC 6749 section 4.3).
    case resourceOwner

    package var label: String {
        switch self {
        case .signUpOrSignIn: "sign-up or sign-in"
        case .editProfile: "edit profile"
        case .passwordReset: "password reset"
        case .resourceOwner: "resource owner password"
        }
    }

    /// Whether a run of the policy makes an account. One that changes something proves who the person is and brings claims; its
    /// tokens are not kept.
    package var keepsAccounts: Bool { self == .signUpOrSignIn || self == .resourceOwner }

    /// Whether the policy shows pages in a browser, which may then have a session.
    package var hasPage: Bool { self != .resourceOwner }
}

extension PolicyKind {
    /// Guesses the kind from a policy's name; `nil` if the name suggests none.
    package init?(guessing name: String) {
        let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
        let rows: [(PolicyKind, [String])] = [
            (.signUpOrSignIn, ["susi", "signupsignin", "signuporsignin", "signupandsignin"]),
            (.resourceOwner, ["ropc", "resourceowner"]),
            (.passwordReset, ["reset", "forgot"]),
            (.editProfile, ["edit", "profile"]),
            (.signUpOrSignIn, ["signin", "signup", "login"]),
        ]
        guard let kind = rows.first(where: { $0.1.contains(where: name.contains) })?.0 else { return nil }
        self = kind
    }
}

/// One policy of an application.
public struct Policy: Hashable, Sendable {
    /// The name in the tenant.
    public let name: PolicyName
    /// What the policy is for: sign-in, password reset and so on.
    public let kind: PolicyKind
    /// Whether the file makes it the application's default policy.
    public package(set) var isDefault: Bool
    /// Its own base address, without the policy, instead of the application's.
    package internal(set) var authority: WebAddress?
    /// The scopes that a sign-in requests; empty means those of its APIs.
    package internal(set) var scopes: [String]
    /// The path of the redirect address, with a leading slash.
    package internal(set) var redirectPath: String
    /// The response mode if a request does not set one.
    package internal(set) var responseMode: ResponseMode
    /// Whether requests contain the stored id token, which some custom policies require.
    package internal(set) var sendsIDTokenHint: Bool
    /// Whether sign-ins request `offline_access`, for a refresh token.
    package internal(set) var wantsOfflineAccess: Bool
    /// Other audiences that an id token may have beside the client ID.
    package internal(set) var trustedAudiences: [String]

    package init(
        name: PolicyName, kind: PolicyKind, isDefault: Bool = false, authority: WebAddress? = nil,
        scopes: [String] = [], redirectPath: String = "/", responseMode: ResponseMode = .query,
        sendsIDTokenHint: Bool = false, wantsOfflineAccess: Bool = true, trustedAudiences: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.isDefault = isDefault
        self.authority = authority
        self.scopes = scopes
        self.redirectPath = redirectPath
        self.responseMode = responseMode
        self.sendsIDTokenHint = sendsIDTokenHint
        self.wantsOfflineAccess = wantsOfflineAccess
        self.trustedAudiences = trustedAudiences
    }
}

extension Policy {
    /// Says why there is no account under a policy that changes something.
    package var keepsNoAccount: String {
        "\(name) \(kind == .editProfile ? "edits the profile" : "resets the password") and keeps no account"
    }
}

/// The way an authorization endpoint returns its response (OAuth 2.0 Multiple Response Type Encoding Practices 2.1).
package enum ResponseMode: String, CaseIterable, Sendable {
    /// In the query of the redirect address.
    case query
    /// In the body of a form that the browser posts (OAuth 2.0 Form Post Response Mode 2).
    case formPost = "form_post"
}
