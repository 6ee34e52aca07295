import Susi
import SusiStartup
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Network settings of the environment, the log of exchanges, and errors.
@Suite("Network and errors", .inTurn, .timeLimit(.minutes(5)))
struct NetworkCommandTests {
    private static func network(_ variables: [String: String]) -> NetworkSettings {
        ProcessEnvironment(variable: { variables[$0] }, user: 0, canAsk: false)
            .network(tellsHeaders: false)
    }

    @Test("proxies and certificates are read from the usual variables")
    func readsProxyAndCertificateVariables() throws {
        let (first, second) = (
            NetworkSettings.Gateway.proxy(try Proxy("http://h:1")), NetworkSettings.Gateway.proxy(try Proxy("i:2"))
        )
        #expect(Self.network([:]) == NetworkSettings())
        #expect(Self.network(["HTTP_PROXY": "http://h:1", "http_proxy": "http://h:1"]) == NetworkSettings())
        #expect(Self.network(["HTTPS_PROXY": "http://h:1"]).gateway == first)
        #expect(Self.network(["ALL_PROXY": "http://h:1"]).gateway == first)
        #expect(
            Self.network(["HTTPS_PROXY": "http://h:1", "https_proxy": "i:2", "all_proxy": "j:3"]).gateway == second)
        #expect(Self.network(["NO_PROXY": "a", "no_proxy": "b"]).exceptions == ProxyExceptions("b"))
        let roots = Self.network(["SSL_CERT_FILE": "f", "SSL_CERT_DIR": "d:e"]).roots
        #expect(roots == NetworkSettings.Roots(file: "f", folders: ["d", "e"]))
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
                        try await tenant.susi.run("call", "hello", "/x", "--debug", environment: variables).exits(
                            0, output: "from afar", saying: "through http://127.0.0.1:\(proxy.port)", hiding: "hunter2",
                            "eyJ")
                        #expect(proxy.requestLines == ["CONNECT \(SecureServer.host):443 HTTP/1.1"])
                        #expect(server.requests.first?.header("Authorization")?.hasPrefix("Bearer eyJ") ?? false)

                        let wrong = variables.merging(["HTTPS_PROXY": "https://ana:hunter2@127.0.0.1:1"]) { $1 }
                        try await tenant.susi.run("call", "hello", environment: wrong).exits(
                            3, saying: "HTTPS_PROXY", hiding: "hunter2")
                        #expect(try await tenant.susi.run("accounts", environment: wrong).status == 0)
                        let untrusted = variables.merging(["SSL_CERT_FILE": "nowhere.pem"]) { $1 }
                        try await tenant.susi.run("call", "hello", environment: untrusted).exits(
                            3, saying: "nowhere.pem")
                    }
                }
            }
        }
    }
}
