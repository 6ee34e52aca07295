import SusiOAuth
import SusiPolicies
import SusiSQLite

extension AccountStore {
    /// Stores a tenant, the group that a registration names, and the names of both. Returns the row ids of the tenant and of
    /// that group.
    ///
    /// The GUID always names the group of this tenant alone, at the issuer's origin and at the authority's, which can
    /// differ.
    func saveTenant(_ tenant: Tenant, _ registration: Registration) throws -> (tenant: Int64, group: Int64) {
        let (id, group) = try rows(of: tenant)
        for origin in Set([tenant.origin, registration.origin]) {
            try lead(origin, tenant.id, to: group, tenant: id)
        }
        guard registration.spansTenants else {
            try lead(registration.origin, registration.tenantName, to: group, tenant: id)
            return (id, group)
        }
        let several = try severalTenants(registration)
        try add(id, to: several)
        return (id, several)
    }

    /// Stores a tenant. Returns its row id and that of the group with only this tenant.
    func rows(of tenant: Tenant) throws -> (tenant: Int64, group: Int64) {
        let key: [Value] = [.text(tenant.origin), .text(tenant.id)]
        try database.execute("INSERT INTO tenants (origin, guid) VALUES (?, ?) ON CONFLICT DO NOTHING", key)
        let id = try rowID("SELECT id FROM tenants WHERE origin = ? AND guid = ?", key)
        try database.execute("INSERT INTO tenant_groups (tenant) VALUES (?) ON CONFLICT DO NOTHING", [.integer(id)])
        let group = try rowID("SELECT id FROM tenant_groups WHERE tenant = ?", [.integer(id)])
        try add(id, to: group)
        return (id, group)
    }

    func add(_ tenant: Int64, to group: Int64) throws {
        try database.execute(
            "INSERT INTO tenant_group_members (tenant_group, tenant) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [.integer(group), .integer(tenant)])
    }

    // A domain may move to another tenant; a GUID names only its own tenant.
    func lead(_ origin: String, _ name: String, to group: Int64, tenant: Int64) throws {
        try database.execute(
            """
            INSERT INTO tenant_group_names (origin, name, tenant_group)
            SELECT ?1, ?2, ?3
            WHERE NOT EXISTS (SELECT 1 FROM tenants WHERE origin = ?1 AND guid = ?2 AND id <> ?4)
            ON CONFLICT DO UPDATE SET tenant_group = excluded.tenant_group WHERE tenant_group <> excluded.tenant_group
            """, [.text(origin), .text(name), .integer(group), .integer(tenant)])
    }

    /// Returns the group of a name that means several tenants; creates it if it is missing.
    func severalTenants(_ registration: Registration) throws -> Int64 {
        let name: [Value] = [.text(registration.origin), .text(registration.tenantName)]
        let existing = try database.integer(
            """
            SELECT u.id FROM tenant_group_names AS n JOIN tenant_groups AS u ON u.id = n.tenant_group
            WHERE n.origin = ? AND n.name = ? AND u.tenant IS NULL
            """, name)
        if let existing { return existing }
        let new = try rowID("INSERT INTO tenant_groups (tenant) VALUES (NULL) RETURNING id", [])
        try database.execute(
            """
            INSERT INTO tenant_group_names (origin, name, tenant_group) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET tenant_group = excluded.tenant_group
            """, name + [.integer(new)])
        return new
    }
}
