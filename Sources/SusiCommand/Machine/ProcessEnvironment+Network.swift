import Susi
import SusiStartup

extension ProcessEnvironment {
    /// Returns the network settings from the usual environment variables. `HTTP_PROXY` is not used, because susi uses
    /// plain http only on this machine and without a proxy. `loopbackRoots` are additional certificates trusted for
    /// this machine.
    func network(tellsHeaders: Bool, loopbackRoots: String? = nil) -> NetworkSettings {
        NetworkSettings(
            gateway: gateway, exceptions: ProxyExceptions(either("no_proxy", "NO_PROXY") ?? ""), roots: roots,
            loopbackRoots: loopbackRoots, tellsHeaders: tellsHeaders)
    }

    private var gateway: NetworkSettings.Gateway {
        guard let text = either("https_proxy", "HTTPS_PROXY") ?? either("all_proxy", "ALL_PROXY") else {
            return .direct
        }
        do { return .proxy(try Proxy(text)) } catch { return .unusable(reason: error.reason) }
    }

    private var roots: NetworkSettings.Roots? {
        let (file, folders) = (self["SSL_CERT_FILE"], self["SSL_CERT_DIR"])
        guard file != nil || folders != nil else { return nil }
        return NetworkSettings.Roots(file: file, folders: folders?.split(separator: ":").map(String.init) ?? [])
    }

    // As in curl, the lowercase name takes precedence.
    private func either(_ lower: String, _ upper: String) -> String? { self[lower] ?? self[upper] }
}
