import SystemPackage

/// A desktop session with a real key service: D-Bus and GNOME Keyring.
package struct KeyService: Sendable {
    /// The variables that a program needs to find the service.
    package let environment: [String: String]

    static let programs = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"]

    /// Whether its tests run: the programs are on `PATH`, or `SUSI_DEMAND_KEYRING` is set, which turns a skip into a
    /// failure.
    package static var isAvailable: Bool {
        programs.allSatisfy { TestEnvironment.program($0) != nil }
            || TestEnvironment.variable("SUSI_DEMAND_KEYRING") != nil
    }

    package func secretTool(_ words: String..., input: String = "") async throws -> ProgramOutcome {
        guard let path = TestEnvironment.program("secret-tool") else { throw Missing() }
        return try await Program(path, words, environment: environment, input: .text(input)).run()
    }

    /// Locks the keyring, as a desktop does with its screen. It cannot be unlocked again.
    package func lock() async throws {
        // Some versions crash after the command has succeeded.
        _ = try await secretTool("lock")
    }

    /// One of the programs is not on `PATH`.
    package struct Missing: Error, CustomStringConvertible {
        package let description = "needs \(KeyService.programs.joined(separator: ", ")) on PATH"
    }
}

/// Runs a key service with an unlocked, empty keyring while `body` runs.
package func withKeyService<T>(_ body: (KeyService) async throws -> T) async throws -> T {
    guard let session = TestEnvironment.program("dbus-run-session") else { throw KeyService.Missing() }
    return try await withTemporaryFolder { folder in
        let environment = [
            "HOME": folder.string, "XDG_RUNTIME_DIR": folder.string,
            "PATH": TestEnvironment.path,
        ]
        let script = """
            printf %s password | gnome-keyring-daemon --unlock --components=secrets >&2
            echo "address=$DBUS_SESSION_BUS_ADDRESS"
            exec cat
            """
        let program = Program(
            session, ["--", "/bin/sh", "-c", script], environment: environment, input: .open, limit: .seconds(240))
        return try await program.start { running in
            let line = try await running.waitForLine(containing: "address=")
            let address = String(line.drop { $0 != "=" }.dropFirst())
            return try await body(
                KeyService(environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }))
        }
    }
}
