import SusiBase

extension XMLReader {
    /// Reads text up to the next tag; returns `nil` between the root element and the ends of the file.
    mutating func text() throws(XMLSyntaxError) -> String? {
        let start = position
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "<") {
            switch byte {
            case UInt8(ascii: "&"): text += try reference()
            case UInt8(ascii: "]") where starts("]]>"): throw mistake("]]> in a text: write ]]&gt;")
            // A line break of any system is a line feed (XML 1.0 section 2.11).
            case 0x0d:
                position += starts("\r\n") ? 2 : 1
                text.append(0x0a)
            default:
                text.append(byte)
                position += 1
            }
        }
        if !open.isEmpty { return String(decoding: text, as: UTF8.self) }
        guard text.allSatisfy(Self.isSpace), !bytes[start..<position].contains(UInt8(ascii: "&")) else {
            throw XMLSyntaxError(offset: start, problem: "text outside of the root element")
        }
        return nil
    }

    mutating func characterData() throws(XMLSyntaxError) -> String {
        let start = position
        position += "<![CDATA[".utf8.count
        let content = try skip(to: "]]>", "a CDATA section", from: start)
        var text: [UInt8] = []
        for (index, byte) in zip(content.indices, content) where byte != 0x0a || bytes[index - 1] != 0x0d {
            text.append(byte == 0x0d ? 0x0a : byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    mutating func skipComment() throws(XMLSyntaxError) {
        let start = position
        position += "<!--".utf8.count
        try skip(to: "--", "a comment", from: start)
        guard take(">") else { throw mistake("-- inside a comment") }
    }

    /// Skips the declaration of XML, or an instruction, which means nothing here.
    mutating func skipInstruction() throws(XMLSyntaxError) {
        let start = position
        position += 2
        let target = try name("an instruction")
        guard target.lowercased() == "xml" else {
            guard starts("?>") || skipSpace() else { throw mistake("expected ?> after <?\(target)") }
            try skip(to: "?>", "an instruction", from: start)
            return
        }
        guard target == "xml", bytes[..<start].withoutByteOrderMark.isEmpty else {
            throw XMLSyntaxError(offset: start, problem: "<?xml is not at the start of the file")
        }
        var rest: ArraySlice = ["version", "encoding", "standalone"]
        while skipSpace(), !starts("?>") {
            let attribute = try self.attribute()
            guard let index = rest.firstIndex(of: attribute.name), index == 0 || rest.first != "version",
                Self.isDeclared(attribute.name, attribute.value)
            else {
                let problem = "\(attribute.name)=\"\(attribute.value)\" is not supported; save the file as UTF-8"
                throw XMLSyntaxError(offset: attribute.offset, problem: problem)
            }
            rest = rest[(index + 1)...]
        }
        guard rest.first != "version", take("?"), take(">") else { throw mistake("incomplete <?xml … ?>") }
    }

    private static func isDeclared(_ name: String, _ value: String) -> Bool {
        switch name {
        case "version": value == "1.0"
        case "encoding": ["utf-8", "us-ascii"].contains(value.lowercased())
        default: ["yes", "no"].contains(value)
        }
    }

    /// Reads `&amp;` or `&#60;` and returns its character.
    mutating func reference() throws(XMLSyntaxError) -> [UInt8] {
        let start = position
        position += 1
        let body = bytes[position...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        let name = String(decoding: body, as: UTF8.self)
        guard bytes.indices.contains(body.endIndex), bytes[body.endIndex] == UInt8(ascii: ";") else {
            throw XMLSyntaxError(offset: start, problem: "& without an entity: write &amp;")
        }
        position = body.endIndex + 1
        if let character = Self.entities[name] { return [character] }
        guard name.hasPrefix("#"), let scalar = Self.scalar(name.dropFirst()), Self.isAllowed(scalar) else {
            throw XMLSyntaxError(offset: start, problem: "unknown entity &\(name);")
        }
        return Array(String(Character(scalar)).utf8)
    }

    private static func scalar(_ number: Substring) -> Unicode.Scalar? {
        let isHexadecimal = number.hasPrefix("x")
        let digits = isHexadecimal ? number.dropFirst() : number
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private static let entities: [String: UInt8] = [
        "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"), "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]
}

extension XMLReader {
    mutating func name(_ of: String) throws(XMLSyntaxError) -> String {
        let start = position
        while let byte = peek, Self.isNamePart(byte) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let first = name.unicodeScalars.first, Self.beginsName(first),
            name.unicodeScalars.allSatisfy(Self.continuesName)
        else { throw XMLSyntaxError(offset: start, problem: "expected the name of \(of)") }
        return name
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x80...: true
        default: ":_-.".utf8.contains(byte)
        }
    }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? !"0123456789-.".unicodeScalars.contains(scalar) : continuesName(scalar) && scalar != "\u{b7}"
    }

    // Letters, digits and marks of all languages (XML 1.0 section 2.3), without its list of ranges.
    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || scalar == "\u{b7}" || scalar.properties.isXIDContinue
    }

    /// Checks that the whole text is UTF-8 of characters that XML allows.
    func checkCharacters() throws(XMLSyntaxError) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw XMLSyntaxError(offset: 0, problem: "the file is UTF-16; save it as UTF-8")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw XMLSyntaxError(offset: 0, problem: "the file is not valid UTF-8")
        }
        let control = bytes.firstIndex { $0 < 0x20 && !Self.isSpace($0) }
        if let control { throw XMLSyntaxError(offset: control, problem: "a control character") }
        // U+FFFE and U+FFFF begin with this byte.
        guard bytes.contains(0xef) else { return }
        if let index = text.unicodeScalars.firstIndex(where: { !Self.isAllowed($0) }) {
            let offset = text.utf8.distance(from: text.startIndex, to: index)
            throw XMLSyntaxError(offset: offset, problem: "a character that XML does not allow")
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d, 0x20...0xfffd, 0x1_0000...: true
        default: false
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0a, 0x0d: true
        default: false
        }
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @discardableResult mutating func skipSpace() -> Bool {
        let start = position
        while let byte = peek, Self.isSpace(byte) { position += 1 }
        return position > start
    }

    /// Skips to the end of `mark`; returns what is before it.
    @discardableResult mutating func skip(
        to mark: String, _ what: String, from start: Int
    ) throws(XMLSyntaxError) -> ArraySlice<UInt8> {
        let begin = position
        while position < bytes.count {
            if starts(mark) {
                defer { position += mark.utf8.count }
                return bytes[begin..<position]
            }
            position += 1
        }
        throw XMLSyntaxError(offset: start, problem: "\(what) has no end")
    }

    func mistake(_ problem: String) -> XMLSyntaxError { XMLSyntaxError(offset: position, problem: problem) }
}
