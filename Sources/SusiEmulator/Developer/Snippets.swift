import SusiBase
import SusiPolicies

/// What connects a program to a tenant.
struct Snippets {
    /// The content of a `policies.json`.
    let policies: String
    /// Commands that read the metadata and the keys, and call the first API.
    let curl: String

    /// Returns `nil` for a tenant without a public client.
    init?(_ tenant: Tenant, _ origin: String) {
        var configuration = tenant.configuration
        configuration.applications = Array(configuration.applications.filter { !$0.isConfidential }.prefix(1))
        guard !configuration.applications.isEmpty,
            let endpoint = tenant.policyEndpoints(at: origin).first(where: { $0.policy.kind == .signUpOrSignIn }),
            let policies = TenantConfiguration.policies(of: [configuration], at: origin)
        else { return nil }
        self.policies = policies
        var lines = [endpoint.address(.metadata), endpoint.address(.keys)].map { "curl -s \(($0 ?? "").shellQuoted)" }
        if let api = configuration.apis.first {
            // Through a pipe: other users of the machine can read an argument list.
            let address = (origin + api.samplePath).shellQuoted
            lines.append("printf 'Authorization: Bearer %s\\n' \"$TOKEN\" | curl -s -H @- \(address)")
        }
        curl = lines.joined(separator: "\n")
    }
}
