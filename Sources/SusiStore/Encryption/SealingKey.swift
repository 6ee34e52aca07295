import Crypto

/// The 32 bytes of the key that encrypts a store. They are secret, and no description shows them.
package struct SealingKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    static let count = 32
    let bytes: [UInt8]

    package init() { bytes = Self.random(Self.count) }

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

    static func random(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

/// The first 8 bytes of a hash of a key. They identify the key and reveal nothing about it.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    static let count = 8
    let bytes: [UInt8]

    /// Sixteen hexadecimal digits.
    package var description: String { Hexadecimal.encode(bytes) }
}

/// Bytes as two digits each, in lower case.
enum Hexadecimal {
    static func encode(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Decodes what `encode` makes; `nil` for anything else, or for another number of bytes.
    static func decode(_ digits: some StringProtocol, count: Int) -> [UInt8]? {
        let text = Array(digits.utf8)
        guard text.count == 2 * count else { return nil }
        let bytes = stride(from: 0, to: text.count, by: 2).compactMap {
            UInt8(String(decoding: text[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return encode(bytes) == digits ? bytes : nil
    }
}
