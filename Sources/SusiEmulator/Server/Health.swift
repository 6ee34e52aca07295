import HTTPTypes

/// Tells that the emulator answers: for the health checks of containers, under any host name, and not logged.
package enum Health {
    package static let path = "/health"
    package static let body = Array(#"{"status":"ok"}"#.utf8)

    /// Returns `nil` for another path or method.
    static func response(to context: RequestContext) -> Response? {
        guard context.path == path, context.method == .get else { return nil }
        return Response(status: .ok, body: body, type: "application/json")
    }
}
