import SusiOAuth
import SusiPolicies
import SusiSQLite

extension AccountStore {
    /// Stores a tenant, the audience that a scope names, and the names of both. Returns the row ids of the tenant and
    /// of that audience.
    ///
    /// The GUID always names the tenant's own audience, at the issuer's origin and at the authority's, which can
    /// differ.
    func saveTenant(_ tenant: Tenant, _ scope: ApplicationScope) throws -> (tenant: Int64, audience: Int64) {
        let (id, audience) = try rows(of: tenant)
        for origin in Set([tenant.origin, scope.origin]) {
            try lead(origin, tenant.id, to: audience, tenant: id)
        }
        guard scope.spansTenants else {
            try lead(scope.origin, scope.tenantName, to: audience, tenant: id)
            return (id, audience)
        }
        let several = try severalTenants(scope)
        try add(id, to: several)
        return (id, several)
    }

    /// Stores a tenant. Returns its row id and that of the audience with only this tenant.
    func rows(of tenant: Tenant) throws -> (tenant: Int64, audience: Int64) {
        let key: [Value] = [.text(tenant.origin), .text(tenant.id)]
        try database.execute("INSERT INTO tenants (origin, guid) VALUES (?, ?) ON CONFLICT DO NOTHING", key)
        let id = try rowID("SELECT id FROM tenants WHERE origin = ? AND guid = ?", key)
        try database.execute("INSERT INTO audiences (tenant) VALUES (?) ON CONFLICT DO NOTHING", [.integer(id)])
        let audience = try rowID("SELECT id FROM audiences WHERE tenant = ?", [.integer(id)])
        try add(id, to: audience)
        return (id, audience)
    }

    func add(_ tenant: Int64, to audience: Int64) throws {
        try database.execute(
            "INSERT INTO audience_tenants (audience, tenant) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [.integer(audience), .integer(tenant)])
    }

    // A domain may move to another tenant; a GUID names only its own tenant.
    func lead(_ origin: String, _ name: String, to audience: Int64, tenant: Int64) throws {
        try database.execute(
            """
            INSERT INTO audience_names (origin, name, audience)
            SELECT ?1, ?2, ?3
            WHERE NOT EXISTS (SELECT 1 FROM tenants WHERE origin = ?1 AND guid = ?2 AND id <> ?4)
            ON CONFLICT DO UPDATE SET audience = excluded.audience WHERE audience <> excluded.audience
            """, [.text(origin), .text(name), .integer(audience), .integer(tenant)])
    }

    /// Returns the audience of a name that means several tenants; creates it if it is missing.
    func severalTenants(_ scope: ApplicationScope) throws -> Int64 {
        let name: [Value] = [.text(scope.origin), .text(scope.tenantName)]
        let known = try database.integer(
            """
            SELECT u.id FROM audience_names AS n JOIN audiences AS u ON u.id = n.audience
            WHERE n.origin = ? AND n.name = ? AND u.tenant IS NULL
            """, name)
        if let known { return known }
        let new = try rowID("INSERT INTO audiences (tenant) VALUES (NULL) RETURNING id", [])
        try database.execute(
            """
            INSERT INTO audience_names (origin, name, audience) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET audience = excluded.audience
            """, name + [.integer(new)])
        return new
    }
}
