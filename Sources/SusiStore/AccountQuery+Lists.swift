import SusiSQLite

/// The queries over many accounts. They read only index entries of the requested accounts.
extension AccountQuery {
    private static func list(_ reach: ScopeRowIDs, onePolicy: Bool) -> String {
        " WHERE tenant \(ScopeRowIDs.any(of: reach.tenants)) AND client_id = ?\(onePolicy ? " AND policy_key = ?" : "")"
    }

    /// Lists per tenant and policy, each with the number of its accounts.
    static func lists(_ reach: ScopeRowIDs, onePolicy: Bool) -> String {
        "SELECT tenant, policy_key, accounts FROM account_counts" + list(reach, onePolicy: onePolicy)
    }

    private static let ofList = " FROM accounts WHERE tenant = ? AND client_id = ? AND policy_key = ?"

    /// Without the guests of a tenant, whose home account is in another one.
    private static let atHome =
        " AND lower(accounts.home_utid) = (SELECT guid FROM tenants WHERE id = accounts.tenant)"

    /// The number of the accounts that are not guests.
    static func countAtHome(_ reach: ScopeRowIDs, onePolicy: Bool) -> String {
        "SELECT count(*) FROM accounts" + list(reach, onePolicy: onePolicy) + atHome
    }

    /// The next accounts of one list, after a label and a person; with a filter, only those that match.
    static func page(filtered: Bool, withoutGuests: Bool = false) -> String {
        "SELECT id, label, person\(ofList) AND (label, person) > (?, ?)\(withoutGuests ? atHome : "")"
            + "\(filtered ? filter : "") ORDER BY label, person LIMIT ?"
    }

    /// The current accounts, with their policies.
    static func currents(
        _ reach: ScopeRowIDs, onePolicy: Bool, filtered: Bool, withoutGuests: Bool = false
    ) -> String {
        """
        SELECT accounts.id, accounts.policy_key
        FROM current_accounts AS c CROSS JOIN accounts ON accounts.id = c.account
        WHERE c.audience \(ScopeRowIDs.any(of: reach.audiences)) AND c.client_id = ?\(onePolicy ? " AND c.policy_key = ?" : "")
            AND c.role = 'current'\(withoutGuests ? atHome : "")\(filtered ? filter : "")
        """
    }

    /// Whether the signed claims confirm an account's handle: it names the account's person, or the person at home whose refresh
    /// token brought that one. Servers send it unsigned, so that it could name anybody.
    private static let confirmsHandle = """
        EXISTS (
            SELECT 1 FROM persons AS h JOIN tenants AS t ON t.id = h.tenant
            WHERE h.id IN (accounts.person, (SELECT home FROM person_homes WHERE person = accounts.person))
                AND lower(accounts.home_utid) IN ('', lower(t.guid))
                AND lower(accounts.home_uid) IN (lower(h.subject), lower(h.subject) || '-' || accounts.policy_key))
        """

    /// Persons with an address, a user name or a name that contains a text, or with any term that begins with it; accounts whose
    /// handle does.
    static let filter = """
         AND (instr(accounts.home_term, ?) = 1 AND \(confirmsHandle) OR EXISTS (
            SELECT 1 FROM search_terms AS s
            WHERE s.person = accounts.person
                AND (s.kind <> 'identifier' AND instr(s.term, ?) > 0 OR instr(s.term, ?) = 1)))
        """

    static func values(ofFilter text: String) -> [Value] {
        let folded = SearchTerms.folded(text)
        return [.text(folded), .text(folded), .text(folded)]
    }

    /// The labels of one list, from a text on.
    static let labelsFrom = "SELECT label\(ofList) AND label >= ? ORDER BY label LIMIT ?"
    /// The labels of one list before a text.
    static let labelsBefore = "SELECT label\(ofList) AND label < ? ORDER BY label DESC LIMIT ?"

    /// The row ids of the accounts of a person at home, whose row id is given twice, sorted by policy.
    static func ofHome(_ reach: ScopeRowIDs, onePolicy: Bool) -> String {
        "SELECT id FROM accounts" + list(reach, onePolicy: onePolicy) + """
             AND person IN (SELECT ? UNION ALL SELECT person FROM person_homes WHERE home = ?)
            ORDER BY policy_key, id
            """
    }

    /// How a term is compared.
    enum Match {
        case whole
        case beginning
        /// The beginning of a GUID. Other identifiers have no fixed length, so that a beginning cannot be recognized.
        case beginningOfGUID

        fileprivate func sql(of column: String) -> String {
            switch self {
            case .whole: "\(column) = ?"
            case .beginning: "\(column) BETWEEN ? AND ?"
            case .beginningOfGUID:
                "\(column) BETWEEN ? AND ? AND \(column) GLOB '????????-????-????-????-????????????*'"
            }
        }

        /// The values to compare with. The last character of Unicode sorts after every text that begins with the term.
        func values(_ term: String) -> [Value] {
            self == .whole ? [.text(term)] : [.text(term), .text(term + "\u{10FFFF}")]
        }
    }

    /// The accounts of the persons with a term; the last value is the limit.
    static func found(_ kind: SearchTerms.Kind, _ match: Match, in reach: ScopeRowIDs, onePolicy: Bool) -> String {
        """
        SELECT a.id FROM search_terms AS s CROSS JOIN accounts AS a ON a.person = s.person
        WHERE s.tenant \(ScopeRowIDs.any(of: reach.tenants)) AND s.kind = '\(kind.rawValue)' AND \(match.sql(of: "s.term"))
            AND a.client_id = ?\(onePolicy ? " AND a.policy_key = ?" : "") LIMIT ?
        """
    }

    /// The accounts with a handle that the signed claims confirm; the last value is the limit.
    static func home(_ match: Match, in reach: ScopeRowIDs, onePolicy: Bool) -> String {
        """
        SELECT id FROM accounts INDEXED BY accounts_by_home
        WHERE tenant \(ScopeRowIDs.any(of: reach.tenants)) AND \(match.sql(of: "home_term"))
            AND client_id = ?\(onePolicy ? " AND policy_key = ?" : "")
            AND \(confirmsHandle)
        LIMIT ?
        """
    }
}
