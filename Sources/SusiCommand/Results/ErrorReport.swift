import Susi

/// An error with its code for programs.
struct ExplainedError {
    let error: SusiError
    /// The error code in JSON.
    let code: String

    init(_ error: SusiError, code: String? = nil) {
        self.error = error
        self.code = code ?? error.code.rawValue
    }
}

/// The JSON error that a failed command prints on standard error: what failed, why, what to do next, and the server's
/// error response.
struct ErrorReport: CommandResult {
    let schemaVersion = 1
    let error: Details

    struct Details: Encodable {
        let code: String
        let exitCode: Int32
        let what: String
        let why: String
        let next: String
        let candidates: [String]
        let grantedScopes: [String]?
        let declinedScopes: [String]?
        let server: Server?
    }

    /// The fields of a server's error response, unchanged.
    struct Server: Encodable {
        let error: String
        let code: String?
        let suberror: String?
        let text: String
        let correlationId: String?
        let timestamp: String?
        let claims: String?
    }

    init(_ explained: ExplainedError, _ exitCode: ExitCodes) {
        let error = explained.error
        self.error = Details(
            code: explained.code, exitCode: exitCode.rawValue, what: error.what, why: error.why, next: error.next,
            candidates: error.candidates, grantedScopes: error.scopes?.granted.scopes,
            declinedScopes: error.scopes?.declined.scopes,
            server: error.refusal.map {
                Server(
                    error: $0.error, code: $0.code, suberror: $0.suberror, text: $0.text,
                    correlationId: $0.correlationID, timestamp: $0.timestamp, claims: $0.claims?.json)
            })
    }

    func lines(_ style: Style) -> [String] { [error.what] }
}
