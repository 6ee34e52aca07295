/// Holds a JSON value against a shape and reports the first difference. The way to it is put together while the error
/// travels up, so that a right file costs none of it.
package struct ShapeCheck {
    let file: String

    /// Checks values of a file, which messages name.
    package init(file: String) { self.file = file }

    /// Throws where `node` differs from `shape`.
    package func check(_ node: JSONNode, _ shape: Shape) throws(PolicyFileError) {
        switch shape {
        case .text(let text):
            guard let string = node.string else { throw mismatch(node, shape) }
            guard text.allows(string) else {
                throw PolicyFileError(
                    file: file, line: node.line, problem: "“\(string)” cannot stand here",
                    expected: text.expected)
            }
        case .choice(let words):
            guard let string = node.string else { throw mismatch(node, shape) }
            guard words.contains(string) else {
                throw PolicyFileError(
                    file: file, line: node.line, problem: "“\(string)” is unknown",
                    expected: shape.expected, nearMatch: NearMatch.of(string, in: words))
            }
        case .flag:
            guard node.bool != nil else { throw mismatch(node, shape) }
        case .count:
            guard case .number(let text) = node.value, UInt32(text) != nil else { throw mismatch(node, shape) }
        case .port:
            guard case .number(let text) = node.value, UInt16(text) != nil else { throw mismatch(node, shape) }
        case .list(of: let element, atLeast: let least):
            guard let nodes = node.array else { throw mismatch(node, shape) }
            guard nodes.count >= least else {
                throw PolicyFileError(
                    file: file, line: node.line, problem: "the list is empty", expected: shape.expected)
            }
            for (index, node) in nodes.enumerated() {
                do { try check(node, element) } catch { throw error.under("\(index)") }
            }
        case .map(of: let element, name: let name): try checkMap(node, shape, element, name)
        case .object(let fields): try checkObject(node, shape, fields)
        }
    }

    private func checkMap(
        _ node: JSONNode, _ shape: Shape, _ element: Shape, _ name: Shape.Text
    ) throws(PolicyFileError) {
        guard case .object(let members) = node.value else { throw mismatch(node, shape) }
        for member in members {
            guard name.allows(member.name) else {
                throw PolicyFileError(
                    file: file, line: member.line, problem: "“\(member.name)” cannot be a key here",
                    expected: name.expected)
            }
            do { try check(member.node, element) } catch { throw error.under(member.name) }
        }
    }

    private func checkObject(
        _ node: JSONNode, _ shape: Shape, _ fields: [Shape.Field]
    ) throws(PolicyFileError) {
        guard case .object(let members) = node.value else { throw mismatch(node, shape) }
        for member in members {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                let names = fields.map(\.name)
                throw PolicyFileError(
                    file: file, line: member.line, key: [member.name], problem: "this key is unknown",
                    expected: "one of " + names.map { "“\($0)”" }.joined(separator: ", "),
                    nearMatch: NearMatch.of(member.name, in: names))
            }
            do { try check(member.node, field.shape) } catch { throw error.under(field.name) }
        }
        if let missing = fields.first(where: { field in
            isRequired(field, node) && !members.contains { $0.name == field.name }
        }) {
            throw PolicyFileError(
                file: file, line: node.line, problem: "“\(missing.name)” is missing",
                expected: missing.shape.expected)
        }
    }

    private func isRequired(_ field: Shape.Field, _ node: JSONNode) -> Bool {
        guard let condition = field.condition else { return field.isRequired }
        return node[condition.key]?.string == condition.value
    }

    private func mismatch(_ node: JSONNode, _ shape: Shape) -> PolicyFileError {
        PolicyFileError(
            file: file, line: node.line, problem: "this is \(node.kind)", expected: shape.expected)
    }
}
