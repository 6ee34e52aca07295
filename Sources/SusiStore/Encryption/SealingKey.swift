import Crypto
import SusiBase

/// The 32 bytes of the key that encrypts a store. They are secret, and no description shows them.
package struct SealingKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    static let count = 32
    let bytes: [UInt8]

    package init() { bytes = RandomBytes.make(Self.count) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses 64 hexadecimal digits, the format of key services; `nil` for anything else.
    package init?(digits: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(digits, count: Self.count) else { return nil }
        self.bytes = bytes
    }

    /// The key as 64 hexadecimal digits, for a key service. They are secret too.
    package var digits: String { Hexadecimal.encode(bytes) }

    /// The id of the key, which distinguishes it from other keys.
    package var id: KeyID {
        KeyID(bytes: Array(SHA256.hash(data: Array("susi-key-id-1".utf8) + bytes).prefix(KeyID.count)))
    }

    /// A description without the key.
    package var description: String { "a sealing key" }
    package var debugDescription: String { description }
    /// A mirror without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The first 8 bytes of a hash of a key. They identify the key and reveal nothing about it.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    static let count = 8
    let bytes: [UInt8]

    /// Sixteen hexadecimal digits.
    package var description: String { Hexadecimal.encode(bytes) }
}
