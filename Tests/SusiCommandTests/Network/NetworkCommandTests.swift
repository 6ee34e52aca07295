import Foundation
import Susi
import SusiEntry
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Network settings of the environment, the log of exchanges, and errors.
@Suite("Network and errors", .inTurn, .timeLimit(.minutes(5)))
struct NetworkCommandTests {
    private static func network(_ variables: [String: String]) -> Network {
        ProcessEnvironment(variable: { variables[$0] }, user: 0, canAsk: false)
            .network(tellsHeaders: false)
    }

    @Test("proxies and certificates are read from the usual variables")
    func readsProxyAndCertificateVariables() throws {
        let (first, second) = (Network.Gateway.proxy(try Proxy("http://h:1")), Network.Gateway.proxy(try Proxy("i:2")))
        #expect(Self.network([:]) == Network())
        #expect(Self.network(["HTTP_PROXY": "http://h:1", "http_proxy": "http://h:1"]) == Network())
        #expect(Self.network(["HTTPS_PROXY": "http://h:1"]).gateway == first)
        #expect(Self.network(["ALL_PROXY": "http://h:1"]).gateway == first)
        #expect(
            Self.network(["HTTPS_PROXY": "http://h:1", "https_proxy": "i:2", "all_proxy": "j:3"]).gateway == second)
        #expect(Self.network(["NO_PROXY": "a", "no_proxy": "b"]).exceptions == ProxyExceptions("b"))
        let roots = Self.network(["SSL_CERT_FILE": "f", "SSL_CERT_DIR": "d:e"]).roots
        #expect(roots == Network.Roots(file: "f", folders: ["d", "e"]))
        guard case .unusable = Self.network(["HTTPS_PROXY": "https://h:1"]).gateway else {
            Issue.record("a proxy over TLS is not used")
            return
        }
    }

    @Test("an API behind a proxy, with a certificate of a private authority", .enabled(if: SecureServer.isPossible))
    func callsAPIThroughProxy() async throws {
        let edit = { (text: String) in
            text.replacing("http://localhost:8480/api/hello", with: "https://\(SecureServer.host)/v1")
        }
        try await withHome { home in
            try await SecureServer.with(answering: "from afar", in: home.folder) { server in
                try await ConnectProxy.with(leadingTo: server.port, authorization: "Basic YW5hOmh1bnRlcjI=") { proxy in
                    try await withLocalTenant(in: home, policies: edit) { tenant in
                        let variables = [
                            "HTTPS_PROXY": "http://ana:hunter2@127.0.0.1:\(proxy.port)",
                            "SSL_CERT_FILE": server.certificate.string,
                        ]
                        // The emulator is on this machine, so no proxy is used for it.
                        _ = try await tenant.interact(["sign-in"], as: .ana, environment: variables)
                        #expect(proxy.requestLines.isEmpty)
                        let called = try await tenant.susi.run("call", "hello", "/x", "--debug", environment: variables)
                        #expect(called.status == 0 && called.standardOutput == "from afar", "\(called)")
                        #expect(called.standardError.contains("through http://127.0.0.1:\(proxy.port)"))
                        #expect(!called.standardError.contains("hunter2") && !called.standardError.contains("eyJ"))
                        #expect(proxy.requestLines == ["CONNECT \(SecureServer.host):443 HTTP/1.1"])
                        #expect(server.requests.first?.header("Authorization")?.hasPrefix("Bearer eyJ") ?? false)

                        let wrong = variables.merging(["HTTPS_PROXY": "https://ana:hunter2@127.0.0.1:1"]) { $1 }
                        let refused = try await tenant.susi.run("call", "hello", environment: wrong)
                        #expect(refused.status == 3 && refused.standardError.contains("HTTPS_PROXY"))
                        #expect(!refused.standardError.contains("hunter2"))
                        #expect(try await tenant.susi.run("accounts", environment: wrong).status == 0)
                        let untrusted = variables.merging(["SSL_CERT_FILE": "nowhere.pem"]) { $1 }
                        let unsafe = try await tenant.susi.run("call", "hello", environment: untrusted)
                        #expect(unsafe.status == 3 && unsafe.standardError.contains("nowhere.pem"))
                    }
                }
            }
        }
    }

    /// Returns policies for a plain provider at this origin.
    private static func policies(_ origin: String) -> String {
        """
        { "current": "login", "applications": { "login": {
          "kind": "openid", "authority": "\(origin)", "clientId": "c", "redirectPorts": [0],
          "knownAuthorities": ["\(origin)"]
        } } }
        """
    }

    @Test(
        "a server whose certificate is for another host or has expired receives nothing",
        .enabled(if: SecureServer.isPossible),
        arguments: [
            (SecureServer.host, 2020..<2120, true), ("localhost", 2020..<2021, true), ("localhost", 2020..<2120, false),
        ])
    func sendsNothingWithWrongCertificate(host: String, valid: SecureServer.Validity, isRefused: Bool) async throws {
        try await withHome { home in
            try await SecureServer.with(answering: "hello", in: home.folder, host: host, valid: valid) { server in
                let origin = "https://localhost:\(server.port)"
                let file = try PoliciesFile(text: Self.policies(origin).utf8, source: "the test's policies")
                let network = Network(roots: Network.Roots(file: server.certificate.string))
                let login = PublicClient(
                    application: file.applications[0], folder: StoreFolder(home.folder.appending("login").string),
                    clock: TestEnvironment.realTime, network: network)
                // The server is not a provider.
                await expectRefusal(isRefused ? .network : .invalidAnswer) {
                    try await login.signIn(SignInRequest(), through: SignInSurface(browser: nil))
                }
                let edit = { (text: String) in text.replacing("http://localhost:8480/api/hello", with: "\(origin)/api")
                }
                try await withLocalTenant(in: home, policies: edit) { tenant in
                    try await tenant.signIn(.ana)
                    let called = try await tenant.susi.run(
                        "call", "hello", "--debug", environment: ["SSL_CERT_FILE": server.certificate.string])
                    #expect(called.status == (isRefused ? 3 : 0), "\(called)")
                    #expect(!called.description.contains("eyJ"))
                }
                #expect(server.requests.isEmpty == isRefused)
            }
        }
    }

    @Test(
        "endpoints without TLS of an issuer with TLS are refused and not contacted",
        .enabled(if: SecureServer.isPossible),
        arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "device_authorization_endpoint"])
    func refusesEndpointsWithoutTLS(name: String) async throws {
        try await ScriptedServer.with({ _ in .ok("{}") }) { plain in
            try await withTemporaryFolder { folder in
                let configuration = { @Sendable (request: ScriptedServer.Request) -> ScriptedServer.Answer in
                    let origin = "https://\(request.header("Host") ?? "")"
                    var members = [
                        "issuer": origin, "authorization_endpoint": "\(origin)/a", "token_endpoint": "\(origin)/t",
                        "jwks_uri": "\(origin)/k", "device_authorization_endpoint": "\(origin)/d",
                    ]
                    members[name] = "http://localhost:\(plain.port)/x"
                    return .ok("{" + members.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}")
                }
                try await SecureServer.with(configuration, in: folder, host: "localhost") { server in
                    let text = Self.policies("https://localhost:\(server.port)")
                    let file = try PoliciesFile(text: text.utf8, source: "the test's policies")
                    let client = PublicClient(
                        application: file.applications[0], folder: StoreFolder(folder.appending("state").string),
                        clock: TestEnvironment.realTime,
                        network: Network(roots: Network.Roots(file: server.certificate.string)))
                    let error = await expectRefusal(.invalidAnswer) {
                        if name.hasPrefix("device") {
                            _ = try await client.signInOnAnotherDevice(SignInRequest(), tell: { _ in })
                        } else {
                            _ = try await client.signIn(SignInRequest(), through: SignInSurface(browser: nil))
                        }
                    }
                    #expect(error?.why.contains("\(name) is at http://localhost:\(plain.port)") == true)
                    #expect(plain.requests.isEmpty && !server.requests.isEmpty)
                }
            }
        }
    }

    @Test("--debug shows the exchanges of every command without secrets")
    func debugShowsExchangesWithoutSecrets() async throws {
        try await withLocalTenant { tenant in
            let signedIn = try await tenant.interact(["sign-in", "--debug"], as: .ana)
            let token = try await tenant.susi.run("token").standardOutput.trimmingCharacters(in: .newlines)
            let refreshed = try await tenant.susi.run("token", "--refresh", "--debug")
            let called = try await tenant.susi.run("call", "hello", "--debug")
            #expect(refreshed.standardError.contains("grant_type=refresh_token"))
            #expect(refreshed.standardError.contains("refresh_token=[hidden]"))
            #expect(signedIn.standardError.contains("code=[hidden]"))
            #expect(signedIn.standardError.contains("code_verifier=[hidden]"))
            #expect(called.standardError.contains("> Authorization: [hidden]"))
            for outcome in [signedIn, refreshed, called] {
                #expect(!outcome.standardError.contains(token) && !outcome.standardError.contains("eyJ"))
            }
            let brief = try await tenant.susi.run("call", "hello", "-v")
            #expect(brief.standardError.contains("GET ") && !brief.standardError.contains("Authorization"))
        }
    }

    @Test("with --json, errors are JSON on standard error, but not for the command of exec")
    func printsErrorsAsJSON() async throws {
        try await withSusi { susi in
            for (arguments, status, code) in [
                (["accounts", "-A", "lokal", "--json"], 5, "unknownName"),
                (["token", "--format=json"], 4, "signInNeeded"), (["status", "--json", "--bogus"], 64, "usage"),
                (["exec", "--json", "--", "ls"], 4, "signInNeeded"),
            ] as [([String], Int32, String)] {
                let outcome = try await susi.command(arguments).run()
                #expect(outcome.status == status && outcome.standardOutput.isEmpty, "\(outcome)")
                let node = try JSONNode(parsing: outcome.standardError.utf8)
                #expect(node["schemaVersion"]?.lenientInteger == 1)
                #expect(node["error"]?["code"]?.string == code)
                #expect(node["error"]?["exitCode"]?.lenientInteger == Int64(status))
                #expect(node["error"]?["what"]?.string?.isEmpty == false)
            }
            let child = try await susi.run("exec", "--", "true", "--json")
            #expect(child.status == 4 && child.standardError.hasPrefix("susi:"), "exec read --json of its command")
        }
    }
}
