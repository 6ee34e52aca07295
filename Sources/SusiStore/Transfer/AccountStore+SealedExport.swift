internal import FoundationEssentials
import SusiOAuth
import SusiPolicies
internal import SusiSQLite

package struct SealedExport: Hashable, Sendable {
    package internal(set) var accounts = 0
    package internal(set) var tokens = 0
    /// The first items that were left out.
    package internal(set) var leftOut: [String] = []
    /// The number of all items that were left out.
    package internal(set) var leftOutCount = 0

    /// The default exponent of scrypt's N: 64 MiB of memory.
    package static let usualCost = 16

    fileprivate mutating func leaveOut(_ what: String) {
        leftOutCount += 1
        if leftOut.count < 1_000 { leftOut.append(what) }
    }
}

extension AccountStore {
    /// Writes everything in the store, encrypted with a passphrase: persons, accounts, claims, tokens, current accounts, and names
    /// of tenants. All records are of one state of the file; one account at a time is in memory.
    ///
    /// `write` receives the file piece by piece. Records that cannot be decrypted or that an import would refuse are left out and
    /// named. A time out of range is written as the nearest valid one. `cost` is the exponent of scrypt's N, from 10 to 18;
    /// `exportedOn` is the current time in seconds since 1970. Rethrows errors of `write`.
    package func exportSealed(
        passphrase: String, cost: Int = SealedExport.usualCost, exportedOn: Int64,
        write: @escaping ([UInt8]) throws -> Void
    ) throws -> SealedExport {
        // Before anything is written: if the key is locked, the caller unlocks it and tries again.
        _ = try openedSeal()
        do {
            return try database.read {
                var lines = TransferLines(
                    writer: try SealedWriter(passphrase: passphrase, cost: cost, write: write), now: exportedOn)
                try lines.add(
                    TransferRecord(
                        head: .init(version: TransferRecord.Head.newest, exportedOn: exportedOn)))
                try exportNames(&lines)
                try exportAccounts(&lines)
                try exportCurrent(&lines)
                try lines.add(TransferRecord(end: .init(accounts: lines.export.accounts)))
                try lines.writer.finish()
                return lines.export
            }
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        }
    }

    private func exportAccounts(_ lines: inout TransferLines) throws {
        let seal = try openedSeal()
        try database.forEach(TransferQuery.accounts) { row in
            let account = try AccountQuery.account(row)
            let owner = "\(try row.text("label")) under \(account.policy)"
            let claims = seal.open(try Seal.Sealed(row, "claims"), .claims(of: account))
            if claims == nil { lines.export.leaveOut("claims of \(owner): cannot be decrypted") }
            let tokens = try tokens(of: account, row: try row.integer("id"), owner: owner, &lines)
            // Skip accounts that cannot be decrypted.
            if claims == nil, tokens.isEmpty { return }
            let (profile, now) = (try profile(row), lines.now)
            let record = TransferRecord.AccountRecord(
                account, try AccountFacts(row, profile: profile) { EpochTime.past($0, now) },
                secrets: .init(
                    claims: claims ?? "{}", pendingClaims: try row.optionalText("pending_claims"), tokens: tokens))
            guard try lines.add(TransferRecord(account: record), named: "account of \(owner)") else { return }
            lines.export.accounts += 1
            lines.export.tokens += tokens.count
        }
    }

    // Returns the tokens of an account that can be decrypted and that an import would accept.
    private func tokens(
        of account: Account, row id: Int64, owner: String, _ lines: inout TransferLines
    ) throws -> [TransferRecord.Token] {
        let seal = try openedSeal()
        var tokens: [TransferRecord.Token] = []
        try database.forEach(TokenQuery.secretsOfAccount, [.integer(id)]) { row in
            let info = try TokenQuery.info(row)
            let name = "\(info.kind.rawValue) token of \(owner)"
            guard let secret = seal.open(try Seal.Sealed(row, "secret"), .token(info.key(of: account))) else {
                return lines.export.leaveOut("\(name): cannot be decrypted")
            }
            let token = TransferRecord.Token(info, secret, now: lines.now)
            if let wrong = token.values(lines.now, "token").first(where: { !$0.isValid }) {
                return lines.export.leaveOut("\(name): \(wrong.problem)")
            }
            tokens.append(token)
        }
        return tokens
    }

