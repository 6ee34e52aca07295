/// A line of the trace of a journey: what ran or was skipped, why, and what changed. It has no secrets.
package struct TraceLine: Codable, Hashable, Sendable {
    /// The number of the step; that of a step of a sub journey is behind a dot.
    package let step: String
    /// The technical profile, transformation or type of step.
    package let subject: String
    package let text: String
    /// By claim: values that are new, and those that are others than before.
    package var added: [String: String] = [:]
    package var changed: [String: String] = [:]
    package var removed: [String] = []
}

/// Texts that no trace shows, wherever they occur (spec §0 B4).
struct SecretList: Sendable {
    private var texts: Set<String> = []
    // A shorter one would hide what has nothing to do with it.
    private static let shortest = 4
    static let mask = "•••"

    mutating func add(_ text: String?) { if let text, text.utf8.count >= Self.shortest { texts.insert(text) } }

    func contain(in text: String) -> Bool { texts.contains { text.contains($0) } }

    func hide(in text: String) -> String {
        texts.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) { $0.replacing($1, with: Self.mask) }
    }
}

extension JourneyRun {
    private static let mostLines = 1_000
    private static let longestValue = 2_000

    /// Adds a line with what changed since the last one.
    mutating func note(_ subject: String, _ text: String) {
        var line = TraceLine(step: stepNumber, subject: subject, text: shortened(text))
        let (old, new) = (work.seen ?? state.bag, claims)
        for id in Set(old.ids + new.ids).sorted() where old[id] != new[id] || old.isSet(id) != new.isSet(id) {
            let name = policy[.claimType, id]?["Id"] ?? id
            guard let value = new[id] else {
                if old[id] != nil { line.removed.append(name) }
                continue
            }
            let text = state.hidden.contains(id) ? SecretList.mask : shortened(value.text)
            if old[id] == nil { line.added[name] = text } else { line.changed[name] = text }
        }
        work.seen = new
        if state.trace.count < Self.mostLines { state.trace.append(line) }
    }

    // The beginning of a secret is one too: it is hidden before the text is cut.
    private func shortened(_ text: String) -> String { String(hide(text).prefix(Self.longestValue)) }

    func hide(_ text: String) -> String { work.secrets.hide(in: work.passwords.hide(in: text)) }

    /// Remembers what the request and the bag have of secrets.
    mutating func gatherSecrets() {
        for key in facts.policyKeys.values { work.secrets.add(key) }
        work.secrets.add(facts.parameters["id_token_hint"])
        work.passwords.add(facts.parameters["password"])
        for id in state.hidden { work.secrets.add(state.bag[id]?.text) }
    }

    /// Hides a claim's value from here on.
    mutating func hideClaim(_ id: String, isStored: Bool = true) {
        state.hidden.insert(id)
        if !isStored { state.unstored.insert(id) }
        if case .string(let text) = claims[id] { work.secrets.add(text) }
    }

    func isSecret(_ id: String) -> Bool {
        state.hidden.contains(id) || claims[id].map { hide($0.text) != $0.text } ?? false
    }

    private var stepNumber: String {
        state.places.map { String($0.index + 1) }.joined(separator: ".")
    }
}
