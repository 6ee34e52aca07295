/// Bytes as two hexadecimal digits each, in lower case.
package enum Hexadecimal {
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 0x0f))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Decodes what `encode` makes; `nil` for anything else, or for another number of bytes.
    @inlinable
    package static func decode(_ digits: some StringProtocol, count: Int) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        for index in 0..<count {
            let (first, second) = (digits[2 * index], digits[2 * index + 1])
            guard let high = value(first), let low = value(second), digit(high) == first, digit(low) == second else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Returns the value of a digit, in lower or upper case.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    @usableFromInline
    static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
