import Susi

/// The result of `call --dry-run`: the request and the account whose token would be sent. Does not contain the token.
struct CallReport: CommandResult {
    let preview: CallPreview
    /// The reason why this account is used.
    let why: String
    let now: Int64

    private var call: APICall { preview.call.call }
    private var account: String { preview.token.account.label }
    private var policy: String { preview.token.policy.name.spelling }

    private var headers: [(name: String, value: String)] {
        [(name: "Authorization", value: "Bearer \(Redaction.hidden)")]
            + call.headers.map { (name: $0.name, value: Redaction.header($0.name, $0.value)) }
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "method": call.method, "url": call.url, "api": preview.call.api.name,
            "headers": headers.map { ["name": $0.name, "value": $0.value] as JSONObject },
            "bodyBytes": call.body?.length, "account": account, "policy": policy, "why": why, "token": token,
        ]
    }

    private var token: String {
        let token = preview.token
        let validity = Timestamp.validity(until: token.cached?.expiresOn, now: now)
        switch token.plan {
        case .use:
            guard let declined = token.cached?.declined, !declined.isEmpty else { return validity }
            return "\(validity); declined: \(Terminal.safe(declined.description))"
        case .refresh: return token.cached == nil ? "none yet; would be requested" : "\(validity); would be refreshed"
        case .interact: return "sign-in needed"
        }
    }

    func lines(_ style: Style) -> [String] {
        let body = (call.body?.length).map { ["", style.faint("body     ") + ProgressLine.size($0)] } ?? [""]
        return ["\(style.strong(call.method)) \(Terminal.safe(call.url))"]
            + headers.map { "\($0.name): \(Terminal.safe($0.value))" } + body + [
                style.faint("account  ")
                    + "\(style.strong(Terminal.safe(account))) under \(policy) (\(Terminal.safe(why)))",
                style.faint("token    ") + token,
                "Nothing was sent.",
            ]
    }
}
