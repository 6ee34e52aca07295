import SusiBase
import SusiPolicies
import Synchronization

/// The secrets that an exchange has sent. A server may repeat them in its texts, whole or shortened, as they are or in a
/// usual encoding.
package struct SentSecrets: Sendable {
    private var secrets: Set<String> = []
    // Made when a text is first looked through: most exchanges show none.
    private var pieces = MadeOnce<SecretPieces>()

    package init(_ secrets: String?...) { for secret in secrets { insert(secret ?? "") } }

    /// Adds the secrets of a form, known by the names of its fields.
    package mutating func add(form: String) {
        for field in FormEncoding.decode(form) ?? [] where Redaction.isSecret(field.name) { insert(field.value) }
    }

    package mutating func insert(_ secret: String) {
        guard !secret.isEmpty, secrets.insert(secret).inserted else { return }
        pieces = MadeOnce()
    }

    /// Returns a server's text with each secret replaced, and each part of one that is long enough to show much of it. A text
    /// that contains a very short one is replaced as a whole.
    ///
    /// The time is proportional to the size of the text: a server chooses it.
    package func hidden(in text: String) -> String {
        if secrets.isEmpty { return text }
        let pieces = pieces.value { SecretPieces(of: secrets) }
        if pieces.tiny.contains(where: text.contains) { return Redaction.hidden }
        let bytes = Array(text.utf8)
        let isSecret = pieces.places(in: bytes)
        var shown: [UInt8] = []
        for place in bytes.indices {
            if !isSecret[place] {
                shown.append(bytes[place])
            } else if place == 0 || !isSecret[place - 1] {
                shown += Redaction.hidden.utf8
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Returns a text that is only shown: shortened, and with each secret replaced.
    func hidden(in text: String, shortenedTo limit: Int) -> String {
        hidden(in: text.shortened(to: limit)).shortened(to: limit)
    }
}

/// A value that is made when it is first needed, and kept.
private final class MadeOnce<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    func value(_ make: () -> Value) -> Value {
        made.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}

/// The pieces of all secrets in each spelling. Servers shorten what they repeat at either end, with any mark.
private struct SecretPieces: Sendable {
    /// Pieces that are hidden wherever they stand, by their length: sixteen bytes in a row, or a shorter spelling as a whole.
    private var sure: [Int: Set<UInt128>] = [:]
    /// Six bytes in a row, which are hidden where a text was cut off. Elsewhere they are also part of ordinary words.
    private var short: Set<UInt128> = []
    /// The spellings of very short secrets.
    private(set) var tiny: Set<String> = []

    private static let (sureLength, shortLength) = (16, 6)
    // A shorter secret is part of many words. To replace it there would show it.
    private static let shortestSecret = 4

    init(of secrets: Set<String>) {
        for secret in secrets {
            guard secret.count >= Self.shortestSecret else {
                tiny.formUnion(SecretSpelling.texts(of: secret))
                continue
            }
            for spelling in SecretSpelling.texts(of: secret).union(SecretSpelling.base64(of: secret)) {
                let length = min(spelling.utf8.count, Self.sureLength)
                sure[length, default: []].formUnion(Self.pieces(length, of: spelling.utf8))
                short.formUnion(Self.pieces(Self.shortLength, of: spelling.utf8))
            }
        }
    }

    /// Returns which bytes of a text belong to a piece.
    func places(in text: [UInt8]) -> [Bool] {
        var isSecret = [Bool](repeating: false, count: text.count)
        var isPiece = isSecret
        for (length, pieces) in sure { Self.mark(pieces, length, in: text, &isSecret) }
        Self.mark(short, Self.shortLength, in: text, &isPiece)
        var start = 0
        while let first = isPiece[start...].firstIndex(of: true) {
            let end = isPiece[first...].firstIndex(of: false) ?? text.count
            if end == text.count || Self.isMark(text[end...]) || Self.isMark(text[..<first].reversed()) {
                let space = text[first..<end].prefix { $0 == 0x20 }.count
                for place in first + space..<end { isSecret[place] = true }
            }
            start = end
        }
        return isSecret
    }

    private static func mark(_ pieces: Set<UInt128>, _ length: Int, in text: [UInt8], _ isFound: inout [Bool]) {
        for (start, piece) in Self.pieces(length, of: text).enumerated() where pieces.contains(piece) {
            for place in start..<start + length { isFound[place] = true }
        }
    }

    // All bytes in a row of a length, each as one number.
    private static func pieces(_ length: Int, of bytes: some Sequence<UInt8>) -> [UInt128] {
        var piece: UInt128 = 0
        return bytes.enumerated().compactMap { place, byte in
            piece = (piece << 8 | UInt128(byte)) & (.max >> UInt128(8 * (sureLength - length)))
            return place + 1 >= length ? piece : nil
        }
    }

    // Whether a text begins with a mark that does not belong to words or sentences: something was cut off there.
    private static func isMark(_ rest: some Collection<UInt8>) -> Bool {
        guard let byte = rest.first else { return false }
        if byte == UInt8(ascii: ".") { return rest.dropFirst().first == byte }
        return byte > 0x20 && !byte.isAlphanumeric && !"_-,;:!?'\"/=".utf8.contains(byte)
    }
}

/// The spellings in which servers repeat a secret. One encoding has several, because programs escape different characters.
private enum SecretSpelling {
    /// Returns a secret as it is, percent-encoded once and twice, and escaped for JSON and HTML.
    static func texts(of secret: String) -> Set<String> {
        Set([secret] + [true, false].flatMap { percentEncoded(secret, $0) + json(secret, $0) } + html(secret))
    }

    // Forms, RFC 3986 and JavaScript's `encodeURIComponent` keep different characters; forms write a space as “+”.
    private static func percentEncoded(_ secret: String, _ isUpper: Bool) -> [String] {
        ["-._~", "-._*", "-._~!*'()"].flatMap { kept in
            let encode = { (text: String) in
                text.utf8.map { byte in
                    let isKept = byte.isAlphanumeric || kept.utf8.contains(byte)
                    return isKept ? String(Unicode.Scalar(byte)) : "%" + digits(UInt16(byte), isUpper).suffix(2)
                }.joined()
            }
            let once = encode(secret)
            return [once, once.replacing("%20", with: "+")].flatMap { [$0, encode($0)] }
        }
    }

    // Programs escape what JSON demands; many also letters outside ASCII, markup or everything; and some the slash.
    private static func json(_ secret: String, _ isUpper: Bool) -> [String] {
        let escapes: [(Unicode.Scalar) -> Bool] = [
            { _ in false }, { !$0.isASCII }, { !$0.isASCII || "<>&'".unicodeScalars.contains($0) },
            { !$0.isASCII || "<>&'\"+`".unicodeScalars.contains($0) }, { _ in true },
        ]
        return escapes.flatMap { isEscaped in
            let text = secret.unicodeScalars.map { scalar in
                isEscaped(scalar)
                    ? String(scalar).utf16.map { "\\u" + digits($0, isUpper) }.joined()
                    : String(JSONText.quoted(String(scalar)).dropFirst().dropLast())
            }.joined()
            return [text, text.replacing("/", with: "\\/")]
        }
    }

    private static func html(_ secret: String) -> [String] {
        let names: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        let named = ["'", "&#39;", "&#039;", "&#x27;", "&apos;"].map { apostrophe in
            secret.unicodeScalars.map { $0 == "'" ? apostrophe : names[$0] ?? String($0) }.joined()
        }
        return named
            + [10, 16].map { radix in
                let start = radix == 16 ? "&#x" : "&#"
                return secret.unicodeScalars.map { start + String($0.value, radix: radix) + ";" }.joined()
            }
    }

    /// Returns the characters of base64 that depend on the secret alone, for each number of bytes before it modulo three, in
    /// both alphabets. A form that is encoded as a whole contains it percent-encoded.
    static func base64(of secret: String) -> Set<String> {
        let texts = [secret, PercentEncoding.encode(secret)].flatMap { text in
            (0...2).map { before in
                let encoded = Base64URL.encode([UInt8](repeating: 0, count: before) + Array(text.utf8))
                return String(encoded.prefix((before + text.utf8.count) * 8 / 6).dropFirst([0, 2, 3][before]))
            }
        }
        return Set(texts + texts.map { $0.replacing("-", with: "+").replacing("_", with: "/") })
    }

    /// Returns a number as four hexadecimal digits.
    private static func digits(_ number: UInt16, _ isUpper: Bool) -> String {
        let digits = String(number, radix: 16, uppercase: isUpper)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
