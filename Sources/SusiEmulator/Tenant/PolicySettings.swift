package import SusiBase
import SusiPolicies
package import SystemPackage

/// The settings of a policy, as the portal has them for a user flow.
package struct PolicySettings: Hashable, Sendable {
    /// What a sign-in policy lets its users do; its `kind` in a tenant file.
    package enum Offer: String, CaseIterable, Sendable {
        case signUpOrSignIn
        /// Only users who exist sign in.
        case signIn
        /// Each run creates an account.
        case signUp

        var label: String { [.signIn: "sign-in", .signUp: "sign-up"][self] ?? PolicyKind.signUpOrSignIn.label }
    }

    /// The sign-in name of local accounts.
    package enum Identifier: String, CaseIterable, Sendable {
        case email
        case userName
        case either
    }

    /// The claim that names the policy in tokens.
    package enum PolicyClaim: String, CaseIterable, Sendable {
        /// `tfp`, in the case of the registered policy.
        case tfp
        /// `acr`, in lower case.
        case acr
        /// Neither (`AuthenticationContextReferenceClaimPattern` is `None`).
        case absent = "none"
    }

    /// The `sub` of an application's own tokens.
    package enum ApplicationSubject: String, CaseIterable, Sendable {
        case clientID = "clientId"
        /// The object id of its service principal.
        case objectID = "objectId"
    }

    /// The `sub` of tokens.
    package enum Subject: String, CaseIterable, Sendable {
        case objectID = "objectId"
        /// A fixed sentence that refers clients to `oid`.
        case notSupported
    }

    /// How a forgotten password is handled.
    package enum ForgottenPassword: String, CaseIterable, Sendable {
        /// The application gets AADB2C90118 and runs a policy for it.
        case policy
        /// The sign-in has pages for it.
        case inline
    }

    package enum IdentityProvider: String, CaseIterable, Sendable {
        /// The tenant's own accounts, with a password.
        case local
        /// The emulator's simulated social provider.
        case social
    }

    /// When a second factor is required after the password.
    package enum MultiFactor: String, CaseIterable, Sendable {
        case off
        /// At each sign-in, with any identity provider, once per session. The code is sent to the account's telephone, else to its
        /// email address, else to a number that the user enters.
        case always
        /// At each sign-in too, a code of an authenticator app (RFC 6238), which the user adds at the first one.
        case totp
    }

    package struct Session: Hashable, Sendable {
        /// The scope in which a session is shared.
        package enum Scope: String, CaseIterable, Sendable {
            /// All applications and policies of the tenant.
            case tenant
            /// All policies of one application.
            case application
            /// All applications of one policy.
            case policy
            /// Not shared: each request requires a sign-in.
            case suppressed
        }

        package var scope = Scope.tenant
        /// The lifetime in seconds.
        package var seconds: Int64 = 86_400
        /// Whether each use restarts the lifetime.
        package var isRolling = true
        /// The lifetime with “keep me signed in”, in seconds; nil does not offer it.
        package var keepSeconds: Int64?
        /// Whether a sign-out needs a valid ID token of the user, else it does not redirect.
        package var requiresIDToken = false

        /// Creates the defaults of Azure AD B2C: one session per tenant, 24 hours from its last use.
        package init() {}
    }

    /// What makes an `id_token_hint` of an application valid.
    package struct Invitations: Hashable, Sendable {
        /// Its issuer; nil for that of the document at `metadata`.
        package var issuer: String?
        /// Its audience; nil for the client of the request.
        package var audience: String?
        /// The address of a document with issuer and address of the keys (OpenID Connect Discovery 1.0 section 3).
        package var metadata: String?
        /// The public keys that may sign it, as a JSON Web Key Set.
        package var keys = JSON.null
        /// The secret that signs it by HS256.
        package var secret: String?

        package init() {}
    }

    /// An attribute that a sign-up or an edit of the profile collects.
    package struct Attribute: Hashable, Sendable {
        /// The name of its claim: `displayName`, `givenName`, `surname`, `city`, `extension_Loyalty`…
        package var name: String
        /// The label of its field; nil derives it from the name.
        package var label: String?
        package var isRequired: Bool
        /// The allowed values; empty allows any text.
        package var choices: [String]

        package init(_ name: String, label: String? = nil, isRequired: Bool = false, choices: [String] = []) {
            self.name = name
            self.label = label
            self.isRequired = isRequired
            self.choices = choices
        }
    }

    package var offer = Offer.signUpOrSignIn
    /// The sign-in name of local accounts.
    package var identifier = Identifier.email
    package var identityProviders: [IdentityProvider] = [.local]
    /// The collected attributes; nil for the three names. `email` is for accounts with user names, `phone` is the number for a
    /// second factor; any other name becomes a claim.
    package var attributes: [Attribute]?
    /// Whether a code must verify an email address at a sign-up and before a password reset. The service does both; the emulator
    /// does not by default, so that tests need no codes.
    package var verifiesEmail = false
    package var multiFactor = MultiFactor.off
    package var forgottenPassword = ForgottenPassword.policy
    /// The number of wrong passwords or codes in a row that lock an account; 0 for never.
    package var lockoutFailures = 10
    package var lockoutSeconds: Int64 = 60
    package var session = Session()
    /// The application claims: those of a user that its tokens have; nil for all.
    package var claims: [String]?
    /// Whether a refresh reads the user again, as a custom policy with a refresh journey does; else it repeats the claims of the
    /// sign-in.
    package var refreshReadsUser = false
    /// The invitations that each request needs; nil if the policy reads none.
    package var invitations: Invitations?
    package var policyClaim = PolicyClaim.tfp
    package var subject = Subject.objectID
    package var applicationSubject = ApplicationSubject.clientID
    /// The lifetimes of its codes and tokens; nil for those of the tenant.
    package var lifetimes: Lifetimes?
    /// A custom page: an HTML file of at most 256 KiB with an empty element `<div id="api"></div>`, into which the emulator puts
    /// its form. It has its own style and absolute addresses; scripts do not run. The file is read for each page; the emulator
    /// does not start if it is unusable.
    package var template: FilePath?
    /// The developer's code by the steps that call it.
    package var callouts: [Callout.Step: Callout] = [:]
    /// The form of the issuer in its tokens; nil for that of the tenant. Custom policies set this, and what follows.
    var issuerForm: TenantConfiguration.IssuerForm?
    var numbersAsStrings = false
    var journeyLifetimes = JourneyLifetimes()

    /// Whether the emulator sends requests for it.
    var callsCode: Bool { !callouts.isEmpty || invitations?.metadata != nil }

    package init() {}
}
