import Susi

/// Checks the policies of a new file at the tenant.
enum DraftCheck {
    /// What was found of one policy.
    enum Outcome {
        /// A sign-in can begin.
        case answers
        /// What is wrong.
        case failed(SusiError)
        /// The tenant was not reached.
        case unreached(SusiError)
    }

    // A network that swallows everything must not keep a new user waiting.
    private static let patience = Duration.seconds(15)

    /// Asks for each policy's configuration and keys. Nothing is stored.
    static func outcomes(of application: Application, _ client: PublicClient) async throws -> [PolicyName: Outcome] {
        let checks = try await withThrowingTaskGroup(of: [PolicyCheck]?.self) { group in
            group.addTask { try await client.check() }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        var outcomes: [PolicyName: Outcome] = [:]
        for check in checks ?? [] { outcomes[check.policy.name] = outcome(check) }
        return outcomes
    }

    private static func outcome(_ check: PolicyCheck) -> Outcome {
        guard let problem = check.problems.first else { return .answers }
        return check.report.problems.first?.error is NetworkFailure ? .unreached(problem.error) : .failed(problem.error)
    }
}
