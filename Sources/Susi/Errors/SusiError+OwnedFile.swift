import SusiPolicies

extension SusiError {
    /// Explains that a file or folder is not used because another user could have written it. `otherwise` is what to do if no
    /// command repairs it.
    package init(_ flaw: OwnedFile.Flaw, otherwise: NextStep = .useOwnFolder) {
        self.init(refusing: flaw.path, why: flaw.why, next: flaw.repair ?? otherwise)
    }

    /// Explains the same about a path.
    package init(refusing path: String, why: String, next: NextStep) {
        self.init(.unsafeFile, "refused to use “\(path)”", why: why, next: next)
    }
}

extension NextStep {
    /// The next step after a folder, or a file in it, belongs to another user.
    package static let useOwnFolder: NextStep = "move it away, or set SUSI_HOME to a folder of your own"
}
