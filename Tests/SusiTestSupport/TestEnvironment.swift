import Foundation
package import SystemPackage

/// The environment of the tests themselves.
package enum TestEnvironment {
    /// Seconds since 1970.
    @Sendable package static func realTime() -> Int64 { Int64(Date().timeIntervalSince1970) }

    /// Returns a variable of the test's own environment; an empty one counts as missing.
    package static func variable(_ name: String) -> String? {
        let value = ProcessInfo.processInfo.environment[name]
        return value == "" ? nil : value
    }

    /// `PATH` of the programs that tests start. Python packages of `.ci/prepare --tests` come first, if they are there.
    package static let path: String = {
        let package = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let python = package.appending(".build/venv/bin")
        let inherited = variable("PATH") ?? "/usr/bin:/bin"
        return FileManager.default.fileExists(atPath: python.string) ? "\(python):\(inherited)" : inherited
    }()

    /// Returns the first program of this name on `PATH`.
    package static func program(_ name: String) -> FilePath? {
        path.split(separator: ":")
            .map { FilePath(String($0)).appending(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.string) }
    }

    /// Whether Python has these modules. `SUSI_DEMAND_WITNESS` turns a skip into a failure.
    package static func hasPython(_ modules: String) async -> Bool {
        if variable("SUSI_DEMAND_WITNESS") != nil { return true }
        guard let python = program("python3") else { return false }
        let check = Program(python, ["-c", "import \(modules)"], environment: ["PATH": path])
        return (try? await check.run().status) == 0
    }

    /// Whether this process may mount a file system in a namespace of its own.
    package static let mayMount = mayMount(with: mountOptions)

    /// The options of `unshare` for such a namespace: a user who is not root needs a user namespace too.
    package static let mountOptions = mayMount(with: ["-m"]) ? ["-m"] : ["-r", "-m"]

    private static func mayMount(with options: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare"] + options + ["sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Returns a program in the build folder of the running tests, or nil if it is missing.
    ///
    /// On Linux the tests are an executable in that folder; on macOS they are a bundle in it.
    package static func builtProduct(_ name: String) -> FilePath? {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let starts = ([own].compactMap(\.self) + CommandLine.arguments).filter { $0.contains(".xctest") }
        for start in starts {
            var folder = FilePath(start).removingLastComponent()
            while folder.components.count > 1 {
                let candidate = folder.appending(name)
                if FileManager.default.isExecutableFile(atPath: candidate.string), !candidate.isFolder {
                    return candidate
                }
                folder = folder.removingLastComponent()
            }
        }
        return nil
    }
}

extension FilePath {
    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: string, isDirectory: &isFolder) && isFolder.boolValue
    }
}
