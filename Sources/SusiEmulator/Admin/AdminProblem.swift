import HTTPTypes
import SusiBase
import SusiPolicies

/// Why the admin API refuses a request (RFC 9457).
struct AdminProblem: Error, Sendable {
    let status: HTTPResponse.Status
    /// The actual and the expected value.
    let detail: String
    var field: String?
    /// The problem of the field, without its name.
    var reason: String?

    init(_ status: HTTPResponse.Status, _ detail: String, field: String? = nil) {
        self.status = status
        self.detail = detail
        self.field = field
    }

    /// An invalid field; an empty name means the whole body.
    static func field(_ name: String, _ reason: String) -> AdminProblem {
        let subject = name.isEmpty ? "request body" : "“\(name)”"
        var problem = AdminProblem(.badRequest, "Invalid \(subject): \(reason).", field: name)
        problem.reason = reason
        return problem
    }

    /// A mistake in the body.
    init(_ mistake: PolicyFileError) {
        let line = mistake.line.flatMap { $0 > 1 ? "line \($0): " : nil } ?? ""
        self.init(.badRequest, "Invalid request body: \(line)\(mistake.reason).", field: mistake.key)
        reason = mistake.problem + (mistake.expected.map { "; expected \($0)" } ?? "")
    }

    init(noUser name: String) {
        self.init(.notFound, "No user “\(name)”. Use an object ID, an email address or a user name.")
    }

    func response() throws -> Response {
        let json: JSON = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "detail": .string(detail), "field": field.flatMap { $0.isEmpty ? nil : .string($0) },
        ]
        return Response(status: status, body: json.encoded, type: "application/problem+json", note: detail)
    }
}
