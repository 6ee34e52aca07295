import SusiPolicies

/// One policy of a tenant at the address under which it was asked. Kinds without policies have one, named `default`.
struct PolicyEndpoint: Sendable {
    let tenant: Tenant
    /// Scheme, host and port: `http://localhost:PORT`.
    let origin: String
    /// The path before an endpoint's own, as it was asked: `/TENANT/POLICY`, `/common`.
    let base: String
    /// What follows an endpoint's path: the policy in B2C's third form.
    var query = ""
    /// The path before a page's own.
    let pages: String
    let policy: Policy

    /// How the policy behaves.
    var settings: PolicySettings { tenant.configuration.settings(of: policy.name) }

    /// What the kind of tenant says.
    var dialect: any TenantDialect { tenant.configuration.kind.dialect }

    /// The address of an endpoint in the form in which this endpoint was asked; nil when the kind has none.
    func address(_ endpoint: Endpoint) -> String? {
        dialect.path(of: endpoint).map { "\(origin)\(base)/\($0)\(query)" }
    }

    /// The address of a page's form or link. It needs no form of its own.
    func page(_ name: String) -> String { "\(pages)/page/\(name)" }

    /// Who issues the policy's tokens, as its metadata says.
    var issuer: String { dialect.issuer(self) }

    /// The first part of the address: a tenant's name, its GUID or a word such as `common`.
    var name: String { base.split(separator: "/").first.map { $0.lowercased() } ?? "" }

    /// How long the codes and tokens of its policy live.
    var lifetimes: Lifetimes { tenant.configuration.lifetimes(of: policy.name) }

    /// The registered client with that id.
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
}
