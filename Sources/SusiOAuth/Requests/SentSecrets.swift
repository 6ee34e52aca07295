import SusiPolicies

/// The secrets that an exchange has sent. A server may repeat them in its texts, in any encoding of a form.
public struct SentSecrets: Hashable, Sendable {
    private var secrets: Set<String> = []

    // A shorter one is part of many words. To replace it there would show it.
    private static let shortest = 4

    /// Makes a collection of secrets.
    public init(_ secrets: String?...) { self.secrets = Set(secrets.compactMap(\.self)).subtracting([""]) }

    /// Adds the secrets of a form, known by the names of its fields.
    public mutating func add(form: String) {
        for field in FormEncoding.decode(form) ?? [] where !field.value.isEmpty && Redaction.isSecret(field.name) {
            secrets.insert(field.value)
        }
    }

    /// Returns a server's text with each secret replaced. A text that contains a very short one is replaced as a whole.
    public func hidden(in text: String) -> String {
        if secrets.isEmpty || text.isEmpty { return text }
        let (short, long) = (
            secrets.filter { $0.count < Self.shortest }, secrets.filter { $0.count >= Self.shortest }
        )
        var bytes = Array(text.utf8)
        if short.contains(where: { EchoPattern($0).isFound(in: bytes) }) { return Redaction.hidden }
        // The longest first: another one may be a part of it.
        for secret in long.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) {
            bytes = EchoPattern(secret).replaced(in: Base64Echo(secret).replaced(in: bytes))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A secret as a form, a JSON text or a page may repeat it: as it is, percent-encoded, escaped, or character by character in
/// different ways.
private struct EchoPattern {
    private let scalars: [Unicode.Scalar]

    init(_ secret: String) { scalars = Array(secret.unicodeScalars) }

    func isFound(in text: [UInt8]) -> Bool { text.indices.contains { end(in: text, from: $0) != nil } }

    func replaced(in text: [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        var place = 0
        while place < text.count {
            if let end = end(in: text, from: place) {
                shown += Redaction.hidden.utf8
                place = end
            } else {
                shown.append(text[place])
                place += 1
            }
        }
        return shown
    }

    // Follows all spellings at once: which one a character has may be known only at the next one.
    private func end(in text: [UInt8], from start: Int) -> Int? {
        var ends: Set<Int> = [start]
        for scalar in scalars {
            ends = ends.reduce(into: []) { $0.formUnion(Self.ends(of: scalar, in: text, from: $1)) }
            if ends.isEmpty { return nil }
        }
        return ends.max()
    }

    private static func ends(of scalar: Unicode.Scalar, in text: [UInt8], from place: Int) -> Set<Int> {
        guard place < text.count else { return [] }
        var found = String(scalar).utf8.reduce(into: [place] as Set) { places, byte in
            places = places.reduce(into: []) { $0.formUnion(ends(of: byte, text, $1)) }
        }
        switch text[place] {
        case UInt8(ascii: "\\"):
            let escaped = place + 1
            if scalar.isASCII, escaped < text.count, text[escaped] == UInt8(scalar.value) { found.insert(escaped + 1) }
            if let end = endOfUnits(scalar, text, place) { found.insert(end) }
        case UInt8(ascii: "&"):
            if let end = endOfEntity(scalar, text, place) { found.insert(end) }
        default: break
        }
        return found
    }

    // A byte as it is, a space as `+`, or percent-encoded, once or several times: `%2B`, `%252b`.
    private static func ends(of byte: UInt8, _ text: [UInt8], _ place: Int) -> Set<Int> {
        guard place < text.count else { return [] }
        var found: Set<Int> = []
        if text[place] == byte || byte == 0x20 && text[place] == UInt8(ascii: "+") { found.insert(place + 1) }
        guard text[place] == UInt8(ascii: "%") else { return found }
        var digits = place + 1
        while digits + 1 < text.count, let value = hexadecimal(text[digits...(digits + 1)]) {
            if value == byte { found.insert(digits + 2) }
            guard value == UInt8(ascii: "%") else { break }
            digits += 2
        }
        return found
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        digits.allSatisfy(PercentEncoding.isHexDigit) ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }

    // JSON: `\u00e9`, two of them for a character beyond 16 bits.
    private static func endOfUnits(_ scalar: Unicode.Scalar, _ text: [UInt8], _ start: Int) -> Int? {
        var place = start
        for unit in String(scalar).utf16 {
            let digits = text[place...].dropFirst(2).prefix(4)
            guard text[place...].starts(with: "\\u".utf8), digits.count == 4,
                UInt16(String(decoding: digits, as: UTF8.self), radix: 16) == unit
            else { return nil }
            place += 6
        }
        return place
    }

    // HTML: `&amp;`, `&#38;`, `&#x26;`.
    private static func endOfEntity(_ scalar: Unicode.Scalar, _ text: [UInt8], _ start: Int) -> Int? {
        guard let end = text[start...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: text[(start + 1)..<end], as: UTF8.self).lowercased()
        let names: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let value =
            if name.hasPrefix("#x") { UInt32(name.dropFirst(2), radix: 16) } else if name.hasPrefix("#") {
                UInt32(name.dropFirst())
            } else { names[name]?.value }
        return value == scalar.value ? end + 1 : nil
    }
}

/// A secret in base64 or base64url, also as a part of a longer text that was encoded.
private struct Base64Echo {
    /// The characters that depend on the secret alone, for each number of bytes before it modulo three.
    private let parts: [[UInt8]]

    init(_ secret: String) {
        parts = (0...2).map { count in
            let text = Base64URL.encode([UInt8](repeating: 0, count: count) + Array(secret.utf8))
            let whole = (count + secret.utf8.count) * 8 / 6
            return Array(text.utf8.prefix(whole).dropFirst([0, 2, 3][count]))
        }
    }

    func replaced(in text: [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        var rest = text[...]
        while let first = rest.first {
            let isRun = Self.isDigit(first)
            let run = rest.prefix { Self.isDigit($0) == isRun }
            rest = rest[run.endIndex...]
            shown += isRun && holds(run) ? Array(Redaction.hidden.utf8) : Array(run)
        }
        return shown
    }

    private func holds(_ run: ArraySlice<UInt8>) -> Bool {
        let digits = run.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return parts.contains { part in digits.firstRange(of: part) != nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "+/-_=".utf8.contains(byte) }
}
