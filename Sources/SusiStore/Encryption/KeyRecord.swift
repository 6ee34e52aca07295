import SusiBase
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

    /// The maximum size of the file, in bytes.
    static let largest = 256

    /// Parses the file's bytes; `nil` unless they are one valid line.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        switch (words.first, words.count) {
        case ("susi-key-1", 2):
            guard let key = SealingKey(digits: words[1]) else { return nil }
            self.init(holding: key)
        case ("susi-key-2", 4), ("susi-key-2", 8):
            guard let source = KeySource(rawValue: String(words[1])), source != .file,
                let id = Hexadecimal.decode(words[2], count: KeyID.count), let lifetime = Int64(words[3])
            else { return nil }
            let derivation = words.count == 8 ? KeyDerivation(words[4...]) : nil
            guard source.isDerived == (derivation != nil) else { return nil }
            self.init(source, KeyID(bytes: id), lifetime: lifetime, derivation: derivation)
        default: return nil
        }
        // Every line has one form.
        guard line == text else { return nil }
    }

    /// The file's one line.
    var line: String {
        if let key { return "susi-key-1 \(key.digits)\n" }
        return "susi-key-2 \(source.rawValue) \(id) \(lifetime)\(derivation.map { " \($0.words)" } ?? "")\n"
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

    /// The error for a store whose key is unavailable.
    package func locked(in folder: StoreFolder) -> StoreError { StoreError(.locked(source), folder.key) }
}

extension StoreFolder {
    /// Reads the store's key file; `nil` if there is none.
    package func keyRecord() throws(StoreError) -> KeyRecord? {
        _ = try isThere(path, as: .folder)
        return try KeyFile(folder: self, path: key).read()
    }
}
