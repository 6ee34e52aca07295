import FoundationEssentials
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
    /// The emulator's folder.
    package let emulator: FilePath
    /// The built-in policies for https, which `susi emulator run --tls` leaves in the emulator's folder.
    package let emulatorsOwn: String
    private let user: UInt32

    /// Decides in this order: flag, environment, the nearest `policies.json` from the working folder upwards, the user's
    /// own file, the emulator's file, built-in policies. With `rehearses` the store and the emulator's folder are those of
    /// rehearsals, apart from the others.
    package init(
        config: String?, rehearses: Bool = false, in environment: ProcessEnvironment
    ) throws(NoHome) {
        let configuration = try Self.folder("XDG_CONFIG_HOME", ".config", in: environment)
        let state = try Self.folder("XDG_STATE_HOME", ".local/state", in: environment)
        let named = config ?? environment["SUSI_CONFIG"]
        own = "\(configuration)/policies.json"
        emulatorsOwn = "\(state)/emulator/policies.json"
        let found = named == nil ? FoundPolicies.nearest(home: environment["HOME"]) : nil
        policies = named ?? found ?? [own, emulatorsOwn].first(where: SmallFile.exists)
        isFound = found != nil
        let place = rehearses ? FilePath(state).appending("rehearsal") : FilePath(state)
        user = environment.user
        store = StoreFolder(rehearses ? place : FilePath(Self.storeFolder(in: state, environment)), owner: user)
        emulator = place.appending("emulator")
    }

    /// The environment names no folder for the files, or only a relative one. None is guessed: tokens would be kept in an
    /// unexpected folder, another one for each working folder.
    package struct NoHome: Error {
        /// The variable with a relative path; `nil` if no variable is set.
        package let relative: String?
    }

    // SUSI_HOME, else a folder in that of a variable of the XDG base directories, else one in the home folder.
    private static func folder(
        _ variable: String, _ usual: String, in environment: ProcessEnvironment
    ) throws(NoHome) -> String {
        if let own = environment["SUSI_HOME"] { return own }
        if let base = try absolute(variable, in: environment) { return "\(base)/susi" }
        guard let home = try absolute("HOME", in: environment) else { throw NoHome(relative: nil) }
        return "\(home)/\(usual)/susi"
    }

    // A folder that SUSI_HOME names may be open to others, like one in a checkout: the store then has a private one in it.
    private static func storeFolder(in state: String, _ environment: ProcessEnvironment) -> String {
        guard environment["SUSI_HOME"] != nil, !SmallFile.exists("\(state)/store.sqlite") else { return state }
        let inner = "\(state)/store"
        return SmallFile.exists(inner) || SmallFile.status(state)?.isOpenToOthers ?? false ? inner : state
    }

    private static func absolute(_ variable: String, in environment: ProcessEnvironment) throws(NoHome) -> String? {
        guard let path = environment[variable] else { return nil }
        guard path.hasPrefix("/") else { throw NoHome(relative: variable) }
        return path
    }

    /// A policies file and what decides whether it may be used.
    package struct Read: Sendable {
        package let file: PoliciesFile
        /// The bytes of the file; empty for the built-in policies.
        package let content: [UInt8]
        /// The file's path; `nil` for the built-in policies.
        package var path: String?
        /// The owner of a file that was found, if that is neither the user nor root.
        package var otherOwner: UInt32?
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

    // The emulator's file, else the built-in policies.
    private func readEmulatorsOwn() throws(PolicyFileError) -> Read {
        guard SmallFile.exists(emulatorsOwn) else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        let content = try PoliciesFile.content(path: emulatorsOwn)
        let file = try PoliciesFile(text: content, source: emulatorsOwn)
        try file.checkIsForAnybody()
        return Read(file: file, content: content, path: emulatorsOwn)
    }

    // What pipes contained: a command may ask for its file again, and a pipe can be read only once.
    private static let pipes = Mutex<[String: [UInt8]]>([:])

    private static func content(of path: String) throws(PolicyFileError) -> [UInt8] {
        guard SmallFile.kind(path) == .pipe else { return try PoliciesFile.content(path: path) }
        if let read = pipes.withLock({ $0[path] }) { return read }
        let content = try PoliciesFile.content(path: path)
        pipes.withLock { $0[path] = content }
        return content
    }

    private func readFile() throws(PolicyFileError) -> Read {
        guard let policies else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        guard isFound else {
            let content = try Self.content(of: policies)
            let file = try PoliciesFile(text: content, source: policies)
            if policies != own { try file.checkIsForAnybody() }
            return Read(file: file, content: content, path: policies)
        }
        let found = try FoundPolicies.read(policies, user: user)
        let file = try PoliciesFile(text: found.content, source: policies)
        do { try file.checkIsForAnybody() } catch { if place != own { throw error } }
        return Read(file: file, content: found.content, path: policies, otherOwner: found.otherOwner)
    }

    /// Decides whether an application may be used. A file that was found decides where tokens go, so it must belong to the
    /// user or root and may name only this machine, unless the user trusts its content.
    package func decision(
        on read: Read, for application: Application
    ) throws(StoreError) -> TrustedFiles.Decision {
        guard isFound, !application.isLocal || read.otherOwner != nil else { return .trusted }
        return try TrustedFiles(store).decision(read.content, at: place)
    }

    /// Returns whether an application may be used; an error means no.
    package func mayUse(_ application: Application, of read: Read) -> Bool {
        guard let decision = try? decision(on: read, for: application), case .trusted = decision else { return false }
        return true
    }

    /// The absolute path of the found file; of the one in the working folder if none was found.
    package var place: String {
        guard isFound, let policies, policies != FoundPolicies.here else { return Self.here }
        return policies
    }

    /// Whether the found file is in the working folder, and not above it.
    package var isHere: Bool { place == Self.here }

    /// The absolute path of a policies file in the working folder.
    package static var here: String { "\(FoundPolicies.workingFolder)/policies.json" }
}
