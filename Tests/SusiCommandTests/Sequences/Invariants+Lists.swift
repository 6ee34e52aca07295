import Susi
import SusiBase
import SusiPolicies
import SusiTestSupport

// What lists and reports say about a state.
extension Invariant {
    static func listsEveryRow(_ state: Observed) async throws -> [String] {
        let run = try await state.says("accounts --all --json")
        let listed = (run.json?["accounts"]?.array ?? []).map { account in
            let place = account["application"]?.string ?? account["unusable"]?.string ?? "?"
            return name(account) + (account["isCurrent"]?.bool == true ? "* " : " ") + place
        }
        let expected = state.rows.accounts.map { row in
            let owner = state.file.owner(of: row)
            return row.name + (row.isCurrent && owner != nil ? "* " : " ")
                + (owner?.name ?? state.file.reason(for: row))
        }
        return difference(expected, listed, run)
    }

    static func listsOwnRows(_ state: Observed) async throws -> [String] {
        var wrong: [String] = []
        for application in state.distinctApplications {
            let run = try await state.says("accounts --json -A \(application.name)")
            let own = state.owned(by: application)
            wrong += difference(own.map(\.name), (run.json?["accounts"]?.array ?? []).map(name), run)
            let hidden = run.json?["hiddenAccounts"]?.lenientInteger
            if hidden.map(Int.init) != state.rows.accounts.count - own.count {
                wrong.append("\(hidden ?? -1) hidden of \(state.rows.accounts.count), \(own.count) listed\n\(run)")
            }
        }
        return wrong
    }

    static func countsEveryRow(_ state: Observed) async throws -> [String] {
        let run = try await state.says("status --json")
        guard let json = run.json, let application = state.application else { return ["\(run)"] }
        let integer = { (node: JSONNode?) in node?.lenientInteger.map(Int.init) ?? -1 }
        var wrong: [String] = []
        if integer(json["stored"]) != state.rows.accounts.count {
            wrong.append("stored is not \(state.rows.accounts.count)")
        }
        if integer(json["inNoApplication"]) != state.unowned.count {
            wrong.append("inNoApplication is not \(state.unowned.count)")
        }
        for policy in application.policies where application.keeps(policy.name.spelling) {
            let own = state.owned(by: application).filter { $0.policy == policy.name.spelling }
            let row = json["policies"]?.array?.first { $0["policy"]?.string == policy.name.spelling }
            if integer(row?["accounts"]) != own.count { wrong.append("\(policy.name) has not \(own.count) accounts") }
            let current = own.first(where: \.isCurrent)?.subject
            if row?["account"]?["subject"]?.string != current {
                wrong.append("\(policy.name): current is not \(current ?? "none")")
            }
        }
        return wrong.map { "\($0)\n\(run)" }
    }

    static func saysWhoIsSignedIn(_ state: Observed) async throws -> [String] {
        let run = try await state.says("status")
        guard let application = state.application, let policy = application.defaultPolicy?.name.spelling else {
            return ["\(run)"]
        }
        let current = state.owned(by: application).first { $0.policy == policy && $0.isCurrent }
        let stored = state.rows.accounts.count
        let first =
            stored == 0
            ? "Not signed in"
            : current.map { "<\($0.label)>" } ?? "No current account under \(policy); \(stored) stored"
        let isRight = run.output.prefix { $0 != "\n" }.contains(first) && run.status == (current == nil ? 4 : 0)
        return isRight ? [] : ["expected \(first)\n\(run)"]
    }

    static func textIsJSON(_ state: Observed) async throws -> [String] {
        var wrong: [String] = []
        let (list, listed) = (try await state.says("accounts --all"), try await state.says("accounts --all --json"))
        let accounts = listed.json?["accounts"]?.array ?? []
        let lines = list.output.split(separator: "\n").filter { $0.hasPrefix("  ") || $0.hasPrefix("* ") }
        let words = accounts.map { account in
            (account["isCurrent"]?.bool == true ? "* " : "  ") + (account["label"]?.string ?? "?") + " "
                + (account["policy"]?.string ?? "?")
        }
        let shown = lines.map { line in
            let parts = line.split(separator: " ")
            let label = parts.first { $0.hasPrefix("<") }?.dropFirst().dropLast() ?? "?"
            return line.prefix(2) + "\(label) " + (parts.first { $0.hasPrefix("B2C_1_") } ?? "?")
        }
        wrong += difference(words, shown.map { String($0) }, list)
        let (status, json) = (try await state.says("status"), try await state.says("status --json"))
        if status.status != json.status { wrong.append("other exit code with --json\n\(status)\n\(json)") }
        let ownerless = json.json?["inNoApplication"]?.lenientInteger ?? 0
        if status.output.contains("also stored") != (ownerless > 0) {
            wrong.append("\(ownerless) in no application\n\(status)")
        }
        if status.output.contains("sharing") != (json.json?["isShared"]?.bool == true) { wrong.append("\(status)") }
        return wrong
    }

    static func storeIsCounted(_ state: Observed) async throws -> [String] {
        var wrong: [String] = []
        let (store, status) = (try await state.says("store status --json"), try await state.says("status --json"))
        if store.json?["accounts"]?.lenientInteger.map(Int.init) ?? 0 != state.rows.accounts.count {
            wrong.append("\(store)")
        }
        for run in [store, status] where run.json?["isShared"]?.bool ?? false != state.rows.isShared {
            wrong.append("isShared is not \(state.rows.isShared)\n\(run)")
        }
        let holder = state.rows.isShared ? state.rows.accounts.first?.label : nil
        let named = status.json?["holder"]?.string
        if (holder == nil) != (named == nil) || !(named ?? "").contains(holder ?? "") {
            wrong.append("the holder is \(holder ?? "no person")\n\(status)")
        }
        return wrong
    }

    private static func name(_ account: JSONNode) -> String {
        let text = { (name: String) in account[name]?.string ?? "?" }
        return "\(text("label")) \(text("policy")) \(text("clientId").prefix(1)) \(text("authority"))"
    }

    static func difference(_ expected: [String], _ found: [String], _ run: CommandRun) -> [String] {
        if expected.sorted() == found.sorted() { return [] }
        return ["expected \(expected.sorted())\nfound \(found.sorted())\n\(run.line)"]
    }
}
