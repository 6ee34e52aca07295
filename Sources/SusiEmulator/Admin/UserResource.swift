import HTTPTypes
import SusiPolicies
import SystemPackage

/// `/users`.
enum UserResource {
    static func list(_ request: AdminRequest) throws -> AdminAnswer {
        let tenant = try request.tenant()
        let (after, search) = (request.query["after"]?.string, request.query["search"]?.string)
        let found = try tenant.database.users(after: after, having: search, limit: request.limit + 1)
        let users = found.prefix(request.limit)
        var answer: [String: JSON] = ["users": .array(users.map(json))]
        if found.count > users.count, let last = users.last {
            var query = ["after": last.objectID, "limit": "\(request.limit)"]
            query["tenant"] = request.query["tenant"]?.string
            query["search"] = search
            let text = query.sorted { $0.key < $1.key }.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
            answer["next"] = .string("\(request.visit.port.origin)\(AdminAPI.base)/users?\(text)")
        }
        return .json(.object(answer))
    }

    static func create(_ request: AdminRequest) throws -> AdminAnswer {
        let tenant = try request.tenant()
        let node = try JSONNode(parsing: try request.body.encoded())
        let seeded: SeededUser
        do throws(PolicyFileError) {
            seeded = try WrittenUser(node, TenantReader(file: "the body", folder: "")).seeded
        } catch { throw AdminProblem.field(error.key, error.problem) }
        let password = seeded.identityProvider == nil ? try PasswordHash(seeded.password) : nil
        let user = User(seeded)
        guard try tenant.database.add(user, password: password) else {
            throw AdminProblem(.conflict, "There is a user with that object id, address or user name already.")
        }
        var answer = AdminAnswer.json(json(user))
        answer.location = "\(AdminAPI.base)/users/\(percentEncoded(user.objectID))"
        return answer
    }

    static func show(_ request: AdminRequest) throws -> AdminAnswer { .json(json(try user(request))) }

    static func change(_ request: AdminRequest) throws -> AdminAnswer {
        let database = try request.tenant().database
        let user = try changed(try user(request), request.body)
        guard user.email != nil || user.userName != nil else {
            throw AdminProblem.field("email", "a user needs an address or a user name")
        }
        guard user.identityProvider == nil || user.email != nil else {
            throw AdminProblem.field("email", "a user of “\(user.identityProvider ?? "")” needs one")
        }
        let password = request.body["password"]?.string
        guard password == nil || user.identityProvider == nil else {
            throw AdminProblem.field("password", "a user of “\(user.identityProvider ?? "")” has none here")
        }
        let hash = try password.map { try PasswordHash($0) }
        guard try database.update(user) else {
            throw AdminProblem(.conflict, "Another user has that address or user name.")
        }
        if let hash {
            try database.setPassword(hash, of: user.objectID)
            // A new password ends the demand for one, unless this very request makes it.
            if request.body["mustResetPassword"] == .bool(true) { try database.update(user) }
        }
        return try show(request, user.objectID)
    }

    private static func show(_ request: AdminRequest, _ objectID: String) throws -> AdminAnswer {
        guard let user = try request.tenant().database.user(objectID: objectID) else { throw missing(objectID) }
        return .json(json(user))
    }

    private static func changed(_ user: User, _ body: JSON) throws -> User {
        var user = user
        let text = { (name: String, value: String?) in body[name].map { $0 == .null ? nil : $0.string } ?? value }
        user.email = text("email", user.email)
        user.userName = text("userName", user.userName)
        user.phone = text("phone", user.phone)
        user.displayName = body["displayName"]?.string ?? user.displayName
        user.givenName = body["givenName"]?.string ?? user.givenName
        user.surname = body["surname"]?.string ?? user.surname
        if case .object(let attributes)? = body["attributes"] {
            for (name, value) in attributes { user.attributes[name] = value.string }
        }
        if case .bool(let flag)? = body["mustResetPassword"] { user.mustResetPassword = flag }
        if case .bool(let flag)? = body["isBlocked"] { user.isBlocked = flag }
        return user
    }

    static func remove(_ request: AdminRequest) throws -> AdminAnswer {
        _ = try request.tenant().database.removeUser(objectID: user(request).objectID)
        return .empty
    }

    static func revoke(_ request: AdminRequest) throws -> AdminAnswer {
        let database = try request.tenant().database
        let id = try user(request).objectID
        let (sessions, grants) = (try database.endSessions(of: id), try database.revokeGrants(of: id))
        return .json(["sessions": .integer(Int64(sessions)), "grants": .integer(Int64(grants))])
    }

    /// The user that the path names.
    private static func user(_ request: AdminRequest) throws -> User {
        let name = request.path["id"] ?? ""
        guard let user = try request.tenant().database.user(named: name) else { throw missing(name) }
        return user
    }

    /// The problem of a user who is not there.
    static func missing(_ name: String) -> AdminProblem {
        AdminProblem(.notFound, "There is no user “\(name)”: name an object id, an address or a user name.")
    }

    private static func json(_ user: User) -> JSON {
        [
            "objectId": .string(user.objectID), "email": user.email.map(JSON.string),
            "userName": user.userName.map(JSON.string), "phone": user.phone.map(JSON.string),
            "displayName": .string(user.displayName), "givenName": .string(user.givenName),
            "surname": .string(user.surname), "attributes": .object(user.attributes.mapValues(JSON.string)),
            "homeTenant": user.homeTenant.map(JSON.string), "identityProvider": user.identityProvider.map(JSON.string),
            "mustResetPassword": .bool(user.mustResetPassword), "isBlocked": .bool(user.isBlocked),
        ]
    }
}
