import SusiSQLite

extension Database {
    /// The users after an object id, sorted by object id, whose email address, user name or display name contains `text`,
    /// ignoring case.
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

    /// The user with that object id, email address or user name, preferably a local account.
    func user(named name: String) throws -> User? {
        if let user = try user(objectID: name.lowercased()) { return user }
        return try users(
            where: "(email = ?2 OR user_name = ?2) ORDER BY identity_provider NULLS FIRST LIMIT 1", [.text(name)]
        ).first
    }
}
