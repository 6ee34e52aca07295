import HTTPTypes
import SusiBase
import SusiPolicies

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
        try Self.checkQuery(context.query, route)
        let request = AdminRequest(
            site: site, context: context, path: values, query: context.query, body: try Self.body(context, route))
        return try await route.handler(request)
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

    private static func checkQuery(_ query: Parameters, _ route: AdminRoute) throws(AdminProblem) {
        if let repeated = query.repeated { throw .field(repeated, "given more than once") }
        if let unknown = query.all.keys.sorted().first(where: { !route.query.contains($0) }) {
            let names = route.query.joined(separator: ", ")
            throw .field(unknown, "unknown parameter\(names.isEmpty ? "" : "; known parameters: \(names)")")
        }
    }

    // A body is read like a file: the problem names its line and its member.
    private static func body(_ context: RequestContext, _ route: AdminRoute) throws(AdminProblem) -> JSONNode {
        guard let schema = route.body else {
            guard context.body.isEmpty else { throw .field("", "this operation does not accept one") }
            return [:]
        }
        var node: JSONNode = [:]
        if !context.body.isEmpty {
            let type = context.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
            guard type == "application/json" else {
                throw AdminProblem(.unsupportedMediaType, "The body's content type must be application/json.")
            }
            do { node = try JSONNode(parsing: context.body) } catch {
                throw .field("", "line \(error.line): \(error.problem)")
            }
        }
        try schema.check(node, isPatch: route.method == .patch)
        return node
    }
}
