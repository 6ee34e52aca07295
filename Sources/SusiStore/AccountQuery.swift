import SusiOAuth
import SusiPolicies
import SusiSQLite

/// What an account is for its policy.
enum CurrentRole: String {
    case current
    case previous
}

/// The queries that give accounts; every one goes by unique indexes and gives the same columns.
enum AccountQuery {
    private static let columns = """
        SELECT t.origin, t.guid, p.subject, a.policy, a.client_id, a.id,
            EXISTS (SELECT 1 FROM current_accounts AS c WHERE c.account = a.id AND c.role = 'current'),
            p.name, p.given_name, p.family_name, p.emails, p.identity_provider, a.home_uid, a.home_utid,
            a.authority, a.signed_in_on, a.claims_on, a.key_id, a.claims
        """

    // CROSS JOIN keeps the order of the tables, so that rows come by label without sorting.
    private static let scoped = """
         FROM tenant_names AS n
            CROSS JOIN tenants AS t ON t.id = n.tenant
            CROSS JOIN persons AS p ON p.tenant = t.id
            CROSS JOIN accounts AS a ON a.person = p.id
        WHERE n.origin = ? AND n.name = ? AND a.client_id = ?
        """
    private static let ordered = " ORDER BY p.label, p.subject, a.policy_key"
    private static let ofPolicy = " AND a.policy_key = ?"

    private static let all = columns + scoped + ordered
    private static let allOfPolicy = columns + scoped + ofPolicy + ordered

    /// The accounts of a scope, of one policy or of all.
    static func list(onePolicy: Bool) -> String { onePolicy ? allOfPolicy : all }

    /// Only what finding by text reads; the id leads to the rest.
    static func candidates(onePolicy: Bool) -> String {
        "SELECT a.id, p.subject, p.name, p.emails, a.home_uid, a.home_utid" + scoped
            + (onePolicy ? ofPolicy : "") + ordered
    }

    /// The account that has a role under a policy of a scope.
    static let byRole =
        columns + """
             FROM tenant_names AS n
                JOIN current_accounts AS s ON s.tenant = n.tenant
                JOIN accounts AS a ON a.id = s.account
                JOIN persons AS p ON p.id = a.person
                JOIN tenants AS t ON t.id = a.tenant
            WHERE n.origin = ? AND n.name = ? AND s.client_id = ? AND s.policy_key = ? AND s.role = ?
            """

    private static let accounts = """
         FROM tenants AS t
            JOIN persons AS p ON p.tenant = t.id
            JOIN accounts AS a ON a.person = p.id
        """
    private static let exactly =
        " WHERE t.origin = ? AND t.guid = ? AND p.subject = ? AND a.client_id = ? AND a.policy_key = ?"

    /// The account that an `Account` names.
    static let exact = columns + accounts + exactly

    /// The account of a row id.
    static let byID = columns + accounts + " WHERE a.id = ?"

    /// The row ids of an account, its person and its tenant.
    static let ids = "SELECT a.id, a.person, a.tenant" + accounts + exactly

    /// The row id of an account alone.
    static let id = "SELECT a.id" + accounts + exactly

    /// The account of a row whose first columns are those of `columns`.
    static func account(_ row: borrowing Row) throws -> Account {
        Account(
            person: Person(
                tenant: Tenant(origin: try row.text(0), id: try row.text(1)), subject: try row.text(2)),
            policy: PolicyName(try row.text(3)), clientID: try row.text(4))
    }
}

extension ApplicationScope {
    /// The values of a scoped query.
    func values(_ policy: PolicyName?) -> [Value] {
        let scope: [Value] = [.text(origin), .text(tenantName), .text(clientID)]
        return policy.map { scope + [.text($0.lowercased)] } ?? scope
    }
}

extension Account {
    /// The values of an exact query.
    var values: [Value] {
        [
            .text(person.tenant.origin), .text(person.tenant.id), .text(person.subject), .text(clientID),
            .text(policy.lowercased),
        ]
    }
}
