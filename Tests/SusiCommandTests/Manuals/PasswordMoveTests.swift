import SusiTestSupport
import Testing

/// The function of the manual about External ID, which shares no code with this program.
@Suite("Passwords of B2C", .inTurn, .timeLimit(.minutes(5)))
struct PasswordMoveTests {
    @Test(
        "a password of B2C is checked once, then External ID has it",
        .enabled("python3 with joserfc is missing", { await TestEnvironment.hasPython("joserfc") }))
    func movesPasswordsAsShown() async throws {
        let manual = try Manuals.fromB2C.read()
        let command = try #require(manual.block(marked: "run by: PasswordMoveTests/movesPasswordsAsShown"))
        // A port of its own, because 7071 may be in use, and time, because all tests run at once.
        let port = try await freePort()
        try await withSusi { susi in
            for name in ["passwords.json", "function.py", "passwords.sh"] {
                let text = try #require(manual.block(marked: "file: \(name)"))
                try susi.home.work(name).write(
                    text.replacing("7071", with: "\(port)").replacing(#""appId""#, with: #""timeLimit": "5m", "appId""#)
                )
            }
            try await susi.script(command).run().exits(0)
        }
    }
}
