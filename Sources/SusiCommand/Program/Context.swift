import Susi
import SusiBase
import SusiStartup
import SystemPackage

/// The paths, application, output and clock that a command uses.
struct Context: Sendable {
    let paths: Paths
    let file: PoliciesFile
    let application: Application
    /// The local copy that a command of the emulator means; `nil` if it means the application itself.
    let copy: TenantCopy?
    let client: PublicClient
    let console: Console
    let now: Int64
    let noInput: Bool
    /// Whether HTTP exchanges are logged on standard error.
    let isVerbose: Bool
    private let read: Paths.Read

    /// The options given on the command line; suggested commands repeat them.
    let given: GivenOptions

    /// Reads the flags and the environment. `other` names another application than the command line does; without `atTenant`,
    /// `--tenant` is not used. With a `running` copy, its files are read.
    init(
        _ command: some GivenCommand, application other: String? = nil, atTenant: Bool = true,
        of running: TenantCopy? = nil
    ) throws {
        let (options, environment, console) = (command.global, ProcessEnvironment.current, Console.standard)
        try Self.checkClock(environment)
        paths = try running?.paths ?? Paths(config: options.config, in: environment)
        let name = other ?? options.namedApplication
        read = try command.worksWithoutTrust ? paths.readTrusted() : paths.read(for: name)
        if command.worksWithoutTrust, read.path == nil, paths.isFound {
            let text = "not used: \(paths.place), which is not trusted; nothing is sent to the providers that it names"
            console.err(console.errStyle.warning(Terminal.safe(text)))
        }
        file = read.file
        guard let configured = file.application(name) else { throw Self.unknownApplication(name, in: file) }
        let usesCopy = command.usesCopy && running == nil
        if command.needsTrust {
            // A copy sends nothing to the servers of the original.
            let used = usesCopy ? configured.copied(to: .usualCopy) : configured
            try Self.check(try paths.trust(read, for: used), used, of: read, paths)
        }
        application = other == nil && atTenant ? try command.atTenant(configured) : configured
        copy = usesCopy ? try TenantCopy(configured, of: file, paths.copies) : nil
        given = other.map { GivenOptions(of: command).using(application: $0) } ?? GivenOptions(of: command)
        self.console = console
        now = environment.now()
        noInput = options.noInput
        isVerbose = options.verbose || options.debug
        if options.debug {
            console.err(console.errStyle.faint(Terminal.safe("policies file: \(read.path ?? "built-in")")))
        }
        var network = environment.network(
            tellsHeaders: options.debug, loopbackRoots: paths.emulatorsRoot)
        if let silence = command.longestSilence { network.longestSilence = .seconds(silence.value) }
        let trace = { @Sendable (line: String) in console.err(console.errStyle.faint(Terminal.safe(line))) }
        client = PublicClient(
            application: application, among: file.applications.filter { [paths, read] in paths.mayUse($0, of: read) },
            folder: paths.store, clock: { environment.now() }, network: network,
            keeper: KeyChoices(paths: paths, surroundings: environment, noInput: noInput).keeper(console),
            trace: isVerbose ? trace : nil)
    }

    /// The paths of the emulator that a command of it means.
    var emulatorPaths: Paths { copy?.paths ?? paths }

    /// The path of the policies file in use; `nil` for the built-in policies.
    var policiesFile: String? { read.path }

    /// Returns whether the command may also use another application of the same file.
    func mayUse(_ application: Application) -> Bool { paths.mayUse(application, of: read) }

    private static func checkClock(_ environment: ProcessEnvironment) throws {
        guard !environment.hasClock else { return }
        throw UsageError(
            "invalid value “\(environment["SUSI_CLOCK"] ?? "")” for SUSI_CLOCK",
            why: "expected a sign and a duration, for example +2h or -5m", next: "fix or unset SUSI_CLOCK")
    }

