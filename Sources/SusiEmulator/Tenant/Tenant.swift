import FoundationEssentials
import SusiPolicies

/// The running tenant: what it has, its database, its key and its time.
struct Tenant: Sendable {
    let configuration: TenantConfiguration
    let database: Database
    let key: SigningKey
    let clock: EmulatorClock

    /// The application with that client id.
    func application(_ clientID: String) -> RegisteredApplication? {
        configuration.applications.first { $0.clientID.lowercased() == clientID.lowercased() }
    }

    /// The published keys (RFC 7517).
    var keySet: JSON { ["keys": [key.publicJSON]] }
}

/// One policy of the tenant at the address under which it was asked.
struct Place: Sendable {
    /// The three ways to write a policy's address.
    enum Form: Sendable { case path, tfp, query }

    let tenant: Tenant
    let origin: String
    let form: Form
    /// The tenant's name or its GUID, as it was asked.
    let tenantSpelling: String
    let policy: Policy

    /// The address of one of the policy's endpoints, in the form in which it was asked.
    func endpoint(_ suffix: String) -> String {
        switch form {
        case .path: "\(origin)/\(tenantSpelling)/\(policy.name)/\(suffix)"
        case .tfp: "\(origin)/tfp/\(tenantSpelling)/\(policy.name)/\(suffix)"
        case .query: "\(origin)/\(tenantSpelling)/\(suffix)?p=\(percentEncoded(policy.name.spelling))"
        }
    }

    /// The address of a page's form or link. It needs no form of its own.
    func page(_ name: String) -> String { "/\(tenantSpelling)/\(policy.name)/page/\(name)" }

    /// Who issues the policy's tokens.
    var issuer: String {
        switch tenant.configuration.issuerForm {
        case .tenant: "\(origin)/\(tenant.configuration.id)/v2.0/"
        case .policy: "\(origin)/tfp/\(tenant.configuration.id)/\(policy.name)/v2.0/"
        }
    }
}

extension Tenant {
    /// Finds the policy that a path names, and what follows it; nil when there is none.
    func place(_ visit: Visit, origin: String) -> (place: Place, rest: String)? {
        var segments = visit.segments[...]
        var form = Place.Form.path
        if segments.first?.lowercased() == "tfp" {
            form = .tfp
            segments.removeFirst()
        }
        guard let named = segments.popFirst()?.lowercased() else { return nil }
        let names = [configuration.name, configuration.id]
        guard let spelling = names.first(where: { $0.lowercased() == named }) else { return nil }
        var policy = segments.first.flatMap { find($0) }
        if policy != nil {
            segments.removeFirst()
        } else if let asked = visit.query["p"] {
            form = .query
            policy = find(asked)
        }
        guard let policy else { return nil }
        let place = Place(tenant: self, origin: origin, form: form, tenantSpelling: spelling, policy: policy)
        return (place, segments.joined(separator: "/"))
    }

    private func find(_ name: String) -> Policy? { configuration.policies.first { $0.name == PolicyName(name) } }
}
