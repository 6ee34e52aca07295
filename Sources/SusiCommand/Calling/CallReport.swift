import Susi

/// The result of `call --dry-run`: the request and the account whose token would be sent. Does not contain the token.
struct CallReport: CommandResult {
    let schemaVersion = 1
    let method: String
    let url: String
    let api: String
    let headers: [Header]
    let bodyBytes: Int64?
    let account: String
    let policy: String
    let why: String
    let token: String

    struct Header: Encodable {
        let name: String
        let value: String
    }

    init(_ preview: CallPreview, why: String, now: Int64) {
        let call = preview.call
        method = call.method
        url = call.url
        api = preview.api.name
        headers =
            [Header(name: "Authorization", value: "Bearer \(Redaction.hidden)")]
            + call.headers.map { Header(name: $0.name, value: Redaction.header($0.name, $0.value)) }
        bodyBytes = call.body?.length
        account = preview.token.holder.label
        policy = preview.token.policy.name.spelling
        self.why = why
        token = Self.text(preview.token, now)
    }

    private static func text(_ token: TokenPreview, _ now: Int64) -> String {
        if case .imported = token.holder { return "imported, not yet used; its first token would be requested" }
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
        let body = bodyBytes.map { ["", style.faint("body     ") + ProgressLine.size($0)] } ?? [""]
        return ["\(style.strong(method)) \(Terminal.safe(url))"]
            + headers.map { "\($0.name): \(Terminal.safe($0.value))" } + body + [
                style.faint("account  ")
                    + "\(style.strong(Terminal.safe(account))) under \(policy) (\(Terminal.safe(why)))",
                style.faint("token    ") + token,
                "Nothing was sent.",
            ]
    }
}
