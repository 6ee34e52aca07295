import SusiBase

/// What an XML text consists of, in its order.
enum XMLEvent {
    case start(name: String, attributes: [XMLAttribute], offset: Int)
    case end
    case text(String)
}

/// An attribute of an element, with the place of its name.
struct XMLAttribute: Sendable {
    let name: String
    let value: String
    let offset: Int
}

/// The first mistake that makes a text no XML.
struct XMLSyntaxError: Error {
    let offset: Int
    let problem: String
}

/// Reads XML 1.0 in UTF-8, event by event. It accepts no document type and no entities but the five of XML, so a text
/// cannot grow or name other files.
///
/// Foundation's reader brings libxml2 and ICU.
struct XMLReader {
    private static let deepest = 64
    private static let mostAttributes = 64
    let bytes: [UInt8]
    var position: Int
    // The elements around the position.
    private(set) var open: [(name: String, offset: Int)] = []
    private var hasRoot = false
    // Whether the last tag was `<a/>`, which is a start and an end.
    private var endsAtOnce = false

    init(_ bytes: [UInt8]) throws(XMLSyntaxError) {
        self.bytes = bytes
        position = bytes.count - bytes.withoutByteOrderMark.count
        try checkCharacters()
    }

    /// Returns the next event; `nil` after the end of the root element.
    mutating func next() throws(XMLSyntaxError) -> XMLEvent? {
        if endsAtOnce {
            endsAtOnce = false
            open.removeLast()
            return .end
        }
        while let byte = peek {
            if byte != UInt8(ascii: "<") {
                if let text = try text() { return .text(text) }
            } else if starts("<!--") {
                try skipComment()
            } else if starts("<?") {
                try skipInstruction()
            } else if starts("<![CDATA["), !open.isEmpty {
                return .text(try characterData())
            } else if starts("<!") {
                throw mistake("a document type or another declaration is not supported")
            } else if starts("</") {
                return try endTag()
            } else {
                return try startTag()
            }
        }
        if let last = open.last { throw XMLSyntaxError(offset: last.offset, problem: "<\(last.name)> has no end tag") }
        guard hasRoot else { throw mistake("the file has no element") }
        return nil
    }

    private mutating func startTag() throws(XMLSyntaxError) -> XMLEvent {
        let start = position
        guard !open.isEmpty || !hasRoot else { throw mistake("a second element after the end of the root element") }
        guard open.count < Self.deepest else { throw mistake("more than \(Self.deepest) nested elements") }
        position += 1
        let name = try name("an element")
        var attributes: [XMLAttribute] = []
        var hasSpace = skipSpace()
        while let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            guard hasSpace else { throw mistake("expected a space before an attribute") }
            let attribute = try self.attribute()
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw XMLSyntaxError(offset: attribute.offset, problem: "duplicate attribute “\(attribute.name)”")
            }
            guard attributes.count < Self.mostAttributes else { throw mistake("too many attributes") }
            attributes.append(attribute)
            hasSpace = skipSpace()
        }
        endsAtOnce = take("/")
        guard take(">") else { throw mistake("expected > at the end of <\(name)") }
        open.append((name, start))
        hasRoot = true
        return .start(name: name, attributes: attributes, offset: start)
    }

    mutating func attribute() throws(XMLSyntaxError) -> XMLAttribute {
        let start = position
        let name = try name("an attribute")
        skipSpace()
        guard take("=") else { throw mistake("expected = after the attribute “\(name)”") }
        skipSpace()
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw mistake("expected the value of “\(name)” in quotes")
        }
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw mistake("< in the value of “\(name)”: write &lt;, or close the quotes")
            case UInt8(ascii: "&"): value += try reference()
            case 0x0d where starts("\r\n"): position += 1
            case 0x09, 0x0a, 0x0d:
                value.append(0x20)
                position += 1
            default:
                value.append(byte)
                position += 1
            }
        }
        guard peek == quote else {
            throw XMLSyntaxError(offset: start, problem: "the value of “\(name)” has no closing quote")
        }
        position += 1
        return XMLAttribute(name: name, value: String(decoding: value, as: UTF8.self), offset: start)
    }

    private mutating func endTag() throws(XMLSyntaxError) -> XMLEvent {
        let start = position
        position += 2
        let name = try name("an element")
        skipSpace()
        guard take(">") else { throw mistake("expected > at the end of </\(name)") }
        guard let last = open.popLast() else {
            throw XMLSyntaxError(offset: start, problem: "</\(name)> ends no element")
        }
        guard last.name == name else {
            throw XMLSyntaxError(offset: start, problem: "</\(name)> instead of </\(last.name)>")
        }
        return .end
    }
}
