import SusiSQLite
import SusiTestSupport
import SystemPackage

/// What a store has, read from its tables: the truth with which everything that commands say is compared.
struct StoreRows: Hashable, Sendable {
    /// One account. Its times, secrets and row IDs are left out: states that differ in these alone are one.
    struct Row: Hashable, Sendable {
        let subject: String
        let label: String
        let clientID: String
        let policy: String
        /// The authority without the policy.
        let authority: String
        /// The issuer's origin.
        let origin: String
        let isCurrent: Bool
        let isPrevious: Bool
        /// The kinds of the tokens with their scopes.
        let tokens: String

        /// Names the row without its roles and tokens.
        var name: String { "\(label) \(policy) \(clientID.prefix(1)) \(authority)" }
        /// Names what has one current account.
        var place: String { "\(policy.lowercased()) \(clientID.prefix(1)) \(origin)" }
    }

    var accounts: [Row] = []
    var isShared = false
    private var signOuts: [String] = []

    /// Reads the database; without one, nothing is stored.
    init(_ database: FilePath) throws {
        guard database.exists else { return }
        let connection = try Connection(path: database.string, mode: .readWrite)
        accounts = try connection.rows(Self.query) { row in
            let roles = try row.text(6)
            return Row(
                subject: try row.text(0), label: try row.text(1), clientID: try row.text(2), policy: try row.text(3),
                authority: try row.text(4), origin: try row.text(5), isCurrent: roles.contains("current"),
                isPrevious: roles.contains("previous"), tokens: try row.text(7))
        }
        isShared = try connection.first("SELECT count(*) FROM sharing") { try $0.integer(0) } == 1
        signOuts = try connection.rows(
            "SELECT policy_key || ' ' || client_id || ' ' || tenant_group FROM sign_outs ORDER BY 1"
        ) { try $0.text(0) }
    }

    private static let query = """
        SELECT p.subject, p.emails ->> 0, a.client_id, a.policy, a.authority, t.origin,
          ifnull((SELECT group_concat(role) FROM current_accounts WHERE account = a.id), ''),
          (SELECT ifnull(group_concat(kind || ' ' || scopes), '')
            FROM (SELECT * FROM tokens WHERE account = a.id ORDER BY kind, scopes))
        FROM accounts a JOIN persons p ON p.id = a.person JOIN tenants t ON t.id = a.tenant
        ORDER BY a.client_id, a.policy_key, p.subject, t.origin
        """

    /// The subject of the current account in each place.
    var current: [String: String] {
        Dictionary(accounts.filter(\.isCurrent).map { ($0.place, $0.subject) }) { first, _ in first }
    }

    /// The accounts that another state does not have.
    func missing(in other: StoreRows) -> [Row] {
        let names = Set(other.accounts.map(\.name))
        return accounts.filter { !names.contains($0.name) }
    }
}
