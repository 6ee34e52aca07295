public import SusiPolicies
public import SystemPackage

/// What the file `key` says: where the key is, and which one. Only the form of a key file holds the key itself.
///
/// One line: `susi-key-1 KEY`, or `susi-key-2 SOURCE ID SECONDS`, followed by scrypt's `N R P SALT` where the key is derived.
public struct KeyRecord: Sendable {
    /// Where the key is.
    public let source: KeySource
    /// For how many seconds the kernel keeps the key once it was had; 0 means without an end.
    public let lifetime: Int64
    let derivation: KeyDerivation?
    private let content: Content

    private enum Content {
        case key(SealingKey)
        case id(KeyID)
    }

    /// The key itself, when the file holds it.
    var key: SealingKey? { if case .key(let key) = content { key } else { nil } }

    /// Which key it is.
    public var id: KeyID {
        switch content {
        case .key(let key): key.id
        case .id(let id): id
        }
    }

    /// The longest time that the kernel is asked to keep a key: a year.
    static let longest: Int64 = 366 * 86_400

    /// Of a key that the file holds.
    init(holding key: SealingKey) {
        (source, lifetime, derivation, content) = (.file, 0, nil, .key(key))
    }

    /// Of a key that is elsewhere.
    init(_ source: KeySource, _ id: KeyID, lifetime: Int64, _ derivation: KeyDerivation?) {
        self.source = source
        self.lifetime = min(max(0, lifetime), Self.longest)
        self.derivation = derivation
        content = .id(id)
    }

    private static let first = "susi-key-1 "
    private static let second = "susi-key-2 "
    /// The longest file, in bytes.
    static let largest = 256

    /// Reads the file's bytes; nil for anything but one whole line.
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
        self.init(source, KeyID(bytes: id), lifetime: lifetime, derivation)
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

    /// The key that a passphrase or a command's answer gives; nil when it is another than the one that seals, or when the
    /// key is not derived.
    public func key(from secret: String) -> SealingKey? {
        guard let key = try? derivation?.key(from: Array(secret.utf8)), key.id == id else { return nil }
        return key
    }
}

/// A key that is to seal from now on, with what its file will say.
public struct NewKey: Sendable {
    /// The key.
    public let key: SealingKey
    /// What its file will say.
    public let record: KeyRecord

    /// A random key for a source that keeps keys. `lifetime` is the time in seconds that the kernel keeps it after a use.
    public init(for source: KeySource, lifetime: Int64) {
        key = SealingKey()
        record = source == .file ? KeyRecord(holding: key) : KeyRecord(source, key.id, lifetime: lifetime, nil)
    }

    /// A key that is derived of a passphrase or of a command's answer, with a salt of its own.
    public init(for source: KeySource, from secret: String, lifetime: Int64) throws {
        let derivation = KeyDerivation()
        key = try derivation.key(from: Array(secret.utf8))
        record = KeyRecord(source, key.id, lifetime: lifetime, derivation)
    }
}

extension KeyRecord {
    /// The key and the time in seconds since 1970 when the kernel forgets it; nil when the kernel does not keep it.
    public func held() -> (key: SealingKey, until: Int64?)? { KernelKeyring.held(id).map { ($0.key, $0.until) } }

    /// Has the kernel keep the key for `lifetime` seconds from `now` on, else for as long as the record says. A key file needs
    /// no keeping.
    public func hold(_ key: SealingKey, lifetime: Int64?, now: Int64) throws(Errno) {
        guard source != .file else { return }
        let seconds = min(lifetime ?? self.lifetime, Self.longest)
        try KernelKeyring.hold(key, until: seconds == 0 ? nil : now + seconds, now: now)
    }

    /// Has the kernel forget the key; false when it did not keep it.
    @discardableResult
    public func release() -> Bool { KernelKeyring.forget(id) }

    /// Why the store cannot be opened while the key is not at hand: `.locked`, or `.keyMissing` for one that was in memory only.
    public func locked(in folder: StoreFolder) -> StoreError { .locked(self, folder) }
}

extension StoreFolder {
    /// What the store's key file says; nil when there is none.
    public func keyRecord() throws(StoreError) -> KeyRecord? {
        guard try isThere(path, as: .directory) else { return nil }
        return try KeyFile(folder: self, path: key).read()
    }
}
