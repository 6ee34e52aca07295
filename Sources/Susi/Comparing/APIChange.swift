/// Something that a program which reads the first account's tokens has to change for those of the second one: a web API for
/// access tokens, and the application itself for ID tokens.
///
/// The table ``advice`` has the words of every change.
package struct APIChange: Hashable, Sendable {
    /// What a program checks or reads.
    package enum Subject: String, CaseIterable, Sendable {
        /// The issuer (`iss`).
        case issuer
        /// The address of the signing keys.
        case keys
        /// The signature algorithm (`alg`).
        case algorithm
        /// The audience of access tokens (`aud`).
        case audience
        /// The version of the token's format (`ver`).
        case version
        /// The tenant (`tid`).
        case tenant
        /// The policy of Azure AD B2C (`tfp`, `acr`).
        case policy
        /// The client that requested the token (`azp`, `appid`, `client_id`).
        case client
        /// The scopes (`scp`, `scope`).
        case scopes
        /// The user's object ID (`oid`).
        case objectID
        /// The user's subject (`sub`).
        case subject
        /// The user's email address (`emails`, `email`, `mail`).
        case email
        /// The user's name for signing in (`preferred_username`, `upn`, `unique_name`).
        case userName
        /// An attribute of the user, for example `extension_NAME`.
        case attribute
    }

    package enum Kind: String, CaseIterable, Sendable {
        case value
        /// Another claim with the same meaning.
        case name
        /// The same claim as another type of JSON value, for example a list instead of a text.
        case type
        /// No such claim any more.
        case removed
        case added
    }

    /// What a program checks or reads.
    package let subject: Subject
    package let kind: Kind
    /// The tokens that show it; `nil` for a change that is not in the tokens.
    package let token: ComparedToken.Kind?
    /// The value for the first account, or the name of its claim; `nil` if there is none.
    package let first: String?
    /// The value for the second account, or the name of its claim; `nil` if there is none.
    package let second: String?

    package var advice: String { Self.advice[subject]?[kind] ?? "" }

    /// The words of every change. A difference that is not listed requires no change.
    static let advice: [Subject: [Kind: String]] = [
        .issuer: [.value: "accept this issuer (iss)"],
        .keys: [.value: "read the signing keys from this address"],
        .algorithm: [.value: "accept this signature algorithm (alg)"],
        .audience: [.value: "accept this audience (aud)"],
        .version: [
            .value: "accept this token version (ver)", .removed: "do not require a token version (ver)",
        ],
        .tenant: [
            .value: "accept this tenant (tid)", .removed: "do not require a tenant (tid)",
            .added: "check the tenant (tid) if the API serves only some",
        ],
        .policy: [
            .value: "accept this policy", .name: "read the policy from this claim", .removed: "do not require a policy",
            .added: "check the policy if the API depends on it",
        ],
        .client: [
            .value: "accept this client", .name: "read the client from this claim", .removed: "do not require a client",
        ],
        .scopes: [
            .value: "accept these scopes", .name: "read the scopes from this claim",
            .type: "read the scopes as this type of value",
            .removed: "do not require scopes; a token without them has roles, or is not for this API",
        ],
        .objectID: [
            .value: "replace stored object IDs (oid): they differ between tenants",
            .removed: "identify users by another claim than oid",
        ],
        .subject: [
            .value: "replace stored subjects (sub): they differ between issuers, and may between applications",
            .removed: "identify users by another claim than sub",
        ],
        .email: [
            .name: "read the email address from this claim", .type: "read the email address as this type of value",
            .removed: "request the scope email, or do not require an email address",
        ],
        .userName: [
            .name: "read the user name from this claim", .removed: "do not require a user name",
        ],
        .attribute: [
            .name: "read the attribute from this claim", .type: "read the attribute as this type of value",
            .removed: "add the attribute to the tokens in the tenant, or do not require it",
        ],
    ]

    /// Makes a change; returns `nil` if the table does not list it.
    init?(_ subject: Subject, _ kind: Kind, _ token: ComparedToken.Kind?, _ first: String?, _ second: String?) {
        guard Self.advice[subject]?[kind] != nil else { return nil }
        self.subject = subject
        self.kind = kind
        self.token = token
        self.first = first
        self.second = second
    }
}
