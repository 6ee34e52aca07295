import HTTPTypes
import SusiBase
import SusiPolicies

/// The users of a tenant as Microsoft Graph has them, for the back ends of B2C: `/TENANT/v1.0/users`, without `TENANT` those of
/// the first tenant. The operations, their secret and their limit to this machine are those of the admin API.
struct GraphUsers {
    private let site: Site
    private let context: RequestContext
    private let tenant: Tenant
    /// The path below `users`.
    private let rest: [String]

    /// Returns `nil` for another path. Groups are listed for a user's own token.
    init?(_ site: Site, _ context: RequestContext) {
        var segments = context.segments[...]
        let name = segments.first == "v1.0" ? nil : segments.popFirst()
        guard Array(segments.prefix(2)) == ["v1.0", "users"], segments.last != "getMemberObjects",
            let tenant = site.tenant(name)
        else { return nil }
        (self.site, self.context, self.tenant, rest) = (site, context, tenant, Array(segments.dropFirst(2)))
    }

    func respond() throws -> Response {
        do { return try result() } catch let problem as AdminProblem {
            let codes = [401: "InvalidAuthenticationToken", 404: "Request_ResourceNotFound"]
            guard let code = codes[problem.status.code] else {
                return try GraphAPI.error("Request_BadRequest", message: problem.detail, status: .badRequest)
            }
            return try GraphAPI.error(code, message: problem.detail, status: problem.status)
        }
    }

    private func result() throws -> Response {
        guard context.isFromHere else {
            throw AdminProblem(
                .unauthorized, "Users are listed to this machine only, and only at \(context.port.origin)")
        }
        guard let given = context.bearerToken, site.secret?.matches(given) == true else {
            throw AdminProblem(.unauthorized, "The token is not the secret of the admin API of this machine.")
        }
        switch (context.method, rest.count) {
        case (.get, 0): return .json(["value": .array(try found().map(json))])
        case (.post, 0): return .json(json(try tenant.createUser(try body())), status: .created)
        case (.get, 1): return .json(json(try user()))
        case (.patch, 1):
            let changes = try body()
            _ = try tenant.changeUser(try user().objectID, changes)
            return Response(status: .noContent)
        case (.delete, 1):
            _ = try tenant.database.removeUser(objectID: try user().objectID)
            return Response(status: .noContent)
        case (.get, 2) where rest[1] == "memberOf":
            guard case .array(let groups)? = try user().attributes["groups"] else { return .json(["value": []]) }
            return .json([
                "value": .array(
                    groups.map { ["@odata.type": "#microsoft.graph.group", "id": $0, "displayName": $0] as JSON })
            ])
        default: throw AdminProblem(.badRequest, "Unsupported segment or method.")
        }
    }

    // MARK: Reading

    private func user() throws -> User {
        guard let user = try tenant.database.user(objectID: rest[0].lowercased()) else {
            throw AdminProblem(.notFound, "Resource '\(rest[0])' does not exist.")
        }
        return user
    }

    private func found() throws -> [User] {
        let pattern = #/identities/any\((\w+):\s*\1/issuerAssignedId eq '(.+)' and \1/issuer eq '(.+)'\)/#
        guard let match = context.query["$filter"]?.wholeMatch(of: pattern) else {
            throw AdminProblem(.badRequest, "Unsupported Query; supported: $filter by identities.")
        }
        let (name, issuer) = (String(match.2).replacing("''", with: "'"), String(match.3))
        let user =
            tenant.spelling(issuer) == nil
            ? try tenant.database.user(email: name, of: issuer)
            : try tenant.database.user(signInName: name, .either)
        return [user].compactMap(\.self)
    }

