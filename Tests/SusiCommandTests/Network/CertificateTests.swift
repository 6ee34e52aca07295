import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The reports of refused server certificates.
@Suite("Certificates", .inTurn, .enabled(if: SecureServer.isPossible), .timeLimit(.minutes(5)))
struct CertificateTests {
    /// Calls an API on this machine, whose certificate is trusted if `trusted` says so.
    private static func call(
        host: String = "localhost", valid: SecureServer.Validity = 2020..<2120, trusted: Bool = true,
        asksForCertificate: Bool = false, answering text: String = "hello"
    ) async throws -> ProgramOutcome {
        try await withHome { home in
            try await SecureServer.with(
                answering: text, in: home.folder, host: host, valid: valid, asksForCertificate: asksForCertificate
            ) { server in
                let edit = { (text: String) in
                    text.replacing("http://localhost:8480/api/hello", with: "https://localhost:\(server.port)/v1")
                }
                return try await withLocalTenant(in: home, policies: edit) { tenant in
                    try await tenant.signIn(.ana)
                    let variables = trusted ? ["SSL_CERT_FILE": server.certificate.string] : [:]
                    let outcome = try await tenant.susi.run("call", "hello", environment: variables)
                    #expect(server.requests.count == (outcome.status == 0 ? 1 : 0))
                    return outcome
                }
            }
        }
    }

    private static func expect(
        _ outcome: ProgramOutcome, _ reason: String, next: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = outcome.standardError
        #expect(outcome.status == 3, "\(outcome)", sourceLocation: sourceLocation)
        #expect(error.contains("https://localhost:"), sourceLocation: sourceLocation)
        #expect(error.contains("\n  \(reason)\n"), "\(outcome)", sourceLocation: sourceLocation)
        #expect(error.contains("next: \(next)"), "\(outcome)", sourceLocation: sourceLocation)
        // No source path and no library name in the message.
        for word in ["/Sources/", ".cc", ".swift", "NIO", "SSL routines"] {
            #expect(!error.contains(word), "\(outcome)", sourceLocation: sourceLocation)
        }
    }

    @Test("a trusted certificate for the right host is accepted")
    func acceptsTrustedCertificate() async throws {
        #expect(try await Self.call().standardOutput == "hello")
    }

    @Test("an expired certificate is reported with its last day")
    func reportsExpiryDate() async throws {
        Self.expect(
            try await Self.call(valid: 2020..<2021), "its certificate expired on 2021-01-01",
            next: "ask the server's administrator to renew it")
    }

    @Test("a certificate that is not valid yet is reported with its first day")
    func reportsFirstValidDay() async throws {
        Self.expect(
            try await Self.call(valid: 2110..<2120), "its certificate is not valid before 2110-01-01",
            next: "check this machine's clock")
    }

    @Test("a certificate for another host is reported with the requested host")
    func reportsHostOfWrongCertificate() async throws {
        Self.expect(
            try await Self.call(host: SecureServer.host), "its certificate is not for localhost",
            next: "check the address in policies.json")
    }

    @Test("a certificate of an unknown authority is reported with the way to trust it")
    func reportsHowToTrustUnknownAuthority() async throws {
        Self.expect(
            try await Self.call(trusted: false),
            "its certificate is not signed by a certificate authority that this machine trusts",
            next: "if the server is yours, set SSL_CERT_FILE to the certificate of its authority")
    }

    @Test("a server without TLS is reported")
    func reportsServerWithoutTLS() async throws {
        try await withLocalTenant { tenant in
            let port = try #require(URLComponents(string: tenant.emulator.origin)?.port)
            let file = tenant.susi.home.policiesFile.string
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try await tenant.signIn(.ana)
            try tenant.susi.home.writePolicies(
                text.replacing("http://localhost:\(port)/api/hello", with: "https://localhost:\(port)/api/hello"))
            Self.expect(
                try await tenant.susi.run("call", "hello"), "TLS failed: wrong version number",
                next: "check the address")
        }
    }

    @Test func reportsAServerThatAsksForACertificate() async throws {
        Self.expect(
            try await Self.call(asksForCertificate: true), "TLS failed: tlsv1 alert certificate required",
            next: "check the address in policies.json, and which clients the server accepts")
    }
}
