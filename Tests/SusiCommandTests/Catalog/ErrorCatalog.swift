import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Every error once, with typical values, as on a terminal.
struct ErrorCatalog {
    private(set) var text = """
        # Every error of susi once, with typical values, as a terminal shows it. `ErrorCatalogTests` writes this file.

        """
    private(set) var count = 0
    /// The commands that programs get.
    private(set) var commands: [String] = []

    mutating func section(_ title: String) { text += "\n\n== \(title) ==\n" }

    mutating func add(_ error: any Error) {
        guard let (explained, code) = SusiCommand.Program.explained(error, of: [], GivenOptions()) else { return }
        add(explained.error.lines(Style(isColored: false)), code.rawValue)
        let json = try? JSONNode(parsing: explained.json(code.rawValue).text.utf8)
        if let next = json?["error"]?["next"] { commands.append(next.string ?? "") }
    }

    mutating func add(_ lines: [String], _ code: Int32) {
        text += "\nexit \(code)\n" + lines.joined(separator: "\n") + "\n"
        count += 1
    }

    /// Adds a row of a table of codes.
    mutating func add(_ code: ErrorCode) {
        text +=
            "\n\(code.name) (\(code.consequence.rawValue)): \(code.meaning)\n  next: \(GivenOptions().text(code.next))\n"
        count += 1
    }

    /// Adds the output of a run of the program. Paths of the temporary home become `HOME`.
    mutating func add(_ susi: SusiBinary, _ arguments: [String], _ environment: [String: String] = [:]) async throws {
        let outcome = try await susi.command(arguments, environment: environment).run()
        add(susi, arguments, environment, outcome.status, outcome.standardError)
    }

    /// Adds the error of a command that runs within this process.
    mutating func add(
        _ susi: SusiBinary, refusing arguments: [String], _ environment: [String: String] = [:]
    ) async throws {
        let refusal = try await susi.refusal(arguments, environment: environment)
        add(susi, arguments, environment, refusal.status, refusal.text)
    }

    private mutating func add(
        _ susi: SusiBinary, _ arguments: [String], _ environment: [String: String], _ status: Int32, _ error: String
    ) {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        text += "\n$ \((variables + ["susi"] + arguments).joined(separator: " "))\nexit \(status)\n"
        text += error.replacing(susi.home.folder.string, with: "HOME")
        count += 1
    }
}

extension ErrorCatalog {
    static func made() async throws -> ErrorCatalog {
        var catalog = ErrorCatalog()
        let policies = try PoliciesFile(text: PoliciesFile.withoutPasswordsText.utf8, source: "policies.json")
        let application = try #require(policies.application(nil))
        catalog.addNetwork(application)
        try catalog.addAuthorities()
        try catalog.addProtocol(application)
        try catalog.addRefusals(application)
        try catalog.addChoices(application)
        try catalog.addAccounts(application)
        try catalog.addSignIns(application)
        try catalog.addNative()
        try catalog.addTenants()
        try catalog.addImports()
        try catalog.addCalls(application)
        try catalog.addKeys()
        catalog.addStore()
        catalog.addEmulator()
        try catalog.addOutput()
        try await catalog.addFiles()
        try await catalog.addCommands()
        return catalog
    }
}
