import SusiPolicies

/// A public client registered in the tenant.
public struct RegisteredApplication: Hashable, Sendable {
    /// The application's (client) id.
    public var clientID: String
    /// The redirect addresses, as they must be sent.
    public var redirectAddresses: [String]

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

    /// Whether `address` is registered; with `.any` the port of `http://localhost` does not count.
    func allows(redirect address: String, ports: TenantConfiguration.RedirectPorts) -> Bool {
        if redirectAddresses.contains(address) { return true }
        guard ports == .any, let asked = LoopbackAddress(address) else { return false }
        return redirectAddresses.contains { LoopbackAddress($0)?.path == asked.path }
    }
}

/// `http://localhost[:port]/path`, taken apart only as far as the comparison needs.
struct LoopbackAddress {
    let path: Substring

    private(set) var port: UInt16?

    init?(_ text: String) {
        let start = "http://localhost"
        guard text.hasPrefix(start) else { return nil }
        var rest = text.dropFirst(start.count)
        if rest.first == ":" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            port = UInt16(digits)
            guard port != nil else { return nil }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard rest.isEmpty || rest.first == "/" else { return nil }
        path = rest.isEmpty ? "/" : rest
    }
}
