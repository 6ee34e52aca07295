/// Holds a JSON value against a shape and reports the first difference.
struct ShapeCheck {
    let file: String

    func check(_ node: JSONNode, _ shape: Shape, _ key: [String] = []) throws(PolicyFileError) {
        switch shape {
        case .text(let text):
            guard let string = node.string else { throw mismatch(node, shape, key) }
            guard text.allows(string) else {
                throw PolicyFileError(
                    file: file, line: node.line, key: key, problem: "“\(string)” cannot stand here",
                    expected: text.expected)
            }
        case .choice(let words):
            guard let string = node.string else { throw mismatch(node, shape, key) }
            guard words.contains(string) else {
                throw PolicyFileError(
                    file: file, line: node.line, key: key, problem: "“\(string)” is unknown",
                    expected: shape.expected, nearMatch: NearMatch.of(string, in: words))
            }
        case .flag:
            guard node.bool != nil else { throw mismatch(node, shape, key) }
        case .port:
            guard case .number(let text) = node.value, UInt16(text) != nil else { throw mismatch(node, shape, key) }
        case .list(of: let element, atLeast: let least):
            guard let nodes = node.array else { throw mismatch(node, shape, key) }
            guard nodes.count >= least else {
                throw PolicyFileError(
                    file: file, line: node.line, key: key, problem: "the list is empty", expected: shape.expected)
            }
            for (index, node) in nodes.enumerated() { try check(node, element, key + ["\(index)"]) }
        case .map(of: let element, name: let name): try checkMap(node, shape, element, name, key)
        case .object(let fields): try checkObject(node, shape, fields, key)
        }
    }

    private func checkMap(
        _ node: JSONNode, _ shape: Shape, _ element: Shape, _ name: Shape.Text, _ key: [String]
    ) throws(PolicyFileError) {
        guard case .object(let members) = node.value else { throw mismatch(node, shape, key) }
        for member in members {
            guard name.allows(member.name) else {
                throw PolicyFileError(
                    file: file, line: member.line, key: key, problem: "“\(member.name)” cannot be a key here",
                    expected: name.expected)
            }
            try check(member.node, element, key + [member.name])
        }
    }

    private func checkObject(
        _ node: JSONNode, _ shape: Shape, _ fields: [Shape.Field], _ key: [String]
    ) throws(PolicyFileError) {
        guard case .object(let members) = node.value else { throw mismatch(node, shape, key) }
        for member in members {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                let names = fields.map(\.name)
                throw PolicyFileError(
                    file: file, line: member.line, key: key + [member.name], problem: "this key is unknown",
                    expected: "one of " + names.map { "“\($0)”" }.joined(separator: ", "),
                    nearMatch: NearMatch.of(member.name, in: names))
            }
            try check(member.node, field.shape, key + [field.name])
        }
        if let missing = fields.first(where: { field in
            field.isRequired && !members.contains { $0.name == field.name }
        }) {
            throw PolicyFileError(
                file: file, line: node.line, key: key, problem: "“\(missing.name)” is missing",
                expected: missing.shape.expected)
        }
    }

    private func mismatch(_ node: JSONNode, _ shape: Shape, _ key: [String]) -> PolicyFileError {
        PolicyFileError(
            file: file, line: node.line, key: key, problem: "this is \(node.kind)", expected: shape.expected)
    }
}
