import SusiBase
import SusiPolicies

/// A policy of a tenant at the address of a request. Kinds without policies have one, named `default`.
struct PolicyEndpoint: Sendable {
    let tenant: Tenant
    /// Scheme, host and port: `http://localhost:PORT`.
    let origin: String
    /// The base path of endpoints, as in the request: `/TENANT/POLICY`, `/common`.
    let base: String
    /// The query after an endpoint's path: the policy in B2C's third form of addresses.
    var query = ""
    /// The base path of pages.
    let pages: String
    let policy: Policy

    var settings: PolicySettings { custom?.settings ?? tenant.configuration.settings(of: policy.name) }

    /// The custom policy of the tenant's folder, as it was read last; nil for a user flow.
    var custom: CustomPolicy? { tenant.customPolicies?.last.policies[policy.name.lowercased] }

    /// The sign-in name that the policy accepts.
    var identifier: PolicySettings.Identifier {
        custom == nil ? tenant.configuration.identifier(of: policy) : .either
    }

    var keys: KeyRing { get throws { try tenant.keys(of: policy) } }

    /// The time of issue in a token that is issued now.
    func timeOfIssue(_ now: Int64) -> Int64 { now - dialect.traits.backdating }

    var dialect: any TenantDialect { tenant.configuration.kind.dialect }

    var elements: ElementNames { dialect.elements(at: self) }

    /// The address of an endpoint in the form of the request's address; nil if the kind does not have it.
    func address(_ endpoint: Endpoint) -> String? {
        dialect.path(of: endpoint).map { "\(origin)\(base)/\($0)\(query)" }
    }

    func page(_ name: String) -> String { "\(pages)/page/\(name)" }

    /// The issuer of the policy's tokens, as in its metadata.
    var issuer: String { dialect.issuer(self) }

    /// The first part of the address: a tenant's name, its GUID or a word such as `common`.
    var name: String { base.split(separator: "/").first.map { $0.lowercased() } ?? "" }

    var lifetimes: Lifetimes {
        custom.map { $0.settings.journeyLifetimes.over(tenant.configuration.lifetimes) }
            ?? tenant.configuration.lifetimes(of: policy.name)
    }

    /// The claims of a user that refreshes repeat, as JSON; nil if they read the user again.
    func claimsToRepeat(of user: User) throws -> String? {
        dialect.claimsToRepeat(of: user, at: self).map { JSON.object($0).text }
    }

    func application(_ clientID: String?) throws(Refusal) -> RegisteredApplication {
        guard let clientID else {
            throw Refusal(.clientMissing, "The request does not contain a client id parameter.")
        }
        guard let application = registered(clientID) else {
            throw Refusal(
                .clientUnknown,
                """
                The provided application with ID '\(clientID)' is not valid against this service. \
                Please use an application created via the B2C portal and try again.
                """
            ).because(tenant.unknownClient(clientID))
        }
        return application
    }

    /// The registered application with that client ID, or the token viewer.
    func registered(_ clientID: String) -> RegisteredApplication? {
        clientID.lowercased() == TokenViewer.clientID
            ? TokenViewer.application(origin) : tenant.application(clientID)
    }
}

/// What the pages of a policy offer.
extension PolicyEndpoint {
    var signsIn: Bool { policy.kind == .signUpOrSignIn }

    var listsAccounts: Bool { signsIn && dialect.traits.listsAccounts }

    var editsProfile: Bool { policy.kind == .editProfile }

    /// Whether users sign in with a password of this tenant.
    var offersPasswords: Bool { settings.identityProviders.contains(.local) }

    /// Whether each run begins with a form, whatever session the browser has.
    var ignoresSessions: Bool { policy.kind == .passwordReset || settings.offer == .signUp }

    var offersSignIn: Bool { !ignoresSessions && offersPasswords }

    /// Whether users can sign in with the simulated social provider.
    var offersSocial: Bool { (signsIn || editsProfile) && settings.identityProviders.contains(.social) }

    /// Whether users can create accounts: not in a workforce tenant, and not at a plain provider.
    var offersSignUp: Bool { signsIn && dialect.traits.offersSignUp && settings.offer != .signIn }

    var offersPasswordSignUp: Bool { offersSignUp && offersPasswords }

    /// Whether a forgotten password can be replaced on the policy's own pages.
    var resetsPasswords: Bool {
        policy.kind == .passwordReset || signsIn && offersPasswords && settings.forgottenPassword == .inline
    }

    /// Whether a sign-up begins with an address that has to be verified.
    var verifiesSignUp: Bool {
        settings.verifiesEmail
            && (settings.identifier != .userName || (settings.attributes ?? []).contains { $0.name == "email" })
    }

    var asksSecondFactor: Bool { settings.multiFactor != .off }

    /// Whether the second factor is the code of an authenticator app.
    var asksForApp: Bool { settings.multiFactor == .totp }
}
