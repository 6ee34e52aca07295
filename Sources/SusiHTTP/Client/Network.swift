/// The settings of connections: proxy, trusted certificates, time limits.
public struct NetworkSettings: Hashable, Sendable {
    /// The route to https servers on other machines; loopback hosts are always reached directly.
    package var gateway: Gateway
    /// The hosts that are reached without the proxy.
    package var exceptions: ProxyExceptions
    /// The trusted certificates; `nil` for the system's.
    package var roots: Roots?
    /// A PEM file with certificates that are also trusted for servers on this machine: the emulator's. It need not
    /// exist.
    package var loopbackRoots: String?
    /// The limits of an exchange with an authority.
    package var limits: WebClient.Limits
    /// The longest silence of a called API.
    package var longestSilence: Duration
    /// Whether the trace contains headers and form fields, without secrets.
    package var tellsHeaders: Bool

    /// Makes settings without a proxy. `certificates` is a PEM file with the only certificates to trust, `nil` for the
    /// system's. An exchange with an authority may take `longestExchange`; a called API may be silent for
    /// `longestSilence`. With `tellsHeaders`, the client's trace contains headers and form fields, without secrets.
    public init(
        certificates: String? = nil, longestExchange: Duration = .seconds(30), longestSilence: Duration = .seconds(30),
        tellsHeaders: Bool = false
    ) {
        self.init(
            gateway: .direct, roots: certificates.map { Roots(file: $0) },
            limits: WebClient.Limits(exchange: longestExchange), longestSilence: longestSilence,
            tellsHeaders: tellsHeaders)
    }

    package init(
        gateway: Gateway, exceptions: ProxyExceptions = ProxyExceptions(""), roots: Roots? = nil,
        loopbackRoots: String? = nil, limits: WebClient.Limits = WebClient.Limits(),
        longestSilence: Duration = .seconds(30), tellsHeaders: Bool = false
    ) {
        self.limits = limits
        self.gateway = gateway
        self.exceptions = exceptions
        self.roots = roots
        self.loopbackRoots = loopbackRoots
        self.longestSilence = longestSilence
        self.tellsHeaders = tellsHeaders
    }

    /// The routes to a server.
    package enum Gateway: Hashable, Sendable {
        /// Without a proxy.
        case direct
        case proxy(Proxy)
        /// Through an unusable proxy: exchanges that need it fail with the reason.
        case unusable(reason: String)
    }

    /// Certificates in PEM, as in OpenSSL's `SSL_CERT_FILE` and `SSL_CERT_DIR`. No others are trusted then.
    package struct Roots: Hashable, Sendable {
        package var file: String?
        /// Folders whose files are certificates.
        package var folders: [String]

        /// Makes a set of files and folders; they are read when an https address is first contacted.
        package init(file: String? = nil, folders: [String] = []) {
            self.file = file
            self.folders = folders
        }
    }
}
