package import SusiBase

/// Compares a JSON value with a schema and reports all differences.
package struct SchemaCheck {
    let file: String

    /// Makes a check for values of a file, which messages name.
    package init(file: String) { self.file = file }

    /// Throws all differences between `node` and the schema.
    package func check(_ node: JSONNode, _ schema: SchemaNode) throws(PolicyFileError) {
        if let error = PolicyFileError(mistakes(in: node, schema)) { throw error }
    }

    private func mistakes(in node: JSONNode, _ schema: SchemaNode) -> [PolicyFileError] {
        switch schema {
        case .text(let text):
            guard let string = node.string else { return [mismatch(node, schema)] }
            guard !text.allows(string) else { return [] }
            return [
                PolicyFileError(
                    file: file, line: node.line, problem: "invalid value “\(string)”", expected: text.expected)
            ]
        case .choice(let words):
            guard let string = node.string else { return [mismatch(node, schema)] }
            guard !words.contains(string) else { return [] }
            return [
                PolicyFileError(
                    file: file, line: node.line,
                    problem: KeySource.instead(of: string).map { "“\(string)” was removed: \($0)" }
                        ?? "unknown value “\(string)”", expected: schema.expected,
                    nearMatch: NearMatch.of(string, in: words))
            ]
        case .flag: return node.bool == nil ? [mismatch(node, schema)] : []
        case .integer(let range):
            guard case .number(let text) = node.value, let number = Int64(text), range.contains(number) else {
                return [mismatch(node, schema)]
            }
            return []
        case .number(let range):
            guard case .number(let text) = node.value, let number = Double(text), range.contains(number) else {
                return [mismatch(node, schema)]
            }
            return []
        case .any: return []
        case .either(let shapes):
            return shapes.contains { mistakes(in: node, $0).isEmpty } ? [] : [mismatch(node, schema)]
        case .list(of: let element, atLeast: let least):
            return listMistakes(in: node, schema, element: element, atLeast: least)
        case .map(of: let element, name: let name): return mapMistakes(in: node, schema, element: element, name: name)
        case .object(let fields): return objectMistakes(in: node, schema, fields)
        }
    }

    private func listMistakes(
        in node: JSONNode, _ schema: SchemaNode, element: SchemaNode, atLeast least: Int
    ) -> [PolicyFileError] {
        guard let nodes = node.array else { return [mismatch(node, schema)] }
        guard nodes.count >= least else {
            return [
                PolicyFileError(
                    file: file, line: node.line, problem: "empty list",
                    expected: "\(least) or more elements, each \(element.expected)")
            ]
        }
        var found: [PolicyFileError] = []
        for (index, node) in nodes.enumerated() where found.count < PolicyFileError.most {
            for mistake in mistakes(in: node, element) { found.append(mistake.under("\(index)")) }
        }
        return found
    }

    private func mapMistakes(
        in node: JSONNode, _ schema: SchemaNode, element: SchemaNode, name: SchemaNode.Text
    ) -> [PolicyFileError] {
        guard case .object(let members) = node.value else { return [mismatch(node, schema)] }
        var found: [PolicyFileError] = []
        for member in members where found.count < PolicyFileError.most {
            if !name.allows(member.name) {
                found.append(
                    PolicyFileError(
                        file: file, line: member.line, problem: "invalid key “\(member.name)”",
                        expected: name.expected))
            }
            for mistake in mistakes(in: member.node, element) { found.append(mistake.under(member.name)) }
        }
        return found
    }

    private func objectMistakes(in node: JSONNode, _ schema: SchemaNode, _ fields: [SchemaNode.Field])
        -> [PolicyFileError]
    {
        guard case .object(let members) = node.value else { return [mismatch(node, schema)] }
        var found: [PolicyFileError] = []
        for member in members where found.count < PolicyFileError.most {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                found.append(unknown(member, fields))
                continue
            }
            for mistake in mistakes(in: member.node, field.shape) { found.append(mistake.under(field.name)) }
        }
        for field in fields where isRequired(field, node) && !members.contains(where: { $0.name == field.name }) {
            // A misspelled key is reported once.
            guard !found.contains(where: { $0.nearMatch == field.name }) else { continue }
            found.append(
                PolicyFileError(
                    file: file, line: node.line, problem: "“\(field.name)” is missing", expected: field.shape.expected))
        }
        return found
    }

    private func unknown(_ member: JSONNode.Member, _ fields: [SchemaNode.Field]) -> PolicyFileError {
        // Earlier versions shared a device for each application.
        if member.name == "deviceMode" {
            let command = member.node.string == "private" ? "" : ", and share the store with “susi store share”"
            return PolicyFileError(
                file: file, line: member.line, key: [member.name], problem: "removed: delete this line\(command)")
        }
        let names = fields.map(\.name)
        return PolicyFileError(
            file: file, line: member.line, key: [member.name], problem: "unknown key",
            expected: "one of " + names.map { "“\($0)”" }.joined(separator: ", "),
            nearMatch: NearMatch.of(member.name, in: names))
    }

    private func isRequired(_ field: SchemaNode.Field, _ node: JSONNode) -> Bool {
        guard let condition = field.condition else { return field.isRequired }
        return condition.holds(in: node)
    }

    private func mismatch(_ node: JSONNode, _ schema: SchemaNode) -> PolicyFileError {
        let found: String
        switch (schema, node.value) {
        case (.integer, .number(let text)), (.number, .number(let text)): found = text
        default: found = node.kind
        }
        return PolicyFileError(file: file, line: node.line, problem: "found \(found)", expected: schema.expected)
    }
}
