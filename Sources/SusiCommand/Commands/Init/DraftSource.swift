import FoundationEssentials
import Susi
import SusiBase
import SystemPackage

/// The arguments of `susi init`: an address, or the files of one tenant's applications; `-` is standard input.
enum DraftSource {
    /// Returns whether an argument is an address and not a file name.
    static func isTyped(_ source: String) -> Bool {
        source != InputFile.standardInput
            && (source.contains("://") || ![.file, .folder].contains(SmallFile.kind(source)))
    }

    static func read(_ sources: [String], into draft: inout ApplicationDraft) async throws {
        if let typed = sources.first(where: isTyped) {
            guard sources.count == 1, draft.tenant == nil else {
                _ = try address(typed, draft.again)
                throw UsageError(
                    "“\(typed)” is not a file", why: "--tenant and several arguments are for the files of one tenant",
                    next: "\(draft.again.leavingOut("--tenant").replacing(arguments: [typed]))")
            }
            draft.tenant = try address(typed, draft.again)
            return
        }
        var files: [(name: String, text: String)] = []
        for source in sources {
            let name = source == InputFile.standardInput ? "standard input" : source
            if SmallFile.kind(source) == .folder { throw folder(source, draft.again) }
            let bytes = try await InputFile.read(source, limit: SettingsFile.largest)
            guard bytes.count <= SettingsFile.largest else {
                throw UsageError("“\(name)” cannot be read", why: "it is larger than \(SettingsFile.largest) bytes")
            }
            files.append((name, try SettingsFile.text(bytes, named: name)))
        }
        try read(files, into: &draft)
        if try !DraftValues(draft).missing.isEmpty {
            draft.variablesFile = zip(sources, files).lazy.compactMap { variables(for: $0, $1.text) }
                .first { !sources.contains($0) }
        }
    }

    private static let prose = [".md", ".markdown", ".rst", ".adoc", ".http", ".rest", ".txt", ".html"]

    /// Reads the texts of files. Throws if one is JSON that cannot be parsed, or if they say nothing about a tenant.
    static func read(_ files: [(name: String, text: String)], into draft: inout ApplicationDraft) throws {
        if files.count == 1, isAddress(trimmed(files[0].text)) {
            draft.tenant = try address(files[0].text, draft.again)
            return
        }
        for (name, text) in files where text.contains("<TrustFrameworkPolicy") { throw policy(name, text, draft.again) }
        let read = try files.map { name, text in
            let found = try SettingsFile.settings(trimmed(text, and: ""), named: name)
            return found.flatMap { SourceFacts($0, of: name, isText: false).isEmpty ? nil : $0 }
        }
        for ((name, text), found) in zip(files, read) {
            // A notebook has its code in the values of JSON.
            let isJSON = [".ipynb", ".json"].contains(where: name.lowercased().hasSuffix)
            let isProse = isJSON || prose.contains(where: name.lowercased().hasSuffix)
            let plain = isJSON ? text.replacing("\"", with: " ") : text
            var settings = found ?? TextScanner(trimmed(plain, and: ""), isProse: isProse).settings
            for index in settings.indices where files.count > 1 {
                settings[index].file = name
                let isSaid = settings[index].state == .variable && read.contains { $0 != nil }
                if isSaid { settings[index].state = .reference }
            }
            let isPage = found == nil && text.contains(/@azure\/msal-(?:browser|react|angular)|\bcacheLocation\b/)
            draft.sources.append(SourceFacts(settings, of: name, isText: found == nil, isPage: isPage))
        }
        SourceFacts.findAPI(in: &draft.sources)
        guard !draft.sources.allSatisfy(\.isEmpty) else {
            throw SusiError(
                .invalidConfiguration,
                "“\(files.map(\.name).joined(separator: ", "))” has no client ID and no tenant",
                why: "expected a settings file, variables, or text with whole addresses of Microsoft's services",
                next: "give an address from the portal instead; susi help init shows examples")
        }
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

    // MARK: Custom policies and folders

    // Custom policies are a format of their own, which the emulator will read. Their attributes name tenant and policy.
    private static func policy(_ name: String, _ text: String, _ again: SuggestedCommand) -> UsageError {
        let id = text.firstMatch(of: /\bPolicyId\s*=\s*"(B2C_1A_\w+)"/)?.1
        let tenant = text.firstMatch(of: /\bTenantId\s*=\s*"([\w-]+\.onmicrosoft\.com)"/).map { String($0.1) }
        let isOpen = tenant.map { Setting(path: [], text: $0, line: 0).isPlaceholder } ?? true
        let command = again.replacing(arguments: [isOpen ? "ADDRESS" : tenant ?? ""])
        return UsageError(
            "“\(name)” is a custom policy, which susi init does not read yet",
            why: "give the address of the tenant, and the policy of its sign-in page",
            next: "\(command.option("-p", id.map(String.init) ?? "NAME").option("--client-id", "ID"))")
    }

    private static func folder(_ name: String, _ again: SuggestedCommand) -> UsageError {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: name)) ?? []).sorted()
        let path = { (file: String) in FilePath(name).appending(file).string }
        for file in names.prefix(50) where file.hasSuffix(".xml") {
            let text = SmallFile.read(path(file), limit: SettingsFile.largest).map {
                String(decoding: $0, as: UTF8.self)
            }
            if let text, text.contains("<TrustFrameworkPolicy") { return policy(path(file), text, again) }
        }
        return UsageError(
            "“\(name)” is a folder", why: "susi init reads files of settings",
            next: "\(again.replacing(arguments: ["FILE"]))")
    }

    // MARK: Addresses

    // Returns whether a text is an address alone.
    private static func isAddress(_ text: String) -> Bool {
        !text.contains { $0.isWhitespace || "\"{[".contains($0) }
            && (text.lowercased().hasPrefix("http") || text.contains(".") && !text.contains { "=:;<".contains($0) })
    }

    /// Returns an address without what pasting adds around it. Throws if the text is neither an address nor the name of a
    /// tenant, or the address of a portal.
    static func address(_ source: String, _ again: SuggestedCommand) throws -> String {
        let text = trimmed(source)
        if let foreign = ForeignAddress.refusal(text, again) { throw foreign }
        guard !AuthorityKind.isTenantName(text) else { return text }
        do { _ = try DraftValue.address(text) } catch { throw notAnAddress(source, error.reason, again) }
        return text
    }

    static func notAnAddress(_ name: String, _ reason: String, _ again: SuggestedCommand) -> UsageError {
        let example = "give an address such as https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
        let near = name.contains("://") ? nil : nearFile(name)
        return UsageError(
            "“\(name)” is neither a file nor an address",
            why: near.map { "did you mean “\($0)”?" } ?? reason,
            next: near.map { near in
                "\(again.replacing(arguments: again.arguments.map { $0 == name ? near : $0 }))"
            } ?? NextStep(stringLiteral: example))
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
