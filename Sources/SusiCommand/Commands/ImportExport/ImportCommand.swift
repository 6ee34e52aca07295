import ArgumentParser
import Susi
import SusiTools

struct ImportCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import an encrypted export, or an MSAL or ADAL cache.",
        discussion: """
              susi import accounts.susi          written by susi export --format susi
              susi import msal_token_cache.json --dry-run
              susi import ~/.azure/accessTokens.json --from adal
              decrypt cache.bin | susi import -
              susi import - --from refresh-token -p B2C_1_susi < FILE

            From an encrypted export, and from the JSON caches of MSAL (Python, .NET, Node, Java, Go) and ADAL, each refresh token \
            is redeemed at its own authority, whose signed response makes the account. Accounts that have a refresh token here are \
            skipped. The file is not changed; where a refresh token can be used only once, the other machine or program has to sign \
            in again. --dry-run sends nothing.

            A refresh token alone, the only text of the file, is redeemed at the authority of the policy; it must have been issued \
            for the client ID of policies.json. Only the response says whose it is.
            """)

    @OptionGroup var output: JSONOption
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "File, or - for standard input", completion: .file())
    var file: String

    @Option(help: "Format of the file")
    var from = Form.auto

    @Option(
        name: [.customShort("p"), .customLong("policy")],
        help: "Policy of a refresh token (default: the default policy)",
        completion: LiveNames.policies)
    var policy: String?

    @Flag(help: "Show what would be imported; store nothing")
    var dryRun = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case susi, msal, adal, auto
        case refreshToken = "refresh-token"

        var format: CacheFile.Format? { CacheFile.Format(rawValue: rawValue) }
    }

    func validate() throws {
        if from == .refreshToken, dryRun {
            throw ValidationError(
                "--dry-run cannot be combined with --from refresh-token\nonly its response says whose it is")
        }
        if from != .refreshToken, policy != nil { throw ValidationError("-p needs --from refresh-token") }
    }

    func run() async throws {
        let context = try Context(self)
        if from == .refreshToken { return try await importRefreshToken(context) }
        let name = file == InputFile.standardInput ? "standard input" : file
        let bytes = try await InputFile.read(file, limit: CacheFile.largest)
        let report = try await report(try await entries(of: bytes, name, context), context)
        let shown = ImportResult(report: report, file: file == "-" ? nil : file, isDryRun: dryRun, context)
        try context.show(shown, json: output.json)
        if !output.json, let next = shown.next { context.advise("\(next)") }
        if let code = shown.exitCode { throw CommandEnded(code: code) }
    }

    private func entries(of bytes: [UInt8], _ name: String, _ context: Context) async throws -> CacheFile {
        guard from == .susi || from == .auto && ExportFile.isExport(bytes) else {
            do { return try CacheFile(parsing: bytes, as: from.format) } catch { throw SusiError(error, file: name) }
        }
        let command = SuggestedCommand("import", file).option("--from", "susi").flag("--dry-run", dryRun)
        let passphrase = try await passphrase.existing(context, command: command)
        do { return try CacheFile(opening: bytes, passphrase: passphrase) } catch { throw SusiError(error, file: name) }
    }

    private func importRefreshToken(_ context: Context) async throws {
        let bytes = try await InputFile.read(file, limit: Self.longestToken)
        let words = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard bytes.count <= Self.longestToken, words.count == 1, let token = words.first.map(String.init),
            token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw UsageError(
                "nothing was imported", why: "expected one refresh token of at most \(Self.longestToken) bytes",
                next: "pass the token and nothing else")
        }
        let policy = try self.policy.map { try context.policyName($0) }
        let current = try await context.client.current(try context.client.policy(policy)).current
        let request = SignInRequest(policy: policy, makesCurrent: current == nil)
        context.announceCopy()
        let result = try await context.working("redeeming the refresh token") { _ in
            try await context.client.signIn(request, refreshToken: token)
        }
        try context.show(SignInReport(result, context), json: output.json)
    }

    private static let longestToken = 16_384

    private func report(_ entries: CacheFile, _ context: Context) async throws -> ImportReport {
        let (applications, others) = applications(context)
        if dryRun { return try await context.client.importOutlook(entries, for: applications, besides: others) }
        context.announceCopy()
        return try await context.working("redeeming refresh tokens") { spinner in
            try await context.client.importCache(entries, for: applications, besides: others) { done, all in
                spinner?.say("redeeming refresh tokens: \(done) of \(all)")
            }
        }
    }

    // Returns the selected application first, then the others; with -A, their entries are not imported.
    private func applications(_ context: Context) -> (imported: [Application], others: [Application]) {
        let chosen = context.application
        let others = context.file.applications.filter { $0.name != chosen.name && context.mayUse($0) }
        return global.application != nil ? ([chosen], others) : ([chosen] + others, [])
    }
}

struct ImportResult: CommandResult {
    let report: ImportReport
    /// The name of the file; `nil` for standard input.
    let file: String?
    let isDryRun: Bool
    private let given: GivenOptions
    private let selected: String

    init(report: ImportReport, file: String?, isDryRun: Bool, _ context: Context) {
        self.report = report
        self.file = file
        self.isDryRun = isDryRun
        (given, selected) = (context.given, context.application.name)
    }

    /// The command that lists the imported accounts.
    var next: SuggestedCommand? {
        let added = report.taken.first { if case .added = $1 { true } else { false } }
        return added.map { SuggestedCommand("accounts").option("-A", other($0.match)) }
    }

    // The application of an entry, if it is not the selected one.
    private func other(_ match: ImportPlan.Match) -> String? {
        match.application.name == selected ? nil : match.application.name
    }

    private func given(for match: ImportPlan.Match) -> GivenOptions {
        other(match).map { given.using(application: $0) } ?? given
    }

