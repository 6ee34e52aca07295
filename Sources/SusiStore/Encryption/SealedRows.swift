import SusiOAuth
import SusiSQLite

struct SealedValue {
    enum Table: String, CaseIterable {
        case accounts, tokens
        case signOuts = "sign_outs"

        static let ofAccounts = [accounts, tokens]

        var column: String {
            switch self {
            case .accounts: "claims"
            case .tokens: "secret"
            case .signOuts: "label"
            }
        }

        /// The query for the first row after a row id.
        fileprivate var next: String {
            switch self {
            case .accounts:
                """
                SELECT \(AccountQuery.identity), a.id, a.id AS account, a.key_id, a.claims, p.*
                FROM accounts AS a \(AccountQuery.owners) WHERE a.id > ? ORDER BY a.id LIMIT 1
                """
            case .tokens:
                """
                SELECT \(AccountQuery.identity), k.*, p.*
                FROM tokens AS k JOIN accounts AS a ON a.id = k.account \(AccountQuery.owners)
                WHERE k.id > ? ORDER BY k.id LIMIT 1
                """
            case .signOuts: "SELECT * FROM sign_outs WHERE id > ? ORDER BY id LIMIT 1"
            }
        }
    }

    let table: Table
    let id: Int64
    /// The row id of its account.
    let account: Int64
    /// The kind of value, for example `refresh token`.
    let kind: String
    /// Label and policy of its account.
    let holder: String
    let owner: Seal.Owner
    /// The decrypted text; `nil` if it cannot be decrypted.
    let text: String?

    var name: String { "\(kind) of \(holder)" }
    /// The name of the loss if it cannot be decrypted: for claims, the whole account.
    var lossName: String { "the \(table == .accounts ? "account \(holder)" : name)" }

    fileprivate init(_ row: borrowing Row, of table: Table, seal: Seal?) throws {
        self.table = table
        id = try row.integer("id")
        switch table {
        case .accounts:
            (kind, account, holder) = ("claims", id, try Self.holder(row))
            owner = .claims(of: try AccountQuery.account(row))
        case .tokens:
            let info = try TokenQuery.info(row)
            (kind, account) = ("\(info.kind.rawValue) token", try row.integer("account"))
            holder = try Self.holder(row)
            owner = .token(info.key(of: try AccountQuery.account(row)))
        case .signOuts:
            (kind, account, holder) = ("note of a sign-out", 0, "policy \(try row.text("policy_key"))")
            owner = try .signOut(row)
        }
        text = seal?.open(try Seal.Sealed(row, table.column), owner)
    }

    private static func holder(_ row: borrowing Row) throws -> String {
        "\(try Profile.label(row)) under \(try row.text("policy"))"
    }
}

/// Every encrypted value of a database.
struct SealedRows {
    let database: Connection
    /// The seal; `nil` if the key is lost, so that nothing can be decrypted.
    let seal: Seal?

    /// Passes the values of some tables to `body`, which may change or delete the row: each row is found by the id of the
    /// previous one, so that no statement reads a table while another writes it.
    func forEach(_ tables: [SealedValue.Table], _ body: (SealedValue) throws -> Void) throws {
        for table in tables {
            var last: Int64 = .min
            while let value = try next(table, after: last) {
                last = value.id
                try body(value)
            }
        }
    }

    private func next(_ table: SealedValue.Table, after id: Int64) throws -> SealedValue? {
        try database.first(table.next, [.integer(id)]) { row in try SealedValue(row, of: table, seal: seal) }
    }
}

extension Seal.Owner {
    static func signOut(_ row: borrowing Row) throws -> Seal.Owner {
        .signOut(
            group: try row.integer("tenant_group"), clientID: try row.text("client_id"),
            policyKey: try row.text("policy_key"))
    }
}
