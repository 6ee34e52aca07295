import SusiTestSupport
import Testing

/// The line of `--password-stdin`, for a sign-in by password and for native authentication.
@Suite("Password input", .inTurn, .timeLimit(.minutes(5)))
struct PasswordInputTests {
    /// Runs `sign-in` in a shell that makes its input; the server must not be asked.
    private func signIn(_ input: String, kind: String) async throws -> ProgramOutcome {
        try await ScriptedServer.with({ _ in .ok("{}") }) { server in
            let policies = kind == "b2c" ? #""policies": {"B2C_1_ropc": {"kind": "resourceOwner"}},"# : ""
            let file = """
                {"applications": {"app": {
                  "kind": "\(kind)", "authority": "\(server.origin)/contoso.onmicrosoft.com", \(policies)
                  "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0]
                }}}
                """
            return try await withSusi(policies: file) { susi in
                let line = "\(input) | '\(susi.path)' sign-in --username ana@contoso.example --password-stdin"
                // The limit of address space would end a program that reads everything.
                let outcome = try await susi.shell("ulimit -v 4194304; \(line)", limit: .seconds(20)).run()
                #expect(server.requests.isEmpty, "\(outcome)")
                return outcome
            }
        }
    }

    @Test("bytes that are not UTF-8 are refused with their place, and a line of more than 4 KiB")
    func refusesOtherLines() async throws {
        for (input, says, kind) in [
            (#"printf 'abc\351def\n'"#, "byte 4 ", "b2c"), (#"printf '\303\251\300'"#, "byte 3 ", "b2c"),
            (#"printf '\342\202\n'"#, "byte 1 ", "external"),
            ("head -c 4097 /dev/zero | tr '\\0' x", "4 KiB", "b2c"), ("tr '\\0' x < /dev/zero", "4 KiB", "external"),
        ] {
            try await signIn(input, kind: kind).exits(64, saying: says, hiding: "abc")
        }
    }
}
