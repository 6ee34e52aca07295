public import SystemPackage

/// Everything that `susi` may find on one machine, in a temporary folder: the user's home, `SUSI_HOME` and a working folder.
public struct Home: Sendable {
    /// The folder that holds the others; tests may put files of their own beside them.
    public let folder: FilePath

    /// What `SUSI_HOME` names: configuration and state of `susi`. Not made beforehand, as on a fresh machine.
    public var susiHome: FilePath { folder.appending("susi") }
    /// What `HOME` names; empty.
    public var userHome: FilePath { folder.appending("user") }
    /// Where programs start; it has no `policies.json` until a test writes one.
    public var workingFolder: FilePath { folder.appending("work") }
    /// The configuration that `SUSI_HOME` leads to.
    public var policiesFile: FilePath { susiHome.appending("policies.json") }

    /// Puts `json` where `SUSI_HOME` leads; it is the user's own file, so it needs no `policies trust`.
    public func writePolicies(_ json: String) throws {
        if !FilePath.exists(susiHome) { try makeFolder(susiHome) }
        try write(json, to: policiesFile)
    }

    /// Puts `json` into the working folder: a file that came with a project.
    public func writeLocalPolicies(_ json: String) throws {
        try write(json, to: workingFolder.appending("policies.json"))
    }

    /// The variables of every program that runs here, besides those that a test gives.
    public var environment: [String: String] {
        [
            "HOME": userHome.string, "SUSI_HOME": susiHome.string, "LANG": "C.UTF-8",
            "PATH": TestEnvironment.variable("PATH") ?? "/usr/bin:/bin",
        ]
    }
}

/// Makes a temporary home, hands it to `body` and removes it afterwards.
public func withHome<T>(policies: String? = nil, _ body: (Home) async throws -> T) async throws -> T {
    try await withTemporaryFolder { folder in
        let home = Home(folder: folder)
        try makeFolder(home.userHome)
        try makeFolder(home.workingFolder)
        if let policies { try home.writePolicies(policies) }
        return try await body(home)
    }
}
