import HTTPTypes
import SusiBase
import SusiJourneys

enum RequestResource {
    static func list(_ request: AdminRequest) throws -> Response {
        let query = request.query
        let tenant = try query["tenant"].map { _ in try request.tenant().label }
        let status = try request.number("status", 100...599)
        let after = try request.number("after", 0...Int64.max) ?? 0
        let same = { (name: String, value: String?) in
            query[name].map { $0.lowercased() == value?.lowercased() } ?? true
        }
        let entries = request.site.audit.latest(AuditTrail.most).filter { entry in
            same("policy", entry.policy) && same("client", entry.clientID) && same("code", entry.code)
                && (tenant.map { $0 == entry.tenant } ?? true)
                && status.map { $0 == Int64(entry.status) } ?? true
                && entry.number > after
        }
        return .json(["requests": .array(entries.prefix(try request.limit()).map(json))])
    }

    static func clear(_ request: AdminRequest) throws -> Response {
        request.site.audit.clear()
        return Response(status: .noContent)
    }

    /// What the journey of a custom policy did in a request.
    static func journey(_ request: AdminRequest) throws -> Response {
        let number = request.path["id"] ?? ""
        let entry = request.site.audit.latest(AuditTrail.most).first { "\($0.number)" == number }
        guard let entry else { throw AdminProblem(.notFound, "No recorded request “\(number)”.", field: "id") }
        return .json(["steps": .array(entry.journey.map(\.json))])
    }

    private static func json(_ entry: AuditEntry) -> JSON {
        [
            "number": .integer(entry.number), "time": .integer(entry.time), "method": .string(entry.method),
            "path": .string(entry.path), "tenant": entry.tenant.map(JSON.string),
            "policy": entry.policy.map(JSON.string), "clientId": entry.clientID.map(JSON.string),
            "acrValues": entry.acrValues.map(JSON.string), "status": .integer(Int64(entry.status)),
            "code": entry.code.map(JSON.string),
            "reason": entry.reason.map(JSON.string), "correlationId": entry.correlationID.map(JSON.string),
        ]
    }
}
