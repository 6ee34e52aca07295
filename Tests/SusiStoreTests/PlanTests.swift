import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Query plans: every read uses an index, and the lists of one tenant need no sorting.
@Suite struct PlanTests {
    static let one = ScopeRowIDs(audiences: [1], tenants: [1], clientID: "")
    static let several = ScopeRowIDs(audiences: [1, 2], tenants: [1, 2], clientID: "")

    let home: TemporaryStore

    init() throws {
        home = try TemporaryStore()
        _ = try home.open()
    }

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
    @Test(arguments: ["SELECT count(*) FROM tokens WHERE secret = ?", "SELECT label FROM accounts ORDER BY policy"])
    func recognizesScans(_ sql: String) throws {
        #expect(try plan(sql).contains { Self.scans($0) })
        #expect(try plan(sql).contains { Self.sorts($0) } == sql.contains("ORDER"))
    }

    @Test(arguments: [
        AccountQuery.byRole, AccountQuery.exact, AccountQuery.byID(one), AccountQuery.byID(several), AccountQuery.ids,
        AccountQuery.ofPerson,
        TokenQuery.exact, TokenQuery.currentAccess, TokenQuery.ofAccount, ScopeRowIDs.ofName,
        SearchTerms.ofPerson,
        AccountQuery.currents(one, onePolicy: false, filtered: false),
        AccountQuery.currents(several, onePolicy: true, filtered: true), AccountQuery.page(filtered: true),
        AccountQuery.currents(one, onePolicy: true, filtered: true, withoutGuests: true),
        AccountQuery.page(filtered: true, withoutGuests: true), AccountQuery.countAtHome(several, onePolicy: true),
        AccountQuery.page(filtered: false), AccountQuery.labelsFrom, AccountQuery.labelsBefore,
        AccountQuery.lists(one, onePolicy: false), AccountQuery.lists(several, onePolicy: true),
    ])
    func goesByIndex(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.isEmpty)
        #expect(!plan.contains { Self.scans($0) || Self.sorts($0) }, "\(plan)")
    }

    /// The comparisons by which the rows of each list are searched, table by table.
    private static var searches: [(sql: String, steps: [String])] {
        let label = "COVERING INDEX accounts_by_label (tenant=? AND client_id=? AND policy_key=? AND "
        var all = [
            (AccountQuery.page(filtered: false), [label + "(label,person)>(?,?))"]),
            (AccountQuery.labelsFrom, [label + "label>?)"]), (AccountQuery.labelsBefore, [label + "label<?)"]),
            // The reads of the fast path: name, current account, account, person, tenant and token, one row of each.
            (TokenQuery.currentAccess, ["n USING ", "s USING ", "a USING ", "p USING ", "t USING ", "k USING "]),
        ]
        for (reach, onePolicy) in [(one, true), (several, false), (several, true)] {
            let policy = onePolicy ? " AND policy_key=?)" : ")"
            all.append((AccountQuery.lists(reach, onePolicy: onePolicy), ["(tenant=? AND client_id=?\(policy)"]))
            for (match, comparison) in [(AccountQuery.Match.whole, "term=?)"), (.beginning, "term>? AND term<?)")] {
                for kind in [SearchTerms.Kind.identifier, .address, .name] {
                    let sql = AccountQuery.found(kind, match, in: reach, onePolicy: onePolicy)
                    all.append(
                        (sql, ["(tenant=? AND kind=? AND \(comparison)", "(person=? AND client_id=?\(policy)"]))
                }
                let home = comparison.replacing("term", with: "home_term")
                // Whether the handle is signed or proved is looked up for the accounts found.
                let lookUps = Array(repeating: "(rowid=?)", count: 3)
                all.append(
                    (
                        AccountQuery.home(match, in: reach, onePolicy: onePolicy),
                        ["accounts_by_home (tenant=? AND \(home)"] + lookUps
                    ))
            }
        }
        return all
    }

    @Test(arguments: searches) func searchesByAllColumns(_ sql: String, _ steps: [String]) throws {
        let plan = try plan(sql).filter { $0.hasPrefix("SEARCH") || Self.scans($0) }
        #expect(plan.count == steps.count, "\(plan)")
        for (step, text) in zip(plan, steps) { #expect(step.contains(text), "\(plan)") }
    }
}
