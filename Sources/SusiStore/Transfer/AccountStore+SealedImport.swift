internal import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

/// The result of an import of an encrypted export.
package struct SealedImport: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case added
        /// Something in the file is newer.
        case updated
        /// Nothing in the file is newer.
        case unchanged
    }

    package struct Entry: Hashable, Sendable {
        package let label: String
        package let policy: PolicyName
        package let outcome: Outcome
    }

    /// The time of the export, in seconds since 1970.
    package internal(set) var exportedOn: Int64 = 0
    package internal(set) var counts: [Outcome: Int] = [:]
    /// The first accounts of the file.
    package internal(set) var entries: [Entry] = []
    package internal(set) var tokens = 0
    /// The number of tokens from other libraries' caches in a file of an older version.
    package internal(set) var skipped = 0
    /// The number of imported names of tenants.
    package internal(set) var names = 0
    /// The number of policies that got a current account.
    package internal(set) var current = 0

    package var accounts: Int { counts.values.reduce(0, +) }

    fileprivate static let most = 100

    /// Returns whether a file with this beginning is an encrypted export, of any version.
    package static func isExport(_ beginning: [UInt8]) -> Bool { beginning.starts(with: SealedFile.family.utf8) }
}

extension AccountStore {
    /// Imports an encrypted export in one transaction, all of it or nothing. Newer tokens, claims and profiles replace older ones.
    /// Current accounts and the tenants of names do not change.
    ///
    /// `read` returns at most the requested number of the file's next bytes, and none at the end. `now` is in seconds
    /// since 1970; no record may be newer. Throws ``SealedFileError`` for a wrong passphrase, a damaged file and an
    /// invalid record, and `.occupied` if two persons would have accounts in a shared store. With `isDryRun`, nothing is written.
    package func importSealed(
        passphrase: String, isDryRun: Bool = false, now: Int64, read: @escaping (Int) throws -> [UInt8]
    ) throws -> SealedImport {
        // Before the file is read: if the key is locked, the caller unlocks it and tries again.
        _ = try openedSeal()
        // Before the lock, because the key derivation is slow.
        let reader = try SealedReader(passphrase: passphrase, read: read)
        do {
            var merge = TransferMerge(store: self, reader: reader, now: now, isDryRun: isDryRun)
            let result =
                isDryRun ? try database.read { try merge.run() } : try writing { try merge.run() }
            if !isDryRun { _ = emptyLog() }
            return result
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        }
    }
}

extension AccountStore {
    /// Returns the result of ``importSealed(passphrase:isDryRun:now:read:)`` for a store that does not exist yet.
    package static func previewSealed(
        passphrase: String, now: Int64, read: @escaping (Int) throws -> [UInt8]
    ) throws -> SealedImport {
        let reader = try SealedReader(passphrase: passphrase, read: read)
        var merge = TransferMerge(store: nil, reader: reader, now: now, isDryRun: true)
        return try merge.run()
    }
}

/// Reads the records of an encrypted export one by one and stores what is newer.
private struct TransferMerge {
    /// The store; `nil` if there is none yet, so that everything is new.
    let store: AccountStore?
    var reader: SealedReader
    let isDryRun: Bool
    private var records: TransferReader
    private var result = SealedImport()
    private var newcomer: Person?

    init(store: AccountStore?, reader: SealedReader, now: Int64, isDryRun: Bool) {
        self.store = store
        self.reader = reader
        records = TransferReader(now: now)
        self.isDryRun = isDryRun
    }

    mutating func run() throws -> SealedImport {
        while let line = try reader.next() {
            let record = try records.record(line)
            do { try take(record) } catch let error as SQLiteError where error.code == .constraint {
                throw SealedFileError.line(records.number, error.message)
            }
        }
        try records.finish()
        result.exportedOn = records.exportedOn
        return result
    }

    private mutating func take(_ record: TransferRecord) throws {
        if let account = record.account { try take(account) }
        if let name = record.name { try take(name) }
        if let current = record.current { try take(current) }
        if record.imported != nil { result.skipped += 1 }
    }

    // MARK: Accounts

    private mutating func take(_ record: TransferRecord.AccountRecord) throws {
        let account = record.identity.account
        try refuseOthers(than: account.person)
        let known = try store?.rowOfAccount(account)
        let tokens = try record.secrets.tokens.filter { try isNewer($0, of: account, known?.id) }
        let hasNewClaims = known.map { record.facts.claimsOn > $0.claimsOn } ?? true
        let outcome: SealedImport.Outcome =
            known == nil ? .added : hasNewClaims || !tokens.isEmpty ? .updated : .unchanged
        result.counts[outcome, default: 0] += 1
        result.tokens += tokens.count
        if result.entries.count < SealedImport.most {
            let label = record.facts.profile.label ?? account.person.subject
            result.entries.append(.init(label: label, policy: account.policy, outcome: outcome))
        }
        guard let store = writable else { return }
        let id = try store.keepTransferred(record, known: known?.id, hasNewClaims: hasNewClaims)
        for token in tokens { try store.keepTransferred(token, of: account, id) }
        if let claims = record.secrets.pendingClaims, try store.pendingClaims(of: account) == nil {
            try store.keepPending(claims, of: id)
        }
    }

    // A dry run stores nothing that the next record is compared with.
    private mutating func refuseOthers(than person: Person) throws {
        guard let store else { return }
        let home = try store.home(of: person)
        try store.refuseOthers(than: home)
        guard isDryRun, home == nil, try store.isShared() else { return }
        if let newcomer, newcomer != person { throw StoreError.occupied(newcomer.subject, store.folder) }
        newcomer = person
    }

