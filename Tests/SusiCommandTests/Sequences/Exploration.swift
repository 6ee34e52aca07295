import Foundation
import Susi
import SusiTestSupport

/// Walks through sequences of actions and checks each state and each step; a state that is reached again is not checked again.
final class Exploration {
    private let stage: Stage
    private let isFull: Bool
    private let actions = Action.all
    private var seen: [Observed.Key: Observed] = [:]
    private let typed = TypedHints()
    private(set) var steps = 0
    private(set) var failures: [String: [Failure]] = [:]

    var states: Int { seen.count }

    struct Failure: CustomStringConvertible {
        let sequence: [String]
        let text: String
        var description: String { "after \(sequence.joined(separator: "; "))\n\(text)" }
    }

    init(_ stage: Stage, isFull: Bool) { (self.stage, self.isFull) = (stage, isFull) }

    /// Goes through all sequences of this many actions; only new states are continued.
    func all(_ count: Int) async throws {
        var edge = [try await start()]
        for _ in 0..<count {
            var next: [Observed] = []
            for state in edge {
                for action in actions where action.isWorthwhile(in: state) {
                    let known = seen.count
                    let after = try await take(action, from: state)
                    if seen.count > known { next.append(after) }
                }
            }
            edge = next
        }
    }

    /// Takes every action after each change of the file, from a store with accounts of several people, policies and applications;
    /// then the same from a shared store.
    func afterChanges() async throws {
        let usual = ["sign-in -p \(SequencePolicies.partner)", "sign-in -A other", "sign-in"]
        for begin in [usual + ["sign-in [ben]"], usual + ["store share"]] {
            var state = try await start()
            for name in begin {
                for action in actions where action.description == name { state = try await take(action, from: state) }
            }
            for change in actions where change.isChange {
                let changed = try await take(change, from: state)
                // In a shared store, the rest is refused as before.
                for action in actions where !action.isChange && (action.kind == .removal || !changed.rows.isShared) {
                    _ = try await take(action, from: changed)
                }
            }
        }
    }

    /// Goes through some sequences of this many actions.
    func sample(_ number: Int, of count: Int, by random: inout some RandomNumberGenerator) async throws {
        for _ in 0..<number {
            var state = try await start()
            for _ in 0..<count {
                guard let action = actions.randomElement(using: &random) else { return }
                state = try await take(action, from: state)
            }
        }
    }

    private var first: Observed?

    private func start() async throws -> Observed {
        if let first { return first }
        let state = try Observed(stage, after: [], typed)
        first = state
        try await check(state)
        return state
    }

    private func take(_ action: Action, from before: Observed) async throws -> Observed {
        steps += 1
        try stage.restore(before.kept)
        let run = try await stage.take(action)
        let after = try Observed(stage, after: before.sequence + [action.description], typed)
        let known = seen[after.key]
        let step = Step(action: action, before: before, after: after, state: known ?? after, run: run)
        if known == nil { try await check(after) }
        let isWhole =
            isFull || steps.isMultiple(of: 8)
            || !step.gone.isEmpty && (before.sequence.count > 1 || steps.isMultiple(of: 2))
        for invariant in Invariant.all where isWhole || !invariant.isSlow {
            if let check = invariant.step { note(try await check(step), against: invariant, after.sequence) }
        }
        return step.state
    }

    private func check(_ state: Observed) async throws {
        seen[state.key] = state
        for invariant in Invariant.all {
            if let check = invariant.state { note(try await check(state), against: invariant, state.sequence) }
        }
    }

    private func note(_ texts: [String], against invariant: Invariant, _ sequence: [String]) {
        failures[invariant.words, default: []] += texts.map { Failure(sequence: sequence, text: $0) }
    }
}
