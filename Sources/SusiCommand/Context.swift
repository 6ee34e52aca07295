import Susi

/// What a command works with, settled once: paths, application, output, time.
struct Context: Sendable {
    let paths: Paths
    let file: PoliciesFile
    let application: Application
    let client: PublicClient
    let console: Console
    let now: Int64
    let noInput: Bool
    /// Whether exchanges are told on standard error.
    let isVerbose: Bool

    init(_ options: GlobalOptions) throws {
        let surroundings = Surroundings.current
        guard surroundings.hasClock else {
            throw UsageError(
                "SUSI_CLOCK=\(surroundings["SUSI_CLOCK"] ?? "") is no shift of the clock",
                why: "expected a sign and a time, for instance +2h or -5m", next: "unset SUSI_CLOCK")
        }
        let paths = Paths(config: options.config, in: surroundings)
        let file = try paths.read()
        let name = options.application ?? surroundings["SUSI_APPLICATION"]
        guard let application = file.application(name) else {
            let names = file.applications.map(\.name)
            let meant = name.flatMap { NearMatch.of($0, in: names) }
            throw SusiError(
                .unknownName, "There is no application “\(name ?? "")” in \(file.source)",
                why: meant.map { "did you mean “\($0)”?" } ?? "", next: "susi policies list", candidates: names)
        }
        guard paths.mayUse(application) else {
            throw SusiError(
                .unknownAuthority, "./policies.json was not used for “\(application.name)”",
                why: "it was only found in this folder, and it names hosts other than this machine",
                next: "if the file is yours: --config ./policies.json")
        }
        let console = Console.standard
        let isVerbose = options.verbose
        self.paths = paths
        self.file = file
        self.application = application
        self.console = console
        self.isVerbose = isVerbose
        now = surroundings.now()
        noInput = options.noInput
        client = PublicClient(
            application: application, folder: paths.store, clock: { surroundings.now() },
            trace: { line in if isVerbose { console.err(console.errStyle.faint(Terminal.safe(line))) } })
    }

    /// Prints a result as text or as one JSON object.
    func show(_ result: some CommandResult, json: Bool) throws {
        if json {
            console.out(try result.json())
        } else {
            for line in result.lines(console.outStyle) { console.out(line) }
        }
    }

    /// Tells which scopes a server did not grant, and which it did; the token is kept all the same.
    func warn(declined: ScopeSet, granted: ScopeSet) {
        guard !declined.isEmpty else { return }
        let text = "declined: \(declined.description); granted: \(granted.description)"
        console.err(console.errStyle.warning(Terminal.safe(text)))
    }

    /// Asks before something that cannot be undone; elsewhere than on a terminal, `--yes` has to answer. `otherwise` says
    /// what did not happen.
    func confirm(
        _ question: String, yes: Bool, command: String, otherwise: String = "Nothing was removed"
    ) throws {
        if yes { return }
        guard Surroundings.current.canAsk, !noInput else {
            throw UsageError(
                otherwise, why: "nobody can be asked here", next: "\(command) --yes")
        }
        console.ask("\(question) [y/N] ")
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
            throw SusiError(.cancelled, otherwise)
        }
    }
}
