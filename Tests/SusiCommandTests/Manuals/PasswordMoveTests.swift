import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The function of the manual about External ID, which shares no code with this program.
@Suite("Passwords of B2C", .inTurn, .timeLimit(.minutes(5)))
struct PasswordMoveTests {
    @Sendable static func isPossible() async -> Bool {
        if TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil { return true }
        guard let python = TestEnvironment.program("python3"), TestEnvironment.program("openssl") != nil else {
            return false
        }
        let program = SusiTestSupport.Program(
            python, ["-c", "import joserfc"], environment: ["PATH": TestEnvironment.variable("PATH") ?? ""])
        return (try? await program.run().status) == 0
    }

    @Test(
        "a password of B2C is checked once, then External ID has it",
        .enabled("python3 with joserfc is missing", isPossible))
    func movesPasswordsAsShown() async throws {
        let manual = try Manuals.fromB2C.read()
        let command = try #require(manual.block(marked: "run by: PasswordMoveTests/movesPasswordsAsShown"))
        // A port of its own, because 7071 may be in use.
        let port = try await freePort()
        try await withSusi { susi in
            let home = susi.home
            for name in ["passwords.json", "function.py", "passwords.sh"] {
                let text = try #require(manual.block(marked: "file: \(name)"))
                try home.work(name).write(text.replacing("7071", with: "\(port)"))
            }
            var environment = home.environment
            environment["PATH"] = "\(susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
            try await SusiTestSupport.Program(
                "/bin/sh", ["-c", command], environment: environment, workingFolder: home.workingFolder
            ).run().exits(0)
        }
    }
}
