import FoundationEssentials
import Susi
import SusiBase
import SystemPackage

/// The argument of `susi init`: an address, or a file with settings; `-` is standard input.
enum DraftSource {
    /// Returns whether the argument is an address and not a file name.
    static func isTyped(_ source: String) -> Bool {
        source != InputFile.standardInput && (source.contains("://") || SmallFile.kind(source) != .file)
    }

    static func read(_ source: String, into draft: inout ApplicationDraft) async throws {
        draft.isTyped = isTyped(source)
        guard !draft.isTyped else {
            guard draft.wantedTenant == nil else {
                throw UsageError(
                    "--tenant names the tenant of a file, and “\(source)” is not a file",
                    next: "\(draft.again.leavingOut("--tenant"))")
            }
            return try take(address: trimmed(source), named: source, into: &draft)
        }
        let bytes = try await InputFile.read(source, limit: SettingsFile.largest)
        let name = source == InputFile.standardInput ? "standard input" : source
        guard bytes.count <= SettingsFile.largest else {
            throw UsageError("“\(name)” cannot be read", why: "it is larger than \(SettingsFile.largest) bytes")
        }
        let text = trimmed(String(decoding: bytes, as: UTF8.self))
        if isAddress(text) { return try take(address: text, named: name, into: &draft) }
        draft.sourceName = name
        try read(SettingsFile.text(bytes, named: name), named: name, into: &draft)
        if !draft.missing.isEmpty, ["import.meta.env", "process.env"].contains(where: text.contains) {
            draft.variablesFile = variables(for: source)
        }
    }

    /// Reads the text of a file. Throws if it is JSON that cannot be parsed, or says nothing about a tenant.
    static func read(_ text: String, named name: String, into draft: inout ApplicationDraft) throws {
        let text = withoutSpace(text)
        let settings = try SettingsFile.settings(text, named: name)
        guard settings?.count ?? 0 <= SettingsFile.most else {
            throw UsageError(
                "“\(name)” cannot be read", why: "it has more than \(SettingsFile.most) values",
                next: "give an address from the portal instead; susi help init shows examples")
        }
        let facts = TenantFacts(settings ?? SourceReader(text).settings, named: name, isSource: settings == nil)
        try facts.fill(&draft)
    }

    // Vite and others read the variables from a file beside the program, or in a folder above up to that of the package.
    private static func variables(for source: String) -> String? {
        var folder = FilePath(source)
        for _ in 0..<6 {
            folder = folder.lastComponent == nil ? FilePath("..").pushing(folder) : folder.removingLastComponent()
            let names = [".env.local", ".env", ".env.development", ".env.production"]
            let files = names.map { folder.appending($0).string }
            if let found = files.first(where: { SmallFile.kind($0) == .file }) { return found }
            let ends = ["package.json", ".git"].map { folder.appending($0).string }
            if ends.contains(where: SmallFile.exists) { return nil }
        }
        return nil
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
            draft.take(address: try address(text, named: name, draft.again))
        }
    }

    private static func address(_ text: String, named name: String, _ again: SuggestedCommand) throws -> AddressReading
    {
        do { return try DraftValue.address(text) } catch {
            let example = "give an address such as https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
            let near = name.contains("://") ? nil : nearFile(name)
            throw UsageError(
                "“\(name)” is neither a file nor an address",
                why: near.map { "did you mean “\($0)”?" } ?? error.reason,
                next: near.map { "\(again.replacing(arguments: [$0]))" } ?? NextStep(stringLiteral: example))
        }
    }

    // The file with a similar name.
    private static func nearFile(_ name: String) -> String? {
        let path = FilePath(name)
        let folder = path.removingLastComponent()
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
        guard let last = path.lastComponent?.string, let near = NearMatch.of(last, in: (names ?? []).sorted()) else {
            return nil
        }
        let file = folder.appending(near).string
        return SmallFile.kind(file) == .file ? file : nil
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
