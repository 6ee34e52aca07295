import SusiOAuth
import SusiPolicies
import SusiSQLite

/// The row ids of the audiences and tenants in the scopes of an application.
struct ScopeRowIDs {
    let audiences: [Int64]
    let tenants: [Int64]
    let clientID: String

    /// The audience and the tenants of one name.
    static let ofName = """
        SELECT n.audience, m.tenant
        FROM audience_names AS n JOIN audience_tenants AS m ON m.audience = n.audience
        WHERE n.origin = ? AND n.name = ?
        """

    /// The accounts of one policy, or of all.
    func accounts(_ policy: PolicyName?) -> (condition: String, values: [Value]) {
        (
            "a.tenant \(Self.any(of: tenants)) AND a.client_id = ?\(policy == nil ? "" : " AND a.policy_key = ?")",
            [.text(clientID)] + (policy.map { [.text($0.lowercased)] } ?? [])
        )
    }

    static func any(of ids: [Int64]) -> String { "IN (\(ids.map { "\($0)" }.joined(separator: ", ")))" }
}

enum AccountQuery {
    /// The columns that identify an account.
    static let identity = "a.policy, a.client_id, p.subject, t.origin, t.guid"

    /// The joins after `FROM accounts AS a` that provide these columns.
    static let owners = "JOIN persons AS p ON p.id = a.person JOIN tenants AS t ON t.id = a.tenant"

    /// Whether the account is the current one of its policy, under any name of its tenant or under one of these.
    static func isCurrent(in audiences: [Int64]? = nil) -> String {
        let names = audiences.map { " AND c.audience \(ScopeRowIDs.any(of: $0))" } ?? ""
        return "EXISTS (SELECT 1 FROM current_accounts AS c WHERE c.account = a.id AND c.role = 'current'\(names))"
    }

    /// Accounts with their persons, and with the persons at home that brought them, without what is encrypted. Of two columns with
    /// the same name, the account's comes first.
    static func accounts(isCurrent: String = isCurrent(), where condition: String) -> String {
        """
        SELECT a.id, a.policy, a.client_id, a.home_uid, a.home_utid, a.authority, a.signed_in_on, a.claims_on,
            p.*, t.origin, t.guid, h.subject AS home_subject, s.origin AS home_origin, s.guid AS home_guid,
            \(isCurrent) AS is_current
        FROM accounts AS a \(owners)
            LEFT JOIN person_homes AS m ON m.person = a.person
            LEFT JOIN persons AS h ON h.id = m.home
            LEFT JOIN tenants AS s ON s.id = h.tenant
        WHERE \(condition)
        """
    }

    /// The condition for the account with a role under a policy of a scope.
    static let byRole = """
        a.id = (
            SELECT r.account FROM audience_names AS n JOIN current_accounts AS r ON r.audience = n.audience
            WHERE n.origin = ? AND n.name = ? AND r.client_id = ? AND r.policy_key = ? AND r.role = ?)
        """

    /// The condition for the accounts of a person in one application. A subquery, so that the planner starts with the person.
    static let ofPerson = """
        a.person = (
            SELECT q.id FROM tenants AS o JOIN persons AS q ON q.tenant = o.id
            WHERE o.origin = ? AND o.guid = ? AND q.subject = ?)
            AND a.client_id = ?
        """

    /// The condition for one account, by its `Account`.
    static let exactly = ofPerson + " AND a.policy_key = ?"

    static let ids = "SELECT a.id, a.person, a.tenant FROM accounts AS a WHERE \(exactly)"

    static let id = "SELECT a.id FROM accounts AS a WHERE \(exactly)"

    static let claims = "SELECT a.id, a.key_id, a.claims FROM accounts AS a WHERE \(exactly)"

    /// Reads the account from a row with the columns of `identity`.
    static func account(_ row: borrowing Row) throws -> Account {
        Account(
            person: try person(row), policy: PolicyName(try row.text("policy")), clientID: try row.text("client_id"))
    }

    static func person(_ row: borrowing Row) throws -> Person {
        Person(
            tenant: Tenant(origin: try row.text("origin"), id: try row.text("guid")), subject: try row.text("subject"))
    }

    /// Reads the person at home from a row of ``accounts(isCurrent:where:)``; `nil` if no refresh token at home brought the account.
    static func personAtHome(_ row: borrowing Row) throws -> Person? {
        guard let subject = try row.optionalText("home_subject") else { return nil }
        return Person(
            tenant: Tenant(origin: try row.text("home_origin"), id: try row.text("home_guid")), subject: subject)
    }

    /// Removes the persons without an account.
    static let deleteUnownedPersons =
        "DELETE FROM persons WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = persons.id)"
}

extension ApplicationScope {
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
