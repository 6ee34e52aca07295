import ArgumentParser
import FoundationEssentials
import Susi
import SusiBase
import SusiStartup
import SusiTools
import SystemPackage

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write policies.json from an address of your tenant.",
        discussion: """
              susi init                          asks on the terminal
              susi init 'https://…/authorize?p=B2C_1_susi&client_id=…'
              susi init https://contoso.ciamlogin.com --client-id ID
              susi init https://login.example.com/TENANT --kind b2c --policy NAME
              susi init appsettings.json
              susi init src/authConfig.ts
              susi init api/appsettings.json web/src/authConfig.ts --copy tenants.json

            Accepts what the portal shows: the address of “Run user flow” or of the metadata, an authority, or an issuer. Of \
            settings (JSON, XML, YAML, TOML, .env, Dockerfile and the like), it reads the values with documented names, and prints \
            where each one is. Of source code and any other text, it finds the addresses of Microsoft's services and literals named \
            as a client ID, and uses them only after you confirm them, or give them as options. It puts nothing together and follows \
            no reference. If a value is missing, computed, a placeholder or ambiguous, susi asks on a terminal; elsewhere, one error \
            names all that is missing, and the options.

            The client ID of a server or an API is not susi's: register an application of its own for it. With --copy, none is \
            needed: the tenant file has the applications and the API of all files, and a client ID for susi. The emulator finds a \
            tenants.json beside policies.json.

            The file has no secrets: commit it to version control. Accounts and tokens are in the store, which is never committed. \
            An existing policies.json is replaced only with --force. An existing tenant file is never changed: what it lacks is \
            printed.
            """)

    @Argument(
        help: ArgumentHelp(
            "Address, or files with settings of one tenant; - is standard input", valueName: "address"))
    var sources: [String] = []

    @OptionGroup var draft: DraftOptions

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("File to write", valueName: "file"))
    var output = "policies.json"

    @Option(
        help: ArgumentHelp("Also write a tenant file for a copy; an existing one is kept", valueName: "file"),
        completion: .file())
    var copy: String?

    @Flag(help: "Replace an existing policies.json")
    var force = false

    @Flag(help: "Do not contact the tenant")
    var offline = false

    @Flag(help: "Never ask on the terminal")
    var noInput = false

    @Flag(help: "Print without colors")
    var noColor = false

    @OptionGroup var json: JSONOption

    func run() async throws {
        var application = ApplicationDraft()
        try draft.fill(&application)
        try checkOutputs()
        let kept = try copy.flatMap { SmallFile.exists($0) ? try TenantSource(named: $0).file() : nil }
        (application.again, application.isCopied) = (again, copy != nil)
        if !sources.isEmpty {
            try await DraftSource.read(sources, into: &application)
        } else if let tenant = application.tenant {
            application.tenant = try DraftSource.address(tenant, again)
        }
        let console = Console.standard
        if ProcessEnvironment.current.canAsk, !noInput, !sources.contains(InputFile.standardInput) {
            try await DraftQuestions(console: console).complete(&application)
            application.isConfirmed = true
        }
        var file = try DraftRules.file(of: application)
        let environment = ProcessEnvironment.current
        let paths = try Paths(config: nil, in: environment)
        let checks = offline ? [] : try await check(&file, paths)
        let localCopy = try copy.map { (name: $0, tenant: try LocalCopy(file.values, of: file.application, kept)) }
        try OutputFile(output, replaces: force, isPublic: true).keep(file.text.utf8)
        if let (name, tenant) = localCopy, kept == nil { try OutputFile(name, isPublic: true).keep(tenant.text.utf8) }
        let isTrusted = try trust(file, paths)
        let report = InitReport(
            values: file.values, application: file.application, file: output, checks: checks, isTrusted: isTrusted,
            next: copy != nil
                ? trial(file.application)
                : !isTrusted && needsTrust(file.application) ? suggested("policies trust") : next(checks),
            copy: trial(file.application),
            copied: localCopy.map { ($0.name, kept != nil, $0.tenant.missing) })
        try console.show(report, json: json.json)
        if let code = report.exitCode { throw CommandEnded(code: code) }
    }

    // The command with the options that were given.
    private var again: SuggestedCommand {
        let command = draft.completing(SuggestedCommand("init", sources))
        return command.option("-o", output == "policies.json" ? nil : output).option("--copy", copy)
            .flag("--force", force).flag("--offline", offline)
    }

    // MARK: Tenant check

    private func check(_ file: inout DraftFile, _ paths: Paths) async throws -> [PolicyCheck] {
        let checks = try await client(file.application, paths).check()
        guard checks.contains(where: { $0.isReached && $0.failure != nil }), let other = try file.withOtherSlash()
        else { return checks }
        // The address of the metadata does not show the exact spelling of the issuer.
        let others = try await client(other.application, paths).check()
        guard others.contains(where: { $0.failure == nil }) else { return checks }
        Console.standard.err(
            "Corrected the issuer to the provider's spelling: \(Terminal.safe(other.application.authority.spelling))")
        file = other
        return others
    }

    private func client(_ application: Application, _ paths: Paths) -> PublicClient {
        let environment = ProcessEnvironment.current
        return PublicClient(
            application: application, folder: paths.store, clock: { environment.now() },
            network: environment.network(
                tellsHeaders: false, loopbackRoots: paths.emulatorsRoot))
    }

    // MARK: Output file

    private func checkOutputs() throws {
        var others = sources
        for (option, name) in [("--output", output), ("--copy", copy ?? "")] where !name.isEmpty {
            guard !others.map(Self.path).contains(Self.path(name)) else {
                throw UsageError(
                    "“\(name)” is named twice", why: "a file that is written is not another one of the command",
                    next: "name another file with \(option)")
            }
            others.append(name)
        }
        guard force || SmallFile.kind(output) == nil else {
            let kept = copy.flatMap { SmallFile.exists($0) ? "“\($0)” exists too, and is kept in any case" : nil }
            throw UsageError(
                "“\(output)” exists and was not changed", why: kept ?? "",
                next: "replace “\(output)” with --force, or name another file with --output")
        }
    }

    // Trusts only a typed address. A configuration file may come from elsewhere, and it decides where tokens go.
    private func trust(_ file: DraftFile, _ paths: Paths) throws -> Bool {
        guard needsTrust(file.application), sources.allSatisfy(DraftSource.isTyped) else { return false }
        do {
            try paths.trusted.trust(
                Array(file.text.utf8), at: outputPath, naming: file.application.foreignOrigins)
        } catch { throw SusiError(error) }
        return true
    }

    private func needsTrust(_ application: Application) -> Bool {
        !application.isLocal
            && [Paths.here, Self.current.flatMap { $0.isFound ? $0.place : nil }].contains(outputPath)
    }

    private static var current: Paths? { try? Paths(config: nil, in: ProcessEnvironment.current) }

    private var outputPath: String { Self.path(output) }

    private static func path(_ name: String) -> String {
        FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(name)).lexicallyNormalized().string
    }

    // Tests with a copy at the names of the cloud, if there is one for them.
    private func trial(_ application: Application) -> SuggestedCommand {
        // The emulator finds a tenant file with the usual name beside the policies.
        let usual = FilePath(outputPath).removingLastComponent().appending(LocalCopy.usualName).string
        let seed = copy.flatMap { Self.path($0) == usual ? nil : $0 }
        guard copy != nil, !application.isLocal else { return suggested("emulator run").option("--seed", seed) }
        return suggested("emulator exec").flag("--as-cloud").option("--seed", seed).running(["pytest"])
    }

    private func next(_ checks: [PolicyCheck]) -> SuggestedCommand {
        suggested(checks.allSatisfy { $0.failure == nil } ? "sign-in" : "policies check")
    }

    // Adds `--config` if susi would not find the file.
    private func suggested(_ command: String) -> SuggestedCommand {
        guard let now = Self.current else { return SuggestedCommand(command) }
        let isFound = now.isFound && outputPath == now.place || now.policies == output || now.policies == outputPath
        return SuggestedCommand(command).option("--config", isFound ? nil : output)
    }
}
