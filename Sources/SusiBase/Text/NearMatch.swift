/// Finds the name that a misspelled text probably means.
package enum NearMatch {
    // The time of a comparison grows with the product of both lengths.
    private static let longest = 128
    private static let mostCandidates = 1_000

    /// Returns the candidate nearest to `text`, ignoring case, if it is near enough for a suggestion.
    ///
    /// Texts of more than 128 bytes have no match, and only the first thousand candidates are compared.
    package static func of(_ text: String, in candidates: some Sequence<String>) -> String? {
        nearest(text, in: candidates).first
    }

    /// Returns the nearest candidate, or `nil` if several are equally near.
    package static func only(_ text: String, in candidates: some Sequence<String>) -> String? {
        let found = nearest(text, in: candidates)
        return Set(found).count == 1 ? found[0] : nil
    }

    private static func nearest(_ text: String, in candidates: some Sequence<String>) -> [String] {
        guard text.utf8.count <= longest else { return [] }
        let wanted = Array(text.lowercased().unicodeScalars)
        let allowed = max(1, wanted.count / 3)
        let near = candidates.prefix(mostCandidates).filter { $0.utf8.count <= longest }
            .compactMap { candidate in
                distance(wanted, Array(candidate.lowercased().unicodeScalars), atMost: allowed)
                    .map { (distance: $0, candidate: candidate) }
            }
        let least = near.map(\.distance).min()
        return near.filter { $0.distance == least }.map(\.candidate)
    }

    /// Sorts candidates by likelihood: those that contain `text`, then by distance. Only the part of an address before
    /// “@” is compared, unless `text` contains “@” too. The sort is stable.
    package static func nearestFirst(_ text: String, in candidates: [String]) -> [String] {
        let wanted = text.lowercased()
        guard wanted.utf8.count <= longest else { return candidates }
        let letters = Array(wanted.unicodeScalars)
        let rank = { (candidate: String) -> Int in
            let whole = candidate.lowercased()
            if whole.contains(wanted) { return -1 }
            let part = wanted.contains("@") ? whole : String(whole.prefix { $0 != "@" })
            guard part.utf8.count <= longest else { return .max }
            return distance(letters, Array(part.unicodeScalars), atMost: longest) ?? .max
        }
        let ranked = candidates.prefix(mostCandidates).enumerated().map { (rank($1), $0, $1) }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2) + candidates.dropFirst(mostCandidates)
    }

    // Counts the characters to insert, delete, replace or swap with their neighbor; returns `nil` above `most`.
    private static func distance(
        _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost most: Int
    ) -> Int? {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = last[column] + (character == other ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            // The minimum of the rows never decreases.
            guard (last + next).contains(where: { $0 <= most }) else { return nil }
            (beforeLast, last) = (last, next)
        }
        return last.last.flatMap { $0 <= most ? $0 : nil }
    }
}