    /// The store, `nil` in a dry run.
    private var writable: AccountStore? { isDryRun ? nil : store }

    // A stored token that cannot be decrypted is replaced.
    private func isNewer(_ token: TransferRecord.Token, of account: Account, _ known: Int64?) throws -> Bool {
        guard let key = token.key(of: account) else { return false }
        guard known != nil, let stored = try? store?.secret(key) else { return true }
        return token.savedOn > stored.info.savedOn
    }

    // MARK: Names and roles

    private mutating func take(_ record: TransferRecord.Name) throws {
        guard try store?.audience(record.origin, record.name) == nil else { return }
        // A GUID is not counted, because it comes with its tenant.
        if !record.tenants.contains(where: { $0.id == record.name }) { result.names += 1 }
        try writable?.keepName(record)
    }

    private mutating func take(_ record: TransferRecord.Current) throws {
        guard let role = CurrentRole(rawValue: record.role) else { return }
        // An audience without accounts has no current one.
        let audience = try store?.audience(record.origin, record.name)
        if let store, let audience, try store.isTaken(role, of: record.account, in: audience) {
            return
        }
        if role == .current { result.current += 1 }
        if let audience { try writable?.keepRole(role, of: record.account, in: audience) }
    }
}

extension TransferRecord.Token {
    fileprivate func key(of account: Account) -> TokenKey? {
        TokenKind(rawValue: kind).map { TokenKey.of($0, account: account, scopes: ScopeSet(text: scopes)) }
    }
}

// MARK: - Steps inside the transaction

extension AccountStore {
    fileprivate func rowOfAccount(_ account: Account) throws -> (id: Int64, claimsOn: Int64)? {
        try database.first(AccountQuery.ids, account.values) { row in
            (id: try row.integer("id"), claimsOn: try row.integer("claims_on"))
        }
    }

    /// Stores tenant, person and account of a record, without tokens. Returns the account's row id.
    fileprivate func keepTransferred(
        _ record: TransferRecord.AccountRecord, known: Int64?, hasNewClaims: Bool
    ) throws -> Int64 {
        let (account, facts, claims) = (record.identity.account, record.facts, record.secrets.claims)
        let home = account.person.tenant
        let scope = ApplicationScope(origin: home.origin, tenantName: home.id, clientID: account.clientID)
        let (tenant, _) = try saveTenant(home, scope)
        let person = try savePerson(account.person, facts.profile, receivedOn: facts.profileOn, tenant: tenant)
        guard let known else { return try saveAccount(account, facts, claims: claims, of: person) }
        if hasNewClaims {
            try updateAccount(account, id: known, claims: claims, home: facts.home, on: facts.claimsOn)
        }
        try database.execute(
            "UPDATE accounts SET signed_in_on = max(signed_in_on, ?) WHERE id = ?",
            [.integer(facts.signedInOn), .integer(known)])
        return known
    }

    fileprivate func keepTransferred(_ token: TransferRecord.Token, of account: Account, _ id: Int64) throws {
        guard let key = token.key(of: account) else { return }
        try saveToken(
            key, token.secret, account: id, granted: ScopeSet(text: token.granted), expiresOn: token.expiresOn,
            refreshOn: token.refreshOn, savedOn: token.savedOn)
    }

    fileprivate func keepPending(_ claims: String, of id: Int64) throws {
        try database.execute("INSERT INTO pending_claims VALUES (?, ?)", [.integer(id), .text(claims)])
    }

    fileprivate func audience(_ origin: String, _ name: String) throws -> Int64? {
        try database.integer(
            "SELECT audience FROM audience_names WHERE origin = ? AND name = ?", [.text(origin), .text(name)])
    }

    fileprivate func keepName(_ record: TransferRecord.Name) throws {
        let tenants = try record.tenants.map { try rows(of: $0.tenant) }
        if record.isForSeveral {
            let several = try severalTenants(
                ApplicationScope(origin: record.origin, tenantName: record.name, clientID: "", spansTenants: true))
            for tenant in tenants { try add(tenant.tenant, to: several) }
        } else if tenants.count == 1 {
            try lead(record.origin, record.name, to: tenants[0].audience, tenant: tenants[0].tenant)
        }
    }

    fileprivate func isTaken(_ role: CurrentRole, of account: Account, in audience: Int64) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM current_accounts WHERE audience = ? AND client_id = ? AND policy_key = ? AND role = ?",
            [
                .integer(audience), .text(account.clientID), .text(account.policy.lowercased), .text(role.rawValue),
            ])
    }

    /// Gives an account a role that is free; an account with the other role keeps that.
    fileprivate func keepRole(_ role: CurrentRole, of account: Account, in audience: Int64) throws {
        guard let ids = try? ids(of: account) else { return }
        let place: [Value] = [.integer(audience), .text(account.clientID), .text(account.policy.lowercased)]
        let isReached = try database.hasRow(
            "SELECT 1 FROM audience_tenants WHERE audience = ? AND tenant = ?",
            [.integer(audience), .integer(ids.tenant)])
        guard isReached else { return }
        try database.execute(
            """
            INSERT INTO current_accounts (audience, client_id, policy_key, role, account, tenant)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, place + [.text(role.rawValue), .integer(ids.account), .integer(ids.tenant)])
        guard role == .current else { return }
        try database.execute(
            "DELETE FROM sign_outs WHERE audience = ? AND client_id = ? AND policy_key = ?", place)
    }

    /// Runs `body` in a write transaction and rethrows its errors unchanged.
    fileprivate func writing<T>(_ body: () throws -> T) throws -> T {
        try refuseReader()
        return try database.write(body)
    }
}
