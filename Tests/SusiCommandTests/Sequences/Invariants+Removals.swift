import Susi
import SusiBase
import SusiTestSupport

// What a removal says and does. The action ran with its text; here it is previewed, runs with JSON, and is repeated.
extension Invariant {
    static func namesWhatWent(_ step: Step) async throws -> [String] {
        guard step.action.kind == .removal, let run = step.run, run.status != 64 else { return [] }
        let isOfOther = step.action.arguments.contains("-A")
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("Removed ") }
        let said = lines.map { line in
            let words = line.split(separator: " ")
            let label = words.first { $0.hasPrefix("<") }?.dropFirst().dropLast() ?? "?"
            return
                "\(label) \(words.first { $0.hasPrefix("B2C_1_") } ?? "?") \(isOfOther || line.firstRange(of: "of “other”") == nil)"
        }
        let gone = step.gone.map { row in
            "\(row.label) \(row.policy) \(isOfOther || step.before.file.owner(of: row)?.name != "other")"
        }
        var wrong = difference(gone, said, run).map { "\($0)\n\(run)" }
        let left = step.after.rows.accounts.count
        let kept = left == 0 ? "no other accounts" : "kept: \(left) other account\(left == 1 ? "" : "s") "
        if !gone.isEmpty, !run.output.contains(kept) { wrong.append("expected \(kept)\n\(run)") }
        return wrong
    }

    static func saysWhichSessionsEnded(_ step: Step) async throws -> [String] {
        guard step.action.kind == .removal, let run = step.run else { return [] }
        let saysEnded = run.output.contains("  ended: the browser's session")
        let isUnfinished = run.output.contains("not ended: the browser's session")
        let (before, after) = (step.before.sessions, step.after.sessions)
        var wrong: [String] = []
        // After a change of the host, the sessions are at the former one, where the option does not lead.
        let isElsewhere =
            step.action.arguments.contains("--browser-only") && step.before.sequence.contains("host changed")
        if saysEnded, !isUnfinished, !after.isEmpty, !isElsewhere { wrong.append("still there: \(after)") }
        if !saysEnded, before != after { wrong.append("ended without a word: \(before), now \(after)") }
        let isToEnd = step.action.endsSession || step.before.rows.isShared && step.action.arguments.first == "sign-out"
        if isToEnd, run.status == 0, isUnfinished { wrong.append("exit code 0, but not ended") }
        if isToEnd, run.status == 0, !saysEnded, !step.gone.isEmpty { wrong.append("no session was ended") }
        return wrong.map { "\($0)\n\(run)" }
    }

    static func previewHappens(_ step: Step) async throws -> [String] {
        guard step.action.kind == .removal, let run = step.run, run.status != 64 else { return [] }
        let preview = try await step.before.says((step.action.arguments + ["--dry-run"]).joined(separator: " "))
        if step.gone.isEmpty, run.status != 0 {
            return preview.status == run.status && preview.messages == run.messages ? [] : ["\(preview)\n\(run)"]
        }
        let json = try await step.before.says((step.action.arguments + ["--dry-run", "--json"]).joined(separator: " "))
        try step.before.stage.restore(step.before.kept)
        let act = await step.before.stage.run(step.action.arguments + ["--yes", "--json"], as: step.action.person)
        guard let foreseen = json.json, let done = act.json else { return ["\(json)\n\(act)"] }
        var wrong: [String] = []
        for member in foreseen.members where !["isDryRun", "revocations", "browserSessions"].contains(member.name) {
            if member.node.text != done[member.name]?.text ?? JSONNode.absent { wrong.append(member.name) }
        }
        let policies = { (node: JSONNode) in
            ["revocations", "browserSessions"].map { node[$0]?.array?.map { $0["policy"]?.string ?? "?" } ?? [] }
        }
        if policies(foreseen) != policies(done) { wrong.append("policies of revocations and browserSessions") }
        return wrong.isEmpty ? [] : ["\(wrong) differ\n\(json)\n\(act)"]
    }

    static func repeatsNothing(_ step: Step) async throws -> [String] {
        guard step.action.kind == .removal, let run = step.run, !step.gone.isEmpty else { return [] }
        try step.after.stage.restore(step.after.kept)
        let again = await step.after.stage.run(step.action.arguments + ["--yes"], as: step.action.person)
        let more = step.after.rows.missing(in: try step.after.stage.rows())
        let isAll = step.action.arguments.contains("--all") || step.before.rows.isShared
        if more.isEmpty, isAll || again.status == 5 { return [] }
        return ["\(more.map(\.name))\n\(run)\n\(again)"]
    }

    static func saysNothingToRemove(_ step: Step) async throws -> [String] {
        guard step.action.kind == .removal, let run = step.run, step.gone.isEmpty, run.status != 64 else { return [] }
        let isAll = step.action.arguments.contains("--all") || step.action.endsSession || step.before.rows.isShared
        var wrong: [String] = []
        if !isAll, run.status != 5 { wrong.append("exit code \(run.status)") }
        for hint in Hint.all(in: run.output + run.messages) where ["sign-in", "switch"].contains(hint.words.first) {
            wrong.append("proposes \(hint.line)")
        }
        return wrong.map { "\($0)\n\(run)" }
    }
}

extension JSONNode {
    static let absent = "absent"

    /// The value without the lines of its source.
    var text: String {
        switch value {
        case .null: Self.absent
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "“\(text)”"
        case .array(let nodes): "[\(nodes.map(\.text).joined(separator: ", "))]"
        case .object(let members): "{\(members.map { "\($0.name): \($0.node.text)" }.joined(separator: ", "))}"
        }
    }
}
