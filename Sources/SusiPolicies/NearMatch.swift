/// Finds what somebody probably meant.
public enum NearMatch {
    /// The candidate nearest to `text` without regard to case, when it is near enough to be worth a suggestion.
    public static func of(_ text: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased())
        let allowed = max(1, wanted.count / 3)
        return
            candidates
            .map { (distance: distance(wanted, Array($0.lowercased())), candidate: $0) }
            .filter { $0.distance <= allowed }
            .min { $0.distance < $1.distance }?.candidate
    }

    // The number of characters to insert, delete, replace or swap with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
            (beforeLast, last) = (last, next)
        }
        return last.last ?? 0
    }
}
