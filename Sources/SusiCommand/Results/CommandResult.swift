import FoundationEssentials

/// What a command found out: text and JSON come from the same value.
protocol CommandResult: Encodable {
    /// The text, line by line, with every foreign text made safe.
    func lines(_ style: Style) -> [String]
}

extension CommandResult {
    /// One object with fixed keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Terminal.safeJSON(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
}
