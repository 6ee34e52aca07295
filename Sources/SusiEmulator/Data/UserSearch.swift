import SusiSQLite

extension Database {
    /// The users after an object id, in the order of these; `text` must be part of the address, the user name or the
    /// display name, without regard to case.
    func users(after id: String?, having text: String?, limit: Int) throws -> [User] {
        let pattern = text.map { text in
            let escaped = text.flatMap { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }
            return "%\(String(escaped))%"
        }
        return try users(
            where: """
                object_id > ?2 AND (?3 IS NULL OR email LIKE ?3 ESCAPE '\\' OR user_name LIKE ?3 ESCAPE '\\'
                    OR display_name LIKE ?3 ESCAPE '\\')
                ORDER BY object_id LIMIT ?4
                """, [.text(id ?? ""), .text(orNull: pattern), .int(limit)])
    }

    /// The user with that object id, address or user name; an account of this tenant goes before one of another provider.
    func user(named name: String) throws -> User? {
        if let user = try user(objectID: name.lowercased()) { return user }
        return try users(
            where: "(email = ?2 OR user_name = ?2) ORDER BY identity_provider NULLS FIRST LIMIT 1", [.text(name)]
        ).first
    }
}
