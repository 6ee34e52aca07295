import Susi
import SusiBase

extension SusiError {
    /// Describes the mistakes in a file: a single one on one line, several as a list.
    init(_ error: PolicyFileError, next: NextStep) {
        if let flaw = error.flaw {
            self.init(flaw)
            return
        }
        guard !error.others.isEmpty else {
            self.init(.invalidConfiguration, "\(error)", next: next)
            return
        }
        let mistakes = error.all.map { mistake in
            "\(mistake.line.map { "line \($0): " } ?? "")\(mistake.reason)"
        }
        let count = mistakes.count < PolicyFileError.most ? "\(mistakes.count)" : "at least \(PolicyFileError.most)"
        self.init(.invalidConfiguration, "\(error.file) has \(count) mistakes", next: next, candidates: mistakes)
    }
}

extension NextStep {
    /// The next step after a mistake in `policies.json`.
    static let fixPolicies: NextStep = "fix the file; \(SuggestedCommand("policies schema")) prints its format"
}