    private static func unknownApplication(_ name: String?, in file: PoliciesFile) -> SusiError {
        let own = PoliciesFile.builtInApplication
        // The built-in application is one of any file, unless another emulator took its place.
        let names = file.applications.map(\.name) + (file.application(own) == nil && name != own ? [own] : [])
        let meant = name.flatMap { NearMatch.of($0, in: names) }
        return SusiError(
            .unknownName, "no application “\(name ?? "")” in \(file.source)",
            why: meant.map { "did you mean “\($0)”?" } ?? "",
            next: "\(SuggestedCommand("policies list").without("-A"))", candidates: names)
    }

    private static func check(
        _ trust: TrustedFiles.Decision, _ application: Application, of read: Paths.Read, _ paths: Paths
    ) throws(SusiError) {
        let file = read.file
        let why: String
        switch trust {
        case .trusted: return
        case .unknown:
            let folder = paths.isHere ? "in this folder" : "above this folder"
            why =
                read.flaw.map { "\($0.path): \($0.why)" }
                ?? "it was found \(folder) and names hosts other than this machine"
        case .changed(let origins):
            let change = TrustChange(from: origins, to: file.foreignOrigins)
            why = "it has changed since it was trusted" + (change.map { ": \($0)" } ?? "")
        }
        let trusting: NextStep = "\(SuggestedCommand("policies trust").without("-A"))"
        throw SusiError(
            .unknownAuthority, "\(file.source) is not trusted for “\(application.name)”", why: why,
            next: read.flaw?.repair.map { "\($0), or \(trusting)" } ?? trusting,
            candidates: application.foreignOrigins)
    }

    func show(_ result: some CommandResult, json: Bool) throws { try console.show(result, json: json) }

    /// Prints that a local copy is used. Called before actions that would otherwise happen in the cloud.
    func announceCopy() {
        guard let original = application.copyOf else { return }
        let text = "\(application.authority.spelling) is a local copy of \(original.spelling)."
        console.err(console.errStyle.warning(Terminal.safe(text)))
    }

    func advise(_ step: NextStep) { console.advise(given.text(step)) }

    /// Prints which scopes were declined and which were granted. The token is kept anyway.
    func warn(_ scopes: ScopeOutcome) {
        guard !scopes.declined.isEmpty else { return }
        console.err(console.errStyle.warning(Terminal.safe(scopes.description)))
    }

    /// Asks for confirmation before an action that cannot be undone. Without a terminal, `--yes` is required.
    /// `otherwise` is the error text if the user declines.
    func confirm(
        _ question: String, yes: Bool, command: SuggestedCommand, otherwise: String = "nothing was removed"
    ) async throws {
        try await console.confirm(question, otherwise: otherwise, yes: yes, noInput: noInput, command: command)
    }
}

extension Paths {
    /// Decides whether an application of this file may be used.
    func trust(_ read: Read, for application: Application) throws(SusiError) -> TrustedFiles.Decision {
        do { return try decision(on: read, for: application) } catch { throw SusiError(error) }
    }
}

extension Console {
    /// Prints a result as text or as one JSON object.
    func show(_ result: some CommandResult, json: Bool) throws {
        if json {
            out(outStyle.json(result.json.text))
        } else {
            for line in result.lines(outStyle) { out(line) }
        }
    }

    /// Asks for confirmation; throws unless the answer is yes. Without a terminal, `--yes` is required.
    func confirm(
        _ question: String, otherwise: String, yes: Bool, noInput: Bool, command: SuggestedCommand
    ) async throws {
        if yes { return }
        guard ProcessEnvironment.current.canAsk, !noInput else {
            let why = noInput ? "--no-input forbids the question" : "standard input is not a terminal"
            throw UsageError(otherwise, why: why, next: "\(command.flag("--yes"))")
        }
        ask("\(question) [y/N] ")
        let answer = try await StandardInput.firstLine()
        // End of input leaves the cursor on the question's line.
        if answer == nil { err("") }
        guard ["y", "yes"].contains(answer?.lowercased() ?? "") else { throw SusiError(.cancelled, otherwise) }
    }
}
