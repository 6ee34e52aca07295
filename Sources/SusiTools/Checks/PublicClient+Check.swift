package import Susi

/// The result of checking the authority of one policy.
package struct PolicyCheck: Sendable {
    package let policy: Policy
    /// The steps, with what the server offers.
    package let report: ProviderReport
    /// The problems by step; empty if a sign-in can begin.
    package let problems: [(step: ProviderReport.Step, error: SusiError)]
}

extension PublicClient {
    /// Checks the authorities of all policies, or of one, as a sign-in would: whether each may be contacted, its
    /// configuration, issuer, endpoints and keys, and its clock. No cache is used, and nothing is stored.
    ///
    /// Throws ``SusiError/Code/unknownName`` if there is no such policy; everything else is a problem in the result.
    package func check(policy name: PolicyName? = nil) async throws(SusiError) -> [PolicyCheck] {
        let policies =
            try name.map { name throws(SusiError) in
                [try choose { try $0.findPolicy(name) }]
            } ?? application.policies
        let context = context
        return try await mappingErrors {
            try await context.web { web in
                // Side by side: a silent server is waited for once.
                await withTaskGroup(of: (Int, PolicyCheck).self) { group in
                    for (number, policy) in policies.enumerated() {
                        group.addTask { (number, await context.check(policy, web)) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
                }
            }
        }
    }

    /// Fetches a path at the origin of the application's authority, within a time limit.
    package func response(at path: String, within limit: Duration) async throws(SusiError) -> WebClient.Response {
        let context = context
        return try await mappingErrors {
            let endpoint = try Endpoint(application.authority.origin + path)
            return try await context.web(within: limit) { web in try await web.get(endpoint) }
        }
    }
}

extension ClientContext {
    fileprivate func check(_ policy: Policy, _ web: WebClient) async -> PolicyCheck {
        let report = await Provider.examine(
            application.authority(for: policy), known: application.knownAuthorities, client: web, clock: clock)
        let problems = report.problems.map { problem in
            (step: problem.step, error: explained(problem.error, under: policy.name))
        }
        return PolicyCheck(policy: policy, report: report, problems: problems)
    }
}
