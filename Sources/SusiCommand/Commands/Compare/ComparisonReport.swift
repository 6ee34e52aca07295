import Susi
import SusiBase
import SusiTools

/// The result of `compare`. Does not contain the tokens.
struct ComparisonReport: CommandResult {
    private let comparison: AccountComparison
    private let now: Int64

    init(_ comparison: AccountComparison, now: Int64) {
        self.comparison = comparison
        self.now = now
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "isSame": comparison.isSame, "first": comparison.first.json,
            "second": comparison.second.json, "idTokens": comparison.idTokens.json,
            "accessTokens": comparison.accessTokens.json, "rules": comparison.rules.map(\.json),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let title = Table.lines(
            [["first", comparison.first.title(style)], ["second", comparison.second.title(style)]], style)
        return title + claimLines("id token", comparison.idTokens, style)
            + claimLines("access token", comparison.accessTokens, style) + ruleLines(style)
    }

    private func claimLines(_ kind: String, _ tokens: TokenComparison, _ style: Style) -> [String] {
        let result =
            if tokens.claims != nil {
                tokens.isSame ? style.good("same") : style.warning("different")
            } else {
                style.warning("not compared")
            }
        let notes = [("first", tokens.first), ("second", tokens.second)].compactMap { side, token in
            Self.note(kind, token).map { "; \(side) \($0)" }
        }
        return ["", "\(style.strong("\(kind)s")): \(result)\(notes.joined())"]
            + Table.lines((tokens.claims ?? []).flatMap { $0.cells(now: now, style) }, style)
    }

    // Says why a token cannot be compared; `nil` for a usual one.
    private static func note(_ kind: String, _ token: DecodedToken?) -> String? {
        switch token {
        case nil: "has no \(kind)"
        case .opaque: "is opaque: not a JWT"
        case .encrypted: "is encrypted: only its audience can read it"
        case .signed: nil
        }
    }

    private func ruleLines(_ style: Style) -> [String] {
        guard !comparison.rules.isEmpty else { return [] }
        let title = "To accept the second account's tokens, an API may have to change:"
        return [""] + Table.lines([[style.strong(title)]], style) + APIRule.lines(comparison.rules, style)
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

extension TokenComparison {
    fileprivate var json: JSONObject {
        [
            "isCompared": claims != nil, "isSame": claims == nil ? nil : isSame, "first": first?.form,
            "second": second?.form, "claims": (claims ?? []).map(\.json),
        ]
    }
}

extension ClaimComparison {
    fileprivate var json: JSONObject {
        [
            "name": name, "isSame": isSame, "counts": counts, "first": first.map { JSON($0) },
            "second": second.map { JSON($0) },
        ]
    }

    /// Returns a row for a value that both tokens have, else one for each token that has a value.
    fileprivate func cells(now: Int64, _ style: Style) -> [[String]] {
        let text = { (node: JSONNode) in ClaimLines.value(name, node, now: now) }
        let label = "  \(Terminal.safe(name))"
        if isSame, let first { return [[label, style.faint("both"), text(first)]] }
        let values = [("first", first), ("second", second)].compactMap { side, node in node.map { (side, text($0)) } }
        return values.enumerated().map { index, value in
            [index == 0 ? label : "  ", counts ? style.warning(value.0) : style.faint(value.0), value.1]
        }
    }
}