    // An extension has the name that is selected: only its application knows the ID in front of it.
    private func json(_ user: User) -> JSON {
        let name = tenant.configuration.name
        let principal: JSON = [
            "signInType": "userPrincipalName", "issuer": .string(name),
            "issuerAssignedId": .string("\(user.objectID)@\(name)"),
        ]
        let all = user.attributes.merging([
            "id": .string(user.objectID), "accountEnabled": .bool(!user.isBlocked),
            "displayName": .string(user.displayName), "givenName": .string(user.givenName),
            "surname": .string(user.surname), "mobilePhone": user.phone.map(JSON.string) ?? .null,
            "identities": .array([principal] + user.identities(in: name)),
        ]) { $1 }
        guard let selected = context.query["$select"]?.split(separator: ",") else { return .object(all) }
        let members = selected.map(String.init).compactMap { name in
            (all[name] ?? all[Self.attribute(name)]).map { (name, $0) }
        }
        return .object(Dictionary(members) { $1 })
    }

    // MARK: Writing

    private func body() throws(AdminProblem) -> JSONNode {
        let body: JSONNode
        do { body = context.body.isEmpty ? [:] : try JSONNode(parsing: context.body) } catch {
            throw AdminProblem(.badRequest, "Unable to read JSON request payload: \(error.problem).")
        }
        return try Self.translated(body, isPatch: context.method == .patch)
    }

    private static let keys = [
        "displayName": "displayName", "givenName": "givenName", "surname": "surname", "id": "objectId",
        "mobilePhone": "phone",
    ]
    private static let attributes = [
        "city", "state", "country", "postalCode", "streetAddress", "jobTitle", "companyName", "department",
    ]
    // Without a meaning here.
    private static let ignored = [
        "userPrincipalName", "mail", "otherMails", "mailNickname", "userType", "creationType", "passwordPolicies",
        "createdDateTime", "businessPhones", "officeLocation", "preferredLanguage",
    ]

    /// A user of Graph with the keys of the admin API and of users files.
    static func translated(_ node: JSONNode, isPatch: Bool = false) throws(AdminProblem) -> JSONNode {
        var members: [String: JSON] = [:]
        var claims: [String: JSON] = [:]
        for member in node.members where isPatch || member.node.value != .null {
            switch member.name {
            case "accountEnabled": members["isBlocked"] = .bool(member.node.bool == false)
            case "passwordProfile":
                members["password"] = member.node["password"].map { JSON($0) }
                members["mustResetPassword"] = member.node["forceChangePasswordNextSignIn"].map { JSON($0) }
            case "identities": members.merge(names(member.node, isPatch: isPatch)) { $1 }
            case let name where keys[name] != nil: members[keys[name] ?? name] = JSON(member.node)
            case let name where name.hasPrefix("extension_") || attributes.contains(name):
                claims[attribute(name)] = JSON(member.node)
            case let name where !ignored.contains(name) && !name.hasPrefix("@odata."):
                throw AdminProblem(.badRequest, "Invalid property '\(name)'.")
            default: break
            }
        }
        if !claims.isEmpty { members["attributes"] = .object(claims) }
        return JSONNode(.object(members))
    }

    private static func names(_ identities: JSONNode, isPatch: Bool) -> [String: JSON] {
        var names: [String: JSON] = isPatch ? ["email": .null, "userName": .null] : [:]
        for identity in identities.array ?? [] {
            let type = identity["signInType"]?.string
            let key = ["userName": "userName", "emailAddress": "email", "federated": "email"][type ?? ""]
            if let key { names[key] = identity["issuerAssignedId"].map { JSON($0) } }
            if type == "federated" { names["identityProvider"] = identity["issuer"].map { JSON($0) } }
        }
        return names
    }

    // `extension_` and the ID of the application for extensions in front of the name.
    static func attribute(_ name: String) -> String {
        name.replacing(#/^extension_[0-9a-fA-F]{32}_/#, with: "extension_")
    }
}

extension User {
    /// The names that the user signs in with, as Microsoft Graph has them.
    func identities(in tenant: String, emailType: String = "emailAddress") -> [JSON] {
        let type = identityProvider == nil ? emailType : "federated"
        return [("userName", tenant, userName), (type, identityProvider ?? tenant, email)].compactMap {
            type, issuer, id in
            id.map { ["signInType": .string(type), "issuer": .string(issuer), "issuerAssignedId": .string($0)] }
        }
    }
}
