import ArgumentParser
import Susi
import SusiTools

struct ExportCommand: AsyncParsableCommand, PolicyCommand, AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export accounts with their tokens to a file.",
        discussion: """
              susi export --format susi -o FILE
              susi export --format msal -o cache.json
              susi export --format msal -p partner -a ana@contoso.example -o cache.json
              susi export --format msal --all --yes | ssh host 'umask 077; cat > c.json'
              susi export --format playwright --origin http://localhost:5173 -o ana.json
              susi export --format refresh-token -a ana@contoso.example --yes | ssh host 'umask 077; cat > t'

            The format susi holds the refresh tokens of all applications, encrypted with a passphrase; susi import redeems them on \
            another machine, which needs the network. Where a refresh token can be used only once, this machine has to sign in \
            again then. It is no backup; susi store backup makes one. The format msal is a cache for MSAL with unencrypted tokens: anyone who reads it can act as these accounts \
            until the tokens expire. The accounts are kept here too; if two programs refresh the same token, one may be refused.

            With the format playwright, browser tests of a web application that uses MSAL.js start signed in: it is a storage state \
            with that application's localStorage. The format msal-browser has the entries alone, for sessionStorage. Both hold one \
            account, without encryption too. The format refresh-token is the token alone, for susi import - --from refresh-token.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var errors: JSONErrorsOption
    @OptionGroup var passphrase: PassphraseOption

    @Option(
        help:
            "Format: susi (encrypted), msal (JSON of MSAL for Python), msal-browser or playwright (MSAL.js), refresh-token"
    )
    var format: Form

    @Option(
        help: ArgumentHelp("Address of the web application, for playwright", valueName: "address"),
        transform: Self.origin)
    var origin: WebAddress?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("New file; - for standard output", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Export every account of the application")
    var all = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case msal, susi, playwright
        case browser = "msal-browser"
        case refreshToken = "refresh-token"

        var isOfBrowser: Bool { self == .browser || self == .playwright }
    }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    private static func origin(_ text: String) throws -> WebAddress {
        let example = "write scheme, host and port, such as http://localhost:5173"
        guard let address = try? WebAddress(text), address.segments.isEmpty else { throw ValidationError(example) }
        return address
    }

    func validate() throws {
        if all, policy.text != nil || account.text != nil {
            throw ValidationError("--all cannot be combined with -p or -a")
        }
        if format == .susi, all || policy.text != nil || account.text != nil || global.application != nil {
            throw ValidationError(
                "--format susi cannot be combined with -A, -p, -a or --all\nit writes the accounts of every application"
            )
        }
        if format != .susi, passphrase.passphraseFile != nil {
            throw ValidationError("--passphrase-file needs --format susi\nthe cache of MSAL is not encrypted")
        }
        if all, format != .msal {
            throw ValidationError("--all needs --format msal\nthe other formats hold one account")
        }
        if (format == .playwright) != (origin != nil) {
            throw ValidationError(
                format == .playwright
                    ? "--format playwright needs --origin\na storage state belongs to the address of the web application"
                    : "--origin needs --format playwright\nthe other formats belong to no address")
        }
    }

    func run() async throws {
        let context = try Context(self)
        // Opens the file before any prompt.
        let destination = try destination(context.console)
        do {
            if format == .susi { return try await exportSealed(context, to: destination) }
            try await export(context, to: destination)
        } catch {
            destination?.discard()
            throw error
        }
    }

    /// Exports the refresh tokens of every application, encrypted with a passphrase.
    private func exportSealed(_ context: Context, to destination: OutputFile?) async throws {
        let passphrase = try await passphrase.new(context, command: command)
        let export = try await context.client.exportSealed(passphrase: passphrase)
        if let destination { try destination.keep(export.file) } else { context.console.out(bytes: export.file) }
        let console = context.console
        for what in export.leftOut {
            console.err("left out: \(Terminal.safe("\(what.holder) (\(what.reason))"))")
        }
        let place = isToStandardOutput ? "" : " to \(output ?? "")"
        console.err(
            "Exported \(Count.text(export.accounts, "account"))\(Terminal.safe(place)) with "
                + "\(Count.text(export.tokens, "refresh token")), encrypted with the passphrase")
        console.advise(
            "susi import \(isToStandardOutput ? "FILE" : (output ?? "").shellWord)    (on the other machine)")
        if export.leftOut.contains(where: \.isDamaged) { throw CommandEnded(code: .store) }
    }

    private func accounts(_ context: Context) async throws -> [StoredAccount] {
        guard all else {
            let name = try policy.name(in: context, exactly: yes)
            return [try await context.client.account(try await context.selection(account, under: name, exactly: yes))]
        }
        let accounts = try await context.client.accounts()
        guard !accounts.isEmpty else {
            throw SusiError(
                .unknownAccount, "nothing was exported", why: "no account is signed in",
                next: try await context.client.storedCount().all == 0 ? .signIn() : .listEverything)
        }
        return accounts
    }

    private func export(_ context: Context, to destination: OutputFile?) async throws {
        let accounts = try await accounts(context)
        try await confirm(context, accounts)
        let export = try await context.client.export(
            accounts, as: format.isOfBrowser ? .browser(origin: origin) : format == .msal ? .msal : .refreshToken)
        for account in export.damaged {
            context.console.err(
                context.console.errStyle.bad("left out: \(Terminal.safe(account.label)) (cannot be decrypted)"))
        }
        guard !export.accounts.isEmpty else {
            throw SusiError(
                .store, "nothing was exported",
                why: export.damaged.isEmpty ? "every account was left out" : "nothing can be decrypted",
                next: "\(SuggestedCommand("sign-in"))")
        }
        if let destination {
            try destination.keep(export.text.utf8)
        } else {
            context.console.out(bytes: Array(export.text.utf8))
        }
        printSummary(export, context.console)
        if format.isOfBrowser, export.accessTokens == 0 {
            let console = context.console
            console.err(
                console.errStyle.warning("No access token has more than five minutes left, which MSAL.js needs."))
            context.advise("\(SuggestedCommand("token").option("--min-valid", "30m")), and export again")
        }
        if !export.damaged.isEmpty { throw CommandEnded(code: .store) }
    }

    var isToStandardOutput: Bool { output == nil || output == "-" }

    // Returns `nil` for standard output.
    private func destination(_ console: Console) throws -> OutputFile? {
        if output == nil, console.outIsTerminal {
            throw UsageError(
                "nothing was exported", why: "the tokens would be shown on the terminal",
                next: "name a file with -o FILE, or -o - if that is intended")
        }
        return try output.flatMap { $0 == "-" ? nil : try OutputFile($0, allowsPipe: false) }
    }

    private func confirm(_ context: Context, _ accounts: [StoredAccount]) async throws {
        let who =
            accounts.count == 1
            ? "\(accounts[0].label) under \(accounts[0].account.policy)" : "\(accounts.count) accounts"
        let isOfUse = accounts.contains { !$0.needsSignIn(now: context.now) }
        let warning =
            isOfUse
            ? "The export contains unencrypted tokens: anyone who reads it can act as \(Terminal.safe(who)) until they expire."
            : "Every token of \(Terminal.safe(who)) has expired."
        context.console.err(context.console.errStyle.warning(warning))
        try await context.confirm("Write the export?", yes: yes, command: command, otherwise: "nothing was exported")
    }

    var command: SuggestedCommand {
        SuggestedCommand("export").option("--format", format.rawValue).option("--origin", origin?.spelling)
            .flag("--all", all).option("-o", output)
    }

    private func printSummary(_ export: CacheExport, _ console: Console) {
        let accounts = Count.text(export.accounts.count, "account")
        let destination = output.flatMap { $0 == "-" ? nil : " to \($0)" } ?? ""
        console.err(
            "Exported \(accounts)\(Terminal.safe(destination)) with "
                + "\(Count.text(export.accessTokens, "access token")) and \(Count.text(export.refreshTokens, "refresh token"))"
        )
    }
}
