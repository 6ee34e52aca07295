import NIOCore
import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// The addresses at which an emulator listens, and its own names. Other addresses of this machine stand for other
/// machines.
@Suite("Listen options", .inTurn, .timeLimit(.minutes(5)))
struct ListenOptionsTests {
    private static let elsewhere = "127.0.0.2"

    /// An address of this machine outside its loopback.
    private static var outer: String? {
        try? System.enumerateDevices().compactMap(\.address).first { $0.protocol == .inet && !$0.isLoopback }?.ipAddress
    }
    @Sendable static func hasOuter() -> Bool { outer != nil }

    private func fixture(
        _ address: String?, public origins: [String] = [], _ body: (EmulatorFixture) async throws -> Void
    ) async throws {
        let reach = try ListenOptions(address: address, publicAddresses: try origins.map { try WebAddress($0) })
        try await withFixture(tenants: [try tenantOfTests()], reach: reach, body)
    }

    private func issuer(_ fixture: EmulatorFixture, at origin: String, host: String? = nil) async throws -> String? {
        let address = "\(origin)/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
        let response = try await fixture.browser().get(address, host.map { [("Host", $0)] } ?? [])
        try #require(response.status == 200, "\(response.text)")
        return try response.json["issuer"]?.string?.split(separator: "/").prefix(2).joined(separator: "//")
    }

