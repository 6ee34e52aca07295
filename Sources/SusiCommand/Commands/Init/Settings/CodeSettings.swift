extension [Setting] {
    /// Reads the constants and the members of literals in a source file, whatever its language.
    init(code text: String) {
        var parser = CodeParser(CodeLexer.tokens(of: text))
        self = parser.settings()
    }
}

/// Finds `name = "text"`, `name: "text"` and lists of texts, with the names of the literals and calls around them.
private struct CodeParser {
    private let tokens: [CodeToken]
    private var position = 0
    private var found: [Setting] = []
    private var frames: [Frame] = [Frame(path: [])]
    // A name whose value begins with the next bracket.
    private var pending: String?

    /// What is between two brackets.
    private struct Frame {
        let path: [String]
        var position = 0
        /// Whether texts without a name are elements of a list.
        var isList = true
    }

    init(_ tokens: [CodeToken]) { self.tokens = tokens }

    mutating func settings() -> [Setting] {
        while position < tokens.count {
            if !readAssignment() { readToken() }
        }
        return found
    }

    private func token(_ position: Int) -> CodeToken? { tokens.indices.contains(position) ? tokens[position] : nil }
    private func isMark(_ character: Character, _ position: Int) -> Bool {
        token(position)?.isMark(character) ?? false
    }

    private mutating func add(_ path: [String], _ alternatives: [[Setting.Part]]) {
        if path.contains(where: { !ReadSetting.isPosition($0) }) { found.append(Setting(path, alternatives)) }
    }

    private mutating func readToken() {
        let token = tokens[position]
        position += 1
        switch token.value {
        case .mark("{"), .mark("["): open(isCall: false)
        case .mark("("): open(isCall: true)
        case .mark("}"), .mark("]"), .mark(")"):
            if frames.count > 1 { frames.removeLast() }
            pending = nil
        case .mark(","):
            frames[frames.count - 1].position += 1
            pending = nil
        case .mark(";"): pending = nil
        case .text(let parts):
            guard let frame = frames.last, frame.isList else { return }
            add(frame.path + ["\(frame.position)"], [parts])
        case .word, .mark: break
        }
    }

    // The arguments of a call without a name say nothing.
    private mutating func open(isCall: Bool) {
        let outer = frames.last?.path ?? []
        let path = outer.count < Setting.deepest ? outer + [pending].compactMap(\.self) : outer
        frames.append(Frame(path: path, isList: !isCall || pending != nil))
        pending = nil
    }

    // The names of types, which a colon may follow, are not part of a path.
    private static let types = ["class", "struct", "enum", "extension", "interface", "protocol", "actor"]

    // Reads a name with its value, or up to the bracket that begins it.
    private mutating func readAssignment() -> Bool {
        guard let name = tokens[position].name, let start = valueStart(), let path = frames.last?.path,
            !Self.types.contains(token(position - 1)?.name ?? "")
        else { return false }
        position = start
        if let value = expression() {
            add(path + [name], value)
            pending = nil
        } else {
            position = start
            pending = name
        }
        return true
    }

    // The place of the value after a name, behind `=`, `=>` or `:`, and behind a type between the two.
    private func valueStart() -> Int? {
        if isMark("=", position + 1) { return afterEquals(position + 1) }
        guard isMark(":", position + 1), !isMark(":", position + 2) else { return nil }
        var next = position + 2
        while let token = token(next), token.line == tokens[position].line, Self.isInType(token) { next += 1 }
        return isMark("=", next) ? afterEquals(next) ?? position + 2 : position + 2
    }

    private func afterEquals(_ equals: Int) -> Int? {
        if isMark("=", equals + 1) { return nil }
        return isMark(">", equals + 1) ? equals + 2 : equals + 1
    }

    private static func isInType(_ token: CodeToken) -> Bool {
        switch token.value {
        case .word: true
        case .mark(let mark): "[]<>.?|".contains(mark)
        case .text: false
        }
    }

    // MARK: Values

    // Operands with `+`, `||` and `??` between them.
    private mutating func expression() -> [[Setting.Part]]? {
        guard var alternatives = operand() else { return nil }
        while true {
            if isMark("+", position), !isMark("+", position + 1) {
                position += 1
                guard let more = operand()?.first, let last = alternatives.popLast() else { return nil }
                alternatives.append(last + more)
            } else if isMark("|", position) && isMark("|", position + 1)
                || isMark("?", position) && isMark("?", position + 1)
            {
                position += 2
                guard let more = operand() else { return alternatives }
                alternatives += more
            } else {
                return alternatives
            }
        }
    }

    private mutating func operand() -> [[Setting.Part]]? {
        if case .text(let parts) = token(position)?.value {
            position += 1
            return [parts]
        }
        var names: [String] = []
        while case .word(let word) = token(position)?.value {
            names.append(word)
            position += 1
            if isMark("!", position), !isMark("=", position + 1) { position += 1 }
            guard isMark(".", position) || isMark("?", position) && isMark(".", position + 1) else { break }
            position += isMark(".", position) ? 1 : 2
        }
        guard !names.isEmpty else { return nil }
        if isMark("(", position) || isMark("[", position) { return variable(names) }
        if isMark("{", position) { return nil }
        return names == ["true"] || names == ["false"] ? [[.text(names[0])]] : [[.reference(names)]]
    }

    // `os.getenv("NAME", "default")`, `process.env["NAME"]`.
    private mutating func variable(_ names: [String]) -> [[Setting.Part]]? {
        guard names.contains(where: { $0.lowercased().contains("env") }), let name = token(position + 1)?.name else {
            return nil
        }
        position += 2
        var alternatives: [[Setting.Part]] = [[.reference([name])]]
        if isMark(",", position), case .text(let usual) = token(position + 1)?.value {
            alternatives.append(usual)
            position += 2
        }
        guard isMark(")", position) || isMark("]", position) else { return nil }
        position += 1
        return alternatives
    }
}
