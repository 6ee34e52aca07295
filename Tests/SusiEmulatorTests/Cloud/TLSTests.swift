import Crypto
import Foundation
import Subprocess
import SusiBase
import SusiPolicies
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import SusiEmulator

/// The emulator over https: its certificates, checked by other programs, and their lifetimes.
@Suite("TLS", .inTurn, .timeLimit(.minutes(5)))
struct TLSTests {
    private static let secure = [EmulatorPort(0, isSecure: true)]
    private static let day: Int64 = 86_400

    /// Runs another program; returns its status and both streams together.
    private static func run(_ program: String, _ arguments: String...) async throws -> (status: Int, text: String) {
        try await run(program, arguments)
    }

    private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int, text: String) {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), output: .string(limit: 100_000),
            error: .string(limit: 100_000))
        let status = if case .exited(let code) = result.terminationStatus { Int(code) } else { -1 }
        return (status, result.standardOutput + result.standardError)
    }

    private static func has(_ programs: String...) -> Bool {
        programs.allSatisfy { TestEnvironment.program($0) != nil }
    }

    @Test("signs in over https with https addresses and secure cookies; reports the address to plain http")
    func signsInOverHTTPS() async throws {
        try await withFixture(ports: Self.secure) { fixture in
            let document = try await fixture.browser().get(
                "\(fixture.tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration"
            ).json
            for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"] {
                #expect(document[name]?.string?.hasPrefix(fixture.emulator.origin + "/") ?? false, "\(name)")
            }
            let page = try await fixture.ask()
            #expect(page.header("set-cookie")?.contains("; Secure") ?? false)
            let tokens = try await fixture.tokens()
            #expect(try tokens.claims("id_token")["iss"] == document["issuer"])
            let (origin, requests) = (fixture.emulator.origin, fixture.log.lines.count)
            let response = try await fixture.browser().get(origin.replacing("https:", with: "http:") + "/x")
            #expect(response.status == 400 && response.text == "This port accepts https only: \(origin)/\n")
            #expect(fixture.log.lines.count == requests)
        }
    }

    @Test("serves http and https at two ports, each with its own addresses")
    func servesHTTPAndHTTPS() async throws {
        try await withFixture(ports: [EmulatorPort(0), EmulatorPort(0, isSecure: true)]) { fixture in
            #expect(fixture.emulator.ports.map(\.isSecure) == [false, true])
            for port in fixture.emulator.ports {
                let address = "\(port.origin)/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
                let issuer = try await fixture.browser().get(address).json["issuer"]?.string
                #expect(issuer?.hasPrefix(port.origin + "/") ?? false, "\(issuer ?? "none")")
            }
            let plain = try await fixture.ask()
            #expect(plain.header("set-cookie")?.contains("Secure") == false)
        }
    }

    @Test("is trusted by curl under each name of this machine only", .enabled(if: has("curl")))
    func isTrustedByCurl() async throws {
        try await withFixture(ports: Self.secure) { fixture in
            let (file, port) = (fixture.folder.appending("ca.pem").string, fixture.emulator.port)
            for host in ["localhost", "127.0.0.1"] {
                let trusted = try await Self.run("curl", "-sS", "--cacert", file, "https://\(host):\(port)/")
                #expect(trusted.status == 0 && trusted.text.contains("contoso.onmicrosoft.com"), "\(trusted)")
            }
            let resolved = ["--resolve", "evil.example:\(port):127.0.0.1", "https://evil.example:\(port)/"]
            let other = try await Self.run("curl", ["-sS", "--cacert", file] + resolved)
            let untold = try await Self.run("curl", ["-sS", "https://localhost:\(port)/"])
            #expect(other.status == 60 && untold.status == 60, "\(other) \(untold)")
        }
    }

    @Test(
        "the certificate is valid for public names too, and its authority is kept while it may sign for all",
        .enabled(if: has("curl")))
    func servesPublicNames() async throws {
        try await withTemporaryFolder { home in
            let folder = home.appending("emulator")
            func authority(_ addresses: [String]) async throws -> [UInt8] {
                let reach = try ListenOptions(address: nil, publicAddresses: addresses.map { try WebAddress($0) })
                var made: [UInt8] = []
                try await withFixture(
                    folder: folder, tenants: [try tenantOfTests()], ports: Self.secure, reach: reach
                ) { fixture in
                    let port = fixture.emulator.port
                    for address in addresses.map({ try? WebAddress($0) }) + [try WebAddress("https://localhost")] {
                        guard let address, address.scheme == "https", !address.host.contains(":") else { continue }
                        let host = address.host
                        let asked = try await Self.run(
                            "curl", "-sS", "--cacert", folder.appending("ca.pem").string, "--connect-to",
                            "\(host):\(port):127.0.0.1:\(port)", "https://\(host):\(port)/health")
                        #expect(asked.status == 0 && asked.text.contains("ok"), "\(asked)")
                    }
                    made = try #require(fixture.emulator.authority).certificate
                }
                return made
            }
            let local = try await authority([])
            let all = [
                "https://idp:8480", "https://a.test", "https://b.a.test", "https://192.0.2.7", "https://[2001:db8::7]",
                "http://plain.test",
            ]
            let named = try await authority(all)
            #expect(named != local)
            // The authority signs again for names that the certificate lacks.
            try folder.appending("server.pem").remove()
            #expect(try await authority(["https://idp:8480"]) == named)
            #expect(try await authority(all) == named)
            // A new authority signs again too.
            try folder.appending("ca.pem").remove()
            #expect(try await authority(all) != named)
            #expect(
                CertificateName.names(in: named).map(\.description) == [
                    "localhost", "127.0.0.1", "::1", "idp", "a.test", "b.a.test", "192.0.2.7", "2001:db8::7",
                    ".localhost", ".idp", ".b.a.test",
                ])
        }
    }

    @Test(
        "serves a certificate of the user's own, with its chain; refuses what is none, by file",
        .enabled(if: has("curl", "openssl")))
    func servesOwnCertificate() async throws {
        try await withTemporaryFolder { folder in
            let file = { (name: String) in folder.appending(name).string }
            func make(_ name: String, by issuer: String? = nil, _ more: String...) async throws {
                var request = [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                    "/CN=\(name)", "-keyout", file("\(name).key"), "-out", file("\(name).pem"),
                ]
                if let issuer { request += ["-CA", file("\(issuer).pem"), "-CAkey", file("\(issuer).key")] }
                let made = try await Self.run("openssl", request + more)
                try #require(made.status == 0, "\(made)")
            }
            try await make("root")
            try await make("middle", by: "root")
            try await make(
                "idp.test", by: "middle", "-addext", "subjectAltName=DNS:idp.test", "-addext",
                "basicConstraints=critical,CA:FALSE")
            let chain = try ["idp.test.pem", "middle.pem"].map { try folder.appending($0).text() }
            try folder.appending("idp.test.pem").write(chain.joined())
            func start(_ certificate: String, _ key: String, _ body: (EmulatorFixture) async throws -> Void)
                async throws
            {
                var reach = try ListenOptions(address: nil, publicAddresses: [WebAddress("https://idp.test")])
                reach.certificate = OwnCertificate(certificate: file(certificate), key: file(key))
                try await withFixture(
                    folder: folder.appending("emulator"), tenants: [try tenantOfTests()], ports: Self.secure,
                    reach: reach, body)
            }
            try await start("idp.test.pem", "idp.test.key") { fixture in
                let port = fixture.emulator.port
                let asked = try await Self.run(
                    "curl", "-sS", "--cacert", file("root.pem"), "--connect-to", "idp.test:443:127.0.0.1:\(port)",
                    "https://idp.test/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration")
                #expect(asked.text.contains(#""issuer":"https://idp.test/"#), "\(asked)")
                #expect(fixture.emulator.authority == nil && !fixture.folder.appending("ca.pem").exists)
                let own = OwnCertificate(certificate: file("idp.test.pem"), key: file("idp.test.key"))
                #expect(own.hosts(notIn: ["localhost", "idp.test", "a.idp.test"]) == ["localhost", "a.idp.test"])
            }
            try folder.appending("empty.pem").write("nothing")
            for (certificate, key, faulty) in [
                ("none.pem", "idp.test.key", "none.pem"), ("empty.pem", "idp.test.key", "empty.pem"),
                ("idp.test.pem", "empty.pem", "empty.pem"), ("idp.test.pem", "root.key", "root.key"),
            ] {
                let failure = await #expect(throws: EmulatorError.self) { try await start(certificate, key) { _ in } }
                guard case .ownCertificateUnusable(file(faulty), _)? = failure else {
                    Issue.record("\(certificate) \(key): \(failure.map(String.init(describing:)) ?? "served")")
                    continue
                }
            }
        }
    }

    @Test("satisfies OpenSSL, which refuses certificates of the key for other names", .enabled(if: has("openssl")))
    func satisfiesOpenSSL() async throws {
        try await withTemporaryFolder { folder in
            let now = TestEnvironment.realTime()
            let (authority, key) = try CertificateAuthority.loadOrCreate(in: folder, now: now)
            let server = try authority.issue(key, now: now)
            let names = ["-verify_hostname", "localhost", "-verify_ip", "127.0.0.1", "-verify_ip", "::1"]
            for (certificate, names) in [(server.certificate, names), (server.named, Array(names.prefix(2)))] {
                let right = try await Self.verify(certificate, authority, folder, names)
                #expect(right.status == 0, "\(right)")
            }
            let wrong = try await Self.verify(
                server.certificate, authority, folder, ["-verify_hostname", "evil.example"])
            #expect(wrong.status != 0 && wrong.text.contains("hostname mismatch"), "\(wrong)")
            // A stolen key can sign this, but clients refuse it.
            let request = folder.appending("evil.pem").string
            for (name, reason) in [("evil.example", "permitted"), ("web.localhost", "excluded")] {
                let made = try await Self.run(
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", folder.appending("evil.key").string, "-out", request, "-subj", "/CN=\(name)",
                    "-addext", "subjectAltName=DNS:\(name)", "-addext", "basicConstraints=critical,CA:FALSE", "-CA",
                    authority.path.string,
                    "-CAkey", folder.appending("ca-key.pem").string)
                try #require(made.status == 0, "\(made)")
                let evil = try await Self.run(
                    "openssl", "verify", "-x509_strict", "-CAfile", authority.path.string, request)
                #expect(evil.status != 0 && evil.text.contains("\(reason) subtree violation"), "\(evil)")
            }
        }
    }

    private static func verify(
        _ certificate: [UInt8], _ authority: CertificateAuthority, _ folder: FilePath, _ more: [String]
    ) async throws -> (status: Int, text: String) {
        let path = folder.appending("leaf.der").string
        try Data(certificate).write(to: URL(filePath: path))
        return try await run(
            "openssl",
            ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority.path.string] + more + [path])
    }

    @Test("keeps private files over restarts and renews the certificate in time, while running too")
    func renewsCertificate() async throws {
        try await withTemporaryFolder { home in
            let folder = home.appending("emulator")
            let start = TestEnvironment.realTime()
            let file = try DatabaseFile(folder: folder)
            let names = ["ca.pem", "ca-key.pem", "server.pem"]
            let read = { try names.map { try Data(contentsOf: URL(filePath: folder.appending($0).string)) } }
            let time = Mutex(start)
            let begin = { try ServerTLS(folder: folder, file: file, now: { time.withLock(\.self) }) }
            let tls = try begin()
            let first = try read()
            for name in names { #expect(try folder.appending(name).permissions() == 0o600, "\(name)") }
            #expect(String(decoding: first[1], as: UTF8.self).contains("is not encrypted"))
            _ = try begin()
            #expect(try read() == first)

            let context = try tls.context()
            time.withLock { $0 = start + 59 * Self.day }
            #expect(try tls.context() === context)
            time.withLock { $0 = start + 61 * Self.day }
            #expect(try tls.context() !== context)
            let second = try read()
            #expect(second[0...1] == first[0...1] && second[2] != first[2])
            _ = try begin()
            #expect(try read() == second)

            // An authority that would expire before its certificates is replaced.
            time.withLock { $0 = start + 3_600 * Self.day }
            _ = try begin()
            let third = try read()
            #expect(zip(third, second).allSatisfy { $0 != $1 })
        }
    }

    @Test("reports a missing key and does not replace it")
    func reportsMissingKey() async throws {
        try await withFixture(ports: Self.secure) { fixture in
            let (key, certificate) = (fixture.folder.appending("ca-key.pem"), fixture.folder.appending("ca.pem"))
            let before = try Data(contentsOf: URL(filePath: certificate.string))
            try key.remove()
            await #expect(throws: EmulatorError.certificateUnusable(path: key.string)) {
                try await withFixture(folder: fixture.folder, ports: Self.secure) { _ in }
            }
            #expect(try Data(contentsOf: URL(filePath: certificate.string)) == before)
            try certificate.write("nothing")
            #expect(throws: EmulatorError.certificateUnusable(path: certificate.string)) {
                try CertificateAuthority.existing(in: fixture.folder)
            }
        }
    }

    @Test("shares one authority between two simultaneous starts")
    func sharesAuthority() async throws {
        try await withTemporaryFolder { folder in
            let now = TestEnvironment.realTime()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let file = try DatabaseFile(folder: folder)
                        _ = try ServerTLS(folder: folder, file: file, now: { now })
                    }
                }
                try await group.waitForAll()
            }
            let authority = try #require(try CertificateAuthority.existing(in: folder))
            let (_, key) = try CertificateAuthority.loadOrCreate(in: folder, now: now)
            #expect(authority.name.hasSuffix(Self.number(of: key.publicKey)))
            let server = try #require(try ServerCertificate(folder.appending("server.pem")))
            #expect(server.issuer == authority.certificate)
        }
    }

    private static func number(of key: P256.Signing.PublicKey) -> String {
        Hexadecimal.encode(SHA256.hash(data: key.x963Representation).prefix(4))
    }
}
