import Foundation
public import SystemPackage

/// The built program `susi` in one home, run as a user runs it.
public struct SusiBinary: Sendable {
    /// Where it runs.
    public let home: Home
    /// The executable: the one that SwiftPM has built, or an installed copy.
    public private(set) var path: FilePath
    /// Variables for every run, besides those of the home.
    public var environment: [String: String] = [:]

    /// Finds the built program beside the running tests.
    public init(home: Home) throws {
        guard let path = TestEnvironment.builtProduct("susi") else { throw NotBuilt() }
        self.home = home
        self.path = path
    }

    /// The program is not beside the tests.
    public struct NotBuilt: Error, CustomStringConvertible {
        /// What to do.
        public let description = "no program `susi` beside the tests: build it first (`swift build`)"
    }

    /// Installs both programs below `prefix` in the home's folder, as a package does, and returns the one in `bin`.
    public func installed() throws -> SusiBinary {
        guard let small = TestEnvironment.builtProduct("susi-front") else { throw NotBuilt() }
        let prefix = home.folder.appending("prefix")
        for folder in ["", "bin", "libexec", "libexec/susi"] { try makeFolder(prefix.pushing(FilePath(folder))) }
        var installed = self
        installed.path = prefix.appending("bin/susi")
        let files = FileManager.default
        try files.copyItem(atPath: small.string, toPath: installed.path.string)
        try files.createSymbolicLink(
            atPath: installed.fullProgram.string, withDestinationPath: path.string)
        return installed
    }

    /// Where an installed program finds the full one.
    public var fullProgram: FilePath {
        path.removingLastComponent().removingLastComponent().appending("libexec/susi/susi")
    }

    /// A command that has not started; change what is special about it, then `run` or `start` it.
    public func command(
        _ arguments: [String], environment: [String: String] = [:], input: Program.Input = .none,
        limit: Duration = .seconds(60)
    ) -> Program {
        Program(
            path, arguments,
            environment: home.environment.merging(self.environment) { $1 }.merging(environment) { $1 },
            workingFolder: home.workingFolder, input: input, limit: limit)
    }

    /// Runs `susi` to its end with nothing or this text to read.
    public func run(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramOutcome {
        try await command(arguments, environment: environment, input: input.map(Program.Input.text) ?? .none).run()
    }

    /// Runs `susi` under a pseudo-terminal; both streams arrive in `standardOutput`.
    public func runInTerminal(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        try await command(arguments, environment: environment).inTerminal().run()
    }

    /// Runs `susi` while `body` runs, killed afterwards; `input` is open for what the test types.
    @discardableResult
    public func start<T>(
        _ arguments: String..., environment: [String: String] = [:], _ body: (RunningProgram) async throws -> T
    ) async throws -> T {
        try await command(arguments, environment: environment, input: .open).start(body)
    }
}

/// Makes a temporary home and hands the built `susi` in it to `body`.
public func withSusi<T>(policies: String? = nil, _ body: (SusiBinary) async throws -> T) async throws -> T {
    try await withHome(policies: policies) { home in try await body(try SusiBinary(home: home)) }
}
