import FoundationEssentials
import Susi
import SusiBase
import SystemPackage

/// The arguments of `susi init`: an address, or the files of one tenant's applications; `-` is standard input.
enum DraftSource {
    /// Returns whether an argument is an address and not a file name.
    static func isTyped(_ source: String) -> Bool {
        source != InputFile.standardInput && (source.contains("://") || SmallFile.kind(source) != .file)
    }

    static func read(_ sources: [String], into draft: inout ApplicationDraft) async throws {
        if let typed = sources.first(where: isTyped) {
            try take(address: trimmed(typed), named: typed, into: &draft)
            guard sources.count == 1, draft.wantedTenant == nil else {
                throw UsageError(
                    "“\(typed)” is not a file", why: "--tenant and several arguments are for the files of one tenant",
                    next: "\(draft.again.leavingOut("--tenant").replacing(arguments: [typed]))")
            }
            return
        }
        var files: [(name: String, text: String)] = []
        for source in sources {
            let name = source == InputFile.standardInput ? "standard input" : source
            let bytes = try await InputFile.read(source, limit: SettingsFile.largest)
            guard bytes.count <= SettingsFile.largest else {
                throw UsageError("“\(name)” cannot be read", why: "it is larger than \(SettingsFile.largest) bytes")
            }
            files.append((name, try SettingsFile.text(bytes, named: name)))
        }
        try read(files, into: &draft)
        if !draft.missing.isEmpty {
            draft.variablesFile = zip(sources, files).lazy.compactMap { variables(for: $0, $1.text) }
                .first { !sources.contains($0) }
        }
    }

    /// Reads the texts of files. Throws if one is JSON that cannot be parsed, or if they say nothing about a tenant.
    static func read(_ files: [(name: String, text: String)], into draft: inout ApplicationDraft) throws {
        draft.isTyped = false
        draft.sourceName = files.map(\.name).joined(separator: ", ")
        if files.count == 1, isAddress(trimmed(files[0].text)) {
            return try take(address: trimmed(files[0].text), named: files[0].name, into: &draft)
        }
        var facts = TenantFacts()
        let read = try files.map { try SettingsFile.settings(trimmed($0.text, and: ""), named: $0.name) }
        for ((name, text), found) in zip(files, read) {
            var settings = found ?? SourceReader(trimmed(text, and: "")).settings
            for index in settings.indices where files.count > 1 {
                settings[index].file = name
                let isSaid = settings[index].state == .variable && read.contains { $0 != nil }
                if isSaid { settings[index].state = .reference }
            }
            facts.read(settings, named: name, isSource: found == nil, isPage: found == nil && isPage(text))
        }
        facts.findAPI()
        try facts.fill(&draft)
    }

    // MSAL.js for pages, or its settings; the one for servers has neither.
    private static func isPage(_ text: String) -> Bool {
        text.contains(/@azure\/msal-(?:browser|react|angular)|\bcacheLocation\b/)
    }

    // Vite and others read the variables of a program from a file in the folder of its package.
    private static func variables(for source: String, _ text: String) -> String? {
        guard ["import.meta.env", "process.env"].contains(where: text.contains) else { return nil }
        let folder = FilePath(source).removingLastComponent()
        let folders = [folder, folder.removingLastComponent(), ""]
        let names = [".env.local", ".env", ".env.development", ".env.production"]
        return folders.flatMap { folder in names.map { folder.appending($0).string } }
            .first { SmallFile.kind($0) == .file }
    }

    // Returns whether a text is an address alone.
    private static func isAddress(_ text: String) -> Bool {
        !text.contains { $0.isWhitespace || "\"{[".contains($0) }
            && (text.lowercased().hasPrefix("http") || text.contains(".") && !text.contains { "=:;<".contains($0) })
    }

    /// Adds an address, or the name of a tenant. Throws if it is neither, or the address of a portal.
    static func take(address text: String, named name: String, into draft: inout ApplicationDraft) throws {
        if let foreign = ForeignAddress.refusal(text, draft.again) { throw foreign }
        guard !AuthorityKind.isTenantName(text) else { return draft.tenant = text }
        let address: AddressReading
        do { address = try DraftValue.address(text) } catch {
            let example = "give an address such as https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
            let near = name.contains("://") ? nil : nearFile(name)
            throw UsageError(
                "“\(name)” is neither a file nor an address",
                why: near.map { "did you mean “\($0)”?" } ?? error.reason,
                next: near.map { near in
                    "\(draft.again.replacing(arguments: draft.again.arguments.map { $0 == name ? near : $0 }))"
                } ?? NextStep(stringLiteral: example))
        }
        draft.take(address: address)
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

    /// Removes spaces, the byte order mark, and the signs that pasting may add around a text.
    static func trimmed(_ text: some StringProtocol, and signs: String = "\"'<>") -> String {
        let isOuter = { (character: Character) in
            character.isWhitespace || character == "\u{feff}" || signs.contains(character)
        }
        var rest = text.drop(while: isOuter)
        while let last = rest.last, isOuter(last) { rest.removeLast() }
        return String(rest)
    }
}
