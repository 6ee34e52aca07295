import HTTPTypes
import SusiBase
import SusiPolicies

enum FaultResource {
    /// The maximum number of faults, because each request checks all of them.
    private static let most = 1_000

    static let fault = SchemaNode.object([
        .init(
            "endpoint", .choice(Fault.Endpoint.allCases.map(\.rawValue)), required: true,
            "the endpoint at which the fault is injected"),
        .init("tenant", .text(.any), "only in this tenant (name or ID)"),
        .init("policy", .text(.any), "only at this policy"), .init("client", .text(.any), "only for this client ID"),
        .init(
            "status",
            .object([
                .init("code", .integer(200...599), required: true, "the HTTP status"),
                .init(
                    "body", .text(.any),
                    "the body; default for 429 and 5xx: the error of the real service; required with 2xx"),
                .init("contentType", .text(.line), "the content type; default: application/json"),
                .init("retryAfter", .integer(0...86_400), "the value of the Retry-After header, in seconds"),
            ]), "respond with this status; the request is not processed"),
        .init(
            "delay", .object([.init("milliseconds", .integer(0...60_000), required: true, "the delay")]),
            "delay the response"),
        .init(
            "drop", .choice(Fault.Drop.allCases.map(\.rawValue)),
            "close the connection: before processing (request), before the response, or in the middle of its body"),
        .init(
            "malformed", .choice(Fault.Malformation.allCases.map(\.rawValue)),
            "an HTML page with status 200 (html), half of the body (cut), a wrong content type (type) or invalid UTF-8 (encoding)"
        ),
        .init("probability", .number(0...1), "the probability; default: 1"),
        .init("count", .integer(1...1_000_000), "the maximum number of injections"),
        .init("seed", .integer(0...Int64.max), "the seed of the random numbers; random by default, and returned"),
    ])

    static func list(_ request: AdminRequest) throws -> Response {
        .json(["faults": .array(request.site.faults.all.map(json))])
    }

    static func add(_ request: AdminRequest) throws -> Response {
        let faults = request.site.faults
        let kinds = ["status", "delay", "drop", "malformed"]
        guard kinds.count(where: { request.body[$0] != nil }) == 1 else {
            throw AdminProblem.field("status", "expected exactly one of \(kinds.joined(separator: ", "))")
        }
        if let status = request.body["status"] { try check(status) }
        guard faults.all.count < most else {
            throw AdminProblem(
                .conflict, "There are already \(most) faults. Remove them with DELETE \(AdminAPI.base)/faults.")
        }
        let id = faults.add(fault(request.body))
        guard let active = faults.all.first(where: { $0.id == id }) else {
            throw AdminProblem(.conflict, "Another request removed the fault immediately.")
        }
        return .json(json(active), status: .created).setting("Location", "\(AdminAPI.base)/faults/\(id)")
    }

    // A fault must change something: a successful response needs its own body. These statuses have no body (RFC 9110
    // sections 15.3.5, 15.3.6 and 15.4.5).
    private static func check(_ status: JSONNode) throws(AdminProblem) {
        let (code, body) = (status["code"]?.lenientInteger ?? 0, status["body"]?.string)
        if [204, 205, 304].contains(code), let body, !body.isEmpty {
            throw .field("status.body", "a response with status \(code) has no body")
        }
        guard body == nil, (200...299).contains(code) else { return }
        throw .field(
            "status.body",
            """
            required with status \(code); use "" for an empty body, or malform the usual response with \
            { "malformed": "html" }
            """)
    }

    static func removeAll(_ request: AdminRequest) throws -> Response {
        request.site.faults.removeAll()
        return Response(status: .noContent)
    }

    static func remove(_ request: AdminRequest) throws -> Response {
        let id = request.path["id"] ?? ""
        guard let number = Int(id), request.site.faults.remove(number) else {
            throw AdminProblem(.notFound, "No fault \(id). `GET /faults` lists them.")
        }
        return Response(status: .noContent)
    }

    // Exactly one kind is given.
    private static func kind(_ body: JSONNode) -> Fault.Kind {
        if let status = body["status"] {
            return .status(
                Int(status["code"]?.lenientInteger ?? 500), body: status["body"]?.string,
                contentType: status["contentType"]?.string ?? "application/json",
                retryAfter: status["retryAfter"]?.lenientInteger.map(Int.init))
        }
        if let delay = body["delay"] { return .delay(milliseconds: Int(delay["milliseconds"]?.lenientInteger ?? 0)) }
        if let drop = body["drop"]?.string.flatMap(Fault.Drop.init) { return .drop(drop) }
        return .malformed(body["malformed"]?.string.flatMap(Fault.Malformation.init) ?? .html)
    }

    private static func fault(_ body: JSONNode) -> Fault {
        Fault(
            kind(body), at: body["endpoint"]?.string.flatMap(Fault.Endpoint.init) ?? .any,
            tenant: body["tenant"]?.string, policy: body["policy"]?.string, clientID: body["client"]?.string,
            probability: body["probability"].flatMap(probability) ?? 1,
            count: body["count"]?.lenientInteger.map(Int.init), seed: body["seed"]?.lenientInteger.map { UInt64($0) })
    }

    private static func probability(_ node: JSONNode) -> Double? {
        if case .number(let text) = node.value { Double(text) } else { nil }
    }

    private static func json(_ active: Faults.Active) -> JSON {
        let fault = active.fault
        var json: [String: JSON] = [
            "id": .integer(Int64(active.id)), "endpoint": .string(fault.endpoint.rawValue),
            "probability": .number("\(fault.probability)"), "seed": .integer(Int64(clamping: active.seed)),
            "met": .integer(Int64(active.matches)), "struck": .integer(Int64(active.hits)),
        ]
        json["tenant"] = fault.tenant.map(JSON.string)
        json["policy"] = fault.policy.map(JSON.string)
        json["client"] = fault.clientID.map(JSON.string)
        json["count"] = fault.count.map { .integer(Int64($0)) }
        switch fault.kind {
        case .status(let code, let body, let type, let seconds):
            json["status"] = [
                "code": .integer(Int64(code)), "body": body.map(JSON.string), "contentType": .string(type),
                "retryAfter": seconds.map { .integer(Int64($0)) },
            ]
        case .delay(let milliseconds): json["delay"] = ["milliseconds": .integer(Int64(milliseconds))]
        case .drop(let drop): json["drop"] = .string(drop.rawValue)
        case .malformed(let form): json["malformed"] = .string(form.rawValue)
        }
        return .object(json)
    }
}
