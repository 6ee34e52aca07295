import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// The names in a server's certificate (RFC 9525): a server with a certificate for another name receives nothing.
@Suite("Server names", .inTurn, .enabled(if: TestAuthority.isPossible), .timeLimit(.minutes(5)))
struct ServerNameTests {
    private static let password = "Hostile-Passw0rd-7"

    /// Runs `body` with a provider of native authentication at `https://localhost`, whose certificate can change.
    private func withProvider(
        _ body: (Stage, SecureRelay, TestAuthority, SusiBinary) async throws -> Void
    ) async throws {
        try await Stage.withProgram(at: .external) { stage, elsewhere, susi async throws in
            let authority = try await TestAuthority(in: susi.home.folder)
            let good = try await authority.issue("DNS:localhost")
            try await SecureRelay.with(leadingTo: stage.server.port, showing: good) { relay in
                stage.change { $0.move(to: relay.origin()) }
                try susi.home.writePolicies(Provider.external.policies(relay.origin()))
                var susi = susi
                susi.environment["SSL_CERT_FILE"] = authority.certificate.string
                try await body(stage, relay, authority, susi)
            }
            #expect(elsewhere.connections == 0)
        }
    }

    private static func signIn(_ susi: SusiBinary) async throws -> ProgramOutcome {
        try await susi.run("sign-in", "--username", "ada@example.com", "--password-stdin", input: password + "\n")
    }

    private static func expectRefusal(_ outcome: ProgramOutcome, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcome.status == 3, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.description.contains("its certificate is not for localhost"), "\(outcome)",
            sourceLocation: sourceLocation)
    }

    /// Certificates for the address of the connection, which is not the host that was asked.
    private static let addresses = [["IP:127.0.0.1"], ["IP:127.0.0.1", "DNS:other.example"]]

    @Test("discovery is not sent to a server whose certificate is for its address", arguments: addresses)
    func checksNameAtDiscovery(names: [String]) async throws {
        try await withProvider { stage, relay, authority, susi async throws in
            try relay.show(try await authority.issue(names[0], names[names.count - 1]))
            Self.expectRefusal(try await Self.signIn(susi))
            Self.expectRefusal(try await susi.run("policies", "check"))
            #expect(stage.server.connections == 0)
        }
    }

    @Test("refresh token, password and access token are not sent to a server whose certificate is for its address")
    func checksNameOfEveryRequest() async throws {
        try await withProvider { stage, relay, authority, susi async throws in
            stage.change { $0.apiReplies = [.text("fine")] }
            try await Self.signIn(susi).exits(0)
            let called = try await susi.run("call", "hello")
            #expect(called.status == 0 && called.standardOutput == "fine", "\(called)")

            try relay.show(try await authority.issue("IP:127.0.0.1"))
            let earlier = stage.server.connections
            // The configuration is cached, so each of these begins with a secret.
            Self.expectRefusal(try await susi.run("token", "hello", "--refresh"))
            Self.expectRefusal(try await Self.signIn(susi))
            Self.expectRefusal(try await susi.run("call", "hello"))
            Self.expectRefusal(try await susi.run("call", "hello", "-d", "text"))
            #expect(stage.server.connections == earlier, "\(stage.server.asked.dropFirst(earlier))")

            try relay.show(try await authority.issue("DNS:LocalHost", "IP:192.0.2.1"))
            #expect(try await susi.run("token", "hello", "--refresh").status == 0)
        }
    }
}
