import Crypto

/// The 32 bytes of the key that encrypts a store. They are secret, and no description shows them.
package struct SealingKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    static let count = 32
    let bytes: [UInt8]

    package init() { bytes = Self.random(Self.count) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses 64 hexadecimal digits, the format of key services; `nil` for anything else.
    package init?(digits: some Collection<UInt8>) {
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
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes exactly `count` bytes; `nil` for anything else.
    static func decode(_ digits: some Collection<UInt8>, count: Int) -> [UInt8]? {
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return bytes
    }
}
