public import SystemPackage

/// How one policy of a tenant behaves: what the portal lets an administrator choose for a user flow.
public struct PolicySettings: Hashable, Sendable {
    /// What a local account signs in with.
    public enum Identifier: String, CaseIterable, Sendable {
        /// An email address.
        case email
        /// A user name.
        case userName
        /// Either of the two.
        case either
    }

    /// The claim that names the policy in tokens.
    public enum PolicyClaim: String, CaseIterable, Sendable {
        /// `tfp`, in the case in which the policy was registered.
        case tfp
        /// `acr`, in lower case.
        case acr
    }

    /// What tokens say as `sub`.
    public enum Subject: String, CaseIterable, Sendable {
        /// The object id.
        case objectID = "objectId"
        /// The same sentence for everybody, which sends clients to `oid`.
        case notSupported
    }

    /// How a forgotten password is dealt with.
    public enum ForgottenPassword: String, CaseIterable, Sendable {
        /// The application is told (AADB2C90118) and runs a policy of its own for it.
        case policy
        /// The sign-in does it on its own pages.
        case inline
    }

    /// Which identity providers the policy offers.
    public enum IdentityProvider: String, CaseIterable, Sendable {
        /// The tenant's own accounts, with a password.
        case local
        /// The emulator's pretended social provider.
        case social
    }

    /// When a code from a second channel is asked for after the password.
    public enum MultiFactor: String, CaseIterable, Sendable {
        /// Never.
        case off
        /// At each sign-in, whoever vouches for the person, once in a session: to the account's telephone, else to its
        /// address; without either to a number that the person gives.
        case always
    }

    /// The browser's session.
    public struct Session: Hashable, Sendable {
        /// Who shares a session.
        public enum Scope: String, CaseIterable, Sendable {
            /// All applications and policies of the tenant.
            case tenant
            /// All policies of one application.
            case application
            /// All applications of one policy.
            case policy
            /// Nobody: each request signs in anew.
            case suppressed
        }

        /// Who shares it.
        public var scope = Scope.tenant
        /// How long it lives, in seconds.
        public var seconds: Int64 = 86_400
        /// Whether each use begins the time anew.
        public var isRolling = true
        /// For how long “keep me signed in” keeps it, in seconds; nil offers no such box.
        public var keepSeconds: Int64?

        /// The defaults of Azure AD B2C: one session for the tenant, 24 hours after its last use, no box.
        public init() {}
    }

    /// An attribute that a sign-up or an edit of the profile collects.
    public struct Attribute: Hashable, Sendable {
        /// The name of its claim: `displayName`, `givenName`, `surname`, `city`, `extension_Loyalty`…
        public var name: String
        /// What stands beside its field; nil makes it of the name.
        public var label: String?
        /// Whether it must be given.
        public var isRequired: Bool
        /// What it may be; empty takes any text.
        public var choices: [String]

        /// Describes an attribute.
        public init(_ name: String, label: String? = nil, isRequired: Bool = false, choices: [String] = []) {
            self.name = name
            self.label = label
            self.isRequired = isRequired
            self.choices = choices
        }
    }

    /// What local accounts sign in with.
    public var identifier = Identifier.email
    /// Which identity providers are offered.
    public var identityProviders: [IdentityProvider] = [.local]
    /// What is collected; nil asks for the three names. `email` is collected where accounts have user names, `phone` is the
    /// number for a second factor; every other name that is not one of the three becomes a claim.
    public var attributes: [Attribute]?
    /// Whether an email address is believed only after a code that was sent to it came back: at a sign-up, and before a
    /// forgotten password is replaced. The service does both; here neither does unless it is set, so that tests can go
    /// without codes.
    public var verifiesEmail = false
    /// Whether a second factor is asked for.
    public var multiFactor = MultiFactor.off
    /// How a forgotten password is dealt with.
    public var forgottenPassword = ForgottenPassword.policy
    /// How many wrong passwords or codes in a row lock an account; 0 locks none.
    public var lockoutFailures = 10
    /// For how many seconds they do.
    public var lockoutSeconds: Int64 = 60
    /// The browser's session.
    public var session = Session()
    /// The claim that names the policy.
    public var policyClaim = PolicyClaim.tfp
    /// What tokens say as `sub`.
    public var subject = Subject.objectID
    /// How long its codes and tokens live; nil takes the tenant's.
    public var lifetimes: Lifetimes?
    /// A page of one's own: an HTML file of at most 256 KiB with an empty element `<div id="api"></div>`, into which the
    /// emulator puts its form. It brings its own style; what it loads is named by whole addresses. Scripts do not run. It
    /// is read anew for each page; the emulator does not start with one that cannot be used.
    public var template: FilePath?

    /// How a policy behaves about which nothing was said.
    public init() {}
}