    @Test("listens on the loopback only by default")
    func listensOnLoopbackOnly() async throws {
        try await withFixture { fixture in
            await #expect(throws: (any Error).self) {
                try await fixture.browser().get("http://\(Self.elsewhere):\(fixture.emulator.port)/")
            }
        }
    }

    @Test(
        "listens on a further address under its name, refuses other names, and keeps the developer's pages on this machine"
    )
    func listensOnFurtherAddress() async throws {
        try await fixture(Self.elsewhere) { fixture in
            let port = fixture.emulator.port
            let there = "http://\(Self.elsewhere):\(port)"
            #expect(try await issuer(fixture, at: there) == there)
            #expect(try await issuer(fixture, at: fixture.emulator.origin) == fixture.emulator.origin)
            for host in ["evil.example:\(port)", "127.0.0.3:\(port)", "\(Self.elsewhere):1"] {
                let refused = try await fixture.browser().get(there + "/", [("Host", host)])
                #expect(refused.status == 400 && refused.text.contains("--public-url"), "\(host): \(refused.text)")
            }
            try await signIn(fixture, at: there)
            let secret = [("Authorization", "Bearer \(fixture.emulator.adminSecret)")]
            for (path, headers) in [
                ("/", []), ("/run", []), ("/decode", []), ("/user", []), ("/admin/v1/users", secret),
            ] {
                let response = try await fixture.browser().get(there + path, headers)
                #expect(response.status == 403 && !response.text.contains("ana@"), "\(path)")
            }
            #expect(try await fixture.browser().get("\(fixture.emulator.origin)/").status == 200)
            // Requests through a proxy on this machine look local, so changes need the secret.
            #expect(try await fixture.browser().get("\(fixture.emulator.origin)/user").status == 403)
            #expect(try await fixture.admin(.GET, "/users").status == 200)
        }
    }

    // Its API accepts the tokens of the address, but not the one of localhost.
    private func signIn(_ fixture: EmulatorFixture, at there: String) async throws {
        let browser = Browser(http: fixture.http, origin: there)
        let page = try await browser.get(fixture.authorize().replacing(fixture.emulator.origin, with: there))
        let done = try await browser.submit(page, EmulatorFixture.answers)
        let fields = [
            "grant_type": "authorization_code", "client_id": EmulatorFixture.client,
            "code": try done.redirect["code"] ?? "", "redirect_uri": "http://localhost:8400/",
            "code_verifier": vectorVerifier,
        ]
        let tokens = try await browser.post(
            "\(there)/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", fields
        ).json
        #expect(try tokens.claims("id_token")["iss"]?.string?.hasPrefix(there) == true)
        let bearer = [("Authorization", "Bearer \(try #require(tokens["access_token"]?.string))")]
        #expect(try await browser.get("\(there)/api/hello", bearer).status == 200)
        #expect(try await browser.get("\(fixture.emulator.origin)/api/hello", bearer).status == 401)
    }

    @Test("refuses a request over the network that names this machine", .enabled("no other address", hasOuter))
    func refusesForgedLocalHost() async throws {
        let outer = try #require(Self.outer)
        try await fixture("0.0.0.0") { fixture in
            let (port, there) = (fixture.emulator.port, "http://\(outer):\(fixture.emulator.port)")
            let secret = ("Authorization", "Bearer \(fixture.emulator.adminSecret)")
            // As with a published port of a container: the host name is localhost, but the client's address is not
            // local.
            let host = ("Host", "localhost:\(port)")
            let issuers = [
                try await issuer(fixture, at: there), try await issuer(fixture, at: "http://127.0.0.1:\(port)"),
                try await issuer(fixture, at: there, host: host.1),
            ]
            #expect(issuers == [there, fixture.emulator.origin, fixture.emulator.origin])
            let answers = [
                try await fixture.browser().get("\(there)/", [host]),
                try await fixture.browser().get("\(there)/admin/v1/users", [host, secret]),
            ]
            #expect(answers.map(\.status) == [403, 403])
        }
    }

    @Test("a published port of this machine has its own address, but no page for developers")
    func namesPublishedPort() async throws {
        let published = ("Host", "localhost:49153")
        try await fixture(Self.elsewhere) { fixture in
            let there = "http://\(Self.elsewhere):\(fixture.emulator.port)"
            for host in ["localhost", "[::1]"] {
                #expect(try await issuer(fixture, at: there, host: "\(host):49153") == "http://localhost:49153")
                #expect(try await issuer(fixture, at: there, host: host) == "http://localhost")
                // Neither at its own address: another program may listen at that port.
                for origin in [there, fixture.emulator.origin] {
                    let page = try await fixture.browser().get(origin + "/", [("Host", "\(host):49153")])
                    #expect(page.status == 403, "\(host) \(origin)")
                }
            }
            try await fixture.browser().get(there + "/", [("Host", "localhostx49153")]).expecting(400)
        }
        try await withFixture { fixture in
            try await fixture.browser().get(fixture.emulator.origin + "/", [published]).expecting(400)
        }
        try await fixture(Self.elsewhere, public: ["http://idp:8480"]) { fixture in
            let named = try await issuer(fixture, at: fixture.emulator.origin, host: published.1)
            #expect(named == "http://idp:8480")
        }
    }

    @Test("a health check needs no name of the emulator, and leaves no trace")
    func answersHealthChecks() async throws {
        try await withFixture { fixture in
            let address = fixture.emulator.origin + Health.path
            let own = try Health.emulator(of: fixture.folder)
            for headers in [[], [("Host", "10.1.2.3:8480")], [("X-Forwarded-For", "192.0.2.1")]] {
                let response = try await fixture.browser().get(address, headers)
                #expect(response.status == 200 && response.text.contains(#""status":"ok""#), "\(headers)")
                #expect(own != nil && Health.emulator(in: Array(response.text.utf8)) == own, "\(response.text)")
                #expect(!response.text.contains(fixture.emulator.adminSecret.prefix(8)))
            }
            #expect(try await fixture.browser().get(address + "/more").status == 404)
            #expect(fixture.emulator.requests().map(\.path) == ["/health/more"])
            #expect(fixture.log.lines.map { $0.hasPrefix("404 GET /health/more") } == [true])
        }
    }

    @Test("uses the public address in every document and accepts its name; the first of several, or the requested one")
    func usesPublicAddress() async throws {
        try await fixture(nil, public: ["https://idp.test", "http://idp:8480"]) { fixture in
            let origin = fixture.emulator.origin
            #expect(try await issuer(fixture, at: origin, host: "idp:8480") == "http://idp:8480")
            #expect(try await issuer(fixture, at: origin, host: "idp.test") == "https://idp.test")
            #expect(try await issuer(fixture, at: origin) == "https://idp.test")
            let other = try await fixture.browser().get(origin + "/", [("Host", "other.test")])
            #expect(
                other.status == 400 && other.text.contains("or idp.test, or idp:8480, and is “other.test”; other"),
                "\(other.text)")
            // Requests through a proxy on this machine, which forwards the host name or the client's address.
            for header in [
                ("Host", "idp.test"), ("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1"),
                ("Via", "1.1 proxy"), ("X-Real-IP", "192.0.2.1"),
            ] {
                #expect(try await fixture.browser().get(origin + "/", [header]).status == 403, "\(header)")
                let secret = ("Authorization", "Bearer \(fixture.emulator.adminSecret)")
                let administered = try await fixture.browser().get(origin + "/admin/v1/users", [header, secret])
                #expect(administered.status == 403, "\(header)")
            }
            #expect(try await fixture.browser().get(origin + "/").status == 200)
            let forged = try fixture.emulator.forge(TokenOrder(user: EmulatorFixture.ana))
            let issued = try JSON.object(["t": .string(forged)]).claims("t")["iss"]?.string
            #expect(issued?.hasPrefix("https://idp.test/") == true)
        }
    }

    @Test("refuses an address that is not numeric or not local, and a public one with a path")
    func refusesUnusableAddress() async throws {
        #expect(throws: EmulatorError.self) { try ListenOptions(address: "localhost") }
        let path = try WebAddress("https://idp.test/login")
        #expect(throws: EmulatorError.self) { try ListenOptions(address: nil, publicAddresses: [path]) }
        let absent = EmulatorError.addressUnusable("203.0.113.7", reason: "this machine has no such address")
        await #expect(throws: absent) { try await fixture("203.0.113.7") { _ in } }
        let loopback = try ListenOptions(address: "127.0.0.1")
        #expect(loopback == .loopback)
    }
}
