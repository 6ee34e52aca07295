import SusiPolicies

/// What an application is at a redirect address, as the portal's platforms have it. It decides who may redeem a code that was
/// sent there.
package enum RedirectType: String, CaseIterable, Codable, Sendable {
    /// A server, which sends a secret.
    case web
    /// A page of a single-page application, which sends none.
    case spa
    /// A mobile or desktop program, which sends none.
    case native
}

/// A client registered in the tenant.
package struct RegisteredApplication: Hashable, Sendable {
    package var clientID: String
    /// The name for users; nil for the id.
    package var name: String?
    /// The redirect addresses, as they must be sent: on the web, on this machine (`http://localhost:8400/`,
    /// `http://127.0.0.1:8400/` and `http://[::1]:8400/` are three), or of a scheme of the application's own
    /// (`com.example.app:/callback`, RFC 8252 section 7.1).
    package var redirectAddresses: [String]
    /// The types of redirect addresses. A server and a page may both use an address without a type.
    package var redirectTypes: [String: RedirectType] = [:]
    /// How the port of a loopback redirect address compares; nil for the tenant's setting.
    package var redirectPorts: TenantConfiguration.RedirectPorts?
    /// The origins of web pages that may read the responses of the token endpoint, the user-info endpoint and the sample APIs, for
    /// example `http://localhost:3000` (the CORS protocol of the Fetch Standard). By default those of the redirect addresses, as
    /// in Azure AD B2C.
    package var origins: [String] = []
    /// The secrets of an application on a server, each valid (RFC 6749 section 2.3.1). Without secrets it is a public client, such
    /// as a desktop or single-page application.
    package var secrets: [String] = []
    /// Whether the authorization endpoint issues tokens, in the implicit and the hybrid flow (OpenID Connect Core
    /// sections 3.2 and 3.3). Otherwise such requests are refused with AADB2C90057.
    package var allowsImplicit = false
    /// Whether PKCE is required of a public client, as in Azure AD B2C for single-page applications (AADB2C99059) and in RFC 9700
    /// section 2.1.1 for every public client. Azure AD B2C does not require it of mobile and desktop applications.
    package var demandsChallenge = true
    /// Whether its sign-in pages separate their window from the page that opened it (`Cross-Origin-Opener-Policy`), as Entra ID
    /// will for new applications.
    package var coopEnforcement = false
    /// Whether it may use native authentication (External ID).
    package var allowsNativeAuthentication = true

    var isConfidential: Bool { !secrets.isEmpty }

    package init(clientID: String, redirectAddresses: [String]) {
        self.clientID = clientID
        self.redirectAddresses = redirectAddresses
    }

    // Registers one address for each port and each redirect path of a policy. Port 0, any free port, becomes an address
    // without a port.
    init(_ application: Application) {
        var addresses: [String] = []
        for port in application.redirectPorts {
            for policy in application.policies {
                let address =
                    "http://\(application.redirectHost.rawValue)" + (port == 0 ? "" : ":\(port)") + policy.redirectPath
                if !addresses.contains(address) { addresses.append(address) }
            }
        }
        self.init(clientID: application.clientID, redirectAddresses: addresses)
    }

    /// The redirect addresses of a type; those without one for nil.
    package subscript(type: RedirectType?) -> [String] {
        get { redirectAddresses.filter { redirectTypes[$0] == type } }
        set {
            redirectAddresses.removeAll { redirectTypes[$0] == type }
            redirectAddresses += newValue
            for address in newValue { redirectTypes[address] = type }
        }
    }

    /// A typed address that is listed twice.
    var repeatedAddress: String? {
        redirectAddresses.first { address in
            redirectTypes[address] != nil && redirectAddresses.count { $0 == address } > 1
        }
    }

    /// Whether `address` is registered; `.any` ignores the port of a loopback address. Refuses a fragment (RFC 6749 section 3.1.2).
    func allows(redirect address: String, ports: TenantConfiguration.RedirectPorts) -> Bool {
        registered(address, ports: ports) != nil
    }

    /// The type of a redirect address in a request; nil if it has none.
    func type(of address: String, ports: TenantConfiguration.RedirectPorts) -> RedirectType? {
        redirectTypes.isEmpty ? nil : registered(address, ports: ports).flatMap { redirectTypes[$0] }
    }

    private func registered(_ address: String, ports: TenantConfiguration.RedirectPorts) -> String? {
        guard !address.contains("#") else { return nil }
        if redirectAddresses.contains(address) { return address }
        guard redirectPorts ?? ports == .any, let asked = LoopbackAddress(address) else { return nil }
        return redirectAddresses.first { LoopbackAddress($0)?.isSame(as: asked) ?? false }
    }

    /// Whether a secret is needed to redeem what was sent to an address of this type.
    func isConfidential(at type: RedirectType?) -> Bool { type.map { $0 == .web } ?? isConfidential }
}

extension RegisteredApplication {
    /// Returns whether pages of that origin belong to it; `.any` ignores the port of a loopback address. `redeemsCodes` leaves out
    /// the pages of servers.
    func allows(origin: String, ports: TenantConfiguration.RedirectPorts, redeemsCodes: Bool = false) -> Bool {
        guard origins.isEmpty else { return origins.contains(origin) }
        let page = (redirectPorts ?? ports) == .any ? LoopbackAddress(origin) : nil
        return (redeemsCodes ? self[nil] + self[.spa] : redirectAddresses).contains { address in
            if let page, let own = LoopbackAddress(address) { return own.host == page.host }
            return (try? WebAddress(String(address.prefix { $0 != "?" })))?.origin == origin
        }
    }
}

/// An address `http://localhost[:port]/path`, or the same with a numeric loopback address, split for a comparison
/// without the port (RFC 8252 section 7.3).
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

    /// Returns whether the addresses are equal except for the port.
    func isSame(as other: LoopbackAddress) -> Bool { host == other.host && path == other.path }
}
