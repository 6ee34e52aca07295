/// Bytes as two hexadecimal digits each, in lower case.
package enum Hexadecimal {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 0x0f)] }, as: UTF8.self)
    }

    /// Decodes what `encode` makes; `nil` for anything else, or for another number of bytes.
    package static func decode(_ digits: some StringProtocol, count: Int) -> [UInt8]? {
        let values = digits.utf8.compactMap(value)
        guard values.count == 2 * count else { return nil }
        let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        return encode(bytes) == digits ? bytes : nil
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

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
