import FoundationEssentials
import SusiBase
public import SusiHTTP
import SusiPolicies
import SusiStore

// A client with what an application leaves to the library: clock and folder are the system's.
extension PublicClient {
    /// Creates a client of an application in a policies file; nothing else is opened or contacted yet.
    ///
    /// - Parameters:
    ///   - path: The policies file.
    ///   - name: The application in it; `nil` for the current one.
    ///   - tenant: Another tenant of the same person, by GUID or domain, for the kind `entra`; `nil` for the application's.
    ///   - folder: The folder of the store, for this user alone; `nil` for `PROGRAM` in `XDG_STATE_HOME`, else in
    ///     `~/.local/state`.
    ///   - clock: Returns seconds since 1970; `nil` for the system's clock.
    ///   - network: Proxy, certificates and time limits.
    ///   - keeper: Provides the key of a store whose key is not in its file, and the key source of a new store.
    ///   - trace: Gets a line for each exchange with a server, without secrets.
    ///
    /// Throws ``SusiError/Code/invalidConfiguration`` with the mistakes in the file, ``SusiError/Code/unknownName`` without
    /// such an application or tenant.
    public init(
        policies path: String, application name: String? = nil, tenant: String? = nil, folder: String? = nil,
        clock: (@Sendable () -> Int64)? = nil, network: NetworkSettings = NetworkSettings(),
        keeper: KeyProvider = KeyProvider(),
        trace: (@Sendable (String) -> Void)? = nil
    ) throws(SusiError) {
        let file: PoliciesFile
        do { file = try PoliciesFile(path: path) } catch { throw SusiError(error, next: "fix the file") }
        try self.init(file, name, tenant, folder, clock, network, keeper, trace)
    }

    /// Creates a client of an application in policies that the program contains, in the format of a policies file; otherwise
    /// like ``init(policies:application:tenant:folder:clock:network:keeper:trace:)``.
    public init(
        policiesText text: String, application name: String? = nil, tenant: String? = nil, folder: String? = nil,
        clock: (@Sendable () -> Int64)? = nil, network: NetworkSettings = NetworkSettings(),
        keeper: KeyProvider = KeyProvider(),
        trace: (@Sendable (String) -> Void)? = nil
    ) throws(SusiError) {
        let file: PoliciesFile
        do { file = try PoliciesFile(text: text.utf8, source: "the text") } catch {
            throw SusiError(error, next: "fix the text")
        }
        try self.init(file, name, tenant, folder, clock, network, keeper, trace)
    }

    private init(
        _ file: PoliciesFile, _ name: String?, _ tenant: String?, _ folder: String?,
        _ clock: (@Sendable () -> Int64)?, _ network: NetworkSettings, _ keeper: KeyProvider,
        _ trace: (@Sendable (String) -> Void)?
    ) throws(SusiError) {
        guard let application = file.application(name) else {
            throw SusiError(
                .unknownName, "no application “\(name ?? "")” in \(file.source)",
                candidates: file.applications.map(\.name))
        }
        let program = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? "susi"
        let state = Self.stateFolder(in: ProcessInfo.processInfo.environment)
        self.init(
            application: try application.at(tenant: tenant), among: file.applications,
            folder: StoreFolder(folder ?? "\(state)/\(program)"),
            clock: clock ?? { Int64(Date().timeIntervalSince1970) },
            network: network, keeper: keeper, trace: trace)
    }

    // XDG Base Directory Specification: a relative path is ignored. HOME takes precedence over the user database.
    package static func stateFolder(in environment: [String: String]) -> String {
        let folder = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return folder("XDG_STATE_HOME") ?? "\(folder("HOME") ?? URL.homeDirectory.path)/.local/state"
    }
}

extension Application {
    /// Returns the application at the named tenant; itself for `nil`.
    fileprivate func at(tenant name: String?) throws(SusiError) -> Application {
        guard let name else { return self }
        do { return try at(try TenantName(name)) } catch let error as NoOtherTenants { throw SusiError(error) } catch {
            throw SusiError(
                .unknownName, "invalid tenant “\(name)”", why: (error as? InvalidInput)?.reason ?? "",
                next: "name one tenant, or leave it out")
        }
    }
}

extension NetworkSettings {
    /// Uses a proxy for https servers on other machines, for instance `http://user:password@host:port` or
    /// `socks5://host:port`; the hosts in `exceptions` are reached without it (like `NO_PROXY`). Throws
    /// `invalidConfiguration`, without the text, which may contain a password.
    public mutating func use(proxy: String, exceptions: String = "") throws(SusiError) {
        do { gateway = .proxy(try Proxy(proxy)) } catch {
            throw SusiError(.invalidConfiguration, "invalid address of a proxy", why: error.reason)
        }
        self.exceptions = ProxyExceptions(exceptions)
    }
}

extension SusiError {
    /// Describes the mistakes in a file: a single one on one line, several as a list.
    package init(_ error: PolicyFileError, next: NextStep) {
        if let flaw = error.flaw {
            self.init(flaw)
            return
        }
        guard !error.others.isEmpty else {
            self.init(.invalidConfiguration, "\(error)", next: next)
            return
        }
        let mistakes = error.all.map { mistake in
            "\(mistake.line.map { "line \($0): " } ?? "")\(mistake.reason)"
        }
        let count = mistakes.count < PolicyFileError.most ? "\(mistakes.count)" : "at least \(PolicyFileError.most)"
        self.init(.invalidConfiguration, "\(error.file) has \(count) mistakes", next: next, candidates: mistakes)
    }
}
