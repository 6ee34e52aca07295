import Susi

/// The settings in a file of another program: JSON, source code, variables or a property list.
struct SettingsFile {
    let values: [ReadSetting]
    /// The paths of values that refer to something outside the file, with its name.
    let unknown: [(path: [String], reference: String)]

    /// Reads a file. Throws if a file that begins as JSON cannot be parsed, unless it is a literal of a source file.
    init(_ bytes: [UInt8], named name: String) throws {
        var references = SettingReferences(try Self.settings(bytes, named: name))
        (values, unknown) = references.resolve()
        guard !references.isChainTooLong else {
            throw UsageError(
                "“\(name)” cannot be read",
                why: "a reference leads over more than \(SettingReferences.longestChain) others",
                next: "give an address from the portal instead; susi help init shows examples")
        }
    }

    private static func settings(_ bytes: [UInt8], named name: String) throws -> [Setting] {
        let text = DraftSource.withoutSpace(String(decoding: bytes, as: UTF8.self))
        if String(decoding: bytes.prefix(6), as: UTF8.self) == "bplist" {
            throw SusiError(
                .invalidConfiguration, "“\(name)” is a binary property list",
                next: "convert it with plutil -convert xml1, and read it again")
        }
        if text.hasPrefix("<") { return [Setting](markup: text) }
        guard text.hasPrefix("{") || text.hasPrefix("[") else {
            return [Setting](variables: text) ?? [Setting](code: text)
        }
        // Accepts comments and trailing commas, which are common in these files.
        var mistakes = MistakeList()
        if let node = JSONNode(file: bytes, source: name, &mistakes) { return [Setting](node) }
        let settings = name.hasSuffix(".json") ? [] : [Setting](code: text)
        guard settings.isEmpty else { return settings }
        do { try mistakes.finish() } catch {
            throw SusiError(error, next: "give \(name) as JSON, or give an address from the portal instead")
        }
        return settings
    }
}
