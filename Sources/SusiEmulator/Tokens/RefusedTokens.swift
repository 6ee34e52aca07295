import Synchronization

/// Valid access tokens that are refused: revoked, or chosen by a test. Kept while the emulator runs.
final class RefusedTokens: Sendable {
    private let hashes = Mutex<Set<[UInt8]>>([])
    private let firstOne = Mutex<[UInt8]?>(nil)

    // The signed part: ECDSA allows other valid signatures of the same content.
    private static func key(_ token: String) -> [UInt8] {
        sha256(String(token[..<(token.lastIndex(of: ".") ?? token.endIndex)]))
    }

    func contains(_ token: String) -> Bool { hashes.withLock { $0.contains(Self.key(token)) } }

    func insert(_ token: String) { hashes.withLock { _ = $0.insert(Self.key(token)) } }

    func removeAll() {
        hashes.withLock { $0 = [] }
        firstOne.withLock { $0 = nil }
    }

    /// Refuses this token if it is the first one refused this way. Returns whether it is.
    func insertFirst(_ token: String) -> Bool {
        let isFirst = firstOne.withLock { first in
            guard first == nil else { return false }
            first = Self.key(token)
            return true
        }
        if isFirst { insert(token) }
        return isFirst
    }
}
