import ArgumentParser
import Susi

/// `susi import`.
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
        let shown = ImportResult(report, file: file == "-" ? nil : file, isDryRun: dryRun)
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

/// The result of an import.
struct ImportResult: CommandResult {
    let schemaVersion = 1
    let format: String
    let isDryRun: Bool
    let file: String?
    let taken: [Entry]
    let leftOut: [LeftOut]
    let damaged: [Damage]
    let withoutRefreshToken: [String]

    /// An entry that was imported.
    struct Entry: Encodable {
        let label: String
        let application: String
        let policy: String
        let outcome: String
        let scopes: [String]
    }

    /// An entry that matches no policy in policies.json.
    struct LeftOut: Encodable {
        let label: String
        let reason: String
        let add: String
    }

    /// An entry that cannot be read.
    struct Damage: Encodable {
        let entry: String
        let reason: String
    }

    init(_ report: ImportReport, file: String?, isDryRun: Bool) {
        self.file = file
        self.isDryRun = isDryRun
        format = report.format.rawValue
        taken = report.taken.map { match, outcome in
            Entry(
                label: match.entry.label, application: match.application.name, policy: match.policy.name.spelling,
                outcome: outcome.rawValue, scopes: match.entry.scopes)
        }
        leftOut = report.leftOut.map {
            LeftOut(label: $0.label, reason: $0.reason, add: GivenOptions.none.text($0.remedy))
        }
        damaged = report.damages.map { Damage(entry: $0.entry, reason: $0.reason) }
        withoutRefreshToken = report.tokenless
    }

    /// Returns the command that uses the first imported token.
    func firstToUse(in application: String) -> SuggestedCommand? {
        guard let first = taken.first(where: { $0.outcome == ImportOutcome.added.rawValue }) else { return nil }
        return SuggestedCommand("token").option("-A", first.application == application ? nil : first.application)
            .option("-p", first.policy).option("-a", first.label)
    }

    func lines(_ style: Style) -> [String] {
        // A cache can have a hundred thousand entries.
        taken.prefix(Self.maximumShown).map { line($0, style) } + more(taken.count)
            + leftOut.prefix(Self.maximumShown).flatMap { entry in
                [
                    "\(style.warning("Skipped")) \(style.strong(Terminal.safe(entry.label))): "
                        + Terminal.safe(entry.reason),
                    "  to import it, add \(Terminal.safe(entry.add))",
                ]
            } + more(leftOut.count)
            + damaged.prefix(Self.maximumShown).map { damage in
                "\(style.bad("Damaged")) \(Terminal.safe(damage.entry)): \(Terminal.safe(damage.reason))"
            } + more(damaged.count)
            + withoutRefreshToken.prefix(Self.maximumShown).map { label in
                "\(style.warning("Skipped")) \(style.strong(Terminal.safe(label))): the cache has no refresh token for it"
            } + more(withoutRefreshToken.count) + closing
    }

    private static let maximumShown = 100

    private func more(_ count: Int) -> [String] {
        count > Self.maximumShown ? ["  and \(count - Self.maximumShown) more; --json lists all"] : []
    }

    private func line(_ entry: Entry, _ style: Style) -> String {
        let name = "\(style.strong(Terminal.safe(entry.label))) under \(Terminal.safe(entry.policy))"
        switch ImportOutcome(rawValue: entry.outcome) {
        case .known: return "\(style.faint("Known")) \(name): already signed in; its own tokens are kept"
        case .unchanged: return "\(style.faint("Unchanged")) \(name): imported before, not yet used"
        case .replaced:
            return "\(style.good(isDryRun ? "Would replace" : "Replaced")) \(name): imported before, not used until now"
        case .added, nil:
            let scopes =
                entry.scopes.isEmpty ? "" : style.faint("  \(Terminal.safe(entry.scopes.joined(separator: " ")))")
            return "\(style.good(isDryRun ? "Would import" : "Imported")) \(name)\(scopes)"
        }
    }

    private var closing: [String] {
        if taken.isEmpty, leftOut.isEmpty, damaged.isEmpty, withoutRefreshToken.isEmpty {
            return ["The cache is empty."]
        }
        guard let file else { return [] }
        return [
            "  \(Terminal.safe(file)) is unchanged and still contains its tokens; anyone who can read it can use them",
            "  if no other program needs it: rm \(Terminal.safe(file.shellWord))",
        ]
    }
}
