import SusiPolicies

/// A client registered in the tenant. What the initializer does not take is set afterwards.
public struct RegisteredApplication: Hashable, Sendable {
    /// The application's (client) id.
    public var clientID: String
    /// The name that a person is shown; nil shows the id.
    public var name: String?
    /// The redirect addresses, as they must be sent: on the web, on this machine (`http://localhost:8400/`,
    /// `http://127.0.0.1:8400/` and `http://[::1]:8400/` are three), or of a scheme of the application's own
    /// (`com.example.app:/callback`, RFC 8252 section 7.1).
    public var redirectAddresses: [String]
    /// How the port of a loopback redirect address compares; nil does as the tenant says.
    public var redirectPorts: TenantConfiguration.RedirectPorts?
    /// The origins of web pages that may read what the token endpoint, the user-info endpoint and the sample APIs answer,
    /// for instance `http://localhost:3000` (the CORS protocol of the Fetch Standard). Without any these are the origins of
    /// the redirect addresses, as Azure AD B2C has it.
    public var origins: [String] = []
    /// The secrets of an application that runs on a server; any one of them is enough (RFC 6749 section 2.3.1). Without one
    /// it is a public client, as programs on people's own machines and single-page applications are.
    public var secrets: [String] = []
    /// Whether the authorization endpoint itself gives it tokens: the implicit and the hybrid flow (OpenID Connect Core
    /// sections 3.2 and 3.3). Without it these get AADB2C90057.
    public var allowsImplicit = false
    /// Whether an authorization request of a public client must carry a PKCE challenge, as Azure AD B2C has it for single-page applications
    /// (AADB2C99059) and RFC 9700 section 2.1.1 for every public client. Mobile and desktop applications may go without in
    /// Azure AD B2C.
    public var demandsChallenge = true
    /// Whether it may ask its users itself, without a browser (External ID's native authentication).
    public var allowsNativeAuthentication = true

    /// Whether it has a secret to show.
    var isConfidential: Bool { !secrets.isEmpty }

    /// Registers an application.
    public init(clientID: String, redirectAddresses: [String]) {
        self.clientID = clientID
        self.redirectAddresses = redirectAddresses
    }

    // One address for each port and each path that a policy asks to be sent back to. Port 0 means any free port, for
    // which an address without a port stands.
    init(_ application: Application) {
        var addresses: [String] = []
        for port in application.redirectPorts {
            for policy in application.policies {
                let address = "http://localhost" + (port == 0 ? "" : ":\(port)") + policy.redirectPath
                if !addresses.contains(address) { addresses.append(address) }
            }
        }
        self.init(clientID: application.clientID, redirectAddresses: addresses)
    }

    /// Whether `address` is registered; with `.any` the port of a loopback address does not count. An address with a
    /// fragment never is (RFC 6749 section 3.1.2).
    func allows(redirect address: String, ports: TenantConfiguration.RedirectPorts) -> Bool {
        guard !address.contains("#") else { return false }
        if redirectAddresses.contains(address) { return true }
        guard redirectPorts ?? ports == .any, let asked = LoopbackAddress(address) else { return false }
        return redirectAddresses.contains { LoopbackAddress($0)?.isSame(as: asked) ?? false }
    }
}

extension RegisteredApplication {
    /// Whether pages of that origin are its own; with `.any` the port of a loopback address does not count.
    func allows(origin: String, ports: TenantConfiguration.RedirectPorts) -> Bool {
        guard origins.isEmpty else { return origins.contains(origin) }
        let page = (redirectPorts ?? ports) == .any ? LoopbackAddress(origin) : nil
        return redirectAddresses.contains { address in
            if let page, let own = LoopbackAddress(address) { return own.host == page.host }
            return (try? WebAddress(String(address.prefix { $0 != "?" })))?.origin == origin
        }
    }
}

/// `http://localhost[:port]/path` and the same with the two numeric addresses, taken apart as far as the comparison
/// needs: all but the port (RFC 8252 section 7.3).
struct LoopbackAddress {
    let host: String
    private(set) var port: UInt16?
    let path: Substring

    init?(_ text: String) {
        guard let host = EmulatorPort.hosts.first(where: { text.hasPrefix("http://\($0)") }) else { return nil }
        var rest = text.dropFirst("http://\(host)".count)
        if rest.first == ":" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            port = UInt16(digits)
            guard port != nil else { return nil }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard rest.isEmpty || rest.first == "/" else { return nil }
        self.host = host
        path = rest.isEmpty ? "/" : rest
    }

    /// Whether nothing but the port tells them apart.
    func isSame(as other: LoopbackAddress) -> Bool { host == other.host && path == other.path }
}
