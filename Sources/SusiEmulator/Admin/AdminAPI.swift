import HTTPTypes
import NIOPosix

/// The admin API of the emulator for tests and tools, below `/admin/v1`.
///
/// It is available on this machine only, wherever the emulator listens: the Host header must be valid, no response allows a
/// page of another origin to read it, and every operation except the description requires
/// ``RunningEmulator/adminSecret``, which must not cross a network.
struct AdminAPI: Sendable {
    static let base = "/admin/v1"

    let site: Site
    let secret: AdminSecret

    static func owns(_ path: String) -> Bool { path == "/admin" || path.hasPrefix("/admin/") }

    /// The response to a request; a problem (RFC 9457) if it is refused.
    func respond(to context: RequestContext) async throws -> Response {
        do { return try await allowed(context) } catch let problem as AdminProblem {
            var response = try problem.response()
            if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer realm=\"admin\"" }
            return response
        }
    }

    private func allowed(_ context: RequestContext) async throws -> Response {
        guard context.hasOwnHost else { throw AdminProblem(.badRequest, context.hostReason) }
        guard context.isFromHere else {
            throw AdminProblem(
                .forbidden, "The admin API is available on this machine only, at \(context.port.origin)\(Self.base).")
        }
        let segments = context.segments
        guard segments.prefix(2) == ["admin", "v1"] else {
            throw AdminProblem(.notFound, "The admin API is at \(Self.base); \(Self.base)/openapi.json describes it.")
        }
        let rest = Array(segments.dropFirst(2))
        let fitting = AdminRoute.table.compactMap { route in route.values(rest).map { (route, $0) } }
        // A literal segment takes precedence over a parameter.
        let fewest = fitting.map(\.1.count).min()
        let found = fitting.filter { $0.1.count == fewest }
        if !(found.first { $0.0.method == context.method }.map { !$0.0.needsSecret } ?? false) {
            try checkSecret(context)
        }
        guard let (route, values) = found.first(where: { $0.0.method == context.method }) else {
            guard !found.isEmpty else {
                throw AdminProblem(.notFound, "Unknown path; \(Self.base)/openapi.json describes the API.")
            }
            let methods = found.map(\.0.method.rawValue).joined(separator: ", ")
            return try AdminProblem(.methodNotAllowed, "Method not allowed; allowed: \(methods).").response().setting(
                "Allow", methods)
        }
        let request = AdminRequest(
            site: site, context: context, path: try Self.checked(values, route), query: try Self.query(context, route),
            body: try Self.body(context, route))
        return try await Self.response(of: route, to: request)
    }

    private func checkSecret(_ context: RequestContext) throws(AdminProblem) {
        guard let given = context.bearerToken, secret.matches(given) else {
            let what =
                context.bearerToken == nil ? "The request has no secret" : "The secret does not belong to this emulator"
            throw AdminProblem(
                .unauthorized,
                """
                \(what). Send the header “Authorization: Bearer” with the secret from the file \
                \(secret.path).
                """)
        }
    }

    private static func response(of route: AdminRoute, to request: AdminRequest) async throws -> Response {
        let given: AdminResult
        switch route.handler {
        case .now(let handler): given = try await NIOThreadPool.singleton.runIfActive { try handler(request) }
        case .waiting(let handler): given = try await handler(request)
        }
        guard let json = given.json, let status = route.result?.status else { return Response(status: .noContent) }
        var response = try Response.json(json, status: status)
        response.headers[.location] = given.location
        return response
    }

    private static func checked(_ values: [String: String], _ route: AdminRoute) throws(AdminProblem) -> [String:
        String]
    {
        for parameter in route.parameters where parameter.isInPath {
            _ = try parameter.value(values[parameter.name] ?? "")
        }
        return values
    }

    private static func query(_ context: RequestContext, _ route: AdminRoute) throws(AdminProblem) -> [String: JSON] {
        if let repeated = context.query.repeated { throw .field(repeated, "given more than once") }
        let known = route.parameters.filter { !$0.isInPath }
        var values: [String: JSON] = [:]
        for (name, text) in context.query.all.sorted(by: { $0.key < $1.key }) {
            guard let parameter = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                throw .field(name, "unknown parameter\(names.isEmpty ? "" : "; known parameters: \(names)")")
            }
            values[name] = try parameter.value(text)
        }
        return values
    }

    private static func body(_ context: RequestContext, _ route: AdminRoute) throws(AdminProblem) -> JSON {
        guard let body = route.body else {
            guard context.body.isEmpty else { throw .field("", "this operation does not accept one") }
            return .null
        }
        guard !context.body.isEmpty else {
            guard body.isOptional else { throw .field("", "missing; expected a JSON object") }
            return [:]
        }
        let type = context.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw AdminProblem(.unsupportedMediaType, "The body's content type must be application/json.")
        }
        guard let json = try? JSON(parsing: context.body) else { throw .field("", "not valid JSON") }
        try body.schema.check(json, at: "")
        return json
    }
}
