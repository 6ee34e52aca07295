import SusiTestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(2)))
struct EmulatorCommandTests {
    private static let policies = """
        {
          "current": "local",
          "applications": {
            "local": {
              "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com", "clientId": "one",
              "redirectPorts": [0], "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
              "knownAuthorities": ["http://localhost:8480"]
            },
            "work": {
              "kind": "entra", "authority": "http://localhost:8480/common", "clientId": "two", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480"]
            },
            "plain": {
              "kind": "openid", "authority": "http://localhost:8480/login", "clientId": "three", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480"]
            },
            "elsewhere": {
              "kind": "openid", "authority": "http://localhost:8481/other", "clientId": "four", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8481"]
            }
          }
        }
        """

    @Test("serves every application of the port, the named one first")
    func several() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(Self.policies)
            try await susi.start("emulator", "run", "--port", "0", "-A", "work") { program in
                let line = try await program.waitForLine(containing: "listen at http://localhost:")
                #expect(line.hasPrefix("contoso.onmicrosoft.com, login, tailspin.onmicrosoft.com listen at"), "\(line)")
            }
        }
    }
}
