import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Lists of any length: sorted, in pages, and without an open transaction while the caller handles a page.
@Suite struct ListingTests {
    static let policies = ["B2C_1_edit", "B2C_1_partner", "B2C_1_susi"].map(PolicyName.init)

    let home: TemporaryStore
    let store: AccountStore

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
    }

    /// Adds persons whose labels are not in the order of their arrival, some of them equal, each under some of the
    /// policies. Returns the expected list.
    private func fill(_ count: Int) throws -> [String] {
        var expected: [(label: String, number: Int, policy: String)] = []
        try store.write {
            for number in 0..<count {
                let name =
                    number.isMultiple(of: 40)
                    ? "Alike" : "\(number.isMultiple(of: 2) ? "p" : "P")\(number * 7_919 % 1_000)"
                for (place, policy) in Self.policies.enumerated() where number % 3 <= place {
                    let account = account("s\(10_000 + number)", policy)
                    try store.keep(
                        grant(account, profile: Profile(name: name)), in: scope, authority: authority,
                        makeCurrent: false)
                    expected.append((name.lowercased(), number, "\(account.person.subject) \(policy)"))
                }
            }
        }
        return expected.sorted { ($0.label, $0.number) < ($1.label, $1.number) }.map(\.policy)
    }

    private func listed(_ policy: PolicyName? = nil, limit: Int? = nil) throws -> [String] {
        try store.accounts(of: [scope], policy: policy, limit: limit).map {
            "\($0.account.person.subject) \($0.account.policy)"
        }
    }

    @Test("many pages give what one sorted list would, of all policies, of one, and no more than the limit")
    func pagesKeepTheOrder() throws {
        let expected = try fill(200)
        #expect(expected.count > 5 * AccountStore.pageSize)
        #expect(try listed() == expected)
        for policy in Self.policies {
            #expect(try listed(policy) == expected.filter { $0.hasSuffix(policy.spelling) }, "\(policy)")
        }
        for limit in [0, 1, AccountStore.pageSize, AccountStore.pageSize + 1, expected.count, expected.count + 1] {
            #expect(try listed(limit: limit) == Array(expected.prefix(limit)), "\(limit)")
        }
    }

    @Test("current accounts come first where that is asked for, in the order of their policies, and once")
    func listsCurrentAccountsFirst() throws {
        let expected = try fill(200)
        let currents = [(150, 0), (8, 2), (100, 1)].map { account("s\(10_000 + $0)", Self.policies[$1]) }
        for account in currents { try store.makeCurrent(account, in: scope) }
        let names = currents.map { "\($0.person.subject) \($0.policy)" }
        let listed = { (listing: AccountListing) in
            var listed: [String] = []
            try store.accounts(listing, of: [scope]) { stored in
                listed.append("\(stored.account.person.subject) \(stored.account.policy)")
            }
            return listed
        }
        let order = [Self.policies[2], Self.policies[0], Self.policies[1]]
        let first = [names[1], names[0], names[2]]
        #expect(try listed(AccountListing(currentFirst: order)) == first + expected.filter { !names.contains($0) })
        #expect(try listed(AccountListing(currentFirst: order, limit: 2)) == Array(first.prefix(2)))
        #expect(try listed(AccountListing(policy: Self.policies[0], currentFirst: order)).first == names[0])
        let hidden = try listed(AccountListing(hidden: [PolicyName("b2c_1_EDIT")], currentFirst: order))
        #expect(
            hidden == [names[1], names[2]] + expected.filter { !names.contains($0) && !$0.hasSuffix("B2C_1_edit") })
        // One of every forty persons is called “Alike”.
        let filtered = try listed(AccountListing(filter: "LIKE", currentFirst: order))
        #expect(
            filtered == expected.filter { ["s10000", "s10040", "s10080", "s10120", "s10160"].contains($0.prefix(6)) })
        #expect(try listed(AccountListing(filter: "s10150", currentFirst: order)).first == names[0])
    }

    @Test("several tenants are merged by label")
    func mergesTenantsInOrder() throws {
        let common = ApplicationScope(origin: origin, tenantName: "common", clientID: client, spansTenants: true)
        for number in 0..<90 {
            let tenant = Tenant(origin: origin, id: "aaaaaaaa-0000-0000-0000-00000000000\(number % 9 + 1)")
            let profile = Profile(username: "u\(1_000 + number * 37 % 90)@example.com")
            try store.signIn(grant(account("s\(number)", tenant: tenant), profile: profile), in: common)
        }
        let labels = try store.accounts(of: common).map(\.label)
        #expect(labels == (0..<90).map { "u\(1_000 + $0)@example.com" })
        #expect(try store.count(of: [common]) == 90)
    }

    @Test("while one account is looked at, others write, and the log can be emptied")
    func keepsNoStatementOpen() throws {
        _ = try fill(60)
        let writer = try home.open(busyTimeout: 0)
        let raw = try home.raw()
        var seen = 0
        try store.accounts(AccountListing(), of: [scope]) { _ in
            seen += 1
            guard seen == 1 else { return }
            try writer.signIn(grant(account("another"), profile: Profile(name: "Zoe")))
            let busy = try raw.first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer(0) }
            #expect(busy == 0)
        }
        #expect(seen > AccountStore.pageSize)
    }

    @Test("what is removed while the list runs is left out, and the list goes on")
    func skipsAccountsRemovedMeanwhile() throws {
        let expected = try fill(200)
        let writer = try home.open()
        var seen: [String] = []
        try store.accounts(AccountListing(), of: [scope]) { stored in
            let account = stored.account
            if seen.isEmpty {
                let last = try #require(try store.accounts(of: scope).last)
                _ = try writer.remove(last.account)
            }
            seen.append("\(account.person.subject) \(account.policy)")
        }
        #expect(seen == expected.dropLast())
    }

    @Test("counts follow every way in and out")
    func countsAccounts() throws {
        func counts() throws -> [Int] {
            try [store.count(of: [scope]), store.count(of: [scope], policy: susi)]
        }
        #expect(try counts() == [0, 0])
        try store.signIn(grant(account()))
        try store.signIn(grant(account(ana, Self.policies[0])))
        try store.signIn(grant(account(ben)))
        #expect(try counts() == [3, 2])
        try store.signIn(grant(account(), mark: "2", receivedOn: 2_000))
        try store.refresh(grant(account(), mark: "3", receivedOn: 3_000))
        #expect(try counts() == [3, 2])
        _ = try store.remove(account())
        #expect(try counts() == [2, 1])
        try home.raw().execute("DELETE FROM accounts WHERE policy_key = 'b2c_1_susi'")
        #expect(try counts() == [1, 0])
        #expect(try home.raw().first("SELECT max(accounts) FROM account_counts") { try $0.integer(0) } == 1)
    }

    @Test("everything is listed: of every client ID and tenant, damaged accounts included")
    func listsEverything() throws {
        let there = Tenant(origin: "http://localhost:1", id: guid)
        let all = [account(), account(ben, client: "2"), account(ana, PolicyName("gone"), tenant: there)]
        for account in all { try store.signIn(grant(account)) }
        do { try home.raw().execute("UPDATE accounts SET claims = zeroblob(60) WHERE client_id = '2'") }
        #expect(Set(try store.allAccounts().map(\.account)) == Set(all))
        #expect(try store.allAccounts().filter { $0.damage != nil }.map(\.account) == [all[1]])
        #expect(try store.allAccounts(filter: String(ben.prefix(8))).map(\.account) == [all[1]])
        let counts = try store.accountCounts().map { "\($0.tenant.origin) \($0.clientID) \($0.accounts)" }
        #expect(Set(counts) == ["\(origin) \(client) 1", "\(origin) 2 1", "http://localhost:1 \(client) 1"])
        #expect(try store.tenants(of: [scope]) == [account().person.tenant])
    }
}
