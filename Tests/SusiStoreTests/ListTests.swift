import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Which accounts are read, in which order, and how many there are.
@Suite struct ListTests {
    let home: TemporaryStore
    let store: AccountStore

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
    }

    @Test("the accounts of all tenants come by label, then policy, and what is chosen of them with tokens and claims")
    func sortsAndReadsWhatIsChosen() throws {
        let common = ApplicationScope(origin: origin, tenantName: "common", clientID: client, spansTenants: true)
        for number in 0..<20 {
            let tenant = Tenant(origin: origin, id: "aaaaaaaa-0000-0000-0000-00000000000\(number % 9 + 1)")
            for policy in ["B2C_1_susi", "b2c_1_partner"] {
                try store.signIn(
                    grant(
                        account("s\(number)", PolicyName(policy), tenant: tenant),
                        profile: Profile(username: "\(number.isMultiple(of: 2) ? "u" : "U")\(number * 7 % 20 + 10)")),
                    in: common)
            }
        }
        let listed = try store.accounts(of: common).map { "\($0.label.lowercased()) \($0.account.policy)" }
        #expect(listed == (10..<30).flatMap { ["u\($0) b2c_1_partner", "u\($0) B2C_1_susi"] })
        #expect(try store.count(of: [common]) == 40)
        #expect(try store.accounts(of: common, policy: susi).count == 20)
        let chosen = try store.accounts(of: [common]) { accounts in
            #expect(accounts.count == 40 && accounts.allSatisfy { $0.tokens.isEmpty && $0.claims.isEmpty })
            return [accounts[7]]
        }
        #expect(chosen.map(\.tokens.count) == [3] && chosen.allSatisfy { $0.claims.contains("mark") })
    }

    @Test("counts follow every way in and out, and need no key")
    func countsAccounts() throws {
        func counts() throws -> [Int] {
            let locked = try #require(try AccountStore(existing: home.folder))
            return try [locked.count(of: [scope]), locked.count(of: [scope], policy: susi)]
        }
        #expect(try counts() == [0, 0])
        try store.signIn(grant(account()))
        try store.signIn(grant(account(ana, PolicyName("B2C_1_edit"))))
        try store.signIn(grant(account(ben)))
        #expect(try counts() == [3, 2])
        try store.signIn(grant(account(), mark: "2", receivedOn: 2_000))
        try store.refresh(grant(account(), mark: "3", receivedOn: 3_000))
        #expect(try counts() == [3, 2])
        _ = try store.remove(account())
        #expect(try counts() == [2, 1])
        let stranger = ApplicationScope(origin: origin, tenantName: domain, clientID: "22222222")
        #expect(try store.count(of: [stranger]) == 0 && store.accounts(of: stranger).isEmpty)
    }

    @Test("everything is listed: of every client ID and tenant, damaged accounts included")
    func listsEverything() throws {
        let there = Tenant(origin: "http://localhost:1", id: guid)
        let all = [account(), account(ben, client: "2"), account(ana, PolicyName("gone"), tenant: there)]
        for account in all { try store.signIn(grant(account)) }
        do { try home.raw().execute("UPDATE accounts SET claims = zeroblob(60) WHERE client_id = '2'") }
        #expect(Set(try store.allAccounts().map(\.account)) == Set(all))
        #expect(try store.allAccounts().filter { $0.damage != nil }.map(\.account) == [all[1]])
        let counts = try store.accountCounts().map { "\($0.tenant.origin) \($0.clientID) \($0.accounts)" }
        #expect(Set(counts) == ["\(origin) \(client) 1", "\(origin) 2 1", "http://localhost:1 \(client) 1"])
        #expect(try store.tenants(of: [scope]) == [account().person.tenant])
    }
}
