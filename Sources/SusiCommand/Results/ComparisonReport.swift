import Susi

/// The result of `compare`. Does not contain the tokens.
struct ComparisonReport: CommandResult {
    private let comparison: AccountComparison
    private let now: Int64

    init(_ comparison: AccountComparison, now: Int64) {
        self.comparison = comparison
        self.now = now
    }

    private var tokens: [(kind: ComparedToken.Kind, pair: TokenComparison)] {
        [(.id, comparison.idTokens), (.access, comparison.accessTokens)]
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "isSame": comparison.isSame, "first": comparison.first.json,
            "second": comparison.second.json, "idTokens": comparison.idTokens.json,
            "accessTokens": comparison.accessTokens.json, "changes": comparison.changes.map(\.json),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let title = Table.lines(
            [["first", comparison.first.title(style)], ["second", comparison.second.title(style)]], style)
        return title + tokens.flatMap { claimLines($0.kind, $0.pair, style) } + changeLines(style)
    }

    private func claimLines(_ kind: ComparedToken.Kind, _ pair: TokenComparison, _ style: Style) -> [String] {
        var lines = [""] + Table.lines([[headline(kind, pair, style)]], style)
        let rows = ClaimComparison.Group.allCases.flatMap { group in pair.rows.filter { $0.group == group } }
        // One table, so that the columns of all groups are aligned.
        var blocks = Table.blocks(rows.flatMap { $0.cells(now: now, style) }, style)[...]
        var group: ClaimComparison.Group?
        for row in rows {
            if row.group != group { lines.append("  \(style.strong(row.group.rawValue))") }
            group = row.group
            let count = row.cells(now: now, style).count
            lines += blocks.prefix(count).joined()
            blocks = blocks.dropFirst(count)
        }
        return lines
    }

    // For example “access tokens: different; first expired 2 h ago”.
    private func headline(_ kind: ComparedToken.Kind, _ pair: TokenComparison, _ style: Style) -> String {
        let result =
            if pair.isReadable {
                pair.isSame ? style.good("same") : style.warning("different")
            } else {
                style.warning("not compared")
            }
        let notes = [("first", pair.first), ("second", pair.second)].compactMap { side, token in
            token.note(kind, now: now).map { "\(side) \($0)" }
        }
        return "\(style.strong("\(kind.label)s")): " + ([result] + notes).joined(separator: "; ")
    }

    private func changeLines(_ style: Style) -> [String] {
        guard !comparison.changes.isEmpty else { return [] }
        let rows = comparison.changes.flatMap { change in
            let values = [("first", change.first), ("second", change.second)].compactMap { side, value in
                value.map { ["    \(side)", Terminal.safe($0)] }
            }
            // An API reads access tokens.
            let note = change.token == .id && comparison.accessTokens.isReadable ? " (id token)" : ""
            return [["  \(change.subject.label)", change.advice + note]] + values
        }
        let title = "To accept the second account's tokens, an API has to:"
        return [""] + Table.lines([[style.strong(title)]], style) + Table.lines(rows, style)
    }
}

extension ComparedAccount {
    fileprivate var json: JSONObject {
        [
            "application": application.name, "kind": application.kind.rawValue, "account": account.json,
            "configuration": configuration.description, "keys": keys?.description,
        ]
    }

    /// For example “Ana Lima <ana@contoso.example>, B2C_1_susi of local”. Kinds without policies show none.
    fileprivate func title(_ style: Style) -> String {
        let policy = application.kind.traits.hasPolicies ? "\(account.safePolicy) of " : ""
        return "\(style.strong(account.safeTitle)), \(policy)\(application.name)"
    }
}

extension ComparedToken {
    fileprivate var json: JSONObject {
        ["form": form.rawValue, "expires": expiry.map(Timestamp.init), "scopes": scopes.scopes]
    }

    // ID tokens are stored without an expiry time of their own.
    private var expiry: Int64? { expiresOn ?? claims?["exp"]?.lenientInteger }

    /// Says why a token cannot be compared, or that it expired; `nil` for a usual one.
    fileprivate func note(_ kind: Kind, now: Int64) -> String? {
        switch form {
        case .missing: "has no \(kind.label)"
        case .opaque: "is opaque: not a JWT"
        case .encrypted: "is encrypted: only its audience can read it"
        case .jwt: expiry.flatMap { $0 > now ? nil : Timestamp.validity(until: $0, now: now) }
        }
    }
}

extension ComparedToken.Kind {
    fileprivate var label: String {
        switch self {
        case .id: "id token"
        case .access: "access token"
        }
    }
}

extension TokenComparison {
    fileprivate var json: JSONObject {
        [
            "isCompared": isReadable, "isSame": isReadable ? isSame : nil, "first": first.json, "second": second.json,
            "header": rows.filter(\.isHeader).map(\.json), "claims": rows.filter { !$0.isHeader }.map(\.json),
        ]
    }
}

extension ClaimComparison {
    fileprivate var json: JSONObject {
        [
            "name": name, "group": group.rawValue, "state": state.rawValue, "counts": counts,
            "first": first.map(ForeignJSON.init), "second": second.map(ForeignJSON.init),
        ]
    }

    /// Returns a row for a value that both tokens have, else one for each token that has a value.
    fileprivate func cells(now: Int64, _ style: Style) -> [[String]] {
        let text = { (node: JSONNode) in ClaimLines.value(name, node, now: now) }
        let label = "    \(Terminal.safe(name))\(isHeader ? " (header)" : "")"
        if state == .same, let first { return [[label, style.faint("both"), text(first)]] }
        let values = [("first", first), ("second", second)].compactMap { side, node in node.map { (side, text($0)) } }
        return values.enumerated().map { index, value in
            [index == 0 ? label : "    ", counts ? style.warning(value.0) : style.faint(value.0), value.1]
        }
    }
}

extension APIChange {
    fileprivate var json: JSONObject {
        [
            "subject": subject.rawValue, "kind": kind.rawValue, "token": token?.rawValue, "first": first,
            "second": second, "advice": advice,
        ]
    }
}

extension APIChange.Subject {
    fileprivate var label: String {
        switch self {
        case .objectID: "object ID"
        case .userName: "user name"
        default: rawValue
        }
    }
}
