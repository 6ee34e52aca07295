import Susi
import SusiBase
import SusiTools

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

    /// Requests the configuration and the keys of each policy. Stores nothing.
    static func outcomes(_ client: PublicClient) async throws -> [PolicyName: Outcome] {
        Dictionary(try await client.check().map { ($0.policy.name, outcome($0)) }) { first, _ in first }
    }

    private static func outcome(_ check: PolicyCheck) -> Outcome {
        guard let problem = check.problems.first else { return .answers }
        return check.report.problems.first?.error is NetworkFailure ? .unreached(problem.error) : .failed(problem.error)
    }
}
