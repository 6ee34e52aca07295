import Susi
import SusiBase
import SusiEmulator
import SusiStartup

/// A run of `susi emulator exec --as-cloud`: the copy of a tenant under the names that it has in the cloud.
struct CloudRun: Sendable {
    let isOffline: Bool
    private let proxy: CloudProxy

    /// The options of the emulator.
    var reach: ListenOptions {
        var reach = ListenOptions.loopback
        reach.cloudHosts = proxy.hosts
        return reach
    }

    /// The tenants are those of the copy with what the tenant file says: an issuer may have a host of its own. Throws `SusiError` if
    /// other hosts are reached only through a proxy that cannot be used.
    init?(
        _ copy: TenantCopy?, serving tenants: [TenantConfiguration], offline: Bool, in environment: ProcessEnvironment
    ) throws {
        guard let copy else { return nil }
        isOffline = offline
        proxy = CloudProxy(
            hosts: copy.cloudHosts.union(tenants.compactMap(\.cloudIssuerHost)),
            others: offline ? .refused : try Self.others(environment))
    }

    /// Returns the hosts that are to be reached without a proxy, without those that would lead past the copy.
    func exceptions(_ list: String) -> String {
        list.split(separator: ",").filter { entry in
            let exception = ProxyExceptions(String(entry))
            return !proxy.hosts.contains { (try? WebAddress("https://\($0)")).map(exception.contains) ?? false }
        }.joined(separator: ",")
    }

    static func notInCloud(_ context: Context) -> SusiError {
        SusiError(
            .invalidRequest, "--as-cloud needs a tenant in the cloud",
            why: "“\(context.application.name)” is at \(context.application.authority), on this machine",
            next: "\(SuggestedCommand("policies list").without("-A"))")
    }

    private static func others(_ environment: ProcessEnvironment) throws -> CloudProxy.Others {
        switch environment.network(tellsHeaders: false).gateway {
        case .direct: return .direct
        case .proxy(let proxy) where proxy.kind == .http && !proxy.hasCredentials:
            return .through(host: proxy.host, port: proxy.port)
        case .proxy(let proxy): throw unusable(proxy.kind == .http ? "it needs a password" : "it is a SOCKS proxy")
        case .unusable(let reason): throw unusable(reason)
        }
    }

    static func unusable(_ reason: String) -> SusiError {
        SusiError(
            .invalidConfiguration, "other hosts cannot be reached through the proxy of this machine", why: reason,
            next: "with --offline they are refused; or unset HTTPS_PROXY")
    }

    /// Runs the proxy; `body` gets its address.
    func run<T>(
        to emulator: RunningEmulator, _ console: Console, _ body: (_ address: String) async throws -> T
    ) async throws -> T {
        let refused = { @Sendable (place: String) in
            console.err(console.errStyle.warning(Terminal.safe("Refused: \(place)")))
        }
        return try await proxy.run(to: emulator.port, refused: refused) { port in
            try await body("http://127.0.0.1:\(port)")
        }
    }
}
