import FoundationEssentials
package import SusiBase
package import SusiPolicies
package import SusiStore
import Synchronization
package import SystemPackage

/// The paths of all files, decided once from flags and environment.
package struct Paths: Sendable {
    /// The policies file in use; `nil` means the built-in policies.
    package let policies: String?
    /// Whether that file was found in the working folder or above it, and may have come with a checkout.
    package let isFound: Bool
    /// The user's own policies file, whether or not it exists or is in use.
    package let own: String
    package let store: StoreFolder
    /// The list of trusted policies files.
    package let trusted: TrustedFiles
    /// The emulator's folder.
    package let emulator: FilePath
    /// The built-in policies for https, which `susi emulator run --tls` leaves in the emulator's folder.
    package let emulatorsOwn: String
    /// The folder of the local copies of tenants, each with a folder of its own that ``copy(in:_:)`` uses as home.
    package var copies: FilePath {
        // In the home of a copy, that copy and those beside it are meant, and no others inside it.
        let home = emulator.removingLastComponent()
        let isCopy =
            home.removingLastComponent().lastComponent?.string == Self.copiesName
            && SmallFile.exists(home.appending("tenants.json").string)
        return isCopy ? home.removingLastComponent() : home.appending(Self.copiesName)
    }
    private static let copiesName = "copies"
    /// The certificate of the local authority in the emulator's folder, whether or not it exists.
    package var emulatorsRoot: String { emulator.appending("ca.pem").string }
    private let user: UInt32

    /// Decides in this order: flag, environment, the nearest `policies.json` from the working folder upwards, the user's
    /// own file, the emulator's file, built-in policies.
    ///
    /// Throws if one of the folders is missing in the environment, or if another user could have written what is in it.
    package init(config: String?, in environment: ProcessEnvironment) throws(Unusable) {
        let configuration = try Self.folder("XDG_CONFIG_HOME", ".config", in: environment)
        let state = try Self.folder("XDG_STATE_HOME", ".local/state", in: environment)
        let named = config ?? environment["SUSI_CONFIG"]
        own = "\(configuration)/policies.json"
        emulatorsOwn = "\(state)/emulator/policies.json"
        let found = named == nil ? FoundPolicies.nearest(homeFolder: environment["HOME"]) : nil
        policies = named ?? found ?? [own, emulatorsOwn].first(where: SmallFile.exists)
        isFound = found != nil
        user = environment.user
        store = StoreFolder(FilePath(Self.storeFolder(in: state, environment)), owner: user)
        trusted = TrustedFiles(store)
        emulator = FilePath(state).appending("emulator")
        do {
            try OwnedFile.check(configuration, user: user)
            if state != configuration { try OwnedFile.check(state, user: user) }
            try OwnedFile.check(emulator.string, user: user)
        } catch { throw .unsafe(error) }
    }

    /// The paths with a folder as home and the policies file in it, whatever the search finds.
    package static func copy(in home: FilePath, _ environment: ProcessEnvironment) throws(Unusable) -> Paths {
        var inside = environment
        inside.variable = { $0 == "SUSI_HOME" ? home.string : environment.variable($0) }
        return try Paths(config: home.appending("policies.json").string, in: inside)
    }

    /// Why the folders for the files cannot be used. None is guessed: tokens would be kept in an unexpected folder, another one
    /// for each working folder.
    package enum Unusable: Error {
        /// No variable names them.
        case unset
        /// A variable has a relative path.
        case relative(String)
        /// Another user could have written what is in one of them.
        case unsafe(OwnedFile.Flaw)
    }

    // SUSI_HOME, else a folder in that of a variable of the XDG base directories, else one in the home folder.
    private static func folder(
        _ variable: String, _ usual: String, in environment: ProcessEnvironment
    ) throws(Unusable) -> String {
        if let own = try absolute("SUSI_HOME", in: environment) { return own }
        if let base = try absolute(variable, in: environment) { return "\(base)/susi" }
        guard let home = try absolute("HOME", in: environment) else { throw .unset }
        return "\(home)/\(usual)/susi"
    }

    // A folder that SUSI_HOME names may be open to others, like one in a checkout: the store then has a private one in it.
    private static func storeFolder(in state: String, _ environment: ProcessEnvironment) -> String {
        guard environment["SUSI_HOME"] != nil, !SmallFile.exists("\(state)/store.sqlite") else { return state }
        let inner = "\(state)/store"
        return SmallFile.exists(inner) || SmallFile.status(state)?.isOpenToOthers ?? false ? inner : state
    }

    private static func absolute(_ variable: String, in environment: ProcessEnvironment) throws(Unusable) -> String? {
        guard let path = environment[variable] else { return nil }
        guard path.hasPrefix("/") else { throw .relative(variable) }
        return path
    }

    /// A policies file and what decides whether it may be used.
    package struct Read: Sendable {
        package let file: PoliciesFile
        /// The bytes of the file; empty for the built-in policies.
        package let content: [UInt8]
        /// The file's path; `nil` for the built-in policies.
        package var path: String?
        /// What another user could have changed; the file then needs trust, whatever it names.
        package var flaw: OwnedFile.Flaw?
    }

    /// Reads the policies file. An application that is not in it may be one of the emulator's own: the built-in tenant is
    /// available by name beside any file.
    package func read(for application: String? = nil) throws(PolicyFileError) -> Read {
        let read = try readFile()
        guard let application, read.file.application(application) == nil, let own = try? readEmulatorsOwn(),
            own.file.application(application)?.isLocal ?? false
        else { return read }
        return own
    }

    /// Reads the policies file; a found one that is not trusted or cannot be read is left alone, for the built-in policies.
    package func readTrusted() throws(PolicyFileError) -> Read {
        guard isFound else { return try readFile() }
        if let read = try? readFile(), let application = read.file.application(nil), mayUse(application, of: read) {
            return read
        }
        return Read(file: try PoliciesFile.builtIn(), content: [])
    }

    // The emulator's file, else the built-in policies.
    private func readEmulatorsOwn() throws(PolicyFileError) -> Read {
        guard SmallFile.exists(emulatorsOwn) else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        let content = try safeContent(of: emulatorsOwn)
        let file = try PoliciesFile(text: content, source: emulatorsOwn)
        try file.checkIsForAnybody()
        return Read(file: file, content: content, path: emulatorsOwn)
    }

    // A file that susi itself looks for counts only if no other user could have written it.
    private func safeContent(of path: String) throws(PolicyFileError) -> [UInt8] {
        let read = try PoliciesFile.owned(path: path, by: user)
        if let flaw = read.flaw { throw PolicyFileError(file: path, flaw) }
        return read.content
    }

    /// Reads the user's own policies file; `nil` if there is none. Only this file names the key source of the store.
    package func readOwn() throws(PolicyFileError) -> PoliciesFile? {
        SmallFile.exists(own) ? try PoliciesFile(text: safeContent(of: own), source: own) : nil
    }

    // What pipes contained: a command may ask for its file again, and a pipe can be read only once.
    private static let pipes = Mutex<[String: [UInt8]]>([:])

    private func contentOfPipe(_ path: String) throws(PolicyFileError) -> [UInt8] {
        if let read = Self.pipes.withLock({ $0[path] }) { return read }
        let content = try PoliciesFile.piped(path: path, by: user)
        Self.pipes.withLock { $0[path] = content }
        return content
    }

    private func readFile() throws(PolicyFileError) -> Read {
        guard let policies else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        if policies == emulatorsOwn { return try readEmulatorsOwn() }
        let (content, flaw) = policies == own ? (try safeContent(of: own), nil) : try readNamed(policies)
        let file = try PoliciesFile(text: content, source: policies)
        do { try file.checkIsForAnybody() } catch { if place != own { throw error } }
        return Read(file: file, content: content, path: policies, flaw: flaw)
    }

    private func readNamed(_ path: String) throws(PolicyFileError) -> (content: [UInt8], flaw: OwnedFile.Flaw?) {
        if !isFound, let kind = SmallFile.kind(path), kind != .file { return (try contentOfPipe(path), nil) }
        return try PoliciesFile.owned(path: path, by: user)
    }

    /// Decides whether an application may be used. A policies file decides where tokens go: one that another user could have
    /// written needs the user's trust in its content, and so does one that was found and names other machines than this one.
    package func decision(
        on read: Read, for application: Application
    ) throws(StoreError) -> TrustedFiles.Decision {
        guard read.flaw != nil || isFound && !application.isLocal else { return .trusted }
        return try trusted.decision(read.content, at: place)
    }

    /// Returns whether an application may be used; an error means no.
    package func mayUse(_ application: Application, of read: Read) -> Bool {
        guard let decision = try? decision(on: read, for: application), case .trusted = decision else { return false }
        return true
    }

    /// The absolute path of the file in use; of the one in the working folder for the built-in policies.
    package var place: String {
        guard let policies, policies != FoundPolicies.here else { return Self.here }
        return policies.hasPrefix("/") ? policies : "\(FoundPolicies.workingFolder)/\(policies)"
    }

    /// Whether the found file is in the working folder, and not above it.
    package var isHere: Bool { place == Self.here }

    /// The absolute path of a policies file in the working folder.
    package static var here: String { "\(FoundPolicies.workingFolder)/policies.json" }
}
