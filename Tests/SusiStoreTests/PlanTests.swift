import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Every read goes by an index, and the lists of one tenant come without sorting.
@Suite struct PlanTests {
    static let one = Reach(audiences: [1], tenants: [1], clientID: "")
    static let several = Reach(audiences: [1, 2], tenants: [1, 2], clientID: "")

    let home: TemporaryStore

    init() throws {
        home = try TemporaryStore()
        _ = try home.open()
    }

    private func plan(_ sql: String) throws -> [String] {
        let places = sql.filter { $0 == "?" }.count
        return try home.raw().rows("EXPLAIN QUERY PLAN \(sql)", Array(repeating: .null, count: places)) {
            try $0.text(3)
        }
    }

    @Test(arguments: [
        AccountQuery.byRole, AccountQuery.exact, AccountQuery.byID(one), AccountQuery.ids, AccountQuery.ofPerson,
        TokenQuery.exact, TokenQuery.currentAccess, TokenQuery.ofAccount, Reach.ofName, AccountQuery.others(one),
        AccountQuery.list(one, onePolicy: true), AccountQuery.list(one, onePolicy: false),
        AccountQuery.candidates(one, onePolicy: true), AccountQuery.candidates(one, onePolicy: false),
        AccountQuery.count(one, onePolicy: true), AccountQuery.count(one, onePolicy: false),
    ])
    func goesByIndex(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test(arguments: [
        AccountQuery.list(several, onePolicy: false), AccountQuery.byID(several), AccountQuery.others(several),
    ])
    func severalTenantsAreSortedAndNotScanned(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.contains { $0.contains("SCAN") }, "\(plan)")
    }

    /// What the fast path asks: name, current account, account, person, tenant, token, one row of each.
    @Test func theCachedTokenTakesSixLookUps() throws {
        let plan = try plan(TokenQuery.currentAccess)
        #expect(
            plan.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "SEARCH n", "SEARCH s", "SEARCH a", "SEARCH p", "SEARCH t", "SEARCH k",
            ])
    }
}
