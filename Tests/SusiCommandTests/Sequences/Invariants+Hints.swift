import Susi
import SusiTestSupport

// Every command that is proposed in a state is typed there.
extension Invariant {
    static func hintsWork(_ state: Observed) async throws -> [String] {
        _ = try await state.says("status --all")
        var wrong: [String] = []
        for run in state.allSaid { wrong += try await problems(ofHintsOf: run, in: state) }
        return wrong
    }

    static func hintsOfStepWork(_ step: Step) async throws -> [String] {
        guard let run = step.run else { return [] }
        return try await problems(ofHintsOf: run, in: step.state)
    }

    private static func problems(ofHintsOf run: CommandRun, in state: Observed) async throws -> [String] {
        let text = run.output + run.messages
        var wrong = partialHints(in: text).map { "not a whole command: \($0)\n\(run)" }
        for hint in Hint.all(in: text).sorted() where state.isNew(hint) {
            wrong += try await problems(of: hint, in: state).map { "\($0)\nproposed by: \(run)" }
        }
        return wrong
    }

    // “(sign-out --browser ends it)” cannot be copied.
    private static func partialHints(in text: String) -> [String] {
        ["ends it)", "shows all)", "goes back)"].flatMap { end in
            text.ranges(of: end).compactMap { range -> String? in
                let before = text[..<range.lowerBound]
                guard let start = before.lastIndex(where: { "(;".contains($0) }) else { return nil }
                let hint = before[start...].dropFirst().drop { $0 == " " }
                return hint.hasPrefix("susi ") ? nil : String(hint)
            }
        }
    }

    private static func problems(of hint: Hint, in state: Observed) async throws -> [String] {
        try state.stage.restore(state.kept)
        let words = hint.words + (hint.isRemoval && !hint.words.contains("--yes") ? ["--yes"] : [])
        let run = await state.stage.run(words, as: hint.person(or: state.holder))
        let after = try state.stage.rows()
        // A profile belongs to somebody who signs in first.
        let asks = hint.words.first == "edit-profile" && run.status == 4
        var wrong = run.status == 0 || asks ? [] : ["fails: \(run)"]
        let gone = state.rows.missing(in: after).filter { row in
            ![LocalTenant.Person.ana, .ben].contains { hint.names($0) && $0.subject == row.subject }
        }
        if !gone.isEmpty { wrong.append("removes \(gone.map(\.name)), whom it does not name: \(run)") }
        return wrong
    }
}
