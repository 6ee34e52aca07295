import Foundation
package import SystemPackage

/// The built program `susi` with one home.
package struct SusiBinary: Sendable {
    package let home: Home
    /// The executable: the one that SwiftPM built, or an installed copy.
    package private(set) var path: FilePath
    /// Variables for every run, besides those of the home.
    package var environment: [String: String] = [:]

    /// Finds the built program beside the running tests.
    package init(home: Home) throws {
        guard let path = TestEnvironment.builtProduct("susi") else { throw NotBuilt() }
        self.home = home
        self.path = path
    }

    package struct NotBuilt: Error, CustomStringConvertible {
        package let description = "no program `susi` beside the tests: build it first (`swift build`)"
    }

    /// Installs both programs below `prefix` in the home's folder, as a package does, and returns the one in `bin`.
    package func installed() throws -> SusiBinary {
        guard let small = TestEnvironment.builtProduct("susi-launcher") else { throw NotBuilt() }
        let prefix = home.folder.appending("prefix")
        for folder in ["", "bin", "libexec", "libexec/susi"] { try makeFolder(prefix.pushing(FilePath(folder))) }
        var installed = self
        installed.path = prefix.appending("bin/susi")
        let files = FileManager.default
        try files.copyItem(atPath: small.string, toPath: installed.path.string)
        try files.createSymbolicLink(atPath: installed.fullProgram.string, withDestinationPath: path.string)
        return installed
    }

    /// The path at which an installed program finds the full one.
    package var fullProgram: FilePath {
        path.removingLastComponent().removingLastComponent().appending("libexec/susi/susi")
    }

    /// Returns a command that has not started, for changes before `run` or `start`.
    package func command(
        _ arguments: [String], environment: [String: String] = [:], input: Program.Input = .none,
        limit: Duration = .seconds(120)
    ) -> Program {
        Program(
            path, arguments,
            environment: home.environment.merging(self.environment) { $1 }.merging(environment) { $1 },
            workingFolder: home.workingFolder, input: input, limit: limit)
    }

    /// Returns a line of a shell in the same surroundings, in which `$0` is the program, with the words `$1` and so on.
    package func shell(
        _ line: String, _ words: [String] = [], by shell: FilePath = "/bin/sh", environment: [String: String] = [:],
        input: Program.Input = .none, limit: Duration = .seconds(120)
    ) -> Program {
        var command = command(["-c", line, path.string] + words, environment: environment, input: input, limit: limit)
        command.path = shell
        return command
    }

    /// Returns a line of a shell that finds `susi` on its path.
    package func script(_ line: String, by shell: FilePath = "/bin/sh") -> Program {
        let path = "\(self.path.removingLastComponent()):\(home.environment["PATH"] ?? "")"
        return self.shell(line, by: shell, environment: ["PATH": path])
    }

    /// Runs `susi` to its end, without input or with this text.
    package func run(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramOutcome {
        try await command(arguments, environment: environment, input: input.map(Program.Input.text) ?? .none).run()
    }

    /// Runs `susi` under a pseudo-terminal; both streams are in `standardOutput`.
    package func runInTerminal(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        try await command(arguments, environment: environment).inTerminal().run()
    }

    /// Runs `susi` while `body` runs and kills it afterwards; `input` is open for typed text.
    @discardableResult
    package func start<T>(
        _ arguments: String..., environment: [String: String] = [:], _ body: (RunningProgram) async throws -> T
    ) async throws -> T {
        try await command(arguments, environment: environment, input: .open).start(body)
    }
}

/// Makes a temporary home and passes the built `susi` in it to `body`.
@discardableResult
package func withSusi<T>(policies: String? = nil, _ body: (SusiBinary) async throws -> T) async throws -> T {
    try await withHome(policies: policies) { home in try await body(try SusiBinary(home: home)) }
}
