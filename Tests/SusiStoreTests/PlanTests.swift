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
        let places = sql.filter { $0 == "?" }.count
        return try home.raw().rows("EXPLAIN QUERY PLAN \(sql)", Array(repeating: .null, count: places)) {
            try $0.text(3)
        }
    }

    @Test(arguments: [
        AccountQuery.byRole, AccountQuery.exact, AccountQuery.byID(one), AccountQuery.ids, AccountQuery.ofPerson,
        TokenQuery.exact, TokenQuery.currentAccess, TokenQuery.ofAccount, ScopeRowIDs.ofName, ImportQuery.known,
        ImportQuery.secret, ImportQuery.deleteOfAccount, SearchTerms.ofPerson,
        AccountQuery.currents(one, onePolicy: false, filtered: false),
        AccountQuery.currents(several, onePolicy: true, filtered: true), AccountQuery.page(filtered: true),
        AccountQuery.currents(one, onePolicy: true, filtered: true, withoutGuests: true),
        AccountQuery.page(filtered: true, withoutGuests: true), AccountQuery.countAtHome(several, onePolicy: true),
    ])
    func goesByIndex(_ sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    /// The index of each list and its compared columns: the rows come sorted from the index.
    @Test(arguments: [
        (
            AccountQuery.page(filtered: false),
            "COVERING INDEX accounts_by_label (tenant=? AND client_id=? AND policy_key=? AND (label,person)>(?,?))"
        ),
        (
            AccountQuery.labelsFrom,
            "COVERING INDEX accounts_by_label (tenant=? AND client_id=? AND policy_key=? AND label>?)"
        ),
        (
            AccountQuery.labelsBefore,
            "COVERING INDEX accounts_by_label (tenant=? AND client_id=? AND policy_key=? AND label<?)"
        ),
    ])
    func listsComeSortedFromOneIndex(_ sql: String, _ expected: String) throws {
        #expect(try plan(sql) == ["SEARCH accounts USING \(expected)"])
    }

    @Test(arguments: [one, several])
    func countsAreLookedUp(_ reach: ScopeRowIDs) throws {
        let primary = "SEARCH account_counts USING PRIMARY KEY (tenant=? AND client_id=?"
        #expect(try plan(AccountQuery.lists(reach, onePolicy: false)) == ["\(primary))"])
        #expect(try plan(AccountQuery.lists(reach, onePolicy: true)) == ["\(primary) AND policy_key=?)"])
    }

    @Test(arguments: [one, several], [false, true])
    func findingGoesByTerms(_ reach: ScopeRowIDs, onePolicy: Bool) throws {
        for kind in [SearchTerms.Kind.identifier, .address, .name] {
            for (match, compared) in [(AccountQuery.Match.whole, "term=?"), (.beginning, "term>? AND term<?")] {
                let plan = try plan(AccountQuery.found(kind, match, in: reach, onePolicy: onePolicy))
                #expect(plan.count == 2)
                #expect(plan.first == "SEARCH s USING PRIMARY KEY (tenant=? AND kind=? AND \(compared))")
                #expect(
                    plan.last?.contains("(person=? AND client_id=?\(onePolicy ? " AND policy_key=?" : ""))") ?? false)
            }
        }
    }

    @Test(arguments: [one, several], [false, true])
    func findingGoesByHandles(_ reach: ScopeRowIDs, onePolicy: Bool) throws {
        for (match, compared) in [
            (AccountQuery.Match.whole, "home_term=?"), (.beginning, "home_term>? AND home_term<?"),
        ] {
            let plan = try plan(AccountQuery.home(match, in: reach, onePolicy: onePolicy))
            // Whether the handle is signed or proved is looked up for the accounts found.
            #expect(
                plan == [
                    "SEARCH accounts USING INDEX accounts_by_home (tenant=? AND \(compared))",
                    "CORRELATED SCALAR SUBQUERY 1", "SEARCH tenants USING INTEGER PRIMARY KEY (rowid=?)",
                    "CORRELATED SCALAR SUBQUERY 2", "SEARCH h USING INTEGER PRIMARY KEY (rowid=?)",
                ])
        }
    }

    @Test func severalTenantsAreNotScanned() throws {
        let plan = try plan(AccountQuery.byID(Self.several))
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    /// Few imported tokens are unused at a time, so those of one policy are read and then sorted.
    @Test func importedTokensOfAPolicyAreSearched() throws {
        let plan = try plan(ImportQuery.list(onePolicy: true))
        #expect(plan.first?.hasPrefix("SEARCH imported USING INDEX") ?? false, "\(plan)")
    }

    /// The reads of the fast path: name, current account, account, person, tenant and token, one row of each.
    @Test func theCachedTokenTakesSixLookUps() throws {
        let plan = try plan(TokenQuery.currentAccess)
        #expect(
            plan.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "SEARCH n", "SEARCH s", "SEARCH a", "SEARCH p", "SEARCH t", "SEARCH k",
            ])
    }
}
