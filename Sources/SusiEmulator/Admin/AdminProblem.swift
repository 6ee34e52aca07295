import HTTPTypes

/// Why the admin API refuses a request (RFC 9457).
struct AdminProblem: Error, Sendable {
    let status: HTTPResponse.Status
    /// What happened, and what would be right.
    let detail: String
    /// The field or parameter that is wrong.
    var field: String?

    init(_ status: HTTPResponse.Status, _ detail: String, field: String? = nil) {
        self.status = status
        self.detail = detail
        self.field = field
    }

    /// A field that is wrong; an empty name stands for the whole body.
    static func field(_ name: String, _ reason: String) -> AdminProblem {
        AdminProblem(.badRequest, "\(name.isEmpty ? "The body" : "“\(name)”") is not right: \(reason).", field: name)
    }

    func answer() throws -> Answer {
        let json: JSON = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "detail": .string(detail), "field": field.flatMap { $0.isEmpty ? nil : .string($0) },
        ]
        return Answer(status: status, body: try json.encoded(), type: "application/problem+json", note: detail)
    }
}
