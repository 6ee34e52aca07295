/// A recursive-descent parser for JSON (RFC 8259) with limited depth.
struct JSONParser {
    private static let deepest = 64
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    // The line of the last comma.
    private var comma = 1
    private var room: Int
    // Whether the text is a file written by hand, for which several mistakes are reported.
    private let isFile: Bool
    /// The mistakes after which parsing continued.
    private(set) var tolerated: [JSONSyntaxError] = []

    /// Makes a parser. `limit` is the maximum number of values, because a value needs many times the memory of its
    /// text.
    init(_ bytes: [UInt8], limit: Int = .max, isFile: Bool = false) {
        self.bytes = bytes
        room = limit
        self.isFile = isFile
    }

    mutating func wholeText() throws(JSONSyntaxError) -> JSONNode {
        // Strings are cut at ASCII characters, so they are valid if the whole text is.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw mistake("not valid UTF-8") }
        let node = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw mistake("unexpected text after the end of the value") }
        return node
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        guard depth <= Self.deepest else { throw mistake("more than \(Self.deepest) nested levels") }
        guard room > 0 else { throw mistake("too many values") }
        room -= 1
        skipSpace()
        let start = line
        let value: JSONNode.Content
        switch peek {
        case UInt8(ascii: "{"): value = try object(depth)
        case UInt8(ascii: "["): value = try array(depth)
        case UInt8(ascii: "\""): value = .string(try string())
        case UInt8(ascii: "t"): value = try word("true", .bool(true))
        case UInt8(ascii: "f"): value = try word("false", .bool(false))
        case UInt8(ascii: "n"): value = try word("null", .null)
        case nil: throw mistake("expected a value, found the end of the file")
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): value = .number(try number())
        default: throw mistake("expected a value")
        }
        return JSONNode(value: value, line: start)
    }

    private mutating func object(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Content {
        position += 1
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            if endsAfterComma("}") { break }
            let start = line
            guard peek == UInt8(ascii: "\"") else { throw mistake("expected a name in double quotes") }
            let name = try string()
            if !names.insert(name).inserted { try tolerate("duplicate key “\(name)”") }
            skipSpace()
            guard take(":") else { throw mistake("expected a colon after “\(name)”") }
            members.append(JSONNode.Member(name, try value(depth: depth + 1), line: start))
            skipSpace()
            comma = line
        } while take(",")
        guard take("}") else { throw mistake("expected a comma or }") }
        return .object(members)
    }

    // Returns whether a file has the bracket directly after a comma, and notes that mistake.
    private mutating func endsAfterComma(_ bracket: Unicode.Scalar) -> Bool {
        skipSpace()
        guard isFile, peek == UInt8(ascii: bracket) else { return false }
        tolerated.append(JSONSyntaxError(line: comma, problem: "trailing comma before \(bracket)"))
        return true
    }

    private mutating func tolerate(_ problem: String) throws(JSONSyntaxError) {
        guard isFile else { throw mistake(problem) }
        tolerated.append(mistake(problem))
    }

    private mutating func array(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Content {
        position += 1
        var nodes: [JSONNode] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat {
            if endsAfterComma("]") { break }
            nodes.append(try value(depth: depth + 1))
            skipSpace()
            comma = line
        } while take(",")
        guard take("]") else { throw mistake("expected a comma or ]") }
        return .array(nodes)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        // Most strings have no escape and are copied.
        let plain = bytes[position...].prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        position = plain.endIndex
        var text = Array(plain)
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw mistake("unescaped control character in a string")
            default: text.append(byte)
            }
        }
        throw mistake("a string has no closing quote")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = peek else { throw mistake("a string has no closing quote") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try scalar()).utf8))
        default: throw mistake("unknown escape in a string")
        }
    }

    private mutating func scalar() throws(JSONSyntaxError) -> Character {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard take("\\"), take("u") else {
            throw mistake("incomplete surrogate pair")
        }
        let second = try fourDigits()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw mistake("incomplete surrogate pair") }
        return Character(scalar)
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw mistake("expected four hexadecimal digits after \\u") }
        position += 4
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = position
        _ = take("-")
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else {
            throw mistake("a number has no digits or starts with 0")
        }
        if take("."), digits() == 0 { throw mistake("expected digits after the decimal point") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            if digits() == 0 { throw mistake("expected digits in the exponent") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let count = bytes[position...].prefix(while: Self.digits.contains).count
        position += count
        return count
    }

    private mutating func word(_ word: String, _ value: JSONNode.Content) throws(JSONSyntaxError) -> JSONNode.Content {
        guard bytes[position...].starts(with: word.utf8) else { throw mistake("expected a value") }
        position += word.utf8.count
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case 0x0a: line += 1
            case 0x20, 0x09, 0x0d: break
            default:
                guard isFile, skipComment() else { return }
                continue
            }
            position += 1
        }
    }

    // `//` and `#` up to the end of the line, `/*` up to `*/`.
    private mutating func skipComment() -> Bool {
        let rest = bytes[position...]
        let isBlock = rest.starts(with: "/*".utf8)
        guard isBlock || rest.starts(with: "//".utf8) || rest.first == UInt8(ascii: "#") else { return false }
        tolerated.append(mistake("JSON has no comments: remove this one"))
        if isBlock {
            position += 2
            while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) {
                if bytes[position] == 0x0a { line += 1 }
                position += 1
            }
            position = min(bytes.count, position + 2)
        } else {
            position = rest.firstIndex(of: 0x0a) ?? bytes.count
        }
        return true
    }

    private func mistake(_ problem: String) -> JSONSyntaxError { JSONSyntaxError(line: line, problem: problem) }
}
