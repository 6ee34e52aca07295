import HTTPTypes
import SusiBase

enum SessionResource {
    static func list(_ request: AdminRequest) throws -> Response {
        let sessions = try request.tenant().database.sessions(
            of: try objectID(request), now: request.context.now, limit: request.limit())
        return .json([
            "sessions": .array(
                sessions.map { session in
                    [
                        "id": .string(Base64URL.encode(session.hash)), "objectId": .string(session.objectID),
                        "authTime": .integer(session.authTime), "expires": .integer(session.expires),
                    ]
                })
        ])
    }

    static func endAll(_ request: AdminRequest) throws -> Response {
        _ = try request.tenant().database.endSessions(of: try objectID(request))
        return Response(status: .noContent)
    }

    static func end(_ request: AdminRequest) throws -> Response {
        let id = request.path["id"] ?? ""
        guard let hash = Base64URL.decode(id), try request.tenant().database.endSession(hash: hash) else {
            throw AdminProblem(.notFound, "No session “\(id)”. `GET /sessions` lists them.")
        }
        return Response(status: .noContent)
    }

    // The user in the query; nil if there is none.
    private static func objectID(_ request: AdminRequest) throws -> String? {
        guard let name = request.query["user"] else { return nil }
        guard let user = try request.tenant().database.user(named: name) else { throw AdminProblem(noUser: name) }
        return user.objectID
    }
}
