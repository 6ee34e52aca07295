import ArgumentParser
import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SusiJourneys
import SusiStartup
import SystemPackage

struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator", abstract: "Run a local tenant for development and tests.",
        subcommands: [
            Run.self, Exec.self, Check.self, Export.self, Ready.self, Reset.self, Schema.self, Trust.self,
        ])

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of tenant files, for editors.",
            discussion: """
                  susi emulator schema > tenants.schema.json
                """)

        func run() throws { Console.standard.out(try TenantFile.schema()) }
    }
}

/// The tenant settings that `policies.json` does not contain.
struct TenantOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Tenant file: a description of the tenants to serve", valueName: "file"),
        completion: .file(extensions: ["json"]), transform: TenantSource.init(named:))
    var seed: TenantSource?

    @Option(
        help: ArgumentHelp("Folder with custom policies to serve", valueName: "folder"), completion: .directory)
    var policies: String?

    @OptionGroup var policyFolder: PolicyFolderOptions

    // Takes the next word as the value in any case: “-5m” is an invalid time, not an option.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Lifetime of access and id tokens", valueName: "time"),
        transform: Seconds.positive)
    var accessToken: Seconds?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Lifetime of refresh tokens", valueName: "time"),
        transform: Seconds.positive)
    var refreshToken: Seconds?

    /// With the tenant file beside the policies file of a copied tenant, unless another one is named: `init --copy` writes it
    /// there. A file that came with a checkout does not make the emulator call other machines.
    func including(_ context: Context) throws -> TenantOptions {
        let isCopy = context.copy != nil || context.application.copyOf != nil
        guard seed == nil, isCopy, let policies = context.policiesFile else { return self }
        let path = FilePath(policies).removingLastComponent().appending(TenantFile.usualName).string
        guard let found = try TenantSource(found: path) else { return self }
        let file = try found.file()
        guard !file.callsElsewhere else { throw Self.callsElsewhere(path) }
        if let copy = context.copy, !copy.tenants.contains(where: file.describes) {
            let text = "\(path) describes no tenant \(copy.original.authority)"
            context.console.err(context.console.errStyle.warning(Terminal.safe(text)))
        }
        var options = self
        options.seed = found
        return options
    }

    /// Whether there are tenants that no policies file names.
    var describesTenants: Bool { seed != nil || policies != nil }

    func validate() throws {
        let isGiven = policyFolder.environment != nil || !policyFolder.settings.isEmpty
        if policies == nil, isGiven { throw ValidationError("--environment and --settings need --policies") }
    }

    static func callsElsewhere(_ path: String) -> UsageError {
        UsageError(
            "“\(path)” lets the emulator call other machines", why: "its allowedHosts count only if you name the file",
            next: "\(TenantSource.naming(path))")
    }

    /// Returns the tenants of `base` and those of the tenant file.
    func tenants(over base: [TenantConfiguration]) throws -> [TenantConfiguration] {
        try serving(
            try read { (file) throws(PolicyFileError) in try file.applied(to: base) } ?? base.map(configured))
    }

    /// Returns only the tenants of the tenant file, with the defaults from `base`; without a tenant file, those of
    /// `base`.
    func tenants(of base: [TenantConfiguration]) throws -> [TenantConfiguration] {
        try serving(
            try read { (file) throws(PolicyFileError) in try file.tenants(over: base) } ?? base.map(configured))
    }

    // Folders that an upload would refuse are reported as by the check.
    private func serving(_ tenants: [TenantConfiguration]) throws -> [TenantConfiguration] {
        var tenants = tenants
        if let policies {
            let folder = PolicyFolderSettings(
                path: policies, environment: policyFolder.environment, settings: policyFolder.values.values)
            tenants = tenants.serving(folder, of: try PolicyFiles.served(folder).tenant)
        } else {
            for folder in tenants.compactMap(\.policyFolder) { _ = try PolicyFiles.served(folder) }
        }
        return tenants
    }

    private func read(
        _ tenants: (TenantFile) throws(PolicyFileError) -> [TenantConfiguration]
    ) throws -> [TenantConfiguration]? {
        guard let file = try seed?.file() else { return nil }
        do throws(PolicyFileError) { return try tenants(file).map(configured) } catch {
            throw TenantSource.explained(error)
        }
    }

    /// Explains why the emulator failed, with the line of the tenant file that names a faulty file.
    func explained(_ error: EmulatorError, in command: SuggestedCommand) -> SusiError {
        let named: String? =
            switch error {
            case .usersUnusable(let path, _, _), .templateUnusable(let path, _, _): path
            default: nil
            }
        let place = seed.flatMap { seed in
            named.flatMap { path in (try? seed.file())?.line(naming: FilePath(path)) }
                .map { "\(seed.name), line \($0)" }
        }
        return SusiError(error, in: command, place: place)
    }

    private func configured(_ tenant: TenantConfiguration) -> TenantConfiguration {
        var tenant = tenant
        tenant.lifetimes = changed(tenant.lifetimes)
        for (policy, settings) in tenant.settings {
            tenant.settings[policy]?.lifetimes = settings.lifetimes.map(changed)
        }
        return tenant
    }

    // Options take precedence over the tenant file.
    private func changed(_ lifetimes: Lifetimes) -> Lifetimes {
        var lifetimes = lifetimes
        lifetimes.accessToken = accessToken?.value ?? lifetimes.accessToken
        lifetimes.idToken = accessToken?.value ?? lifetimes.idToken
        lifetimes.refreshToken = refreshToken?.value ?? lifetimes.refreshToken
        return lifetimes
    }
}

/// A tenant file that was named, or one that was found and read.
struct TenantSource {
    /// As it was named, or the path where it was found.
    let name: String
    private var content: [UInt8]?

    init(named name: String) { self.name = name }

    /// Reads the file at `path`; `nil` if there is none, or only another program's with this name. Throws an error if another user
    /// could have written it: it has users, and names files that are read.
    init?(found path: String) throws {
        guard SmallFile.exists(path) else { return nil }
        let user = ProcessEnvironment.current.user
        do throws(PolicyFileError) {
            let read = try PoliciesFile.owned(path: path, limit: TenantFile.largest, by: user)
            guard try TenantFile.isOne(read.content, source: path) else { return nil }
            if let flaw = read.flaw { throw PolicyFileError(file: path, flaw) }
            (name, content) = (path, read.content)
        } catch {
            if let flaw = error.flaw { throw SusiError(flaw, otherwise: Self.naming(path)) }
            throw Self.explained(error)
        }
    }

    /// Returns what the file describes.
    func file() throws -> TenantFile {
        let path = FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(name))
        do throws(PolicyFileError) {
            let text = if let content { content } else { try TenantFile.content(path: FilePath(name)) }
            return try TenantFile(text: text, source: name, folder: path.removingLastComponent())
        } catch { throw Self.explained(error) }
    }

    static func naming(_ path: String) -> NextStep { "if you trust it, add --seed \(path.shellWord)" }

    static func explained(_ error: PolicyFileError) -> any Error {
        if error.isUnreadable { return error }
        return SusiError(error, next: "fix the file; \(SuggestedCommand("emulator schema")) prints its format")
    }
}

extension TenantFile {
    static let usualName = "tenants.json"
}
