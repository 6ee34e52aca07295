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

    private func plan(_ sql: String) throws -> [PlanStep] { try home.raw().plan(of: sql) }

    /// The checks below can fail: these are plans without an index.
    @Test(arguments: [
        "SELECT id FROM accounts WHERE label = ?", "SELECT id FROM accounts ORDER BY policy",
        "SELECT count(*) FROM tokens WHERE secret = ?",
    ])
    func recognizesScans(_ sql: String) throws {
        #expect(try plan(sql).contains { $0.scans || $0.sorts })
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
    ])
    func goesByIndex(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.scans || $0.sorts }, "\(plan)")
    }

    /// The comparisons of each list: the rows come sorted from one index, which has all columns that are read.
    @Test(arguments: [
        (AccountQuery.page(filtered: false), "(label,person)>(?,?)"), (AccountQuery.labelsFrom, "label>?"),
        (AccountQuery.labelsBefore, "label<?"),
    ])
    func listsComeSortedFromOneIndex(_ sql: String, _ last: String) throws {
        let plan = try plan(sql)
        let step = try #require(plan.first)
        #expect(plan.count == 1 && step.table == "accounts" && !step.scans)
        #expect(step.index == "accounts_by_label" && step.isCovering)
        #expect(step.compared == ["tenant=?", "client_id=?", "policy_key=?", last])
    }

    @Test(arguments: [one, several], [false, true])
    func countsAreLookedUp(_ reach: ScopeRowIDs, onePolicy: Bool) throws {
        let plan = try plan(AccountQuery.lists(reach, onePolicy: onePolicy))
        let step = try #require(plan.first)
        #expect(plan.count == 1 && step.table == "account_counts" && !step.scans && step.index == nil)
        #expect(step.compared == ["tenant=?", "client_id=?"] + (onePolicy ? ["policy_key=?"] : []))
    }

    @Test(arguments: [one, several], [false, true])
    func findingGoesByTerms(_ reach: ScopeRowIDs, onePolicy: Bool) throws {
        for kind in [SearchTerms.Kind.identifier, .address, .name] {
            for (match, compared) in [(AccountQuery.Match.whole, ["term=?"]), (.beginning, ["term>?", "term<?"])] {
                let plan = try plan(AccountQuery.found(kind, match, in: reach, onePolicy: onePolicy))
                #expect(plan.map(\.table) == ["s", "a"] && !plan.contains(where: \.scans), "\(plan)")
                #expect(plan.first?.index == nil)
                #expect(plan.first?.compared == ["tenant=?", "kind=?"] + compared)
                #expect(plan.last?.compared == ["person=?", "client_id=?"] + (onePolicy ? ["policy_key=?"] : []))
            }
        }
    }

    @Test(arguments: [one, several], [false, true])
    func findingGoesByHandles(_ reach: ScopeRowIDs, onePolicy: Bool) throws {
        for (match, compared) in [
            (AccountQuery.Match.whole, ["home_term=?"]), (.beginning, ["home_term>?", "home_term<?"]),
        ] {
            let plan = try plan(AccountQuery.home(match, in: reach, onePolicy: onePolicy))
            // Whether the handle is signed or proved is looked up for the accounts found.
            #expect(
                plan.map(\.table) == ["accounts", "h", "person_homes", "t"] && !plan.contains(where: \.scans), "\(plan)"
            )
            #expect(plan.first?.index == "accounts_by_home")
            #expect(plan.first?.compared == ["tenant=?"] + compared)
            for step in plan.dropFirst() { #expect(step.index == nil && step.compared == ["rowid=?"]) }
        }
    }

    /// The reads of the fast path: name, current account, account, person, tenant and token, one row of each.
    @Test func theCachedTokenTakesSixLookUps() throws {
        let plan = try plan(TokenQuery.currentAccess)
        #expect(plan.map(\.table) == ["n", "s", "a", "p", "t", "k"] && !plan.contains(where: \.scans), "\(plan)")
    }
}
