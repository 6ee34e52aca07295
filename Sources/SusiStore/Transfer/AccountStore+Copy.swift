import SusiOAuth
import SusiPolicies
import SusiSQLite

extension AccountStore {
    /// Copies accounts into another store, in one transaction, with everything that belongs to them: persons and who of them
    /// are one, claims, tokens, open demands, names of their tenants, and roles. A copy removes nothing, and what is newer in
    /// the other store stays. With `isDryRun`, the transaction is rolled back.
    ///
    /// A value that cannot be decrypted is left out and named. `now` is in seconds since 1970; nothing newer replaces
    /// anything. Throws `.occupied` if the other store is shared and an account belongs to another person.
    static func copy(
        _ accounts: [StoredAccount], from source: AccountStore, to target: AccountStore, isDryRun: Bool = false,
        now: Int64
    ) throws(StoreError) -> AccountCopy {
        let items = try source.guarded { try source.database.read { try accounts.map { try source.item(of: $0) } } }
        try target.refuseReader()
        return try target.guarded {
            do {
                return try target.database.write {
                    let result = try target.take(items, Clock(now: now))
                    if isDryRun { throw RollBack(result: result) }
                    return result
                }
            } catch let rollBack as RollBack { return rollBack.result }
        }
    }

    private struct RollBack: Error { let result: AccountCopy }

    /// An account with what belongs to it, decrypted.
    private struct Item {
        let stored: StoredAccount
        /// The claims; `nil` if they cannot be decrypted.
        let claims: String?
        let tokens: [StoredToken]
        let demand: ClaimsRequest?
        /// The person at home whose refresh token brought this one.
        let home: Person?
        let roles: [Role]
        /// What cannot be copied, with the reason.
        let leftOut: [String]
        var isEmpty: Bool { claims == nil && tokens.isEmpty }
    }

    /// A name to which an account belongs, with its role there.
    private struct Role {
        let registration: Registration
        let role: CurrentRole?

        init(_ row: borrowing Row, clientID: String) throws {
            registration = Registration(
                origin: try row.text("origin"), tenantName: try row.text("name"), clientID: clientID,
                spansTenants: try row.integer("spans_tenants") != 0)
            role = try row.optionalText("role").flatMap { CurrentRole(rawValue: $0) }
        }
    }

    private struct Clock {
        let now: Int64

        /// Whether a time is later than that of a stored value, if there is one. A time in the future comes from a wrong clock.
        func isNewer(_ time: Int64, than here: Int64?) -> Bool {
            guard let here else { return true }
            return time > here && EpochTime.clamped(time) - IDTokenRules.skew <= now
        }

        /// Returns the nearest valid time that is not in the future.
        func past(_ time: Int64) -> Int64 { min(EpochTime.clamped(time), now) }
    }

    // MARK: Reading

    private func item(of stored: StoredAccount) throws -> Item {
        let account = stored.account
        let holder = "\(stored.label) under \(account.policy)"
        let isIntact = stored.damage == nil
        var leftOut = isIntact ? [] : ["claims of \(holder): cannot be decrypted"]
        var tokens: [StoredToken] = []
        for info in stored.tokens {
            let token = try intactSecret(info.key(of: account))
            let isUsable = token?.secret.isTokenText ?? false
            if let token, isUsable {
                tokens.append(token)
            } else {
                let why = token == nil ? "cannot be decrypted" : "not visible ASCII characters"
                leftOut.append("\(info.kind.rawValue) token of \(holder): \(why)")
            }
        }
        let ids = try ids(of: account)
        let home = try database.first(CopyQuery.home, [.integer(ids.person)]) { row in try AccountQuery.person(row) }
        let roles = try database.rows(CopyQuery.roles, [.integer(ids.account), .integer(ids.tenant)]) { row in
            try Role(row, clientID: account.clientID)
        }
        return Item(
            stored: stored, claims: isIntact ? stored.claims : nil, tokens: tokens,
            demand: try pendingClaims(of: account), home: home, roles: roles, leftOut: leftOut)
    }

    // MARK: Writing

    private func take(_ items: [Item], _ clock: Clock) throws -> AccountCopy {
        var result = AccountCopy(leftOut: items.flatMap(\.leftOut))
        let items = items.filter { !$0.isEmpty }
        // The person at home comes first: a shared store takes the others only with that one.
        for item in items.filter({ $0.home == nil }) + items.filter({ $0.home != nil }) {
            try take(item, clock, &result)
        }
        return result
    }

    private func take(_ item: Item, _ clock: Clock, _ result: inout AccountCopy) throws {
        let account = item.stored.account
        try refuseOthers(than: try home(of: item.home ?? account.person) ?? home(of: account.person))
        let existing = try self.account(account, throwingDamage: false)
        let (person, tenant) = try keepPerson(item, clock)
        let hasNewClaims = try keepClaims(item, of: person, tenant: tenant, existing, clock)
        let id = try ids(of: account).account
        let tokens = try keepTokens(item, id, clock)
        if let demand = item.demand, try pendingClaims(of: account) == nil { try keep(demand, of: id) }
        for role in item.roles {
            if let name = role.role, try give(name, to: account, id: id, in: role.registration), name == .current {
                result.current += 1
            }
        }
        let outcome: AccountCopy.Outcome = existing == nil ? .added : hasNewClaims || tokens > 0 ? .updated : .unchanged
        result.tokens += tokens
        result.entries.append(.init(label: item.stored.label, policy: account.policy, outcome: outcome))
    }

