import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// An environment for the commands of one document: a home with a local tenant, a shell, and a browser in which Ana, or the
/// person that the sign-in page suggests, signs in.
struct ManualStage {
    let tenant: LocalTenant
    private let browser: BrowserCommand

    static func with(_ body: (ManualStage) async throws -> Void) async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let stage = ManualStage(tenant: tenant, browser: browser)
            try Data("correct horse battery staple\n".utf8).write(to: URL(filePath: stage.passphrase))
            try await body(stage)
        }
    }

    /// Runs a block: writes its file, compares its session, or runs its script.
    func play(_ block: Document.Block) async throws {
        if let name = block.mark("file") { return try await write(block.text, to: name) }
        switch block.language {
        case "console": for step in block.steps { try await replay(step) }
        case "sh": try await run(block.text)
        default: break
        }
    }

    // No registered port is used; a policies.json in the working folder is trusted, as its manual says.
    private func write(_ text: String, to name: String) async throws {
        let text = text.replacing(#/"redirectPorts": \[[^\]]*\]/#, with: #""redirectPorts": [0]"#)
        try tenant.susi.home.work(name).write(text)
        guard name == "policies.json" else { return }
        try await tenant.susi.run("policies", "trust", "--yes").exits(0)
    }

    private func replay(_ step: Document.Block.Step) async throws {
        guard step.command != "susi emulator run" else {
            let shown = try await emulator(step.command) { await $0.text(.output) }
            return #expect(Document.normal(shown) == Document.normal(step.output), "\(step.command)")
        }
        let shown = try await visiting { try await shell(step.command).inTerminal().run() }
        #expect(Document.normal(shown.standardOutput) == Document.normal(step.output), "\(step.command)")
    }

    // An emulator started in the first line runs during the later lines.
    private func run(_ script: String) async throws {
        let lines = script.split(separator: "\n", maxSplits: 1).map(String.init)
        guard lines[0].hasPrefix("susi emulator run") else { return try await finish(script) }
        try await emulator(lines[0]) { _ in
            if lines.count > 1 { try await finish(lines[1]) }
        }
    }

    private func emulator<T>(_ command: String, _ body: (RunningProgram) async throws -> T) async throws -> T {
        try await shell("exec \(command) --port 0").inTerminal().start { running in
            try await running.waitForLine(containing: "next ")
            return try await body(running)
        }
    }

    private func finish(_ script: String) async throws {
        let own = script.replacing("http://localhost:8480", with: tenant.emulator.origin)
        let outcome = try await visiting { try await shell("set -eu\n\(own)").run() }
        // Without the network, `init` writes the file and says that the tenant was not reached.
        let isUnreached = script.hasPrefix("susi init ") && outcome.standardOutput.contains("cannot be reached")
        #expect(outcome.status == (isUnreached ? 3 : 0), "\(script)\(outcome)")
    }

    /// Returns a shell with the built program as a user has it, without access to other machines. Passphrases are in files.
    func shell(_ script: String, input: SusiTestSupport.Program.Input = .none) -> SusiTestSupport.Program {
        let susi = tenant.susi
        var environment = susi.home.environment
        environment["PATH"] = "\(susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
        environment["BROWSER"] = browser.command
        environment["NO_COLOR"] = "1"
        environment["HTTPS_PROXY"] = "http://127.0.0.1:9"
        for name in ["SUSI_PASSPHRASE_FILE", "SUSI_NEW_PASSPHRASE_FILE", "SUSI_EXPORT_PASSPHRASE_FILE"] {
            environment[name] = passphrase
        }
        return SusiTestSupport.Program(
            "/bin/sh", ["-c", script], environment: environment, workingFolder: susi.home.workingFolder,
            input: input)
    }

    private var passphrase: String { tenant.susi.home.folder.appending("passphrase").string }

    /// What a command writes to a terminal with colors.
    func colored(_ command: String, columns: Int) async throws -> String {
        var program = shell(command)
        program.environment["NO_COLOR"] = nil
        let inTerminal = try program.inTerminal(columns: columns)
        return Document.withoutSpinner(try await visiting { try await inTerminal.run() }.standardOutput)
    }

    // Fills in the pages that open meanwhile.
    private func visiting(
        _ body: @escaping @Sendable () async throws -> ProgramOutcome
    ) async throws -> ProgramOutcome {
        try await withThrowingTaskGroup(of: ProgramOutcome?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                while !Task.isCancelled { try await visitNextPage() }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }

    private func visitNextPage() async throws {
        guard let url = try? await browser.nextURL(limit: .seconds(90)) else { return }
        let person = User.standard.first { user in
            url.contains("login_hint=\(user.signInName.replacing("@", with: "%40"))")
        }
        let user = person ?? LocalTenant.Person.ana.user
        try await FormBrowser(answers: ["signInName": user.signInName, "password": user.password]).open(url)
    }
}
