import SusiPolicies
import Synchronization

/// The secrets that an exchange has sent. A server may repeat them in its texts, as they are or in a usual encoding.
public struct SentSecrets: Sendable {
    private var secrets: Set<String> = []
    // Made when a text is first looked through: most exchanges show none.
    private var spellings = MadeOnce<SecretSpellings>()

    // Where a text is cut off, the beginning of a secret is hidden too, from this number of bytes. A shorter one is also the
    // end of an ordinary word, and shows little of the secret.
    private static let shortestBeginning = 6
    // What stands where a text was cut off, unless it ends there.
    private static let ellipses = ["…", "...", "\u{fffd}"].map { Array($0.utf8) }

    /// Makes a collection of secrets.
    public init(_ secrets: String?...) { for secret in secrets { insert(secret ?? "") } }

    /// Adds the secrets of a form, known by the names of its fields.
    package mutating func add(form: String) {
        for field in FormEncoding.decode(form) ?? [] where Redaction.isSecret(field.name) { insert(field.value) }
    }

    private mutating func insert(_ secret: String) {
        guard !secret.isEmpty else { return }
        secrets.insert(secret)
        spellings = MadeOnce()
    }

    /// Returns a server's text with each secret replaced. A text that contains a very short one is replaced as a whole.
    ///
    /// The time is proportional to the size of the text: a server chooses it.
    package func hidden(in text: String) -> String {
        if secrets.isEmpty || text.isEmpty { return text }
        let bytes = Array(text.utf8)
        let spellings = spellings.value { SecretSpellings(of: secrets) }
        var isSecret = [Bool](repeating: false, count: bytes.count)
        for spelling in spellings.short { Self.find(spelling, in: bytes, &isSecret) }
        if isSecret.contains(true) { return Redaction.hidden }
        for spelling in spellings.base64 { Self.find(spelling, in: bytes, &isSecret) }
        Self.extendToRuns(in: bytes, &isSecret)
        for spelling in spellings.whole { Self.find(spelling, in: bytes, &isSecret) }
        guard isSecret.contains(true) else { return text }
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

    // The characters beside a secret in base64 depend on it too, so that all of its digits are hidden.
    private static func extendToRuns(in text: [UInt8], _ isSecret: inout [Bool]) {
        guard isSecret.contains(true) else { return }
        let isDigit = { (byte: UInt8) in byte.isAlphanumeric || "+/-_=".utf8.contains(byte) }
        for places in [Array(text.indices.dropFirst()), text.indices.dropFirst().reversed()] {
            for place in places where isDigit(text[place]) && isDigit(text[place - 1]) {
                let isEither = isSecret[place - 1] || isSecret[place]
                (isSecret[place - 1], isSecret[place]) = (isEither, isEither)
            }
        }
    }

    // Knuth, Morris and Pratt: `matched` is the length of the longest beginning of the spelling that ends before `place`.
    private static func find(_ spelling: [UInt8], in text: [UInt8], _ isSecret: inout [Bool]) {
        guard text.count >= min(spelling.count, shortestBeginning) else { return }
        let spelling = (whole: spelling.count, bytes: Array(spelling.prefix(text.count)))
        let retries = retries(in: spelling.bytes)
        var (matched, hiddenEnd) = (0, 0)
        func hide(to end: Int) {
            for place in max(end - matched, hiddenEnd)..<max(end, hiddenEnd) { isSecret[place] = true }
            hiddenEnd = max(end, hiddenEnd)
        }
        for place in text.indices {
            if matched >= shortestBeginning, isCutOff(text, at: place) { hide(to: place) }
            while matched > 0, matched == spelling.bytes.count || spelling.bytes[matched] != text[place] {
                matched = retries[matched - 1]
            }
            if spelling.bytes[matched] == text[place] { matched += 1 }
            if matched == spelling.whole { hide(to: place + 1) }
        }
        if matched >= shortestBeginning { hide(to: text.count) }
    }

    // For each beginning, the length of the longest shorter one that ends it.
    private static func retries(in spelling: [UInt8]) -> [Int] {
        var retries = [0]
        for byte in spelling.dropFirst() {
            var length = retries[retries.count - 1]
            while length > 0, spelling[length] != byte { length = retries[length - 1] }
            retries.append(spelling[length] == byte ? length + 1 : 0)
        }
        return retries
    }

    private static func isCutOff(_ text: [UInt8], at place: Int) -> Bool {
        ellipses.contains { text[place] == $0[0] && text[place...].starts(with: $0) }
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

/// The spellings of all secrets, as UTF-8.
private struct SecretSpellings: Sendable {
    private(set) var whole: Set<[UInt8]> = []
    /// Those in base64, as parts of a longer text that was encoded.
    private(set) var base64: Set<[UInt8]> = []
    /// Those of very short secrets.
    private(set) var short: Set<[UInt8]> = []

    // A shorter secret is part of many words. To replace it there would show it.
    private static let shortest = 4

    init(of secrets: Set<String>) {
        for secret in secrets {
            let texts = SecretSpelling.texts(of: secret).map { Array($0.utf8) }
            guard secret.count >= Self.shortest else {
                short.formUnion(texts)
                continue
            }
            whole.formUnion(texts)
            base64.formUnion(SecretSpelling.base64(of: secret).map { Array($0.utf8) })
        }
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
        let texts = [secret, FormEncoding.encode(secret)].flatMap { text in
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
