import ArgumentParser
import Susi
import SystemPackage

/// `susi export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write accounts with their tokens: everything sealed by a passphrase, or a cache that MSAL reads.",
        discussion: """
            susi export --format susi -o FILE
            susi export --format msal -o cache.json
            susi export --format msal -p B2C_1_partner -a ana@contoso.example -o cache.json
            susi export --format msal --all --yes | ssh host 'umask 077; cat > cache.json'

            With --format susi everything that is stored goes into the file, of all applications, sealed by a passphrase; susi
            import takes it over elsewhere. A file for MSAL holds tokens that nothing seals: whoever reads it is these accounts until the tokens end. The
            accounts stay here too; of two programs that refresh the same token one may be refused.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption

    @OptionGroup var passphrase: PassphraseOption

    @Option(help: "The form: susi, everything sealed by a passphrase; msal, the JSON of MSAL for Python.")
    var format: Form

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write, which must not exist; - for standard output.", valueName: "file"))
    var output: String?

    @Flag(help: "Every account of the application.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case msal, susi
    }

    func validate() throws {
        if all, policy.text != nil || account.text != nil {
            throw ValidationError("Name an account with -p and -a, or --all, not both.")
        }
        if format == .susi, all || policy.text != nil || account.text != nil {
            throw ValidationError("--format susi writes everything that is stored: leave out -p, -a and --all.")
        }
        if format == .msal, passphrase.passphraseFile != nil {
            throw ValidationError("--passphrase-file is for --format susi: nothing seals a cache for MSAL.")
        }
    }

    func run() async throws {
        let context = try Context(global)
        try checkPlace(context.console)
        if format == .susi { return try await exportSealed(context) }
        let accounts =
            all
            ? try await context.client.accounts()
            : [try await context.client.account(AccountSelection(policy: policy.name, text: account.chosen))]
        guard !accounts.isEmpty else {
            throw SusiError(.unknownAccount, "Nothing was exported", why: "nobody is signed in", next: "susi sign-in")
        }
        try confirm(context, accounts)
        let export = try await context.client.exportMSAL(accounts)
        for account in export.damaged {
            context.console.err(
                context.console.errStyle.bad("\(Terminal.safe(account.label)) cannot be opened and was left out"))
        }
        guard !export.accounts.isEmpty else {
            throw SusiError(.store, "Nothing was exported", why: "nothing of it can be opened", next: "susi sign-in")
        }
        try write(export.text, context.console)
        say(export, context.console)
        if !export.damaged.isEmpty { throw CommandEnded(code: .store) }
    }

    var isToStandardOutput: Bool { output == nil || output == "-" }

    // Before anybody is asked anything.
    private func checkPlace(_ console: Console) throws {
        if output == nil, console.outIsTerminal {
            throw UsageError(
                "Nothing was exported", why: "the tokens would be shown on the terminal",
                next: "name a file with -o FILE, or -o - if that is meant")
        }
        if let output, output != "-", SmallFile.exists(output) {
            throw UsageError("“\(output)” cannot be written", why: "it exists", next: "name a new file with -o")
        }
    }

    private func confirm(_ context: Context, _ accounts: [StoredAccount]) throws {
        let who =
            accounts.count == 1
            ? "\(accounts[0].label) under \(accounts[0].account.policy)" : "\(accounts.count) accounts"
        context.console.err(
            context.console.errStyle.warning(
                "The export holds tokens that nothing seals: whoever reads it is \(Terminal.safe(who)) until they end.")
        )
        try context.confirm("Write it?", yes: yes, command: command, otherwise: "Nothing was exported")
    }

    var command: String {
        var words = ["susi export --format \(format.rawValue)"]
        if let application = global.application { words.append("-A \(application.shellWord)") }
        if let policy = policy.text { words.append("-p \(policy.shellWord)") }
        if let account = account.text { words.append("-a \(account.shellWord)") }
        if all { words.append("--all") }
        if let output { words.append("-o \(output.shellWord)") }
        return words.joined(separator: " ")
    }

    private func write(_ text: String, _ console: Console) throws {
        guard let output, !isToStandardOutput else { return console.out(bytes: Array(text.utf8)) }
        do {
            let file = try FileDescriptor.open(
                FilePath(output), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            _ = try file.closeAfter { try file.writeAll(text.utf8) }
        } catch {
            throw SusiError(.failed, "“\(output)” cannot be written", why: "\(error)", next: "name a new file with -o")
        }
    }

    private func say(_ export: CacheExport, _ console: Console) {
        let accounts = export.accounts.count == 1 ? "1 account" : "\(export.accounts.count) accounts"
        let place = output.flatMap { $0 == "-" ? nil : " to \($0)" } ?? ""
        console.err(
            "Exported \(accounts)\(Terminal.safe(place)) with \(export.accessTokens) access and "
                + "\(export.refreshTokens) refresh tokens")
    }
}
