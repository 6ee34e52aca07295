import Susi

/// An error with what a person or a program is told of it.
struct ExplainedError {
    let error: SusiError
    /// The code for programs.
    let code: String
    /// Whether the argument parser wrote its text, with lines and usage.
    let isParsers: Bool

    init(_ error: SusiError, code: String? = nil, isParsers: Bool = false) {
        self.error = error
        self.code = code ?? error.code.rawValue
        self.isParsers = isParsers
    }
}

/// What standard error has of a failed command that was asked for JSON.
struct ErrorReport: CommandResult {
    let schemaVersion = 1
    let error: Content

    struct Content: Encodable {
        let code: String
        let exitCode: Int32
        let what: String
        let why: String
        let next: String
        let candidates: [String]
        let correlationId: String?
    }

    init(_ explained: ExplainedError, _ exitCode: ExitCodes) {
        let error = explained.error
        self.error = Content(
            code: explained.code, exitCode: exitCode.rawValue, what: error.what, why: error.why, next: error.next,
            candidates: error.candidates, correlationId: error.correlationID)
    }

    func lines(_ style: Style) -> [String] { [error.what] }
}
