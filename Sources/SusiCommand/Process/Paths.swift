import Susi
import SystemPackage

/// Where things are: settled once, from flags and environment.
struct Paths: Sendable {
    /// The policies file that applies; nil means the built-in one.
    let policies: String?
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
        let candidates = ["./policies.json", "\(configuration)/policies.json"]
        policies =
            config ?? surroundings["SUSI_CONFIG"]
            ?? candidates.first(where: SmallFile.exists)
        store = StoreFolder(FilePath(state), owner: surroundings.user)
        emulator = FilePath(state).appending("emulator")
    }

    /// Reads the policies file.
    func read() throws(PolicyFileError) -> PoliciesFile {
        guard let policies else { return try PoliciesFile.builtIn() }
        return try PoliciesFile(path: policies)
    }
}
