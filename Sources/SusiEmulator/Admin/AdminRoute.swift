import HTTPTypes
import NIOPosix
import SusiPolicies

/// An operation of the admin API. `Resources/openapi.json` describes them for others.
struct AdminRoute: Sendable {
    let method: HTTPRequest.Method
    /// The path below `/admin/v1`; a part in braces is a parameter.
    let path: String
    /// The names of the parameters of the query.
    let query: [String]
    /// The schema of the body; nil if the operation has none.
    let body: SchemaNode?
    let needsSecret: Bool
    let handler: @Sendable (AdminRequest) async throws -> Response

    /// An operation whose handler may block its thread.
    init(
        _ method: HTTPRequest.Method, _ path: String, query: [String] = [], body: SchemaNode? = nil,
        needsSecret: Bool = true, _ handler: @escaping @Sendable (AdminRequest) throws -> Response
    ) {
        self.init(method, path, query: query, body: body, needsSecret: needsSecret) { request in
            try await NIOThreadPool.singleton.runIfActive { try handler(request) }
        }
    }

    /// An operation whose handler waits without blocking a thread.
    init(
        _ method: HTTPRequest.Method, _ path: String, query: [String] = [], body: SchemaNode? = nil,
        needsSecret: Bool = true, waiting handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) {
        (self.method, self.path, self.query, self.body) = (method, path, query, body)
        (self.needsSecret, self.handler) = (needsSecret, handler)
    }

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

extension AdminRoute {
    static let table = [
        AdminRoute(.get, "/openapi.json", needsSecret: false) { _ in .json(try AdminDescription.document()) },
        AdminRoute(.get, "/tenants", TenantResource.list),
        AdminRoute(.post, "/reset", TenantResource.reset),
        AdminRoute(.get, "/users", query: ["tenant", "limit", "search", "after"], UserResource.list),
        AdminRoute(.post, "/users", query: ["tenant"], body: User.entries.shape(), UserResource.create),
        AdminRoute(.get, "/users/{id}", query: ["tenant"], UserResource.show),
        AdminRoute(.patch, "/users/{id}", query: ["tenant"], body: Tenant.userChanges, UserResource.change),
        AdminRoute(.delete, "/users/{id}", query: ["tenant"], UserResource.remove),
        AdminRoute(.post, "/users/{id}/revoke", query: ["tenant"], UserResource.revoke),
        AdminRoute(.get, "/sessions", query: ["tenant", "limit", "user"], SessionResource.list),
        AdminRoute(.delete, "/sessions", query: ["tenant", "user"], SessionResource.endAll),
        AdminRoute(.delete, "/sessions/{id}", query: ["tenant"], SessionResource.end),
        AdminRoute(
            .get, "/outbox", query: ["tenant", "limit", "to", "purpose", "after", "wait"], waiting: OutboxResource.list),
        AdminRoute(.delete, "/outbox", query: ["tenant"], OutboxResource.clear),
        AdminRoute(.get, "/clock", ClockResource.show),
        AdminRoute(.put, "/clock", body: ClockResource.setting, ClockResource.set),
        AdminRoute(.post, "/clock/advance", body: ClockResource.step, ClockResource.advance),
        AdminRoute(.post, "/clock/freeze", body: ClockResource.moment, ClockResource.freeze),
        AdminRoute(.post, "/clock/resume", ClockResource.resume),
        AdminRoute(.get, "/faults", FaultResource.list),
        AdminRoute(.post, "/faults", body: FaultResource.fault, FaultResource.add),
        AdminRoute(.delete, "/faults", FaultResource.removeAll),
        AdminRoute(.delete, "/faults/{id}", FaultResource.remove),
        AdminRoute(.get, "/keys", query: ["tenant"], KeyResource.list),
        AdminRoute(.post, "/keys/announce", query: ["tenant"], KeyResource.announce),
        AdminRoute(.post, "/keys/rotate", query: ["tenant"], body: KeyResource.rotation, KeyResource.rotate),
        AdminRoute(.delete, "/keys/{id}", query: ["tenant"], KeyResource.withdraw),
        AdminRoute(
            .get, "/requests", query: ["tenant", "limit", "policy", "client", "code", "status", "after"],
            RequestResource.list),
        AdminRoute(.delete, "/requests", RequestResource.clear),
        AdminRoute(.get, "/requests/{id}/journey", RequestResource.journey),
        AdminRoute(.post, "/tokens", query: ["tenant"], body: TokenResource.order, TokenResource.forge),
    ]
}
