import SusiOAuth
package import SusiPolicies

// Errors of other tenants than the one at home.
extension SusiError {
    /// Maps the error of an application whose kind has one tenant only.
    package init(_ error: NoOtherTenants) {
        self.init(
            .unknownName, "“\(error.application)” has one tenant only",
            why: "in the kind “\(error.kind.rawValue)”, a sign-in does not serve other tenants",
            next: "leave out the tenant, or name another application")
    }

    static func inOtherTenant(_ text: String, _ tenant: String, place: String) -> SusiError {
        SusiError(
            .unknownAccount, "no account “\(text)”\(place)", why: "it is an account in the tenant \(tenant)",
            next: .name(.tenant, [tenant]))
    }

    static func tenantNotNamed(
        _ refusal: KnownAuthorities.Refusal, _ policy: Policy, _ home: String, _ application: Application
    ) -> SusiError {
        let addition = refusal.addition(to: "the application “\(application.name)” in policies.json")
        let next: NextStep = addition.map { "\(.run(policy)), or add \($0)" } ?? NextStep.run(policy)
        return SusiError(
            .signInNeeded, "sign-in needed",
            why: "no account is signed in under \(policy.name), and the sign-in of \(home) is not used there: "
                + refusal.reason,
            next: next)
    }

    /// A refusal by another tenant. Where the tenant refuses the person, only a sign-in there helps.
    static func refusedByTenant(
        _ refusal: ServerRefusal, _ policy: Policy, _ home: String, _ application: Application
    ) -> SusiError {
        let error = SusiError(refusal, application: application, policy: policy.name)
        let isPersonal = ["invalid_grant", "interaction_required", "access_denied"].contains(refusal.error)
        guard [.signInNeeded, .consentNeeded].contains(error.code) || isPersonal, error.code != .network else {
            return error
        }
        let tenant = application.authority(for: policy).tenant ?? ""
        let signsIn = error.nextStep.parts.contains { if case .run = $0 { true } else { false } }
        let first: NextStep = error.nextStep.isEmpty ? "" : "\(error.nextStep), then "
        return SusiError(
            error.code == .consentNeeded ? .consentNeeded : .signInNeeded,
            "the tenant \(tenant) did not accept the sign-in of \(home)", why: error.why,
            next: signsIn ? error.nextStep : "\(first)\(.run(policy))", refusal: refusal)
    }
}
