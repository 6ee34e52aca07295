import Susi
import SusiBase
import SusiPolicies
import SusiTestSupport

// What each action may change, and what it says about that.
extension Invariant {
    static func isUnderstood(_ step: Step) async throws -> [String] {
        step.run.map { $0.status == 64 ? ["\($0)"] : [] } ?? []
    }

    static func failureChangesNothing(_ step: Step) async throws -> [String] {
        guard let run = step.run, run.status != 0, step.action.kind != .removal else { return [] }
        return step.gone.isEmpty && step.new.isEmpty && step.before.rows.current == step.after.rows.current
            ? [] : ["\(run)"]
    }

    static func addsAndRemovesByName(_ step: Step) async throws -> [String] {
        let mayAdd = step.action.isSignIn || step.action.kind == .importing
        var wrong: [String] = []
        if !step.gone.isEmpty, step.action.kind != .removal { wrong.append("removed \(step.gone.map(\.name))") }
        if !step.new.isEmpty, !mayAdd { wrong.append("added \(step.new.map(\.name))") }
        if step.action.isSignIn, step.new.contains(where: { $0.subject != step.action.person.subject }) {
            wrong.append("added \(step.new.map(\.name))")
        }
        return wrong.map { "\($0)\n\(step.run?.description ?? "")" }
    }

    static func keepsCurrent(_ step: Step) async throws -> [String] {
        let (before, after) = (step.before.rows.current, step.after.rows.current)
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let isAllowed =
            switch step.action.kind {
            case .signIn(let switches):
                switches && changed.count <= 1 && changed.allSatisfy { after[$0] == step.action.person.subject }
            case .choosing: changed.count <= 1 && changed.allSatisfy { after[$0] != nil }
            case .importing: changed.allSatisfy { before[$0] == nil }
            case .removal:
                changed.allSatisfy { place in
                    after[place] == nil && step.gone.contains { $0.place == place && $0.subject == before[place] }
                }
            case .other, .change: false
            }
        return changed.isEmpty || isAllowed ? [] : ["before \(before)\nafter \(after)\n\(step.run?.description ?? "")"]
    }
}
