import FoundationEssentials
import SusiBase
import SusiPolicies

/// Finds a `policies.json` that is not named by an option or a variable.
enum FoundPolicies {
    /// The file in the working folder.
    static let here = "./policies.json"

    /// Returns the nearest file: in the working folder, then in the folders above it up to the root of the repository,
    /// which has `.git`, or to the home folder. A link counts wherever it leads.
    static func nearest(homeFolder: String?) -> String? {
        if SmallFile.owner(here) != nil { return here }
        var folder = workingFolder[...]
        while !SmallFile.exists("\(folder)/.git"), !isHome(folder, homeFolder), let above = parent(of: folder) {
            folder = above
            let path = "\(folder)/policies.json"
            if SmallFile.owner(path) != nil { return path }
        }
        return nil
    }

    /// The absolute path of the working folder, without a slash at the end.
    static var workingFolder: String {
        let path = FileManager.default.currentDirectoryPath
        return path == "/" ? "" : path
    }

    private static func isHome(_ folder: Substring, _ homeFolder: String?) -> Bool {
        guard let homeFolder else { return false }
        return folder == homeFolder || homeFolder.hasSuffix("/") && folder == homeFolder.dropLast()
    }

    // The root folder is empty here, so that a path below it has one slash.
    private static func parent(of folder: Substring) -> Substring? {
        folder.lastIndex(of: "/").map { folder[..<$0] }
    }
}
