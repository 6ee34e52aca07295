/// One of Microsoft's clouds: the names of its sign-in service, which give the same tokens, and its Graph hosts, where the
/// service's configuration places userinfo.
///
/// The names are those of the service's own instance discovery, which MSAL builds in too.
struct EntraCloud: Hashable, Sendable {
    /// The names of the sign-in service; the first is the one to prefer.
    let hosts: [String]
    /// The hosts of Microsoft Graph.
    let graphs: [String]

    /// The cloud for all the world.
    static let world = EntraCloud(
        hosts: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
        graphs: ["graph.microsoft.com"])

    /// Every cloud.
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

    /// The cloud whose sign-in service has that host, over https on the usual port.
    static func of(_ address: WebAddress) -> EntraCloud? {
        guard address.scheme == "https", address.port == nil else { return nil }
        return all.first { $0.hosts.contains(address.host) }
    }

    /// The origin that stands for all its names.
    var origin: String { "https://\(hosts[0])" }

    /// Whether an address is at the cloud's Graph.
    func hasGraph(_ address: WebAddress) -> Bool {
        address.scheme == "https" && address.port == nil && graphs.contains(address.host)
    }
}

extension WebAddress {
    /// Where Microsoft is asked whether a host is one of its own: one place, whatever cloud the question is about.
    public static let instanceDiscovery = WebAddress(
        scheme: "https", host: EntraCloud.world.hosts[0], port: nil, segments: ["common", "discovery", "instance"])
}
