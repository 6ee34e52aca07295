import HTTPTypes

/// One operation of the admin API: what it takes, what it gives, and what it does. The OpenAPI document is written from
/// these.
struct AdminRoute: Sendable {
    enum Handler: Sendable {
        /// Runs where it may block.
        case now(@Sendable (AdminRequest) throws -> AdminResult)
        /// Waits for something first.
        case waiting(@Sendable (AdminRequest) async throws -> AdminResult)
    }

    let method: HTTPRequest.Method
    /// Below `/admin/v1`; a part in braces is a parameter.
    let path: String
    /// The operation's name.
    let name: String
    /// What it does.
    let about: String
    var parameters: [AdminParameter] = []
    var body: AdminBody?
    /// What it answers when all is well; nil is an empty answer with status 204.
    var result: (status: HTTPResponse.Status, schema: AdminSchema)?
    /// Which problems it has besides those that every operation may have.
    var problems: [HTTPResponse.Status] = []
    var needsSecret = true
    let handler: Handler

    /// The parts of the path.
    var segments: [Substring] { path.split(separator: "/") }

    /// The values of the path's parameters when it fits; nil when it does not.
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

    /// Which tenant is meant.
    static let tenant = query(
        "tenant", .line(), "Tenant name or ID; default: the first tenant in `GET /tenants`.")

    /// How many elements are wanted.
    static let limit = query("limit", .integer(1...1_000), "Maximum number of results; default: 100.")

    /// The text as the schema's kind of value.
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

/// What an operation takes as its body.
struct AdminBody: Sendable {
    let schema: AdminSchema
    /// Whether it may be left out.
    var isOptional = false
}

/// A request that has been checked.
struct AdminRequest: Sendable {
    let site: Site
    let context: RequestContext
    let path: [String: String]
    let query: [String: JSON]
    let body: JSON

    /// The tenant that the query names, or the first one.
    func tenant() throws(AdminProblem) -> Tenant { try tenant(query["tenant"]?.string) }

    /// The tenant with that name or id; without one the first.
    func tenant(_ name: String?) throws(AdminProblem) -> Tenant {
        guard let tenant = site.tenant(name) else {
            let served = site.tenants.map(\.label).joined(separator: ", ")
            throw AdminProblem(.notFound, "No tenant “\(name ?? "")”. Tenants: \(served).", field: "tenant")
        }
        return tenant
    }

    /// How many elements are wanted.
    var limit: Int { Int(query["limit"]?.integer ?? 100) }
}

extension Site {
    /// The tenant with that name or id, without regard to case; the first one for nil.
    func tenant(_ name: String?) -> Tenant? {
        guard let name else { return tenants.first }
        return tenants.first { $0.spelling(name) != nil }
    }
}

/// What an operation gives.
struct AdminResult: Sendable {
    var json: JSON?
    /// Where what was made is.
    var location: String?

    static let empty = AdminResult()

    static func json(_ json: JSON) -> AdminResult { AdminResult(json: json) }
}
