import HTTPTypes
import SusiBase
import SusiPolicies

enum UserResource {
    static func list(_ request: AdminRequest) throws -> Response {
        let tenant = try request.tenant()
        let (after, search) = (request.query["after"], request.query["search"])
        let limit = try request.limit()
        let found = try tenant.database.users(after: after, having: search, limit: limit + 1)
        let users = found.prefix(limit)
        var page: [String: JSON] = ["users": .array(users.map { $0.json(now: request.context.now) })]
        if found.count > users.count, let last = users.last {
            var query = ["after": last.objectID, "limit": "\(limit)"]
            query["tenant"] = request.query["tenant"]
            query["search"] = search
            let text = query.sorted { $0.key < $1.key }.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(
                separator: "&")
            page["next"] = .string("\(request.context.port.origin)\(AdminAPI.base)/users?\(text)")
        }
        return .json(.object(page))
    }

    static func create(_ request: AdminRequest) throws -> Response {
        let user = try request.tenant().createUser(request.body)
        return .json(user.json(now: request.context.now), status: .created).setting(
            "Location", "\(AdminAPI.base)/users/\(PercentEncoding.encode(user.objectID))")
    }

    static func show(_ request: AdminRequest) throws -> Response {
        .json(try user(request).json(now: request.context.now))
    }

    static func change(_ request: AdminRequest) throws -> Response {
        let changed = try request.tenant().changeUser(try user(request).objectID, request.body)
        return .json(changed.json(now: request.context.now))
    }

    static func remove(_ request: AdminRequest) throws -> Response {
        _ = try request.tenant().database.removeUser(objectID: user(request).objectID)
        return Response(status: .noContent)
    }

    static func revoke(_ request: AdminRequest) throws -> Response {
        let database = try request.tenant().database
        let id = try user(request).objectID
        let (sessions, grants) = (try database.endSessions(of: id), try database.revokeGrants(of: id))
        return .json(["sessions": .integer(Int64(sessions)), "grants": .integer(Int64(grants))])
    }

    private static func user(_ request: AdminRequest) throws -> User {
        let name = request.path["id"] ?? ""
        guard let user = try request.tenant().database.user(named: name) else { throw AdminProblem(noUser: name) }
        return user
    }
}
