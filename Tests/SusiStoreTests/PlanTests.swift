import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Every read goes by an index, and lists come without sorting.
@Suite struct PlanTests {
    @Test(arguments: [
        AccountQuery.byRole, AccountQuery.exact, AccountQuery.byID, AccountQuery.ids, TokenQuery.exact,
        TokenQuery.currentAccess, TokenQuery.ofAccount, AccountQuery.list(onePolicy: true),
        AccountQuery.list(onePolicy: false), AccountQuery.candidates(onePolicy: true),
        AccountQuery.candidates(onePolicy: false),
    ])
    func goesByIndex(_ sql: String) throws {
        let home = try TemporaryStore()
        _ = try home.open()
        let raw = try home.raw()
        let places = sql.filter { $0 == "?" }.count
        let plan = try raw.rows("EXPLAIN QUERY PLAN \(sql)", Array(repeating: .null, count: places)) { try $0.text(3) }
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}