    private func exportNames(_ lines: inout TransferLines) throws {
        try database.forEach(
            """
            SELECT n.origin, n.name, n.audience, u.tenant IS NULL AS is_for_several
            FROM audience_names AS n JOIN audiences AS u ON u.id = n.audience ORDER BY n.origin, n.name
            """
        ) { row in
            let tenants = try database.rows(
                """
                SELECT t.origin, t.guid FROM audience_tenants AS m JOIN tenants AS t ON t.id = m.tenant
                WHERE m.audience = ? ORDER BY t.origin, t.guid
                """, [.integer(try row.integer("audience"))]
            ) { row in TransferRecord.TenantRecord(Tenant(origin: try row.text("origin"), id: try row.text("guid"))) }
            let record = TransferRecord(
                name: .init(
                    origin: try row.text("origin"), name: try row.text("name"), tenants: tenants,
                    isForSeveral: try row.integer("is_for_several") != 0))
            _ = try lines.add(record, named: "name \(try row.text("name")) of a tenant")
        }
    }

    private func exportCurrent(_ lines: inout TransferLines) throws {
        try database.forEach(
            """
            SELECT (SELECT min(n.origin || char(10) || n.name) FROM audience_names AS n WHERE n.audience = c.audience)
                AS name, c.role, \(AccountQuery.identity)
            FROM current_accounts AS c JOIN accounts AS a ON a.id = c.account \(AccountQuery.owners)
            ORDER BY c.audience, c.client_id, c.policy_key, c.role
            """
        ) { row in
            // An audience without a name is unreachable. No part contains a line break.
            guard let name = try row.optionalText("name")?.split(separator: "\n", maxSplits: 1), name.count == 2 else {
                return
            }
            let (account, role) = (try AccountQuery.account(row), try row.text("role"))
            let record = TransferRecord(
                current: .init(
                    origin: String(name[0]), name: String(name[1]), clientId: account.clientID,
                    policy: account.policy.spelling, role: role, tenant: .init(account.person.tenant),
                    subject: account.person.subject))
            _ = try lines.add(record, named: "\(role) account under \(account.policy)")
        }
    }
}

/// A writer for records as lines of an encrypted export, with the counts of written and omitted items.
private struct TransferLines {
    var writer: SealedWriter
    var export = SealedExport()
    /// The current time in seconds since 1970.
    let now: Int64
    private let encoder = JSONEncoder()

    init(writer: SealedWriter, now: Int64) {
        self.writer = writer
        self.now = now
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func add(_ record: TransferRecord) throws { try writer.add(Array(try encoder.encode(record))) }

    /// Adds a record. Returns `false` and leaves it out if an import would refuse it.
    mutating func add(_ record: TransferRecord, named name: String) throws -> Bool {
        if let wrong = record.values(now).first(where: { !$0.isValid }) {
            export.leaveOut("\(name): \(wrong.problem)")
            return false
        }
        try add(record)
        return true
    }
}

extension EpochTime {
    /// Returns the nearest time that is valid and not after `now`.
    fileprivate static func past(_ time: Int64, _ now: Int64) -> Int64 { min(clamped(time), clamped(now)) }
}

extension TransferRecord.Token {
    fileprivate init(_ info: StoredTokenInfo, _ secret: String, now: Int64) {
        self.init(
            kind: info.kind.rawValue, scopes: info.scopes.description, granted: info.granted.description,
            expiresOn: info.expiresOn.map(EpochTime.clamped), refreshOn: info.refreshOn.map(EpochTime.clamped),
            savedOn: EpochTime.past(info.savedOn, now), secret: secret)
    }
}

private enum TransferQuery {
    static let accounts = """
        SELECT \(AccountQuery.all), d.claims AS pending_claims
        FROM accounts AS a \(AccountQuery.owners) LEFT JOIN pending_claims AS d ON d.account = a.id
        ORDER BY a.id
        """
}
