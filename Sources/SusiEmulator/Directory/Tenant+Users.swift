import HTTPTypes
import SusiBase
import SusiPolicies

/// Users from objects with the keys of a users file: for the admin API, the developer's page and Microsoft Graph.
extension Tenant {
    private static let fixed = ["objectId", "homeTenant", "identityProvider", "passwordHash"]

    /// What can be changed in a user; null removes it.
    static let userChanges = SchemaNode.object(
        User.entries.map(\.field).filter { !fixed.contains($0.name) }
            + [User.lock])

    /// Adds a user. Throws an `AdminProblem` if the object is invalid, or if the user exists.
    func createUser(_ body: JSONNode) throws -> User {
        try User.entries.shape().check(body, isPatch: false)
        let user = try user(body)
        let password = user.identityProvider == nil ? try user.passwordHash ?? PasswordHash(user.password) : nil
        guard try database.add(user, password: password) else {
            throw AdminProblem(.conflict, "A user with this object ID, email address or user name already exists.")
        }
        return user
    }

    /// Changes a user by a merge patch (RFC 7396). Throws an `AdminProblem` if the patch or the result is invalid, if the
    /// user was deleted, or if another user has the new name.
    func changeUser(_ objectID: String, _ patch: JSONNode) throws -> User {
        try Self.userChanges.check(patch, isPatch: true)
        let hash = try patch["password"]?.string.map { try PasswordHash($0) }
        let changed = try database.change(objectID, password: hash) { user in
            let lock = patch.members.first { $0.name == "lockedUntil" }
            var changed = try self.user(user.written.merged(patch))
            changed.lockedUntil = lock.map { $0.node.lenientInteger ?? 0 } ?? user.lockedUntil
            user = changed
        }
        if let changed { return changed }
        guard try database.user(objectID: objectID) != nil else { throw AdminProblem(noUser: objectID) }
        throw AdminProblem(.conflict, "Another user already has this email address or user name.")
    }

    private func user(_ node: JSONNode) throws(AdminProblem) -> User {
        do { return try User(node, of: configuration, .none) } catch {
            throw AdminProblem(error)
        }
    }
}
