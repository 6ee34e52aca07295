import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Query plans: every read of one account uses an index.
@Suite struct PlanTests {
    let home = TemporaryStore()

    init() throws { _ = try home.open() }

    private func plan(_ sql: String) throws -> [String] {
        let places = sql.count { $0 == "?" }
        return try home.raw().rows("EXPLAIN QUERY PLAN \(sql)", Array(repeating: .null, count: places)) {
            try $0.text(3)
        }
    }

    private static func scans(_ step: String) -> Bool {
        step.hasPrefix("SCAN") && !step.hasSuffix("CONSTANT ROW")
    }

    private static func sorts(_ step: String) -> Bool { step.contains("TEMP B-TREE") }

    /// The checks below can fail: these are plans without an index.
    @Test(arguments: ["SELECT count(*) FROM tokens WHERE secret = ?", "SELECT id FROM accounts ORDER BY policy"])
    func recognizesScans(_ sql: String) throws {
        #expect(try plan(sql).contains { Self.scans($0) })
        #expect(try plan(sql).contains { Self.sorts($0) } == sql.contains("ORDER"))
    }

    @Test(arguments: [
        AccountQuery.of(.current, account().policy, scope).sql, AccountQuery.exactly(account()).sql,
        AccountQuery.of(account().person, clientID: client).sql, AccountQuery.ids, AccountQuery.claims,
        TokenQuery.exact, TokenQuery.currentAccess, TokenQuery.ofAccount, RegistrationRows.ofName,
    ])
    func goesByIndex(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.isEmpty)
        #expect(!plan.contains { Self.scans($0) || Self.sorts($0) }, "\(plan)")
    }

    /// The reads of the fast path: name, current account, account, person, tenant and token, one row of each.
    @Test func theCachedTokenIsFoundInOrder() throws {
        let plan = try plan(TokenQuery.currentAccess)
        let steps = ["n USING ", "s USING ", "a USING ", "p USING ", "t USING ", "k USING "]
        #expect(plan.count == steps.count && zip(plan, steps).allSatisfy { $0.contains($1) }, "\(plan)")
    }
}
