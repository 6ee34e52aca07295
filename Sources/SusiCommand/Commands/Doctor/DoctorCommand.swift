import ArgumentParser
import Susi
import SusiBase
import SusiStartup
import SusiTools

struct DoctorCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that a sign-in needs.",
        discussion: """
              susi doctor
              susi doctor -A staging --json
              susi doctor --record capture.json sign-in -p B2C_1_susi

            Writes, reads and deletes in a test store, tests the key service and the loopback redirect, looks for the browser, and \
            checks the authority of each policy. Does not sign in, leaves nothing behind, and shows no secret. The exit code is 1 if \
            a problem was found.

            With --record, runs sign-in instead, or the command behind it, and writes what the authority sent to a new file: names, \
            types, formats and error codes, without a value of a person, a tenant or a secret. The file is printed, in place of the command's result.
            """)

    @OptionGroup var output: JSONOption

    @Option(
        help: ArgumentHelp(
            "Sign in, and write what the authority sent: names, types, error codes; no values", valueName: "file"),
        completion: .file())
    var record: String?

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Command to record, with its options (default: sign-in)", valueName: "command"))
    var words: [String] = []

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
        try PassedCommand.showRequested(words, of: Self.self)
        if record == nil, let word = words.first {
            throw ValidationError("“\(word)” needs --record\nwithout it, doctor runs no command")
        }
        if output.json, record != nil {
            throw ValidationError("--json cannot be combined with --record\nthe recording is JSON anyway")
        }
    }

    func run() async throws {
        if let record { return try await self.record(to: record) }
        let store = try StoreContext(noInput: true, GivenOptions(of: self))
        var report = DoctorReport(store.given)
        await Self.examine(store.keys, &report)
        do {
            let context = try Context(self)
            report.add("policies file", .ok, context.policiesFile ?? "built-in")
            if let original = context.application.copyOf {
                report.add(
                    "copy", .ok, "a local copy of \(original.spelling), at \(context.application.authority.origin)")
            }
            // Errors of the store are reported above.
            report.add(ownerless: (try? await context.client.storedCount().ownerless) ?? 0)
            await context.working("running the checks") { _ in await Self.examine(context, &report) }
        } catch let error as SusiError {
            report.add("policies file", error)
        } catch let error as PolicyFileError {
            let others = error.others.isEmpty ? "" : "; and \(error.others.count) more"
            report.add(
                "policies file", .problem, "\(error)\(others)", next: .fixPolicies)
        }
        try store.console.show(report, json: output.json)
        if !report.isFine { throw CommandEnded(code: .failed) }
    }

    // MARK: Store and key

    private static func examine(_ keys: StoreKeys, _ report: inout DoctorReport) async {
        report.check("store", "test store: write, read and delete work") { () throws(SusiError) in
            try keys.tryStore()
        }
        let source: KeySource?
        do {
            let status = try keys.status()
            source = status.source
            report.add(status)
        } catch {
            source = nil
            report.add("key", error)
        }
        do {
            try keys.tryKeyring()
            report.add("kernel keyring", .ok, "available")
        } catch {
            // Only a key outside the key file needs the keyring.
            let isNeeded = source.map { $0 != .file } ?? false
            report.add(
                "kernel keyring", isNeeded ? .warning : .ok,
                "\(error)\(isNeeded ? "; every command loads the key again" : "")")
        }
        await examineService(of: keys, source: source, &report)
    }

    private static func examineService(of keys: StoreKeys, source: KeySource?, _ report: inout DoctorReport) async {
        let services = KeySource.allCases.filter { $0.serviceRemedy != nil }
        guard let service = services.first(where: \.isSupported) else { return }
        let isUsed = source == service
        do {
            try await keys.tryService(service, writing: isUsed)
            let rekey = SuggestedCommand("store rekey").option("--to", service.rawValue)
            let hint: NextStep = source == .file ? "\(rekey)" : ""
            report.add("key service", .ok, "\(service.name) available", next: hint)
        } catch {
            if isUsed {
                report.add("key service", error)
            } else {
                report.add("key service", .ok, "not used; \(service.name) unavailable (\(error.why))")
            }
        }
    }

    // MARK: Sign-in requirements

    private static func examine(_ context: Context, _ report: inout DoctorReport) async {
        let client = context.client
        do {
            try await client.tryLoopback()
            report.add("loopback", .ok, "loopback redirect works")
        } catch { report.add("loopback", error) }
        do { report.add(busy: try await client.busyPorts(), of: context.application.redirectPorts) } catch {
            report.add("redirect ports", error)
        }
        report.add(redirectAddresses: context.application.addressesToRegister)
        let environment = ProcessEnvironment.current
        report.add(BrowserChoice.decide(in: .init(environment)), in: environment, context)
        do {
            for check in try await client.check() { report.add(check) }
        } catch { report.add("policies", error) }
    }
}
