import Susi

/// An error with its code for programs.
struct ExplainedError {
    /// The error with the commands of its next step completed.
    let error: SusiError
    /// The error code in JSON.
    let code: String
    /// The status of an API's response.
    let status: Int?
    private let reasons: JSONObject

    init(_ error: SusiError, code: String? = nil, status: Int? = nil, _ given: GivenOptions = GivenOptions()) {
        self.error = error.completed(by: given)
        self.code = code ?? error.code.rawValue
        self.status = status
        reasons = error.json(given)
    }

    /// Returns the JSON error that a failed command prints on standard error: what failed, why, what to do next, and the
    /// server's error response, unchanged.
    func json(_ exitCode: Int32) -> JSONObject {
        let details: JSONObject =
            reasons + [
                "code": code, "exitCode": exitCode, "status": status,
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
    /// What failed, why, and the command to type next; an instruction for a person is part of the reason.
    func json(_ given: GivenOptions) -> JSONObject {
        let (next, words) = given.split(nextStep)
        return ["what": what, "why": [why, words].filter { !$0.isEmpty }.joined(separator: "; "), "next": next]
    }
}
