import SusiBase

/// Finds what the schema of policies does not allow in one file.
struct SchemaCheck {
    private let schema = Schema.policy
    private(set) var problems = ProblemList()

    mutating func check(_ root: Element) { check(root, as: root.name, values: nil) }

    private mutating func check(_ element: Element, as name: String, values: String?) {
        let type = schema.type(name)
        checkAttributes(of: element, type)
        checkText(of: element, type, values)
        guard type.content == .elements else {
            if type.content == .text, let child = element.children.first {
                problems.add(.childInText(child.name, in: element.name), at: child)
            }
            return
        }
        checkOrder(of: element, type.children)
        checkKeys(in: element)
        for child in element.children where !problems.isFull {
            guard let known = type.children.first(where: { $0.name == child.name }) else { continue }
            check(child, as: known.type, values: known.values)
        }
    }

    private mutating func checkAttributes(of element: Element, _ type: Schema.ElementType) {
        for attribute in type.attributes where attribute.isRequired && element[attribute.name] == nil {
            let near = NearMatch.of(attribute.name, in: element.attributes.map(\.name))
            problems.add(.missingAttribute(attribute.name, of: element.name, written: near), at: element)
        }
        for attribute in element.attributes {
            guard let known = type.attributes.first(where: { $0.name == attribute.name }) else {
                let near = NearMatch.of(attribute.name, in: type.attributes.map(\.name))
                problems.add(.unknownAttribute(attribute.name, of: element.name, near), at: element, attribute.name)
                continue
            }
            guard let kind = known.values, !Placeholder.isOne(attribute.value),
                !Schema.isValue(attribute.value, of: kind)
            else { continue }
            let what = "The '\(attribute.name)' attribute"
            problems.add(.wrongValue(attribute.value, kind, what), at: element, attribute.name)
        }
    }

    private mutating func checkText(of element: Element, _ type: Schema.ElementType, _ values: String?) {
        switch type.content {
        case .any: break
        case .text:
            guard let kind = values, !Placeholder.isOne(element.text), element.children.isEmpty else { return }
            if !Schema.isValue(element.text, of: kind) {
                problems.add(.wrongValue(element.text, kind, "The '\(element.name)' element"), at: element)
            }
        case .elements where type.children.isEmpty && !element.text.isEmpty:
            problems.add(.textInEmpty(element.name), at: element)
        case .elements:
            if !element.text.isBlank { problems.add(.text(element.text.trimmed, in: element.name), at: element) }
        }
    }

    // Names each child that is unknown or behind one that follows it, and what is missing.
    private mutating func checkOrder(of element: Element, _ known: [Schema.Child]) {
        var (next, counts, hasOther) = (0, [Int](repeating: 0, count: known.count), false)
        for child in element.children where !problems.isFull {
            let index = known.firstIndex { $0.name == child.name }
            guard let index, index >= next, counts[index] == 0 || known[index].isRepeated else {
                let rest = known[next...].enumerated().filter { counts[next + $0.offset] == 0 || $0.element.isRepeated }
                let expected = rest.map(\.element.name)
                problems.add(
                    .invalidChild(child.name, of: element.name, expected: expected, known: known.map(\.name)), at: child
                )
                if let index { counts[index] += 1 } else { hasOther = true }
                continue
            }
            counts[index] += 1
            next = index
        }
        let missing = zip(known, counts).filter { $0.isRequired && $1 == 0 }.map(\.0.name)
        if !missing.isEmpty, !hasOther { problems.add(.incomplete(element.name, expected: missing), at: element) }
    }

    private mutating func checkKeys(in element: Element) {
        for key in Schema.keys where key.scope == element.name {
            var seen: [String: Element] = [:]
            for keyed in element.all(key.path) {
                guard let value = keyed[key.attribute] else { continue }
                if seen[value] != nil {
                    problems.add(.duplicate(keyed.name, key.attribute, value), at: keyed)
                } else {
                    seen[value] = keyed
                }
            }
        }
    }
}
