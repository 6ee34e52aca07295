public import SusiHTTP
public import SusiPolicies

/// What a look at the authority of one policy found.
public struct PolicyCheck: Sendable {
    /// The policy.
    public let policy: Policy
    /// The steps, with what the server offers.
    public let report: ProviderReport
    /// What is wrong, step by step; empty when a sign-in can begin.
    public let problems: [(step: ProviderReport.Step, error: SusiError)]
}

extension PublicClient {
    /// Looks at the authorities of all policies, or of one, as a sign-in would: whether each may be contacted, its
    /// configuration, issuer, endpoints and keys, and its clock. No cache is used, and nothing is stored.
    ///
    /// ``SusiError/Code/unknownName`` when there is no such policy; everything else is told as a problem.
    public func check(policy name: PolicyName? = nil) async throws(SusiError) -> [PolicyCheck] {
        let (application, clock) = (application, clock)
        let policies = try name.map { name throws(SusiError) in [try policy(name)] } ?? application.policies
        let context = context
        return try await mappingErrors {
            try await context.web { web in
                var checks: [PolicyCheck] = []
                for policy in policies {
                    let report = await Provider.examine(
                        application.authority(for: policy), known: application.knownAuthorities, client: web,
                        clock: clock)
                    let problems = report.problems.map { problem in
                        (
                            step: problem.step,
                            error: SusiError(problem.error, application: application, policy: policy.name)
                        )
                    }
                    checks.append(PolicyCheck(policy: policy, report: report, problems: problems))
                }
                return checks
            }
        }
    }
}
