import FoundationEssentials
import Susi
import SystemPackage

/// Where things are: settled once, from flags and environment.
struct Paths: Sendable {
    /// The policies file that applies; nil means the built-in one.
    let policies: String?
    /// Whether that file was only found in the working folder: it came with a checkout, perhaps.
    let isFound: Bool
    /// The user's own policies file, whether it is there and applies or not.
    let own: String
    /// The store's folder.
    let store: StoreFolder
    /// The emulator's folder.
    let emulator: FilePath
    /// The built-in policies as `susi emulator run --tls` leaves them in its folder: those of https.
    let emulatorsOwn: String

    /// The file that is found in the working folder.
    static let found = "./policies.json"

    /// Flag, then environment, then `./policies.json`, then the user's own file, then what the emulator left, then the
    /// built-in policies.
    init(config: String?, in surroundings: Surroundings) {
        let home = surroundings["HOME"] ?? "/"
        let ownHome = surroundings["SUSI_HOME"]
        let configuration = ownHome ?? (surroundings["XDG_CONFIG_HOME"] ?? "\(home)/.config") + "/susi"
        let state = ownHome ?? (surroundings["XDG_STATE_HOME"] ?? "\(home)/.local/state") + "/susi"
        let named = config ?? surroundings["SUSI_CONFIG"]
        own = "\(configuration)/policies.json"
        emulatorsOwn = "\(state)/emulator/policies.json"
        let candidates = [Self.found, own, emulatorsOwn]
        policies = named ?? candidates.first(where: SmallFile.exists)
        isFound = named == nil && policies == candidates[0]
        store = StoreFolder(FilePath(state), owner: surroundings.user)
        emulator = FilePath(state).appending("emulator")
    }

    /// The policies file together with what decides whether it may be used.
    struct Read: Sendable {
        /// What it says.
        let file: PoliciesFile
        /// The bytes that it was read from; empty when nothing needs to be decided about them.
        let content: [UInt8]
        /// Its path; nil for the built-in policies.
        var path: String?
    }

    /// Reads the policies file. An application that is not in it may be one of the emulator's own: the built-in tenant can be
    /// used by its name beside any file.
    func read(for application: String? = nil) throws(PolicyFileError) -> Read {
        let read = try readFile()
        guard let application, read.file.application(application) == nil, let own = try? readEmulatorsOwn(),
            own.file.application(application)?.isLocal ?? false
        else { return read }
        return own
    }

    // What the emulator left, else the built-in policies.
    private func readEmulatorsOwn() throws(PolicyFileError) -> Read {
        guard SmallFile.exists(emulatorsOwn) else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        let file = try PoliciesFile(path: emulatorsOwn)
        try file.checkIsForAnybody()
        return Read(file: file, content: [], path: emulatorsOwn)
    }

    private func readFile() throws(PolicyFileError) -> Read {
        guard let policies else { return Read(file: try PoliciesFile.builtIn(), content: []) }
        guard isFound else {
            let file = try PoliciesFile(path: policies)
            if policies != own { try file.checkIsForAnybody() }
            return Read(file: file, content: [], path: policies)
        }
        let content = try PoliciesFile.content(path: policies, isFound: true)
        let file = try PoliciesFile(text: content, source: policies)
        do { try file.checkIsForAnybody() } catch { if Self.place != own { throw error } }
        return Read(file: file, content: content, path: policies)
    }

    /// Whether an application may be used. A file that was only found decides where tokens go, so it may name nothing but
    /// this machine, unless its content was trusted.
    func trust(_ read: Read, for application: Application) throws(SusiError) -> TrustedFiles.Decision {
        guard isFound, !application.isLocal else { return .trusted }
        do { return try TrustedFiles(store).decision(read.content, at: Self.place) } catch { throw SusiError(error) }
    }

    /// The same in one word; what cannot be decided may not be used.
    func mayUse(_ application: Application, of read: Read) -> Bool {
        if !isFound || application.isLocal { return true }
        guard let decision = try? trust(read, for: application), case .trusted = decision else { return false }
        return true
    }

    /// The absolute path of the file that is found in the working folder.
    static var place: String {
        FilePath(FileManager.default.currentDirectoryPath).appending("policies.json").string
    }
}
