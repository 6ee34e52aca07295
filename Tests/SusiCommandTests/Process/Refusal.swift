import Foundation
import Susi
import SusiStartup
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The error of a command that ran within this process, for tests of what is refused and suggested. Its start as a program costs
/// much more than the command.
struct Refusal: CustomStringConvertible {
    /// The variables and the arguments, for the message of a failure.
    let command: String
    let error: SusiError
    /// The error code in JSON.
    let code: String
    let status: Int32
    /// The text of the next step, as the program prints it.
    let next: String
    /// The lines on standard error.
    let text: String

    var description: String { "\(command)\nstatus \(status)\n\(text)" }

    /// Expects an exit status, the code in JSON and the next step; texts of the error; and texts that it does not have.
    @discardableResult
    func exits(
        _ status: Int32, code: String? = nil, next: String? = nil, saying texts: String..., hiding hidden: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Refusal {
        #expect(self.status == status, "\(self)", sourceLocation: sourceLocation)
        if let code { #expect(self.code == code, "\(self)", sourceLocation: sourceLocation) }
        if let next { #expect(self.next == next, "\(self)", sourceLocation: sourceLocation) }
        for part in texts { #expect(text.contains(part), "\(self)", sourceLocation: sourceLocation) }
        for part in hidden { #expect(!text.contains(part), "\(self)", sourceLocation: sourceLocation) }
        return self
    }
}

extension SusiBinary {
    /// Returns the variables of a command within this process. The working folder is that of the tests, so the policies file is
    /// named; standard input is no terminal.
    func processEnvironment(_ more: [String: String] = [:]) -> ProcessEnvironment {
        let named = ["SUSI_CONFIG": home.policiesFile.string]
        let all = home.environment.merging(named) { $1 }.merging(environment) { $1 }.merging(more) { $1 }
        return ProcessEnvironment(variable: { all[$0] }, user: getuid(), canAsk: false)
    }

    /// Runs a command that must fail within this process and returns its error. The home has a policies file; the command reads no
    /// standard input, and a relative path would start at the working folder of the tests.
    func refusal(_ arguments: [String], environment: [String: String] = [:]) async throws -> Refusal {
        try #require(isatty(2) == 0, "on a terminal, names are completed")
        var given = GivenOptions()
        do {
            try await ProcessEnvironment.$current.withValue(processEnvironment(environment)) {
                try await SusiCommand.Program.execute(arguments) { given = GivenOptions($0) }
            }
        } catch {
            guard let (explained, code) = SusiCommand.Program.explained(error, of: arguments, given) else {
                throw error
            }
            return Refusal(
                command: "\(environment) \(arguments)", error: explained.error, code: explained.code,
                status: code.rawValue,
                next: explained.error.next,
                text: explained.error.lines(Style(isColored: false)).joined(separator: "\n") + "\n")
        }
        throw Accepted(arguments: arguments)
    }

    func refusal(_ arguments: String..., environment: [String: String] = [:]) async throws -> Refusal {
        try await refusal(arguments, environment: environment)
    }

    /// Returns a client within this process with the store of this program.
    func client(_ application: String? = nil) throws -> PublicClient {
        let file = try PoliciesFile(path: home.policiesFile.string)
        return PublicClient(
            application: try #require(file.application(application)), folder: StoreFolder(home.susiHome.string),
            clock: TestEnvironment.realTime)
    }
}

/// A command that had to fail succeeded.
private struct Accepted: Error { let arguments: [String] }
