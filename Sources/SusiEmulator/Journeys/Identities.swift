import SusiBase
import SusiJourneys
import SusiSQLite

/// The accounts of users at other providers (spec §7.2).
extension Database {
    func user(of identity: UserIdentity) throws -> User? {
        try users(
            where: "object_id = (SELECT object_id FROM identities WHERE tenant = ?1 AND issuer = ?2 AND key = ?3)",
            [.text(identity.issuer), .text(identity.issuerUserID)]
        ).first
    }

    func identities(of objectID: String) throws -> [UserIdentity] {
        try read { connection in
            try connection.rows(
                "SELECT issuer, key FROM identities WHERE tenant = ? AND object_id = ? ORDER BY issuer, key",
                [.text(tenant), .text(objectID)]
            ) { row in UserIdentity(issuer: try row.text(0), issuerUserID: try row.text(1)) }
        }
    }

    /// Replaces the identities of a user. Returns `false` if another user has one of them.
    func set(_ identities: [UserIdentity], of objectID: String) throws -> Bool {
        try write { connection in
            for identity in identities {
                let owner = try connection.first(
                    "SELECT object_id FROM identities WHERE tenant = ? AND issuer = ? AND key = ?",
                    [.text(tenant), .text(identity.issuer), .text(identity.issuerUserID)]
                ) { row in try row.text(0) }
                guard owner == nil || owner == objectID else { return false }
            }
            try connection.execute(
                "DELETE FROM identities WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)])
            for identity in identities {
                try connection.execute(
                    "INSERT OR REPLACE INTO identities (tenant, issuer, key, object_id) VALUES (?, ?, ?, ?)",
                    [
                        .text(tenant), .text(identity.issuer.lowercased()), .text(identity.issuerUserID),
                        .text(objectID),
                    ])
            }
            return true
        }
    }
}

extension UserIdentity {
    /// Reads one identity or a list, each as an object or as the text of one.
    static func all(in node: JSONNode) -> [UserIdentity] {
        if let text = node.string {
            return (try? JSONNode(parsing: text.utf8, limit: 1_000)).map { $0.string == nil ? all(in: $0) : [] } ?? []
        }
        return node.array?.flatMap(all) ?? [UserIdentity(node)].compactMap(\.self)
    }
}