    // Returns the row ids of the person and its tenant.
    private func keepPerson(_ item: Item, _ clock: Clock) throws -> (person: Int64, tenant: Int64) {
        let (stored, person) = (item.stored, item.stored.account.person)
        let own = Registration(
            origin: person.tenant.origin, tenantName: person.tenant.id, clientID: stored.account.clientID)
        let (tenant, _) = try saveTenant(person.tenant, own)
        for role in item.roles where try isFree(role.registration) {
            _ = try saveTenant(person.tenant, role.registration)
        }
        let profileOn = try database.integer(
            "SELECT profile_on FROM persons WHERE tenant = ? AND subject = ?",
            [.integer(tenant), .text(person.subject)])
        let saved =
            clock.isNewer(stored.profileOn, than: profileOn)
            ? try savePerson(person, stored.profile, receivedOn: clock.past(stored.profileOn), tenant: tenant)
            : try rowID(of: person, tenant: tenant)
        if let home = try item.home.flatMap({ try self.home(of: $0) }), try self.home(of: person) == saved {
            try link(saved, to: home)
        }
        return (saved, tenant)
    }

    private func keepClaims(
        _ item: Item, of person: Int64, tenant: Int64, _ existing: StoredAccount?, _ clock: Clock
    ) throws -> Bool {
        let stored = item.stored
        // Claims that cannot be decrypted here are replaced.
        let here = existing?.damage == nil ? existing?.claimsOn : nil
        guard existing == nil || item.claims != nil && clock.isNewer(stored.claimsOn, than: here) else { return false }
        // As after a repair, the next refresh brings claims that are missing.
        let copy = StoredAccount(
            account: stored.account, homeAccountID: stored.homeAccountID, profile: stored.profile,
            claims: item.claims ?? "{}", authority: stored.authority,
            signedInOn: max(clock.past(stored.signedInOn), existing?.signedInOn ?? 0),
            claimsOn: clock.past(stored.claimsOn), profileOn: clock.past(stored.profileOn), isCurrent: false)
        _ = try saveAccount(copy, of: person, tenant: tenant)
        return true
    }

    // Returns the number of tokens that were newer, or that cannot be decrypted here.
    private func keepTokens(_ item: Item, _ id: Int64, _ clock: Clock) throws -> Int {
        var count = 0
        for token in item.tokens {
            let (info, key) = (token.info, token.info.key(of: item.stored.account))
            guard clock.isNewer(info.savedOn, than: try intactSecret(key)?.info.savedOn) else { continue }
            try saveToken(
                key, token.secret, account: id, granted: info.granted,
                expiresOn: info.expiresOn.map(EpochTime.clamped), refreshOn: info.refreshOn.map(EpochTime.clamped),
                savedOn: clock.past(info.savedOn))
            count += 1
        }
        return count
    }

    /// Whether an account may belong to a name: a name that is there keeps its tenant, one for several gets another.
    private func isFree(_ registration: Registration) throws -> Bool {
        let spans = try database.integer(CopyQuery.span, [.text(registration.origin), .text(registration.tenantName)])
        return spans.map { $0 != 0 && registration.spansTenants } ?? true
    }

    /// Gives an account a role that is free; an account with the other role keeps that. Returns whether it got it.
    private func give(_ role: CurrentRole, to account: Account, id: Int64, in registration: Registration) throws -> Bool
    {
        let place = registration.values(account.policy)
        guard try database.execute(CopyQuery.give, place + [.text(role.rawValue), .integer(id)]) > 0 else {
            return false
        }
        if role == .current { try database.execute(CopyQuery.forgetSignOut, place) }
        return true
    }
}

private enum CopyQuery {
    static let home = """
        SELECT p.subject, t.origin, t.guid FROM person_homes AS h
            JOIN persons AS p ON p.id = h.home JOIN tenants AS t ON t.id = p.tenant
        WHERE h.person = ?
        """

    /// The names to which an account belongs, with its role there.
    static let roles = """
        SELECT n.origin, n.name, u.tenant IS NULL AS spans_tenants, c.role
        FROM tenant_group_members AS m
            JOIN tenant_groups AS u ON u.id = m.tenant_group
            JOIN tenant_group_names AS n ON n.tenant_group = m.tenant_group
            LEFT JOIN current_accounts AS c ON c.tenant_group = m.tenant_group AND c.account = ?
        WHERE m.tenant = ? ORDER BY n.origin, n.name
        """

    static let span = """
        SELECT u.tenant IS NULL FROM tenant_group_names AS n JOIN tenant_groups AS u ON u.id = n.tenant_group
        WHERE n.origin = ? AND n.name = ?
        """

    static let give = """
        INSERT INTO current_accounts (tenant_group, client_id, policy_key, role, account, tenant)
        SELECT m.tenant_group, ?3, ?4, ?5, a.id, a.tenant
        FROM tenant_group_names AS n JOIN tenant_group_members AS m ON m.tenant_group = n.tenant_group
            JOIN accounts AS a ON a.id = ?6 AND a.tenant = m.tenant
        WHERE n.origin = ?1 AND n.name = ?2
        ON CONFLICT DO NOTHING
        """

    static let forgetSignOut = """
        DELETE FROM sign_outs
        WHERE tenant_group = (SELECT tenant_group FROM tenant_group_names WHERE origin = ? AND name = ?)
            AND client_id = ? AND policy_key = ?
        """
}
