import SusiOAuth
import SusiPolicies
import SusiSQLite

/// Restores the names that lead from a configuration to a tenant's accounts.
enum Reachable {
    /// Adds the GUID of each tenant, and the name in the authority of each account, where they are missing. Names that stand
    /// for several tenants are restored by the next sign-in.
    static func restore(in database: Connection) throws {
        try database.executeScript(
            """
            INSERT INTO audiences (tenant) SELECT id FROM tenants WHERE true ON CONFLICT DO NOTHING;
            INSERT INTO audience_tenants (audience, tenant)
                SELECT id, tenant FROM audiences WHERE tenant IS NOT NULL ON CONFLICT DO NOTHING;
            INSERT INTO audience_names (origin, name, audience)
                SELECT t.origin, t.guid, u.id FROM tenants AS t JOIN audiences AS u ON u.tenant = t.id WHERE true
                ON CONFLICT DO NOTHING;
            """)
        let places = try database.rows("SELECT DISTINCT tenant, authority FROM accounts") { row in
            (tenant: try row.integer("tenant"), authority: try row.text("authority"))
        }
        for place in places {
            for name in names(place.authority) { try add(name, to: place.tenant, database) }
        }
    }

    private struct Name: Hashable {
        let origin: String
        let name: String
    }

    // The kind of the authority is not stored; each kind reads its own name from the address.
    private static func names(_ authority: String) -> Set<Name> {
        guard let base = try? WebAddress(authority) else { return [] }
        let readings = AuthorityKind.allCases.map {
            Authority(kind: $0, base: base, policy: PolicyName("default"))
        }
        if readings.contains(where: \.isMultiTenant) { return [] }
        return Set(
            readings.flatMap { reading in
                [reading.tenant].compactMap { $0.map { Name(origin: reading.origin, name: Tenant.canonical($0)) } }
            })
    }

    // A GUID names only its own tenant.
    private static func add(_ name: Name, to tenant: Int64, _ database: Connection) throws {
        try database.execute(
            """
            INSERT INTO audience_names (origin, name, audience)
            SELECT ?1, ?2, id FROM audiences
            WHERE tenant = ?3 AND NOT EXISTS (SELECT 1 FROM tenants WHERE guid = ?2 AND id <> ?3)
            ON CONFLICT DO NOTHING
            """, [.text(name.origin), .text(name.name), .integer(tenant)])
    }
}
