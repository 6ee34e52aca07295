import HTTPTypes

/// An operation of the admin API: its input, its result and its handler. The OpenAPI document is generated from these.
struct AdminRoute: Sendable {
    enum Handler: Sendable {
        /// Runs on a thread that may block.
        case now(@Sendable (AdminRequest) throws -> AdminResult)
        /// Can wait without blocking a thread.
        case waiting(@Sendable (AdminRequest) async throws -> AdminResult)
    }

    let method: HTTPRequest.Method
    /// The path below `/admin/v1`; a part in braces is a parameter.
    let path: String
    let name: String
    let about: String
    var parameters: [AdminParameter] = []
    var body: AdminBody?
    /// The successful response; nil for an empty one with status 204.
    var result: (status: HTTPResponse.Status, schema: AdminSchema)?
    /// Its problems, in addition to those of every operation.
    var problems: [HTTPResponse.Status] = []
    var needsSecret = true
    let handler: Handler

    var segments: [Substring] { path.split(separator: "/") }

    /// The values of the path's parameters; nil if the path does not match.
    func values(_ given: [String]) -> [String: String]? {
        guard segments.count == given.count else { return nil }
        var values: [String: String] = [:]
        for (segment, value) in zip(segments, given) {
            if segment.hasPrefix("{") {
                values[String(segment.dropFirst().dropLast())] = value
            } else {
                guard segment == value else { return nil }
            }
        }
        return values
    }
}

/// A parameter of the path or of the query.
struct AdminParameter: Sendable {
    let name: String
    let isInPath: Bool
    let schema: AdminSchema
    let about: String

    static func path(_ name: String, _ schema: AdminSchema, _ about: String) -> AdminParameter {
        AdminParameter(name: name, isInPath: true, schema: schema, about: about)
    }

    static func query(_ name: String, _ schema: AdminSchema, _ about: String) -> AdminParameter {
        AdminParameter(name: name, isInPath: false, schema: schema, about: about)
    }

    static let tenant = query(
        "tenant", .line(), "Tenant name or ID; default: the first tenant in `GET /tenants`.")

    static let limit = query("limit", .integer(1...1_000), "Maximum number of results; default: 100.")

    func value(_ text: String) throws(AdminProblem) -> JSON {
        var value = JSON.string(text)
        switch schema {
        case .integer:
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2d }
            if isPlain, let number = Int64(text) { value = .integer(number) }
        case .boolean: if text == "true" || text == "false" { value = .bool(text == "true") }
        default: break
        }
        try schema.check(value, at: name)
        return value
    }
}

struct AdminBody: Sendable {
    let schema: AdminSchema
    var isOptional = false
}

/// A checked request.
struct AdminRequest: Sendable {
    let site: Site
    let context: RequestContext
    let path: [String: String]
    let query: [String: JSON]
    let body: JSON

    /// The tenant in the query, or the first one.
    func tenant() throws(AdminProblem) -> Tenant { try tenant(query["tenant"]?.string) }

    /// The tenant with that name or id; the first one for nil.
    func tenant(_ name: String?) throws(AdminProblem) -> Tenant {
        guard let tenant = site.tenant(name) else {
            let served = site.tenants.map(\.label).joined(separator: ", ")
            throw AdminProblem(.notFound, "No tenant “\(name ?? "")”. Tenants: \(served).", field: "tenant")
        }
        return tenant
    }

    /// The maximum number of results.
    var limit: Int { Int(query["limit"]?.integer ?? 100) }
}

extension Site {
    /// The tenant with that name or id, ignoring case; the first one for nil.
    func tenant(_ name: String?) -> Tenant? {
        guard let name else { return tenants.first }
        return tenants.first { $0.spelling(name) != nil }
    }
}

struct AdminResult: Sendable {
    var json: JSON?
    var location: String?

    static let empty = AdminResult()

    static func json(_ json: JSON) -> AdminResult { AdminResult(json: json) }
}