    var json: JSONObject {
        [
            "schemaVersion": 2, "format": report.format.rawValue, "isDryRun": isDryRun, "file": file,
            "imported": counts.imported, "skipped": counts.skipped, "failed": counts.failed,
            "taken": report.taken.map(json),
            "leftOut": report.leftOut.map {
                ["label": $0.label, "reason": $0.reason, "add": GivenOptions().text($0.remedy)] as JSONObject
            },
            "damaged": report.damages.map { ["entry": $0.entry, "reason": $0.reason] as JSONObject },
            "withoutRefreshToken": report.tokenless,
        ]
    }

    private func json(_ match: ImportPlan.Match, _ outcome: ImportReport.Outcome) -> JSONObject {
        var (name, account, error): (String, JSONObject?, JSONObject?) = ("", nil, nil)
        switch outcome {
        case .added(let stored): (name, account) = ("added", stored.json)
        case .known: name = "known"
        case .notSent: name = "notSent"
        case .failed(let failure):
            name = "failed"
            error = failure.json(given(for: match))
        }
        return [
            "label": match.entry.label, "application": match.application.name, "policy": match.policy.name.spelling,
            "authority": match.application.authority(for: match.policy).address.description, "outcome": name,
            "scopes": match.entry.scopes, "account": account, "error": error,
        ]
    }

    /// The exit code of the first failure; `nil` without one. Entries that match no application are one if there are no others.
    var exitCode: ExitCodes? {
        if report.taken.isEmpty, !report.leftOut.isEmpty { return .unknown }
        for (_, outcome) in report.taken {
            switch outcome {
            case .added, .known: continue
            case .failed(let error): return ExitCodes(error.code)
            case .notSent: if !isDryRun { return .network }
            }
        }
        return nil
    }

    /// The numbers of entries by what became of them, or would. Those that were not tried are skipped.
    private var counts: (imported: Int, skipped: Int, failed: Int) {
        let untried = report.leftOut.count + report.damages.count + report.tokenless.count
        var counts = (imported: 0, skipped: untried, failed: 0)
        for (_, outcome) in report.taken {
            switch outcome {
            case .added: counts.imported += 1
            case .known: counts.skipped += 1
            case .failed: counts.failed += 1
            case .notSent: if isDryRun { counts.imported += 1 } else { counts.failed += 1 }
            }
        }
        return counts
    }

    func lines(_ style: Style) -> [String] {
        let skipped = { (label: String) in "\(style.warning("Skipped")) \(style.strong(Terminal.safe(label)))" }
        var lines = Self.first(report.taken) { entry($0.match, $0.outcome, style) }
        lines += Self.first(report.leftOut) { entry in
            [
                "\(skipped(entry.label)): \(Terminal.safe(entry.reason))"
            ]
                + (entry.remedy.isEmpty
                    ? [] : ["  to import it, add \(Terminal.safe(GivenOptions().text(entry.remedy)))"])
        }
        lines += Self.first(report.damages) { damage in
            ["\(style.bad("Damaged")) \(Terminal.safe(damage.entry)): \(Terminal.safe(damage.reason))"]
        }
        lines += Self.first(report.tokenless) { ["\(skipped($0)): the file has no refresh token for it"] }
        return lines + closing
    }

    private static let maximumShown = 100

    // A cache can have a hundred thousand entries.
    private static func first<Entry>(_ entries: [Entry], _ lines: (Entry) -> [String]) -> [String] {
        let hidden = entries.count - maximumShown
        return entries.prefix(maximumShown).flatMap(lines)
            + (hidden > 0 ? ["  and \(hidden) more; --json lists all"] : [])
    }

    private func entry(_ match: ImportPlan.Match, _ outcome: ImportReport.Outcome, _ style: Style) -> [String] {
        let place = Terminal.safe("\(match.policy.name.spelling) of \(match.application.name)")
        let name = { (label: String) in "\(style.strong(Terminal.safe(label))) under \(place)" }
        let cached = name(match.entry.label)
        let scopes =
            match.entry.scopes.isEmpty
            ? "" : style.faint("  \(Terminal.safe(match.entry.scopes.joined(separator: " ")))")
        switch outcome {
        case .added(let account): return ["\(style.good("Imported")) \(name(account.label))\(scopes)"]
        case .known: return ["\(style.faint("Known")) \(cached): already signed in; its own tokens are kept"]
        case .notSent:
            let authority = Terminal.safe(match.application.authority(for: match.policy).address.description)
            return isDryRun
                ? ["\(style.good("Would import")) \(cached), redeemed at \(authority)\(scopes)"]
                : ["\(style.warning("Not sent")) \(cached): its server failed before; run the command again"]
        case .failed(let error):
            let why = error.why.isEmpty ? "" : "; \(error.why)"
            let next = given(for: match).text(error.nextStep)
            return ["\(style.bad("Failed")) \(cached): \(Terminal.safe(error.what + why))"]
                + (next.isEmpty ? [] : ["  next: \(Terminal.safe(next))"])
        }
    }

    private var closing: [String] {
        if report.taken.isEmpty, report.leftOut.isEmpty, report.damages.isEmpty, report.tokenless.isEmpty {
            return ["The file is empty."]
        }
        let summary =
            "  \(counts.imported) \(isDryRun ? "to import" : "imported"), \(counts.skipped) skipped, "
            + "\(counts.failed) failed" + (isDryRun ? "; nothing was sent" : "")
        guard let file else { return [summary] }
        let reader = report.format == .susi ? "knows its passphrase" : "can read it"
        return [
            summary,
            "  \(Terminal.safe(file)) is unchanged and still contains its tokens; anyone who \(reader) can use them",
            "  if no other program needs it: rm \(Terminal.safe(file.shellWord))",
        ]
    }
}
