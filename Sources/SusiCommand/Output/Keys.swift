enum Key: Equatable, Sendable {
    case text(String)
    case up, down, pageUp, pageDown, first, last
    case enter, escape, interrupt, backspace, clear
}

/// A parser for keys in the bytes that a terminal sends, in pieces of any length.
struct KeyReader {
    private var waiting: [UInt8] = []

    private static let escape: UInt8 = 0x1b
    // The escape sequences of keys (ECMA-48) as VT and xterm send them, without their first two bytes.
    private static let sequences: [String: Key] = [
        "A": .up, "B": .down, "H": .first, "F": .last, "1~": .first, "7~": .first, "4~": .last, "8~": .last,
        "5~": .pageUp, "6~": .pageDown,
    ]

    /// Returns the keys that these bytes complete.
    mutating func keys(_ bytes: [UInt8]) -> [Key] {
        waiting += bytes
        var keys: [Key] = []
        while let first = waiting.first {
            guard let length = length(from: first) else { break }
            let piece = Array(waiting.prefix(length))
            waiting.removeFirst(length)
            if let key = key(piece) { keys.append(key) }
        }
        return keys
    }

    /// Ends an incomplete sequence when no more bytes come: a single escape is the key Esc.
    mutating func flush() -> [Key] {
        let isEscape = waiting == [Self.escape]
        if waiting.first == Self.escape { waiting = [] }
        return isEscape ? [.escape] : []
    }

    // Returns `nil` if the key needs more bytes.
    private func length(from first: UInt8) -> Int? {
        let length: Int
        switch first {
        case Self.escape: return sequenceLength
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: length = 1
        }
        return waiting.count >= length ? length : nil
    }

    private var sequenceLength: Int? {
        guard waiting.count > 1 else { return nil }
        switch waiting[1] {
        case Self.escape: return 1
        case UInt8(ascii: "O"): return waiting.count > 2 ? 3 : nil
        case UInt8(ascii: "["):
            let end = waiting.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
            return end.map { $0 + 1 }
        default: return 2
        }
    }

    private func key(_ bytes: [UInt8]) -> Key? {
        switch bytes[0] {
        case Self.escape:
            return bytes.count == 1 ? .escape : Self.sequences[String(decoding: bytes.dropFirst(2), as: UTF8.self)]
        case 0x0A, 0x0D: return .enter
        case 0x03, 0x04: return .interrupt
        case 0x08, 0x7F: return .backspace
        case 0x15: return .clear
        case 0x10: return .up
        case 0x0E: return .down
        case 0x00...0x1F: return nil
        default:
            // Bytes that are not UTF-8 are ignored.
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? .text(text) : nil
        }
    }
}
