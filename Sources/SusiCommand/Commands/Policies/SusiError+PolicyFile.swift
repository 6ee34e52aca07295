import Susi
import SusiBase

extension NextStep {
    /// The next step after a mistake in `policies.json`.
    static let fixPolicies: NextStep = "fix the file; \(SuggestedCommand("policies schema")) prints its format"
}
