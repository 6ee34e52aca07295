import ArgumentParser
import Susi

struct ImportCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import an encrypted export, or an MSAL or ADAL cache.",
        discussion: """
              susi import accounts.susi          written by susi export --format susi
              susi import msal_token_cache.json --dry-run
              susi import ~/.azure/accessTokens.json --from adal
              decrypt cache.bin | susi import -

            From an encrypted export, susi adds the records that are missing here and replaces those that are older. It removes \
            nothing.

            From the JSON caches of MSAL (Python, .NET, Node, Java, Go) and ADAL, only refresh tokens are imported. A cache is not \
            signed: an entry becomes an account when its first token is issued (susi token -a ACCOUNT) and its authority confirms the \
            person. The file is not changed.
            """)

    @OptionGroup var output: JSONOption
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "File, or - for standard input", completion: .file())
    var file: String

    @Option(help: "Format of the file; required for an encrypted export from standard input")
    var from = Form.auto

    @Flag(help: "Show what would be imported; store nothing")
    var dryRun = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case susi, msal, adal, auto

        var format: CacheFile.Format? { CacheFile.Format(rawValue: rawValue) }
    }

    func run() async throws {
        let context = try Context(self)
        let name = file == InputFile.standardInput ? "standard input" : file
        if isSealed { return try await importSealed(context, name) }
        let bytes = try await InputFile.read(file, limit: CacheFile.largest)
        let cache: CacheFile
        do { cache = try CacheFile(parsing: bytes, as: from.format) } catch { throw SusiError(error, file: name) }
        let report = try await context.client.importCache(cache, for: applications(context), isDryRun: dryRun)
        let shown = ImportResult(report: report, file: file == "-" ? nil : file, isDryRun: dryRun)
        try context.show(shown, json: output.json)
        if !output.json, !dryRun, let first = shown.firstToUse(in: context.application.name) {
            context.advise("\(first)")
        }
    }

    // Returns the selected application first; with -A, it is the only one.
    private func applications(_ context: Context) -> [Application] {
        let chosen = context.application
        if global.application != nil { return [chosen] }
        return [chosen] + context.file.applications.filter { $0.name != chosen.name && context.mayUse($0) }
    }
}

struct ImportResult: CommandResult {
    let report: ImportReport
    /// The name of the file; `nil` for standard input.
    let file: String?
    let isDryRun: Bool

    var json: JSONObject {
        [
            "schemaVersion": 1, "format": report.format.rawValue, "isDryRun": isDryRun, "file": file,
            "taken": report.taken.map { Self.json($0.match, $0.outcome) },
            "leftOut": report.leftOut.map {
                ["label": $0.label, "reason": $0.reason, "add": GivenOptions.none.text($0.remedy)] as JSONObject
            },
            "damaged": report.damages.map { ["entry": $0.entry, "reason": $0.reason] as JSONObject },
            "withoutRefreshToken": report.tokenless,
        ]
    }

    private static func json(_ match: ImportPlan.Match, _ outcome: ImportOutcome) -> JSONObject {
        [
            "label": match.entry.label, "application": match.application.name, "policy": match.policy.name.spelling,
            "outcome": outcome.rawValue, "scopes": match.entry.scopes,
        ]
    }

    /// Returns the command that uses the first imported token, if possible that of a policy that signs in.
    func firstToUse(in application: String) -> SuggestedCommand? {
        let added = report.taken.lazy.filter { $0.outcome == .added }.map(\.match)
        guard let first = added.first(where: { !$0.policy.kind.isUtility }) ?? added.first else { return nil }
        let name = first.application.name
        return Self.token(of: first).option("-A", name == application ? nil : name)
            .option("-p", first.policy.name.spelling).option("-a", first.token(from: report.format, importedOn: 0).name)
    }

    // A token is for one API, which is named unless there is only one.
    private static func token(of match: ImportPlan.Match) -> SuggestedCommand {
        let (application, policy) = (match.application, match.policy)
        let target = try? application.tokenTarget(api: nil, policy: policy.name)
        guard target?.scopes.isEmpty ?? true else { return SuggestedCommand("token") }
        let api = (application.apis(of: policy) + application.apis).first { !$0.scopes.isEmpty }
        return api.map { SuggestedCommand("token", $0.name) } ?? SuggestedCommand("token")
    }

    func lines(_ style: Style) -> [String] {
        let skipped = { (label: String) in "\(style.warning("Skipped")) \(style.strong(Terminal.safe(label)))" }
        var lines = Self.first(report.taken) { [line($0.match, $0.outcome, style: style)] }
        lines += Self.first(report.leftOut) { entry in
            [
                "\(skipped(entry.label)): \(Terminal.safe(entry.reason))",
                "  to import it, add \(Terminal.safe(GivenOptions.none.text(entry.remedy)))",
            ]
        }
        lines += Self.first(report.damages) { damage in
            ["\(style.bad("Damaged")) \(Terminal.safe(damage.entry)): \(Terminal.safe(damage.reason))"]
        }
        lines += Self.first(report.tokenless) { ["\(skipped($0)): the cache has no refresh token for it"] }
        return lines + closing
    }

    private static let maximumShown = 100

    // A cache can have a hundred thousand entries.
    private static func first<Entry>(_ entries: [Entry], _ lines: (Entry) -> [String]) -> [String] {
        let hidden = entries.count - maximumShown
        return entries.prefix(maximumShown).flatMap(lines)
            + (hidden > 0 ? ["  and \(hidden) more; --json lists all"] : [])
    }

    private func line(_ match: ImportPlan.Match, _ outcome: ImportOutcome, style: Style) -> String {
        let label = style.strong(Terminal.safe(match.entry.label))
        let place = "\(match.policy.name.spelling) of \(match.application.name)"
        let name = "\(label) under \(Terminal.safe(place))"
        switch outcome {
        case .known: return "\(style.faint("Known")) \(name): already signed in; its own tokens are kept"
        case .unchanged: return "\(style.faint("Unchanged")) \(name): imported before, not yet used"
        case .replaced:
            return "\(style.good(isDryRun ? "Would replace" : "Replaced")) \(name): imported before, not used until now"
        case .added:
            let scopes = match.entry.scopes.joined(separator: " ")
            return "\(style.good(isDryRun ? "Would import" : "Imported")) \(name)"
                + (scopes.isEmpty ? "" : style.faint("  \(Terminal.safe(scopes))"))
        }
    }

    private var closing: [String] {
        if report.taken.isEmpty, report.leftOut.isEmpty, report.damages.isEmpty, report.tokenless.isEmpty {
            return ["The cache is empty."]
        }
        guard let file else { return [] }
        return [
            "  \(Terminal.safe(file)) is unchanged and still contains its tokens; anyone who can read it can use them",
            "  if no other program needs it: rm \(Terminal.safe(file.shellWord))",
        ]
    }
}
