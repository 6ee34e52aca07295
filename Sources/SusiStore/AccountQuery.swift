import SusiOAuth
import SusiPolicies
import SusiSQLite

/// The row ids of the audiences and tenants in the scopes of an application. They are part of a query's text, so that the
/// planner knows their number.
struct ScopeRowIDs {
    let audiences: [Int64]
    let tenants: [Int64]
    let clientID: String

    var isEmpty: Bool { tenants.isEmpty }

    /// The audience and the tenants of one name.
    static let ofName = """
        SELECT n.audience, m.tenant
        FROM audience_names AS n JOIN audience_tenants AS m ON m.audience = n.audience
        WHERE n.origin = ? AND n.name = ?
        """

    /// The comparison with row ids: `= 1` or `IN (1, 2)`.
    static func any(of ids: [Int64]) -> String {
        ids.count == 1 ? "= \(ids[0])" : "IN (\(ids.map { "\($0)" }.joined(separator: ", ")))"
    }
}

/// The queries that return accounts; each uses unique indexes and returns the same columns.
enum AccountQuery {
    /// The columns that identify an account and its person.
    static let identity = "a.policy, a.client_id, a.label, p.subject, t.origin, t.guid"

    /// All columns of an account and its person. Of two columns with the same name, the account's comes first.
    static let all = "a.*, p.*, t.origin, t.guid"

    /// The joins after `FROM accounts AS a` that provide these columns.
    static let owners = "JOIN persons AS p ON p.id = a.person JOIN tenants AS t ON t.id = a.tenant"

    /// `audience` restricts where an account counts as current.
    private static func columns(currentIn audience: String = "") -> String {
        """
        SELECT \(all),
            EXISTS (SELECT 1 FROM current_accounts AS c WHERE c.account = a.id AND c.role = 'current'\(audience))
                AS is_current
        """
    }

    /// The account with a role under a policy of a scope.
    static let byRole =
        columns(currentIn: " AND c.audience = s.audience") + """
             FROM audience_names AS n
                JOIN current_accounts AS s ON s.audience = n.audience
                JOIN accounts AS a ON a.id = s.account
                \(owners)
            WHERE n.origin = ? AND n.name = ? AND s.client_id = ? AND s.policy_key = ? AND s.role = ?
            """

    private static let accounts = """
         FROM tenants AS t
            JOIN persons AS p ON p.tenant = t.id
            JOIN accounts AS a ON a.person = p.id
        """
    private static let exactly =
        " WHERE t.origin = ? AND t.guid = ? AND p.subject = ? AND a.client_id = ? AND a.policy_key = ?"

    /// One account, by its `Account`. It counts as current if it is current under any name of its tenant.
    static let exact = columns() + accounts + exactly

    /// Every account of the store, or those that match a filter.
    static func everything(filtered: Bool) -> String {
        columns() + accounts + (filtered ? " WHERE a.id IN (SELECT id FROM accounts WHERE true\(filter))" : "")
    }

    /// The number of accounts of each tenant and client id.
    static let counts = """
        SELECT t.origin, t.guid, c.client_id, sum(c.accounts) AS accounts
        FROM account_counts AS c JOIN tenants AS t ON t.id = c.tenant GROUP BY c.tenant, c.client_id
        """

    static func byID(_ reach: ScopeRowIDs) -> String {
        columns(currentIn: " AND c.audience \(ScopeRowIDs.any(of: reach.audiences))") + accounts + " WHERE a.id = ?"
    }

    /// The accounts of the person of an account, under every policy of its application.
    static let ofPerson =
        columns() + accounts + " WHERE t.origin = ? AND t.guid = ? AND p.subject = ? AND a.client_id = ?"
        + " ORDER BY a.policy_key"

    static let ids = "SELECT a.id, a.person, a.tenant, a.claims_on" + accounts + exactly

    static let id = "SELECT a.id" + accounts + exactly

    /// Reads the account from a row with the columns of `identity`.
    static func account(_ row: borrowing Row) throws -> Account {
        Account(
            person: try person(row), policy: PolicyName(try row.text("policy")), clientID: try row.text("client_id"))
    }

    static func person(_ row: borrowing Row) throws -> Person {
        Person(
            tenant: Tenant(origin: try row.text("origin"), id: try row.text("guid")), subject: try row.text("subject"))
    }

    /// Removes the persons without an account.
    static let deleteUnownedPersons =
        "DELETE FROM persons WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = persons.id)"
}

extension ScopeRowIDs {
    func values(_ policy: PolicyName?) -> [Value] {
        [.text(clientID)] + (policy.map { [.text($0.lowercased)] } ?? [])
    }
}

extension ApplicationScope {
    func values(_ policy: PolicyName) -> [Value] {
        [.text(origin), .text(tenantName), .text(clientID), .text(policy.lowercased)]
    }
}

extension Account {
    /// The values of a query for exactly this account.
    var values: [Value] {
        [
            .text(person.tenant.origin), .text(person.tenant.id), .text(person.subject), .text(clientID),
            .text(policy.lowercased),
        ]
    }
}
