import NIOCore
import NIOHTTP1
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Who reaches an emulator, and what it calls itself there. Other addresses of this machine stand for other machines.
@Suite("From where it is reached", .inTurn, .timeLimit(.minutes(2)))
struct ListenOptionsTests {
    private static let elsewhere = "127.0.0.2"

    /// An address of this machine that is not of its loopback.
    private static var outer: String? {
        try? System.enumerateDevices().compactMap(\.address).first { $0.protocol == .inet && !$0.isLoopback }?.ipAddress
    }
    @Sendable static func hasOuter() -> Bool { outer != nil }

    private func scene(
        _ address: String?, public origin: String? = nil, _ body: (Scene) async throws -> Void
    ) async throws {
        let reach = try ListenOptions(address: address, publicAddress: try origin.map { try WebAddress($0) })
        try await withScene(tenants: [try tenantOfTests()], reach: reach, body)
    }

    private func issuer(_ scene: Scene, at origin: String, host: String? = nil) async throws -> String? {
        let address = "\(origin)/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
        let answer = try await scene.browser().get(address, host.map { [("Host", $0)] } ?? [])
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.json["issuer"]?.string?.split(separator: "/").prefix(2).joined(separator: "//")
    }

    @Test("unless told, nobody reaches it at another address")
    func alone() async throws {
        try await withScene { scene in
            await #expect(throws: (any Error).self) {
                try await scene.browser().get("http://\(Self.elsewhere):\(scene.emulator.port)/")
            }
        }
    }

    @Test("at a further address it is called by it, and by localhost here; another name is refused")
    func further() async throws {
        try await scene(Self.elsewhere) { scene in
            let port = scene.emulator.port
            let there = "http://\(Self.elsewhere):\(port)"
            #expect(try await issuer(scene, at: there) == there)
            #expect(try await issuer(scene, at: scene.emulator.origin) == scene.emulator.origin)
            for host in ["evil.example:\(port)", "127.0.0.3:\(port)", "\(Self.elsewhere):1"] {
                let refused = try await scene.browser().get(there + "/", [("Host", host)])
                #expect(refused.status == 400 && refused.text.contains("--public-url"), "\(host): \(refused.text)")
            }
        }
    }

    @Test("a sign-in at the further address ends in tokens that its API takes, and the one of localhost does not")
    func signIn() async throws {
        try await scene(Self.elsewhere) { scene in
            let there = "http://\(Self.elsewhere):\(scene.emulator.port)"
            let moved = { (address: String) in address.replacing(scene.emulator.origin, with: there) }
            let browser = scene.browser()
            let page = try await browser.get(moved(scene.authorize()))
            let done = try await browser.submit(
                page, at: there, ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
            let fields = [
                "grant_type": "authorization_code", "client_id": Scene.client, "code": try done.redirect["code"] ?? "",
                "redirect_uri": "http://localhost:8400/", "code_verifier": vectorVerifier,
            ]
            let tokens = try await browser.post(
                "\(there)/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", fields
            ).json
            #expect(try tokens.claims("id_token")["iss"]?.string?.hasPrefix(there) == true)
            let bearer = [("Authorization", "Bearer \(try #require(tokens["access_token"]?.string))")]
            #expect(try await browser.get("\(there)/api/hello", bearer).status == 200)
            #expect(try await browser.get("\(scene.emulator.origin)/api/hello", bearer).status == 401)
        }
    }

    @Test("the developer's pages and the admin API stay on this machine, whoever knows the secret")
    func here() async throws {
        try await scene(Self.elsewhere) { scene in
            let there = "http://\(Self.elsewhere):\(scene.emulator.port)"
            let secret = [("Authorization", "Bearer \(scene.emulator.adminSecret)")]
            for (path, headers) in [
                ("/", []), ("/run", []), ("/decode", []), ("/user", []), ("/admin/v1/users", secret),
            ] {
                let answer = try await scene.browser().get(there + path, headers)
                #expect(answer.status == 403 && !answer.text.contains("ana@"), "\(path)")
            }
            #expect(try await scene.browser().get("\(scene.emulator.origin)/").status == 200)
            // A proxy of this machine looks like this machine, so that nothing can be changed without the secret.
            #expect(try await scene.browser().get("\(scene.emulator.origin)/user").status == 403)
            #expect(try await scene.admin(.GET, "/users").status == 200)
        }
    }

    @Test("nor can who comes over the network pretend to be here", .enabled("no other address", hasOuter))
    func peer() async throws {
        let outer = try #require(Self.outer)
        try await scene("0.0.0.0") { scene in
            let (port, there) = (scene.emulator.port, "http://\(outer):\(scene.emulator.port)")
            let secret = ("Authorization", "Bearer \(scene.emulator.adminSecret)")
            // As where a container's port is published: the name is localhost, the peer is not.
            let host = ("Host", "localhost:\(port)")
            let issuers = [
                try await issuer(scene, at: there), try await issuer(scene, at: "http://127.0.0.1:\(port)"),
                try await issuer(scene, at: there, host: host.1),
            ]
            #expect(issuers == [there, scene.emulator.origin, scene.emulator.origin])
            let answers = [
                try await scene.browser().get("\(there)/", [host]),
                try await scene.browser().get("\(there)/admin/v1/users", [host, secret]),
            ]
            #expect(answers.map(\.status) == [403, 403])
        }
    }

    @Test("a public address is what every document names, and its name may be asked")
    func publicAddress() async throws {
        try await scene(nil, public: "https://idp.test") { scene in
            let origin = scene.emulator.origin
            #expect(try await issuer(scene, at: origin, host: "idp.test") == "https://idp.test")
            #expect(try await issuer(scene, at: origin) == "https://idp.test")
            let other = try await scene.browser().get(origin + "/", [("Host", "other.test")])
            #expect(other.status == 400)
            // Through a proxy on this machine, which hands the name on or says for whom it asks.
            for header in [("Host", "idp.test"), ("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1")] {
                #expect(try await scene.browser().get(origin + "/", [header]).status == 403, "\(header)")
            }
            #expect(try await scene.browser().get(origin + "/").status == 200)
            let forged = try scene.emulator.forge(TokenOrder(user: Scene.ana))
            let issued = try JSON.object(["t": .string(forged)]).claims("t")["iss"]?.string
            #expect(issued?.hasPrefix("https://idp.test/") == true)
        }
    }

    @Test("who comes through a proxy that says so is not here, even where the emulator is alone")
    func tunnelled() async throws {
        try await withScene { scene in
            let secret = ("Authorization", "Bearer \(scene.emulator.adminSecret)")
            for header in [("X-Forwarded-For", "192.0.2.1"), ("Via", "1.1 proxy"), ("X-Real-IP", "192.0.2.1")] {
                for path in ["/", "/admin/v1/users"] {
                    let answer = try await scene.browser().get(scene.emulator.origin + path, [header, secret])
                    #expect(answer.status == 403, "\(header) \(path)")
                }
                let page = try await scene.browser().get(
                    scene.emulator.origin + "/nothing", [header, ("Accept", "text/html")])
                #expect(page.status == 404 && !page.text.contains("href=\"/"))
            }
        }
    }

    @Test("an address is one in numbers that the machine has, a public one has no path")
    func unusable() async throws {
        #expect(throws: EmulatorError.self) { try ListenOptions(address: "localhost", publicAddress: nil) }
        let path = try WebAddress("https://idp.test/login")
        #expect(throws: EmulatorError.self) { try ListenOptions(address: nil, publicAddress: path) }
        let absent = EmulatorError.addressUnusable("203.0.113.7", reason: "this machine has no such address")
        await #expect(throws: absent) { try await scene("203.0.113.7") { _ in } }
        let loopback = try ListenOptions(address: "127.0.0.1", publicAddress: nil)
        #expect(loopback == .loopback)
    }
}
