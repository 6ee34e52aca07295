import Susi
import SusiBase

/// The check of a new file's policies with the tenant.
enum DraftCheck {
    /// The outcome for one policy.
    enum Outcome {
        /// A sign-in can start.
        case answers
        /// The tenant responded, and the check found a problem.
        case failed(SusiError)
        /// The tenant could not be reached.
        case unreached(SusiError)
    }

    // Limits the wait on a network that drops all packets.
    private static let timeLimit = Duration.seconds(15)

    /// Requests the configuration and the keys of each policy. Stores nothing.
    static func outcomes(of application: Application, _ client: PublicClient) async throws -> [PolicyName: Outcome] {
        let checks = try await withThrowingTaskGroup(of: [PolicyCheck]?.self) { group in
            group.addTask { try await client.check() }
            group.addTask {
                try await Task.sleep(for: timeLimit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        var outcomes: [PolicyName: Outcome] = [:]
        guard let checks else {
            let error = SusiError(.timeout, "no response from \(application.authority.authority) in time")
            for policy in application.policies { outcomes[policy.name] = .unreached(error) }
            return outcomes
        }
        for check in checks { outcomes[check.policy.name] = outcome(check) }
        return outcomes
    }

    private static func outcome(_ check: PolicyCheck) -> Outcome {
        guard let problem = check.problems.first else { return .answers }
        return check.report.problems.first?.error is NetworkFailure ? .unreached(problem.error) : .failed(problem.error)
    }
}
