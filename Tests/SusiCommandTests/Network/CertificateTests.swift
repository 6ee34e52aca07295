import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The reports of refused server certificates.
@Suite("Certificates", .inTurn, .enabled(if: SecureServer.isPossible), .timeLimit(.minutes(5)))
struct CertificateTests {
    /// Calls an API at `address` and returns the error; `nil` for a response.
    static func call(_ tenant: LocalTenant, _ network: NetworkSettings, at address: String) async throws -> SusiError? {
        let client = try tenant.client(network: network) {
            $0.replacing("\(tenant.emulator.origin)/api/hello", with: address)
        }
        do throws(SusiError) {
            try await client.call(CallRequest(api: "hello"))
            return nil
        } catch { return error }
    }

    /// A certificate for `host` with its years, and why it is refused.
    struct Row: Sendable, CustomTestStringConvertible {
        var host = "localhost"
        var valid: SecureServer.Validity = 2020..<2120
        var trusted = true
        var asksForCertificate = false
        let reason: String
        let next: String
        var testDescription: String { reason }
    }

    private static let rows = [
        Row(reason: "", next: ""),
        Row(
            valid: 2020..<2021, reason: "its certificate expired on 2021-01-01",
            next: "ask the server's administrator to renew it"),
        Row(
            valid: 2110..<2120, reason: "its certificate is not valid before 2110-01-01",
            next: "check this machine's clock"),
        Row(
            host: SecureServer.host, reason: "its certificate is not for localhost",
            next: "check the address in policies.json"),
        Row(
            trusted: false, reason: "its certificate is not signed by a certificate authority that this machine trusts",
            next: "if the server is yours, set SSL_CERT_FILE to the certificate of its authority"),
        Row(
            asksForCertificate: true, reason: "TLS failed: tlsv1 alert certificate required",
            next: "check the address in policies.json, and which clients the server accepts"),
    ]

    @Test("each refused certificate has its reason and a next step; the server gets nothing", arguments: rows)
    func reportsReason(row: Row) async throws {
        try await withHome { home in
            try await SecureServer.with(
                answering: "hello", in: home.folder, host: row.host, valid: row.valid,
                asksForCertificate: row.asksForCertificate
            ) { server in
                try await withLocalTenant(in: home, signedIn: [.ana]) { tenant in
                    let network = NetworkSettings(certificates: row.trusted ? server.certificate.string : nil)
                    let error = try await Self.call(tenant, network, at: "https://localhost:\(server.port)/v1")
                    Self.check(error, row)
                    #expect(server.requests.count == (row.reason.isEmpty ? 1 : 0))
                }
            }
        }
    }

    @Test func reportsServerWithoutTLS() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let origin = tenant.emulator.origin.replacing("http://", with: "https://")
            Self.check(
                try await Self.call(tenant, NetworkSettings(), at: "\(origin)/v1"),
                Row(reason: "TLS failed: wrong version number", next: "check the address"))
        }
    }

    private static func check(_ error: SusiError?, _ row: Row) {
        #expect(error?.code == (row.reason.isEmpty ? nil : .network), "\(String(describing: error))")
        #expect(error?.why ?? "" == row.reason && error?.next.hasPrefix(row.next) != false, "\(error?.next ?? "")")
        // No source path and no library name in the message.
        for word in ["/Sources/", ".cc", ".swift", "NIO", "SSL routines"] {
            #expect(error?.description.contains(word) != true, "\(String(describing: error))")
        }
    }
}
