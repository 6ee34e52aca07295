import Foundation

enum ErrorLiterals {
    private static let constructions = [
        "SusiError(", "StoreError(", "UsageError(", "ValidationError(", "self.init(\n            .", "self.init(.",
    ]

    /// Returns the first line of each error's text, as the parts between its interpolations, with the file.
    static func all(below folder: URL) throws -> [(file: String, parts: [String])] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try files.compactMap { $0 as? URL }.filter(isOfTheClient).sorted { $0.path < $1.path }.flatMap { file in
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            return constructions.flatMap { code.ranges(of: $0) }.compactMap { range in
                firstText(of: code[range.upperBound...]).map { (file.lastPathComponent, parts(of: $0)) }
            }.filter { !$0.1.joined().isEmpty }
        }
    }

    /// Whether one line of the catalog has the parts in this order.
    static func isIn(_ catalog: [Substring], _ parts: [String]) -> Bool {
        catalog.contains { line in
            var rest = line[...]
            return parts.allSatisfy { part in
                guard let found = rest.firstRange(of: part) else { return false }
                rest = rest[found.upperBound...]
                return true
            }
        }
    }

    private static func isOfTheClient(_ file: URL) -> Bool {
        file.pathExtension == "swift" && !file.path.contains("/SusiEmulator/")
    }

    // Returns the text after the first quotation mark, if it is part of the construction.
    private static func firstText(of arguments: Substring) -> Substring? {
        var depth = 1
        for index in arguments.indices {
            switch arguments[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"": return arguments[arguments.index(after: index)...]
            default: break
            }
            if depth == 0 { return nil }
        }
        return nil
    }

    private static func parts(of text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        var isEscaped = false
        for character in text {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if isEscaped {
                if character == "n" { break }
                isEscaped = false
                if character == "(" { depth = 1 }
                parts.append("")
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// Errors that the catalog cannot show, as parts with “…” between them, each with the reason.
    static let exceptions: [String: String] = Dictionary(
        uniqueKeysWithValues: reasons.flatMap { reason, texts in texts.map { ($0, reason) } })

    private static let reasons: [(String, [String])] = [
        (
            "a browser that fails, or the reason of a session that was not ended: UnattendedSignInTests",
            ["no terminal, browser or display for the sign-out page", "the browser command failed"]
        ),
        ("needs a terminal: ExactNameTests", ["“…” matches … policies of the application “…”"]),
        ("needs input that is no text: PasswordInputTests", ["the line is too long", "the line is not UTF-8"]),
        (
            "needs accounts that are stored: AccountCommandTests",
            [
                " has accounts under … policies", "“…” matches … accounts",
                "no account named", "no account “…” in the application in use",
                "no current account under ",
            ]
        ),
        (
            "needs settings of an API: InspectForAPITests",
            [
                "“…” has several sections", "“…” is no appsettings.json", " is not https",
                ".… is missing",
            ]
        ),
        (
            "not of the command line: LibraryFaceTests",
            [
                "fix the text", "invalid address of a proxy", "invalid claims request", "invalid parameter “…”",
                "invalid tenant “…”", "another sign-in under this policy has ended",
                "the response of “…” is longer than … bytes",
            ]
        ),
        ("needs a provider's metadata: PlainProviderTests", [" does not begin with the sign-up on request"]),
        (
            "needs another server: EmulatorReadyTests",
            ["the server at … is not an emulator", "the emulator at … is another one"]
        ),
        (
            "needs the answer of a server: ScopeTests, RefusalTests, SamePersonTests",
            [
                "a new token is valid for … s, not for … s",
                "no API to request a token for under ",
                "the API “…” responded with … ",
                "the refresh token was not sent to ",
                "the refreshed tokens belong to another person",
            ]
        ),
        (
            "needs a draft or an address of init: InitTests",
            [
                " is not an authority of the kind “…”",
                "give … as JSON, or give an address from the portal instead",
                "the new policies.json has no application",
                "“…” is a folder",
            ]
        ),
        (
            "needs a token or a request body: CallTests, ExecTests",
            [
                "no API to call",
                "the body is larger than … bytes",
                "“…” cannot be started",
            ]
        ),
        (
            "needs a terminal, a key service or a passphrase: StoreCommandTests, KeyServiceTests",
            [
                "the passphrase is too short",
                "the two passphrases differ",
            ]
        ),
        (
            "needs a running emulator or a folder that cannot be written: EmulatorCommandTests, EmulatorExecTests",
            [
                "no tenant has an application",
                "the emulator cannot run",
                "the files of the copy were not written",
                "the emulator's folder is in use",
            ]
        ),
        ("needs a closed output: OutputFileTests", ["the result cannot be written"]),
    ]
}
