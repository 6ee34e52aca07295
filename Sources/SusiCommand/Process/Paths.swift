import Susi
import SystemPackage

/// Where things are: settled once, from flags and environment.
struct Paths: Sendable {
    /// The policies file that applies; nil means the built-in one.
    let policies: String?
    /// Whether that file was only found in the working folder: it came with a checkout, perhaps.
    private let isFound: Bool
    /// The store's folder.
    let store: StoreFolder
    /// The emulator's folder.
    let emulator: FilePath

    /// Flag, then environment, then `./policies.json`, then the user's own file, then the built-in policies.
    init(config: String?, in surroundings: Surroundings) {
        let home = surroundings["HOME"] ?? "/"
        let ownHome = surroundings["SUSI_HOME"]
        let configuration = ownHome ?? (surroundings["XDG_CONFIG_HOME"] ?? "\(home)/.config") + "/susi"
        let state = ownHome ?? (surroundings["XDG_STATE_HOME"] ?? "\(home)/.local/state") + "/susi"
        let named = config ?? surroundings["SUSI_CONFIG"]
        let candidates = ["./policies.json", "\(configuration)/policies.json"]
        policies = named ?? candidates.first(where: SmallFile.exists)
        isFound = named == nil && policies == candidates[0]
        store = StoreFolder(FilePath(state), owner: surroundings.user)
        emulator = FilePath(state).appending("emulator")
    }

    /// Whether the application may be used. A file that was only found decides where tokens go, so it may name nothing
    /// but this machine.
    func mayUse(_ application: Application) -> Bool {
        guard isFound else { return true }
        return application.authority.isLoopback && application.policies.allSatisfy { $0.authority?.isLoopback ?? true }
            && application.apis.allSatisfy { $0.baseURL.isLoopback }
    }

    /// Reads the policies file.
    func read() throws(PolicyFileError) -> PoliciesFile {
        guard let policies else { return try PoliciesFile.builtIn() }
        return try PoliciesFile(path: policies)
    }
}
