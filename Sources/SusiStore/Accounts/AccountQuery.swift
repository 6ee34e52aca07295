import SusiOAuth
import SusiPolicies
import SusiSQLite

/// The row ids of the tenant groups and tenants of some registrations.
struct RegistrationRows {
    let groups: [Int64]
    let tenants: [Int64]
    let clientID: String

    /// The tenant group of a name, with its tenants.
    static let ofName = """
        SELECT n.tenant_group, m.tenant
        FROM tenant_group_names AS n JOIN tenant_group_members AS m ON m.tenant_group = n.tenant_group
        WHERE n.origin = ? AND n.name = ?
        """

    static func any(of ids: [Int64]) -> String { "IN (\(ids.map { "\($0)" }.joined(separator: ", ")))" }
}

/// A query for accounts with their persons, and with the persons at home that brought them, without what is encrypted.
struct AccountQuery {
    let sql: String
    let values: [Value]

    // Of two columns with the same name, the account's comes first.
    private init(where condition: String, _ values: [Value], isCurrent: String = isCurrent()) {
        sql = """
            SELECT a.id, a.policy, a.client_id, a.home_uid, a.home_utid, a.authority, a.signed_in_on, a.claims_on,
                p.*, t.origin, t.guid, h.subject AS home_subject, s.origin AS home_origin, s.guid AS home_guid,
                \(isCurrent) AS is_current
            FROM accounts AS a \(Self.owners)
                LEFT JOIN person_homes AS m ON m.person = a.person
                LEFT JOIN persons AS h ON h.id = m.home
                LEFT JOIN tenants AS s ON s.id = h.tenant
            WHERE \(condition)
            """
        self.values = values
    }

    static let all = AccountQuery(where: "true", [])

    static func exactly(_ account: Account) -> AccountQuery { AccountQuery(where: exactly, account.values) }

    static func of(_ person: Person, clientID: String) -> AccountQuery {
        AccountQuery(where: ofPerson, person.values + [.text(clientID)])
    }

    /// The accounts of registrations: an account counts as current only under one of their names.
    static func of(_ rows: RegistrationRows, _ policy: PolicyName?) -> AccountQuery {
        let ofPolicy = policy == nil ? "" : " AND a.policy_key = ?"
        return AccountQuery(
            where: "a.tenant \(RegistrationRows.any(of: rows.tenants)) AND a.client_id = ?\(ofPolicy)",
            [.text(rows.clientID)] + (policy.map { [.text($0.lowercased)] } ?? []),
            isCurrent: isCurrent(in: rows.groups))
    }

    /// The account with a role under a policy of a registration.
    static func of(_ role: CurrentRole, _ policy: PolicyName, _ registration: Registration) -> AccountQuery {
        let condition = """
            a.id = (
                SELECT r.account FROM tenant_group_names AS n
                    JOIN current_accounts AS r ON r.tenant_group = n.tenant_group
                WHERE n.origin = ? AND n.name = ? AND r.client_id = ? AND r.policy_key = ? AND r.role = ?)
            """
        return AccountQuery(
            where: condition, registration.values(policy) + [.text(role.rawValue)],
            isCurrent: role == .current ? "1" : "0")
    }

    private static func isCurrent(in groups: [Int64]? = nil) -> String {
        let names = groups.map { " AND c.tenant_group \(RegistrationRows.any(of: $0))" } ?? ""
        return "EXISTS (SELECT 1 FROM current_accounts AS c WHERE c.account = a.id AND c.role = 'current'\(names))"
    }

    private static let person =
        "FROM tenants AS o JOIN persons AS q ON q.tenant = o.id WHERE o.origin = ? AND o.guid = ? AND q.subject = ?"

    // A subquery, so that the planner starts with the person.
    private static let ofPerson = "a.person = (SELECT q.id \(person)) AND a.client_id = ?"

    // One account, by the values of its `Account`.
    private static let exactly = ofPerson + " AND a.policy_key = ?"
}

// Parts of other queries.
extension AccountQuery {
    /// The columns that identify an account.
    static let identity = "a.policy, a.client_id, p.subject, t.origin, t.guid"

    /// The joins after `FROM accounts AS a` that provide these columns.
    static let owners = "JOIN persons AS p ON p.id = a.person JOIN tenants AS t ON t.id = a.tenant"

    static let ids = "SELECT a.id, a.person, a.tenant FROM accounts AS a WHERE \(exactly)"

    static let id = "SELECT a.id FROM accounts AS a WHERE \(exactly)"

    static let tenantOfPerson = "SELECT q.tenant \(person)"

    static let claims = "SELECT a.id, a.key_id, a.claims FROM accounts AS a WHERE \(exactly)"

    /// Reads the account from a row with the columns of `identity`.
    static func account(_ row: borrowing Row) throws -> Account {
        Account(
            person: try person(row), policy: PolicyName(try row.text("policy")), clientID: try row.text("client_id"))
    }

    private static func person(_ row: borrowing Row) throws -> Person {
        Person(
            tenant: Tenant(origin: try row.text("origin"), id: try row.text("guid")), subject: try row.text("subject"))
    }

    /// Reads the person at home from a row of the query; `nil` if no refresh token at home brought the account.
    static func personAtHome(_ row: borrowing Row) throws -> Person? {
        guard let subject = try row.optionalText("home_subject") else { return nil }
        return Person(
            tenant: Tenant(origin: try row.text("home_origin"), id: try row.text("home_guid")), subject: subject)
    }

    /// Removes the persons without an account.
    static let deleteUnownedPersons =
        "DELETE FROM persons WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = persons.id)"
}

extension Registration {
    func values(_ policy: PolicyName) -> [Value] {
        [.text(origin), .text(tenantName), .text(clientID), .text(policy.lowercased)]
    }
}

extension Account {
    /// The values of a query for exactly this account.
    var values: [Value] { person.values + [.text(clientID), .text(policy.lowercased)] }
}

extension Person {
    var values: [Value] { [.text(tenant.origin), .text(tenant.id), .text(subject)] }
}
