import HTTPTypes
import SusiPolicies
import SystemPackage

enum UserResource {
    static func list(_ request: AdminRequest) throws -> AdminResult {
        let tenant = try request.tenant()
        let (after, search) = (request.query["after"]?.string, request.query["search"]?.string)
        let found = try tenant.database.users(after: after, having: search, limit: request.limit + 1)
        let users = found.prefix(request.limit)
        var page: [String: JSON] = ["users": .array(users.map { json($0, request) })]
        if found.count > users.count, let last = users.last {
            var query = ["after": last.objectID, "limit": "\(request.limit)"]
            query["tenant"] = request.query["tenant"]?.string
            query["search"] = search
            let text = query.sorted { $0.key < $1.key }.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
            page["next"] = .string("\(request.context.port.origin)\(AdminAPI.base)/users?\(text)")
        }
        return .json(.object(page))
    }

    static func create(_ request: AdminRequest) throws -> AdminResult {
        let tenant = try request.tenant()
        let node = try JSONNode(parsing: try request.body.encoded())
        let user: User
        do throws(PolicyFileError) {
            user = try User(node, TenantReader(file: "request body", folder: ""))
        } catch { throw AdminProblem.field(error.key, error.problem) }
        let password = user.identityProvider == nil ? try PasswordHash(user.password) : nil
        guard try tenant.database.add(user, password: password) else {
            throw AdminProblem(.conflict, "A user with this object ID, email address or user name already exists.")
        }
        var result = AdminResult.json(json(user, request))
        result.location = "\(AdminAPI.base)/users/\(percentEncoded(user.objectID))"
        return result
    }

    static func show(_ request: AdminRequest) throws -> AdminResult { .json(json(try user(request), request)) }

    static func change(_ request: AdminRequest) throws -> AdminResult {
        let database = try request.tenant().database
        let (id, body) = (try user(request).objectID, request.body)
        let hash = try body["password"]?.string.map { try PasswordHash($0) }
        let changed = try database.change(id) { user in
            apply(body, to: &user)
            try check(user, hasPassword: hash != nil)
        }
        guard changed != nil else {
            guard try database.user(objectID: id) != nil else { throw missing(id) }
            throw AdminProblem(.conflict, "Another user already has this email address or user name.")
        }
        if let hash {
            try database.setPassword(hash, of: id)
            // A new password clears the demand for one, unless the same request sets it.
            if body["mustResetPassword"] == .bool(true) { try database.change(id) { $0.mustResetPassword = true } }
        }
        return try show(request, id)
    }

    private static func check(_ user: User, hasPassword: Bool) throws(AdminProblem) {
        guard user.email != nil || user.userName != nil else {
            throw .field("email", "a user needs an email address or a user name")
        }
        guard let provider = user.identityProvider else { return }
        guard user.email != nil else { throw .field("email", "a user of “\(provider)” needs an email address") }
        guard !hasPassword else { throw .field("password", "a user of “\(provider)” has no password here") }
    }

    private static func show(_ request: AdminRequest, _ objectID: String) throws -> AdminResult {
        guard let user = try request.tenant().database.user(objectID: objectID) else { throw missing(objectID) }
        return .json(json(user, request))
    }

    private static func apply(_ body: JSON, to user: inout User) {
        let text = { (name: String, value: String?) in body[name].map { $0 == .null ? nil : $0.string } ?? value }
        user.email = text("email", user.email)
        user.userName = text("userName", user.userName)
        user.phone = text("phone", user.phone)
        user.factorEmail = text("factorEmail", user.factorEmail)
        user.displayName = body["displayName"]?.string ?? user.displayName
        user.givenName = body["givenName"]?.string ?? user.givenName
        user.surname = body["surname"]?.string ?? user.surname
        if case .object(let attributes)? = body["attributes"] {
            for (name, value) in attributes { user.attributes[name] = value.string }
        }
        if case .bool(let flag)? = body["mustResetPassword"] { user.mustResetPassword = flag }
        if case .bool(let flag)? = body["isBlocked"] { user.isBlocked = flag }
        if let end = body["lockedUntil"] { user.lockedUntil = end.integer ?? 0 }
    }

    static func remove(_ request: AdminRequest) throws -> AdminResult {
        _ = try request.tenant().database.removeUser(objectID: user(request).objectID)
        return .empty
    }

    static func revoke(_ request: AdminRequest) throws -> AdminResult {
        let database = try request.tenant().database
        let id = try user(request).objectID
        let (sessions, grants) = (try database.endSessions(of: id), try database.revokeGrants(of: id))
        return .json(["sessions": .integer(Int64(sessions)), "grants": .integer(Int64(grants))])
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
            "factorEmail": user.factorEmail.map(JSON.string),
            "displayName": .string(user.displayName), "givenName": .string(user.givenName),
            "surname": .string(user.surname), "attributes": .object(user.attributes.mapValues(JSON.string)),
            "homeTenant": user.homeTenant.map(JSON.string), "identityProvider": user.identityProvider.map(JSON.string),
            "mustResetPassword": .bool(user.mustResetPassword), "isBlocked": .bool(user.isBlocked),
            "lockedUntil": user.lockEnd(now: request.context.now).map(JSON.integer),
        ]
    }
}
