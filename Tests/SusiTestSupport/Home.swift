package import SystemPackage

/// The files of `susi` on one machine, in a temporary folder: the user's home, `SUSI_HOME` and a working folder.
package struct Home: Sendable {
    /// The folder of the others, where tests may add files.
    package let folder: FilePath

    /// `SUSI_HOME`: configuration and state of `susi`. Not created in advance, as on a new machine.
    package var susiHome: FilePath { folder.appending("susi") }
    /// `HOME`; empty.
    package var userHome: FilePath { folder.appending("user") }
    /// The working folder of programs; it has no `policies.json` until a test writes one.
    package var workingFolder: FilePath { folder.appending("work") }
    package var policiesFile: FilePath { susiHome.appending("policies.json") }

    /// Returns the path of a file in `SUSI_HOME`.
    package func file(_ name: String) -> FilePath { susiHome.appending(name) }
    /// Returns the path of a file in the working folder.
    package func work(_ name: String) -> FilePath { workingFolder.appending(name) }

    /// Writes `json` to `SUSI_HOME`; it is the user's own file, so it needs no `policies trust`.
    package func writePolicies(_ json: String) throws {
        try policiesFile.write(json, mode: 0o600)
    }

    package func changePolicies(_ edit: (String) throws -> String) throws {
        try policiesFile.write(try edit(try policiesFile.text()))
    }

    /// Writes `json` to the working folder: a file from a checkout.
    package func writeLocalPolicies(_ json: String) throws {
        try work("policies.json").write(json, mode: 0o600)
    }

    /// The variables of every program that runs here, besides those of a test.
    package var environment: [String: String] {
        [
            "HOME": userHome.string, "SUSI_HOME": susiHome.string, "LANG": "C.UTF-8",
            "PATH": TestEnvironment.path,
        ]
    }
}

/// Makes a temporary home, passes it to `body` and removes it afterwards.
package func withHome<T>(policies: String? = nil, _ body: (Home) async throws -> T) async throws -> T {
    try await withTemporaryFolder { folder in
        let home = Home(folder: folder)
        try makeFolder(home.userHome)
        try makeFolder(home.workingFolder)
        if let policies { try home.writePolicies(policies) }
        return try await body(home)
    }
}
