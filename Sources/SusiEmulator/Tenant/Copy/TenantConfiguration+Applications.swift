import FoundationEssentials
package import SusiPolicies

extension TenantConfiguration {
    /// What a tenant copies.
    package struct Original: Hashable, Sendable, CustomStringConvertible {
        let application: String
        let authority: WebAddress

        package var description: String { "\(application), \(authority)" }
    }

    /// Creates a tenant for an application of `policies.json`: with its kind, policies, client id, redirect addresses (port 0
    /// allows every port) and APIs, and with the standard users. A B2C tenant without a resource owner policy gets one, for tests
    /// without a browser.
    package init(application: Application) {
        let dialect = application.kind.dialect
        let named = dialect.tenantName(in: application.authority.segments) ?? dialect.traits.defaults.name
        let isGUID = UUID(uuidString: named) != nil
        self.init(
            kind: application.kind, name: isGUID ? dialect.traits.defaults.name : named, id: isGUID ? named : nil,
            policies: application.policies, applications: [RegisteredApplication(application)],
            apis: application.apis.map { RegisteredAPI($0, of: application.kind) })
        if application.kind.traits.hasPolicies, application.policies(of: .resourceOwner).isEmpty {
            policies.append(Policy(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
        }
        if application.redirectPorts.contains(0) { redirectPorts = .any }
        copyOf = application.copyOf.map { Original(application: application.name, authority: $0) }
        let hasSlash = application.authority.spelling.hasSuffix("/")
        if hasSlash, dialect.traits.issuerForms.contains(.trailingSlash) { issuerForm = .trailingSlash }
    }

    /// The tenants for several applications. Applications of one tenant share it; an application at `/common` joins the first
    /// workforce tenant.
    package static func tenants(for applications: [Application]) -> [TenantConfiguration] {
        var tenants: [TenantConfiguration] = []
        let isShared = { (application: Application) in
            application.kind.dialect.isShared(application.authority.segments)
        }
        for application in applications.filter({ !isShared($0) }) + applications.filter(isShared) {
            let made = TenantConfiguration(application: application)
            let same = tenants.firstIndex { $0.key == made.key || isShared(application) && $0.kind == made.kind }
            if let same {
                tenants[same].take(made)
            } else {
                tenants.append(made)
                tenants[tenants.count - 1].isUnnamed = isShared(application)
            }
        }
        return tenants
    }

    // Adds the parts of another application of the same tenant.
    mutating func take(_ other: TenantConfiguration) {
        policies += other.policies.filter { policy in !policies.contains { $0.name == policy.name } }
        apis += other.apis.filter { !apis.contains($0) }
        if other.redirectPorts == .any { redirectPorts = .any }
        other.applications.forEach { take($0) }
    }

    /// Adds an application, or its redirect addresses with their types to the one with its client ID.
    package mutating func take(_ application: RegisteredApplication) {
        let same = applications.firstIndex { $0.clientID.lowercased() == application.clientID.lowercased() }
        guard let same else { return applications.append(application) }
        for address in application.redirectAddresses {
            if let type = application.redirectTypes[address] { applications[same].redirectTypes[address] = type }
            if !applications[same].redirectAddresses.contains(address) {
                applications[same].redirectAddresses.append(address)
            }
        }
    }
}
