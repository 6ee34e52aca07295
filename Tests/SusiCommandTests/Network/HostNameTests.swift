import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Which certificates are accepted for which hosts (RFC 9525 section 6).
@Suite("Host names", .inTurn, .enabled(if: TestAuthority.isPossible), .timeLimit(.minutes(5)))
struct HostNameTests {
    /// A host that is asked, with the names of a certificate.
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let names: [String]
        let isAccepted: Bool

        init(_ host: String, _ names: String..., accepted isAccepted: Bool) {
            (self.host, self.names, self.isAccepted) = (host, names, isAccepted)
        }

        var testDescription: String { "\(host): \(names) \(isAccepted ? "accepted" : "refused")" }
    }

    private static let rows = [
        Row("api.contoso.example", "DNS:api.contoso.example", accepted: true),
        Row("API.Contoso.example", "DNS:other.example", "DNS:Api.contoso.EXAMPLE", accepted: true),
        Row("api.contoso.example", "DNS:*.contoso.example", accepted: true),
        Row("contoso.example", "DNS:*.contoso.example", accepted: false),
        Row("a.api.contoso.example", "DNS:*.contoso.example", accepted: false),
        Row("api.contoso.example", "DNS:a*.contoso.example", accepted: false),
        Row("api.contoso.example", "DNS:*i.contoso.example", accepted: false),
        Row("api.contoso.example", "DNS:a*i.contoso.example", accepted: false),
        Row("api.contoso.example", "DNS:api.*.example", accepted: false),
        Row("api.contoso.example", "DNS:*.*.example", accepted: false),
        Row("api.contoso.example", "DNS:*", accepted: false),
        Row("localhost.example", "DNS:*.example", accepted: true),
        // The address of the connection: that of the proxy.
        Row("api.contoso.example", "IP:127.0.0.1", accepted: false),
        Row("api.contoso.example", "URI:https://api.contoso.example", "email:a@api.contoso.example", accepted: false),
        // The common name is not a host name.
        Row("api.contoso.example", accepted: false),
        Row("192.0.2.7", "IP:192.0.2.7", accepted: true),
        Row("192.0.2.7", "IP:192.0.2.8", "IP:127.0.0.1", accepted: false),
        Row("192.0.2.7", "DNS:192.0.2.7", accepted: false),
        Row("192.0.2.7", "DNS:*.0.2.7", accepted: false),
        Row("192.0.2.7", "IP:::ffff:192.0.2.7", accepted: false),
        Row("[2001:db8::7]", "IP:2001:db8::7", accepted: true),
        Row("[2001:DB8:0:0:0::7]", "IP:2001:db8::7", accepted: true),
        Row("[2001:db8::7]", "IP:2001:db8::8", "IP:127.0.0.1", accepted: false),
    ]

    @Test("a call behind a proxy sends its token only to the host that the certificate names")
    func comparesHostWithCertificate() async throws {
        try await withHome { home in
            let authority = try await TestAuthority(in: home.folder)
            try await ScriptedServer.with({ _ in .ok("from afar") }) { server in
                let first = try await authority.issue("DNS:first.example")
                try await SecureRelay.with(leadingTo: server.port, showing: first) { relay in
                    try await ConnectProxy.with(leadingTo: relay.port) { proxy in
                        try await withLocalTenant(in: home, signedIn: [.ana]) { tenant in
                            let network = NetworkSettings(
                                gateway: .proxy(try Proxy("http://127.0.0.1:\(proxy.port)")),
                                roots: NetworkSettings.Roots(file: authority.certificate.string))
                            for row in Self.rows {
                                try relay.show(try await Self.issue(row, authority))
                                let earlier = server.requests.count
                                let error = try await CertificateTests.call(
                                    tenant, network, at: "https://\(row.host)/v1")
                                let sent = server.requests.count - earlier
                                #expect(sent == (row.isAccepted ? 1 : 0), "\(row.testDescription)")
                                #expect((error == nil) == row.isAccepted, "\(row.testDescription): \(error as Any)")
                                #expect(row.isAccepted || error?.why.contains("its certificate is not for ") == true)
                            }
                        }
                    }
                }
            }
        }
    }

    private static func issue(_ row: Row, _ authority: TestAuthority) async throws -> TestAuthority.Identity {
        switch row.names.count {
        case 0: try await authority.issue(commonName: row.host)
        case 1: try await authority.issue(row.names[0], commonName: row.host)
        default: try await authority.issue(row.names[0], row.names[1])
        }
    }

    /// The versions of TLS as openssl names them, and whether `susi` accepts them (RFC 9325 section 3.1.1).
    private static let versions = [("tls1", false), ("tls1_1", false), ("tls1_2", true), ("tls1_3", true)]

    @Test("TLS before version 1.2 is refused", arguments: versions)
    func refusesOldTLS(version: String, isAccepted: Bool) async throws {
        try await withHome { home in
            let authority = try await TestAuthority(in: home.folder)
            let identity = try await authority.issue("DNS:localhost")
            let openssl = try #require(TestEnvironment.program("openssl"))
            let server = Program(
                openssl,
                [
                    "s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate.string, "-key",
                    identity.key.string,
                    "-\(version)", "-cipher", "ALL:@SECLEVEL=0", "-www",
                ], input: .open)
            try await server.start { run in
                let accepting = try await run.waitForLine(containing: "ACCEPT ")
                let port = try #require(accepting.split(separator: ":").last.map(String.init))
                try await withLocalTenant(in: home, signedIn: [.ana]) { tenant in
                    let network = NetworkSettings(certificates: authority.certificate.string)
                    let error = try await CertificateTests.call(tenant, network, at: "https://localhost:\(port)/v1")
                    #expect((error == nil) == isAccepted, "\(error as Any)")
                    #expect(isAccepted || error?.what.contains("no secure connection to https://localhost:") == true)
                }
            }
        }
    }
}
