/// A Microsoft cloud: the host names of its sign-in service, which issue the same tokens, and its Graph hosts, which
/// serve userinfo.
///
/// The names are those of the service's instance discovery; MSAL has the same list.
struct EntraCloud: Hashable, Sendable {
    /// The host names of the sign-in service; the first one is preferred.
    let hosts: [String]
    /// The hosts of Microsoft Graph.
    let graphs: [String]

    static let world = EntraCloud(
        hosts: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
        graphs: ["graph.microsoft.com"])

    static let all = [
        world,
        EntraCloud(
            hosts: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"],
            graphs: ["microsoftgraph.chinacloudapi.cn"]),
        EntraCloud(
            hosts: ["login.microsoftonline.us", "login.usgovcloudapi.net"],
            graphs: ["graph.microsoft.us", "dod-graph.microsoft.us", "graph.microsoft.com"]),
        EntraCloud(hosts: ["login-us.microsoftonline.com"], graphs: ["graph.microsoft.com"]),
        EntraCloud(hosts: ["login.microsoftonline.de"], graphs: ["graph.microsoft.de"]),
        EntraCloud(hosts: ["login.sovcloud-identity.fr"], graphs: ["graph.svc.sovcloud.fr"]),
        EntraCloud(hosts: ["login.sovcloud-identity.de"], graphs: ["graph.svc.sovcloud.de"]),
        EntraCloud(hosts: ["login.sovcloud-identity.sg"], graphs: ["graph.svc.sovcloud.sg"]),
    ]

    /// Returns the cloud whose sign-in service has that host, with https and the default port.
    static func of(_ address: WebAddress) -> EntraCloud? {
        guard address.scheme == "https", address.port == nil else { return nil }
        return all.first { $0.hosts.contains(address.host) }
    }

    /// The origin under which accounts of all its host names are stored.
    var origin: String { "https://\(hosts[0])" }

    /// Whether a resource is Microsoft Graph, by address or application ID: in the authority's cloud, or in any if the host of
    /// the authority does not show it.
    static func isGraph(_ resource: Substring, at authority: WebAddress) -> Bool {
        if resource == "00000003-0000-0000-c000-000000000000" { return true }
        guard let address = try? WebAddress(String(resource)), address.segments.isEmpty else { return false }
        return (of(authority).map { [$0] } ?? all).contains { $0.hasGraph(address) }
    }

    func hasGraph(_ address: WebAddress) -> Bool {
        address.scheme == "https" && address.port == nil && graphs.contains(address.host)
    }
}

extension WebAddress {
    /// The endpoint that reports whether a host belongs to Microsoft. It answers for every cloud.
    package static let instanceDiscovery = WebAddress(
        scheme: "https", host: EntraCloud.world.hosts[0], port: nil, segments: ["common", "discovery", "instance"])
}
