import Susi

/// The argument of `susi init`: an address, a file with a configuration, or either on standard input.
enum DraftSource {
    /// Returns whether the argument is an address and not a file name.
    static func isTyped(_ source: String) -> Bool {
        source != InputFile.standardInput && (source.contains("://") || SmallFile.kind(source) != .file)
    }

    static func read(_ source: String, into draft: inout ApplicationDraft) async throws {
        draft.isTyped = isTyped(source)
        guard !draft.isTyped else { return try take(address: trimmed(source), named: source, into: &draft) }
        let bytes = try await InputFile.read(source, limit: SettingsReader.largest)
        let name = source == InputFile.standardInput ? "standard input" : source
        guard bytes.count <= SettingsReader.largest else {
            throw UsageError("“\(name)” cannot be read", why: "it is larger than \(SettingsReader.largest) bytes")
        }
        let text = trimmed(String(decoding: bytes, as: UTF8.self))
        if isAddress(text) { return try take(address: text, named: name, into: &draft) }
        try TenantSettings(SettingsReader(bytes, named: name), named: name).fill(&draft)
    }

    // Returns whether a file consists of an address.
    private static func isAddress(_ text: String) -> Bool {
        guard !text.contains(where: { $0.isWhitespace || "\"{[".contains($0) }) else { return false }
        guard text.contains(".") || text.contains("://") else { return false }
        return text.lowercased().hasPrefix("http") || !text.contains { "=:;<".contains($0) }
    }

    /// Adds an address, or the name of a tenant. Throws if it is neither, or the address of a portal.
    static func take(address text: String, named name: String, into draft: inout ApplicationDraft) throws {
        if let foreign = ForeignAddress(text) { throw foreign.refusal(draft.again) }
        if AuthorityKind.isTenantName(text) {
            draft.tenant = text
        } else {
            draft.take(address: try address(text, named: name))
        }
    }

    private static func address(_ text: String, named name: String) throws -> AddressReading {
        do { return try DraftValue.address(text) } catch {
            throw UsageError(
                "“\(name)” is neither a file nor an address", why: error.reason,
                next: "give an address such as https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi")
        }
    }

    /// Removes spaces, and the byte order mark, around a text.
    static func withoutSpace(_ text: String) -> String {
        let isOuter = { (character: Character) in character.isWhitespace || character == "\u{feff}" }
        var rest = Substring(text).drop(while: isOuter)
        while let last = rest.last, isOuter(last) { rest.removeLast() }
        return String(rest)
    }

    /// Removes spaces, quotes and brackets that pasting may add around a text.
    static func trimmed(_ text: String) -> String {
        let isOuter = { (character: Character) in character.isWhitespace || "\"'<>\u{feff}".contains(character) }
        var rest = Substring(text).drop(while: isOuter)
        while let last = rest.last, isOuter(last) { rest.removeLast() }
        return String(rest)
    }
}
