import Susi
import SusiBase

/// The error codes of a text, each with its meaning, its cause and what to do.
struct ErrorCodeReport: CommandResult {
    let errors: [PastedError]

    /// The rows of the table, each once.
    var codes: [ErrorCode] {
        errors.flatMap(\.known).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The codes that are not in the table.
    var unknown: [String] { errors.flatMap(\.unknown) }

    /// The error if there is no code that the table has.
    var failure: any Error {
        let next = NextStep("\(SuggestedCommand("help", "error-codes"))\(remark: "lists all codes")")
        guard let name = unknown.first else {
            return UsageError(
                "no error code in the text", why: "expected a code such as AADB2C90118, AADSTS50058 or invalid_grant",
                next: next)
        }
        let meant = NearMatch.of(name, in: ErrorCode.table.map(\.name).filter { $0.contains("_") })
        return SusiError(
            .unknownName,
            "no error code \(unknown.prefix(2).map { "“\($0)”" }.joined(separator: " or ")) in the list of susi",
            why: meant.map { "did you mean “\($0)”?" } ?? "services add codes; their documentation may have it",
            next: next)
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "codes": codes.map(\.json), "unknown": unknown,
            "correlationId": errors.compactMap(\.correlationID).first,
            "timestamp": errors.compactMap(\.timestamp).first,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let blocks = codes.map { code in
            [style.strong(code.name)] + Table.lines(code.rows.map { ["  \(style.faint($0[0]))", $0[1]] }, style)
        }
        return Array((blocks + [event(style)]).filter { !$0.isEmpty }.joined(separator: [""]))
    }

    // What the provider's support asks for.
    private func event(_ style: Style) -> [String] {
        let rows = [
            ("correlation ID", errors.compactMap(\.correlationID).first),
            ("time", errors.compactMap(\.timestamp).first),
        ].compactMap { name, value in value.map { ["  \(style.faint(name))", Terminal.safe($0)] } }
        return rows.isEmpty ? [] : ["For the provider's support:"] + Table.lines(rows, style)
    }
}

extension ErrorCode {
    fileprivate var json: JSONObject {
        [
            "code": name, "meaning": meaning, "cause": cause, "toDo": GivenOptions().text(next),
            "consequence": consequence.rawValue, "next": command.map { "\($0)" },
        ]
    }

    fileprivate var rows: [[String]] {
        [["meaning", meaning], ["cause", cause], ["to do", GivenOptions().text(next)]]
            + (command.map { [["next", "\($0)"]] } ?? [])
    }

    // The command that continues; a remedy outside of susi has none.
    private var command: SuggestedCommand? {
        if isOfAPI { return SuggestedCommand("inspect").option("--for-api", "appsettings.json") }
        return switch consequence {
        case .resetPassword: SuggestedCommand("reset-password")
        case .signIn, .interact: remedy.isSignIn ? SuggestedCommand("sign-in") : nil
        case .consent: SuggestedCommand("sign-in").option("--prompt", Prompt.consent.rawValue)
        case .cancelled, .adminConsent, .pending, .misconfigured, .retryLater, .failed: nil
        }
    }
}
