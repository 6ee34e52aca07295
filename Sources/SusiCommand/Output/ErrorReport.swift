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

    /// Returns the JSON error that a failed command prints on standard error: what failed, why, what to do next, and the
    /// server's error response, unchanged.
    func json(_ exitCode: Int32) -> JSONObject {
        let details: JSONObject = [
            "code": code, "exitCode": exitCode, "what": error.what, "why": error.why, "next": error.next,
            "candidates": error.candidates, "grantedScopes": error.scopes?.granted.scopes,
            "declinedScopes": error.scopes?.declined.scopes, "server": error.refusal.map(Self.json),
        ]
        return ["schemaVersion": 1, "error": details]
    }

    private static func json(_ refusal: ServerRefusal) -> JSONObject {
        [
            "error": refusal.error, "code": refusal.code, "suberror": refusal.suberror, "text": refusal.text,
            "correlationId": refusal.correlationID, "timestamp": refusal.timestamp, "claims": refusal.claims?.json,
        ]
    }
}

extension SusiError {
    /// A problem inside a result: what failed, why, what to do next.
    func json(_ given: GivenOptions) -> JSONObject { ["what": what, "why": why, "next": given.text(nextStep)] }
}
