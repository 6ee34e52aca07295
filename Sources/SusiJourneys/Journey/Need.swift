package import SusiBase

/// What a journey needs before it can go on (spec §10.3). The host satisfies it and calls
/// ``Journey/next(_:in:_:)`` with the answer of the same name.
package enum Need: Sendable {
    case page(PageModel)
    case directory(DirectoryCall)
    case http(RESTCall)
    /// The check of a sign-in name and a password.
    case password(name: String, password: String)
    case provider(ProviderCall)
    case code(CodeCall)
    case token(TokenCall)
    /// What the browser's session has.
    case session
    case done(Outcome)
}

/// The answer to a need.
package enum Answer: Sendable {
    case page(PageAnswer)
    case directory(DirectoryAnswer)
    case http(RESTAnswer)
    case password(PasswordAnswer)
    case provider(ProviderAnswer)
    /// The code is in the outbox.
    case code
    case token(TokenAnswer)
    case session(SessionEntries)
}

/// An operation on a user (spec §7.1).
package struct DirectoryCall: Equatable, Sendable {
    package enum Operation: String, Sendable {
        case read, write
        /// Removes attributes.
        case deleteClaims
        case deleteUser
    }

    package let operation: Operation
    /// The attribute that finds the user, as the policy writes it, and its value.
    package let key: String
    package let value: JSONNode
    /// Attributes to write; of attributes to remove only the names count.
    package var attributes: [String: JSONNode] = [:]
    package let raisesIfMissing: Bool
    package let raisesIfExists: Bool

    /// Whether a written password needs not be strong.
    package var allowsWeakPassword: Bool {
        attributes["passwordPolicies"]?.string?.contains("DisableStrongPassword") ?? false
    }
}

package enum DirectoryAnswer: Sendable {
    /// The attributes of the user that was found, changed or created.
    case user([String: JSONNode], isNew: Bool)
    case missing
    /// The user exists, or another one has the sign-in name.
    case exists
    /// A text for the user, such as that of a weak password.
    case refused(String)
}

/// A request to a service of the policy's author (spec §3.4). The URL is final: the host checks it before it sends
/// anything, and follows no redirect.
package struct RESTCall: Equatable, Sendable {
    package let method: String
    package let url: String
    package var headers: [String: String]
    package let body: String?
}

package enum RESTAnswer: Sendable {
    case response(status: Int, body: [UInt8])
    case failure(Failure)

    package enum Failure: Sendable { case notAllowed, circuitOpen, dns, timeout, other }
}

package enum PasswordAnswer: Sendable {
    /// The attributes of the user, as an ID token names them.
    case accepted([String: JSONNode])
    case refused(Refusal)

    /// With the keys of their texts (localization-string-ids).
    package enum Refusal: String, CaseIterable, Sendable {
        case unknownUser = "UserMessageIfClaimsPrincipalDoesNotExist"
        case wrongPassword = "UserMessageIfInvalidPassword"
        case disabled = "UserMessageIfUserAccountDisabled"
        case locked = "UserMessageIfUserAccountLocked"
        case expired = "UserMessageIfPasswordExpired"
    }
}

/// A sign-in with a provider, which the emulator simulates.
package struct ProviderCall: Equatable, Sendable {
    package let profile: String
    package let displayName: String
    /// The domain of the provider, for example `facebook.com`.
    package let domain: String
    package let inputs: [String: JSONNode]
    /// The names that the policy takes.
    package let outputs: [String]
}

package enum ProviderAnswer: Sendable {
    case claims([String: JSONNode])
    case cancelled
}

/// A code for the outbox.
package struct CodeCall: Equatable, Sendable {
    package enum Channel: String, Sendable { case email, phone, service }

    package let channel: Channel
    package let address: String
    package let code: String
}

/// An ID token hint to verify (spec §5.6): `client_secret` accepts HS256, HS384 and HS512 only, `METADATA` accepts RS
/// and ES only, and `iss`, `aud`, `exp` and `nbf` are required.
package struct TokenCall: Equatable, Sendable {
    package let token: String
    package let secret: String?
    package let metadata: String?
    package let issuer: String?
    package let audience: String?
}

package enum TokenAnswer: Sendable {
    case claims([String: JSONNode])
    /// The code and text of the refusal, for the application.
    case refused(code: String, text: String)
}

/// What a browser's session keeps of the journeys that ended in a token (spec §3.5, A7).
package struct SessionEntries: Codable, Equatable, Sendable {
    /// By session profile in lower case, the claims that it stores.
    package var claims: [String: ClaimsBag] = [:]
    /// By session profile, the exchange that an external provider was chosen with.
    package var exchanges: [String: String] = [:]

    package init() {}
}

/// How a journey ends.
package enum Outcome: Sendable {
    case token(IssuedClaims)
    /// A response of a user info endpoint.
    case userInfo([String: JSONNode])
    /// For the application: an OAuth error with the service's code, such as AADB2C90091.
    case error(code: String, text: String)
    /// The policy does not work; locally the reason is shown.
    case policyError(PolicyError)
}

package struct PolicyError: Error, Equatable, Sendable {
    package let reason: String
    /// The technical profile or step.
    package let subject: String
    package let place: Element.Place
}

/// What a token is made of (spec §9).
package struct IssuedClaims: Sendable {
    /// The claims that the relying party lists, by the names that it gives them.
    package var claims: [String: JSONNode] = [:]
    package var subject: String?
    /// The user's ID for grants; absent for journeys without a user.
    package var objectID: String?
    /// By claim, what a refresh needs.
    package var stored = ClaimsBag()
    /// The metadata of the token's issuer by name in lower case: lifetimes and forms.
    package var issuer: [String: String] = [:]
    package var session = SessionEntries()
    package var keepsSignedIn = false
}
