import FoundationEssentials

/// The result of a command. Text and JSON come from the same value.
protocol CommandResult: Encodable {
    /// Returns the lines of text, with all untrusted text made safe for a terminal.
    func lines(_ style: Style) -> [String]
}

extension CommandResult {
    /// Encodes the result as one JSON object with sorted keys.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Terminal.safeJSON(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
}
