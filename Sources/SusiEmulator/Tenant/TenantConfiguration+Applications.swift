import FoundationEssentials
public import SusiPolicies

extension TenantConfiguration {
    /// A tenant that fits one application of `policies.json`: its kind, its policies, its client id, its redirect
    /// addresses (port 0 lets every port pass), its APIs and the standard users.
    public init(application: Application) {
        let kind = application.kind
        let segments = application.authority.segments
        // Where an address names no tenant; kinds beside each other get tenants of their own.
        let fallback = kind == .entra ? "tailspin.onmicrosoft.com" : "contoso.onmicrosoft.com"
        let named =
            switch kind {
            case .openid: segments.joined(separator: "/")
            case .b2c: segments.first { $0.lowercased() != "tfp" } ?? fallback
            case .external, .entra: segments.first { !EntraDialect.isShared($0) } ?? fallback
            }
        let isGUID = UUID(uuidString: named) != nil
        self.init(
            kind: kind, name: isGUID ? fallback : named, id: isGUID ? named : nil, policies: application.policies,
            applications: [RegisteredApplication(application)],
            apis: application.apis.map { RegisteredAPI($0, of: kind) })
        if application.redirectPorts.contains(0) { redirectPorts = .any }
        // A provider's issuer is its address, letter for letter.
        if kind == .openid, application.authority.spelling.hasSuffix("/") { issuerForm = .trailingSlash }
    }

    /// The tenants that applications on one emulator need. Applications of one tenant share it, and one that asks at
    /// `/common` joins the first workforce tenant.
    public static func tenants(for applications: [Application]) -> [TenantConfiguration] {
        var tenants: [TenantConfiguration] = []
        let isShared = { (application: Application) in
            application.kind == .entra
                && application.authority.segments.allSatisfy(EntraDialect.isShared)
        }
        for application in applications.filter({ !isShared($0) }) + applications.filter(isShared) {
            let made = TenantConfiguration(application: application)
            let same = tenants.firstIndex { $0.key == made.key || isShared(application) && $0.kind == .entra }
            if let same { tenants[same].take(made) } else { tenants.append(made) }
        }
        return tenants
    }

    // What another application of the same tenant brings along.
    private mutating func take(_ other: TenantConfiguration) {
        policies += other.policies.filter { policy in !policies.contains { $0.name == policy.name } }
        apis += other.apis.filter { !apis.contains($0) }
        if other.redirectPorts == .any { redirectPorts = .any }
        for application in other.applications {
            let same = applications.firstIndex { $0.clientID.lowercased() == application.clientID.lowercased() }
            guard let same else {
                applications.append(application)
                continue
            }
            let known = applications[same].redirectAddresses
            applications[same].redirectAddresses += application.redirectAddresses.filter { !known.contains($0) }
        }
    }
}
