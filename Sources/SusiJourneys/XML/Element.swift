import SusiBase

/// An element of a policy file, or one that is merged of those of several files. Its parts know where they are from.
package final class Element: Sendable {
    let name: String
    let attributes: [XMLAttribute]
    let children: [Element]
    /// The text directly in the element.
    let text: String
    let place: Place

    /// Where an element begins.
    package struct Place: Hashable, Sendable {
        /// The number of its file.
        package let file: Int
        package let offset: Int
    }

    init(_ name: String, _ attributes: [XMLAttribute], _ children: [Element], text: String, at place: Place) {
        (self.name, self.attributes, self.children, self.text, self.place) = (name, attributes, children, text, place)
    }

    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Where an attribute is, or the element if it has none of this name.
    func place(of name: String) -> Place {
        Place(file: place.file, offset: attributes.first { $0.name == name }?.offset ?? place.offset)
    }

    /// The first child of a name.
    func child(_ name: String) -> Element? { children.first { $0.name == name } }

    /// The elements at a path of names below this one, for example `InputClaims/InputClaim`.
    func all(_ path: String...) -> [Element] { all(path) }

    func all(_ path: [String]) -> [Element] {
        path.reduce([self]) { elements, name in elements.flatMap { $0.children.filter { $0.name == name } } }
    }

    /// The text of a child, without white space around it.
    func text(of child: String) -> String? { self.child(child)?.text.trimmed }

    /// The element and everything in it, in the order of the text.
    func forEach(_ body: (Element) -> Void) {
        body(self)
        for child in children { child.forEach(body) }
    }
}

extension String {
    /// Whether it is only XML's white space.
    var isBlank: Bool { utf8.allSatisfy(XMLReader.isSpace) }
}

extension Element {
    /// The namespace of policies.
    static let namespace = "http://schemas.microsoft.com/online/cpim/schemas/2013/06"

    /// Reads a whole text; returns `nil` if it is no policy. The name of an element in another namespace contains the
    /// namespace, so that it is no name of a policy.
    static func parse(_ bytes: [UInt8], file: Int) throws(XMLSyntaxError) -> Element? {
        var reader = try XMLReader(bytes)
        var open = [OpenElement(name: "", attributes: [], offset: 0, namespaces: [:])]
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes, let offset):
                let element = OpenElement(name, attributes, offset, in: open[open.count - 1].namespaces)
                guard open.count > 1 || element.name == "TrustFrameworkPolicy" else { return nil }
                open.append(element)
            case .text(let text): open[open.count - 1].text += text
            case .end:
                let last = open.removeLast()
                open[open.count - 1].children.append(last.element(in: file))
            }
        }
        return open[0].children.first
    }
}

// An element whose end is not read yet.
private struct OpenElement {
    var name: String
    var attributes: [XMLAttribute]
    let offset: Int
    // By prefix; the default namespace has an empty one.
    var namespaces: [Substring: String]
    var children: [Element] = []
    var text = ""
}

extension OpenElement {
    init(_ name: String, _ attributes: [XMLAttribute], _ offset: Int, in outer: [Substring: String]) {
        self.init(name: name, attributes: attributes, offset: offset, namespaces: outer)
        for attribute in attributes where attribute.name.hasPrefix("xmlns") {
            namespaces[attribute.name.dropFirst("xmlns:".count)] = attribute.value
        }
        // Declarations and attributes of other namespaces, such as xsi:schemaLocation, belong to no policy.
        self.attributes.removeAll { $0.name == "xmlns" || $0.name.contains(":") }
        let parts = name.split(separator: ":", maxSplits: 1)
        let namespace = namespaces[parts.count == 2 ? parts[0] : ""] ?? ""
        if let local = parts.last {
            self.name = namespace == Element.namespace ? String(local) : "\(local) (of “\(namespace)”)"
        }
    }

    func element(in file: Int) -> Element {
        // White space between elements is no text.
        let text = !children.isEmpty && text.isBlank ? "" : text
        return Element(name, attributes, children, text: text, at: Element.Place(file: file, offset: offset))
    }
}
