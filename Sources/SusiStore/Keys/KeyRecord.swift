package import SusiPolicies
package import SystemPackage

/// The content of the file `key`: the source and the id of the key. Only the source `file` has the key itself.
///
/// One line: `susi-key-1 KEY`, or `susi-key-2 SOURCE ID SECONDS`, followed by scrypt's `N R P SALT` where the key is derived.
package struct KeyRecord: Sendable {
    package let source: KeySource
    /// The time in seconds that the kernel keeps the key after it is loaded; 0 means without an end.
    package let lifetime: Int64
    let derivation: KeyDerivation?
    private let content: Content

    private enum Content {
        case key(SealingKey)
        case id(KeyID)
    }

    var key: SealingKey? { if case .key(let key) = content { key } else { nil } }

    package var id: KeyID {
        switch content {
        case .key(let key): key.id
        case .id(let id): id
        }
    }

    /// The maximum time that the kernel keeps a key: a year.
    static let longest: Int64 = 366 * 86_400

    /// Makes the record of a key in the file.
    init(holding key: SealingKey) {
        (source, lifetime, derivation, content) = (.file, 0, nil, .key(key))
    }

    /// Makes the record of a key from another source.
    init(_ source: KeySource, _ id: KeyID, lifetime: Int64, derivation: KeyDerivation? = nil) {
        self.source = source
        self.lifetime = min(max(0, lifetime), Self.longest)
        self.derivation = derivation
        content = .id(id)
    }

    private static let first = "susi-key-1 "
    private static let second = "susi-key-2 "
    /// The maximum size of the file, in bytes.
    static let largest = 256

    /// Parses the file's bytes; `nil` unless they are one valid line.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, bytes.last == UInt8(ascii: "\n") else { return nil }
        if bytes.starts(with: Self.first.utf8) {
            let digits = bytes.dropFirst(Self.first.utf8.count).dropLast()
            guard let key = SealingKey(digits: digits) else { return nil }
            self.init(holding: key)
            return
        }
        guard bytes.starts(with: Self.second.utf8) else { return nil }
        let line = bytes.dropFirst(Self.second.utf8.count).dropLast()
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let text = words.map { String(decoding: $0, as: UTF8.self) }
        guard text.count == 3 || text.count == 7, let source = KeySource(rawValue: text[0]), source != .file,
            let id = Hexadecimal.decode(words[1], count: KeyID.count),
            let lifetime = Int64(text[2]), (0...Self.longest).contains(lifetime), text[2] == "\(lifetime)",
            source.isDerived == (text.count == 7)
        else { return nil }
        var derivation: KeyDerivation?
        if source.isDerived {
            guard let salt = Hexadecimal.decode(words[6], count: words[6].count / 2), let rounds = Int(text[3]),
                let blockSize = Int(text[4]), let parallelism = Int(text[5])
            else { return nil }
            derivation = KeyDerivation(
                rounds: rounds, blockSize: blockSize, parallelism: parallelism, salt: salt)
            guard derivation != nil else { return nil }
        }
        self.init(source, KeyID(bytes: id), lifetime: lifetime, derivation: derivation)
    }

    /// The file's one line.
    var line: String {
        if let key { return "\(Self.first)\(key.digits)\n" }
        var line = "\(Self.second)\(source.rawValue) \(id) \(lifetime)"
        if let derivation {
            line += " \(derivation.rounds) \(derivation.blockSize) \(derivation.parallelism)"
            line += " \(Hexadecimal.encode(derivation.salt))"
        }
        return line + "\n"
    }

    /// Derives the key from a passphrase or a command's output; `nil` if that is another key, or if the key is not derived.
    package func key(from secret: String) -> SealingKey? {
        guard let key = try? derivation?.key(from: Array(secret.utf8)), key.id == id else { return nil }
        return key
    }
}

package struct NewKey: Sendable {
    package let key: SealingKey
    package let record: KeyRecord

    /// Makes a random key for a source that stores keys. `lifetime` is the time in seconds that the kernel keeps it.
    package init(for source: KeySource, lifetime: Int64) {
        key = SealingKey()
        record = source == .file ? KeyRecord(holding: key) : KeyRecord(source, key.id, lifetime: lifetime)
    }

    /// Derives a key from a passphrase or a command's output, with a new salt. Throws if the derivation fails.
    package init(for source: KeySource, from secret: String, lifetime: Int64) throws {
        try self.init(for: source, from: secret, lifetime: lifetime, KeyDerivation())
    }

    init(for source: KeySource, from secret: String, lifetime: Int64, _ derivation: KeyDerivation) throws {
        key = try derivation.key(from: Array(secret.utf8))
        record = KeyRecord(source, key.id, lifetime: lifetime, derivation: derivation)
    }
}

extension KeyRecord {
    /// Returns the key and the time in seconds since 1970 when the kernel removes it; `nil` if the kernel does not keep it.
    package func held() -> (key: SealingKey, until: Int64?)? { KernelKeyring.held(id).map { ($0.key, $0.until) } }

    /// Stores the key in the kernel for `lifetime` seconds from `now` on, else for the time in the record. Does nothing for a key
    /// file. Throws the kernel's error.
    package func hold(_ key: SealingKey, lifetime: Int64?, now: Int64) throws(Errno) {
        guard source != .file else { return }
        let seconds = min(lifetime ?? self.lifetime, Self.longest)
        try KernelKeyring.hold(key, until: seconds == 0 ? nil : now + seconds, now: now)
    }

    /// Removes the key from the kernel. Returns `false` if it was not there.
    @discardableResult
    package func release() -> Bool { KernelKeyring.forget(id) }

    /// The error for a store whose key is unavailable: `.locked`, or `.keyMissing` if the key was only in memory.
    package func locked(in folder: StoreFolder) -> StoreError { .locked(self, folder) }
}

extension StoreFolder {
    /// Reads the store's key file; `nil` if there is none.
    package func keyRecord() throws(StoreError) -> KeyRecord? {
        guard try isThere(path, as: .folder) else { return nil }
        return try KeyFile(folder: self, path: key).read()
    }
}
