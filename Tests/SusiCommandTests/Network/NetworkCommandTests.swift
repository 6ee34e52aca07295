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
                let trust = ["SSL_CERT_FILE": server.certificate.string]
                try await withSusi(policies: Self.policies(origin)) { susi in
                    let browser = try await BrowserCommand.capture(in: susi.home.folder)
                    let signIn = try await susi.run("sign-in", "--browser", browser.command, environment: trust)
                    // The server is not a provider.
                    #expect(signIn.status == (isRefused ? 3 : 7), "\(signIn)")
                    #expect(browser.openedURLs.isEmpty)
                }
                let edit = { (text: String) in text.replacing("http://localhost:8480/api/hello", with: "\(origin)/api")
                }
                try await withLocalTenant(in: home, policies: edit) { tenant in
                    try await tenant.signIn(.ana)
                    let called = try await tenant.susi.run("call", "hello", "--debug", environment: trust)
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
                    try await withSusi(policies: Self.policies("https://localhost:\(server.port)")) { susi in
                        let browser = try await BrowserCommand.capture(in: susi.home.folder)
                        let way = name.hasPrefix("device") ? ["--device"] : ["--browser", browser.command]
                        let outcome = try await susi.command(
                            ["sign-in"] + way, environment: ["SSL_CERT_FILE": server.certificate.string]
                        ).run()
                        #expect(outcome.status == 7, "\(outcome)")
                        #expect(outcome.standardError.contains("\(name) is at http://localhost:\(plain.port)"))
                        #expect(browser.openedURLs.isEmpty && plain.requests.isEmpty && !server.requests.isEmpty)
                    }
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

    @Test("with --json, errors are JSON on standard error")
    func printsErrorsAsJSON() async throws {
        try await withSusi { susi in
            for (arguments, status, code) in [
                (["accounts", "-A", "lokal", "--json"], 5, "unknownName"),
                (["token", "-f", "json"], 4, "signInNeeded"),
                (["token", "--format=json"], 4, "signInNeeded"), (["status", "--json", "--bogus"], 64, "usage"),
                (["remove", "--json"], 64, "usage"),
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

    @Test("help environment names every variable that the program reads")
    func helpNamesEveryVariable() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "environment")
            #expect(help.status == 0)
            for name in ["SUSI_HOME", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "KUBERNETES_EXEC_INFO"] {
                #expect(help.standardOutput.contains(name))
            }
            #expect(try await susi.run("help", "enviroment").standardError.contains("“environment”"))
        }
    }
}
