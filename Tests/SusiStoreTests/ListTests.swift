import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Which accounts are read, and in which order.
@Suite struct ListTests {
    let home = TemporaryStore()
    let store: AccountStore

    init() throws { store = try home.open() }

    @Test("the accounts of all tenants come by label, then policy, and what is chosen of them with tokens and claims")
    func sortsAndReadsWhatIsChosen() throws {
        let common = Registration(origin: origin, tenantName: "common", clientID: client, spansTenants: true)
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

    @Test("everything is listed: of every client ID and tenant, damaged accounts included")
    func listsEverything() throws {
        let there = Tenant(origin: "http://localhost:1", id: guid)
        let all = [account(), account(ben, client: "2"), account(ana, PolicyName("gone"), tenant: there)]
        for account in all { try store.signIn(grant(account)) }
        do { try home.raw().execute("UPDATE accounts SET claims = zeroblob(60) WHERE client_id = '2'") }
        #expect(Set(try store.allAccounts().map(\.account)) == Set(all))
        #expect(try store.allAccounts().filter { $0.damage != nil }.map(\.account) == [all[1]])
        #expect(try store.tenants(of: [scope]) == [account().person.tenant])
    }
}
