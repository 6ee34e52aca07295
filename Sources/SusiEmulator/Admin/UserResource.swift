import HTTPTypes
import SusiBase
import SusiPolicies
import SystemPackage

enum UserResource {
    private static let fixed = ["objectId", "homeTenant", "identityProvider", "passwordHash"]

    /// What can be changed in a user; null removes it.
    static let patch = SchemaNode.object(
        User.entries.map(\.field).filter { !fixed.contains($0.name) }
            + [.init("lockedUntil", .integer(EmulatorClock.times))])

    static func list(_ request: AdminRequest) throws -> Response {
        let tenant = try request.tenant()
        let (after, search) = (request.query["after"], request.query["search"])
        let limit = try request.limit()
        let found = try tenant.database.users(after: after, having: search, limit: limit + 1)
        let users = found.prefix(limit)
        var page: [String: JSON] = ["users": .array(users.map { json($0, request) })]
        if found.count > users.count, let last = users.last {
            var query = ["after": last.objectID, "limit": "\(limit)"]
            query["tenant"] = request.query["tenant"]
            query["search"] = search
            let text = query.sorted { $0.key < $1.key }.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(
                separator: "&")
            page["next"] = .string("\(request.context.port.origin)\(AdminAPI.base)/users?\(text)")
        }
        return try .json(.object(page))
    }

    static func create(_ request: AdminRequest) throws -> Response {
        let tenant = try request.tenant()
        let user = try read(request.body, tenant)
        let password = user.identityProvider == nil ? try user.passwordHash ?? PasswordHash(user.password) : nil
        guard try tenant.database.add(user, password: password) else {
            throw AdminProblem(.conflict, "A user with this object ID, email address or user name already exists.")
        }
        return try .json(json(user, request), status: .created).setting(
            "Location", "\(AdminAPI.base)/users/\(PercentEncoding.encode(user.objectID))")
    }

    private static func read(_ node: JSONNode, _ tenant: Tenant) throws(AdminProblem) -> User {
        do { return try User(node, of: tenant.configuration, TenantReader(file: "", folder: "")) } catch {
            throw AdminProblem(error)
        }
    }

    static func show(_ request: AdminRequest) throws -> Response {
        try .json(json(try user(request), request))
    }

    static func change(_ request: AdminRequest) throws -> Response {
        let tenant = try request.tenant()
        let database = tenant.database
        let (id, body) = (try user(request).objectID, request.body)
        let hash = try body["password"]?.string.map { try PasswordHash($0) }
        let changed = try database.change(id) { user in
            user = try merged(user, body, tenant)
        }
        guard changed != nil else {
            guard try database.user(objectID: id) != nil else { throw missing(id) }
            throw AdminProblem(.conflict, "Another user already has this email address or user name.")
        }
        if let hash {
            try database.setPassword(hash, of: id)
            // A new password clears the demand for one, unless the same request sets it.
            if body["mustResetPassword"]?.bool == true { try database.change(id) { $0.mustResetPassword = true } }
        }
        return try show(request, id)
    }

    private static func merged(_ user: User, _ patch: JSONNode, _ tenant: Tenant) throws(AdminProblem) -> User {
        let lock = patch.members.first { $0.name == "lockedUntil" }
        let changes = JSONNode(value: .object(patch.members.filter { $0.name != "lockedUntil" }))
        var changed = try read(user.written.merged(changes), tenant)
        changed.lockedUntil = lock.map { $0.node.lenientInteger ?? 0 } ?? user.lockedUntil
        return changed
    }

    private static func show(_ request: AdminRequest, _ objectID: String) throws -> Response {
        guard let user = try request.tenant().database.user(objectID: objectID) else { throw missing(objectID) }
        return try .json(json(user, request))
    }

    static func remove(_ request: AdminRequest) throws -> Response {
        _ = try request.tenant().database.removeUser(objectID: user(request).objectID)
        return Response(status: .noContent)
    }

    static func revoke(_ request: AdminRequest) throws -> Response {
        let database = try request.tenant().database
        let id = try user(request).objectID
        let (sessions, grants) = (try database.endSessions(of: id), try database.revokeGrants(of: id))
        return try .json(["sessions": .integer(Int64(sessions)), "grants": .integer(Int64(grants))])
    }

    private static func user(_ request: AdminRequest) throws -> User {
        let name = request.path["id"] ?? ""
        guard let user = try request.tenant().database.user(named: name) else { throw missing(name) }
        return user
    }

    static func missing(_ name: String) -> AdminProblem {
        AdminProblem(.notFound, "No user “\(name)”. Use an object ID, an email address or a user name.")
    }

    private static func json(_ user: User, _ request: AdminRequest) -> JSON {
        [
            "objectId": .string(user.objectID), "email": user.email.map(JSON.string),
            "userName": user.userName.map(JSON.string), "phone": user.phone.map(JSON.string),
            "factorEmail": user.factorEmail.map(JSON.string), "totpSecret": user.totpSecret.map(JSON.string),
            "displayName": .string(user.displayName), "givenName": .string(user.givenName),
            "surname": .string(user.surname), "attributes": .object(user.attributes),
            "homeTenant": user.homeTenant.map(JSON.string), "identityProvider": user.identityProvider.map(JSON.string),
            "mustResetPassword": .bool(user.mustResetPassword), "isBlocked": .bool(user.isBlocked),
            "lockedUntil": user.lockEnd(now: request.context.now).map(JSON.integer),
        ]
    }
}
