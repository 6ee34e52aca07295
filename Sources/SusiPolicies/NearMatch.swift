/// Finds what somebody probably meant.
public enum NearMatch {
    // A comparison takes time in proportion to the product of both lengths, and a file may hold long texts and many of them.
    private static let longest = 128
    private static let mostCandidates = 1_000

    /// The candidate nearest to `text` without regard to case, when it is near enough to be worth a suggestion.
    ///
    /// Texts of more than 128 bytes have none, and of the candidates only the first thousand are compared.
    public static func of(_ text: String, in candidates: some Sequence<String>) -> String? {
        nearest(text, in: candidates).first
    }

    /// The same, or nil if several candidates are equally near.
    public static func only(_ text: String, in candidates: some Sequence<String>) -> String? {
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

    /// The candidates with the likeliest first: those that contain `text`, then by their distance from it. Of an address
    /// only what comes before the “@” is compared, unless `text` has one too. Equal ones keep their order.
    public static func nearestFirst(_ text: String, in candidates: [String]) -> [String] {
        let wanted = text.lowercased()
        guard wanted.utf8.count <= longest, !wanted.isEmpty else { return candidates }
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

    // The number of characters to insert, delete, replace or swap with their neighbor; nil for more than `most`.
    private static func distance(
        _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost most: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= most else { return nil }
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
            // No later row has a smaller number than the smallest of the last two.
            guard (last + next).contains(where: { $0 <= most }) else { return nil }
            (beforeLast, last) = (last, next)
        }
        return last.last.flatMap { $0 <= most ? $0 : nil }
    }
}
