import Susi

/// The argument of `susi init`: an address, a file with a configuration, or either on standard input.
enum DraftSource {
    /// Returns whether the argument is an address and not a file name.
    static func isTyped(_ source: String) -> Bool {
        source != InputFile.standardInput && (source.contains("://") || SmallFile.kind(source) != .file)
    }

    /// Adds the values of `source` to a draft.
    static func read(_ source: String, into draft: inout ApplicationDraft) async throws {
        guard !isTyped(source) else { return draft.take(address: try address(trimmed(source), named: source)) }
        let bytes = try await InputFile.read(source, limit: PoliciesFile.largest)
        let name = source == InputFile.standardInput ? "standard input" : source
        guard bytes.count <= PoliciesFile.largest else {
            throw UsageError("“\(name)” cannot be read", why: "it is larger than \(PoliciesFile.largest) bytes")
        }
        let text = trimmed(String(decoding: bytes, as: UTF8.self))
        if !text.hasPrefix("{"), !text.hasPrefix("["), !text.contains(where: \.isNewline) {
            return draft.take(address: try address(text, named: name))
        }
        try take(bytes, named: name, into: &draft)
    }

    private static func take(_ bytes: [UInt8], named name: String, into draft: inout ApplicationDraft) throws {
        // Accepts comments and trailing commas, which are common in these files.
        var mistakes = MistakeList()
        guard let node = JSONNode(file: bytes, source: name, &mistakes) else {
            do { try mistakes.finish() } catch {
                throw SusiError(error, next: "give \(name) as JSON, or give an address from the portal instead")
            }
            return
        }
        guard let configuration = ClientConfiguration(node) else {
            throw SusiError(
                .invalidConfiguration, "“\(name)” has no client ID and no authority",
                why: "expected an MSAL configuration in JSON, for example auth_config.json",
                next: "give an address from the portal instead; susi help init shows examples")
        }
        do { try configuration.fill(&draft) } catch {
            throw SusiError(
                .invalidConfiguration, "invalid authority in “\(name)”", why: error.description)
        }
    }

    private static func address(_ text: String, named name: String) throws -> AddressReading {
        do { return try DraftValue.address(text) } catch {
            throw UsageError(
                "“\(name)” is neither a file nor an address", why: error.reason,
                next: "give an address such as https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi")
        }
    }

    /// Removes spaces, quotes and brackets that pasting may add around a text.
    static func trimmed(_ text: String) -> String {
        let isOuter = { (character: Character) in character.isWhitespace || "\"'<>\u{feff}".contains(character) }
        var rest = Substring(text).drop(while: isOuter)
        while let last = rest.last, isOuter(last) { rest.removeLast() }
        return String(rest)
    }
}
