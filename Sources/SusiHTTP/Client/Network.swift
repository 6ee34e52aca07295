/// How servers are reached: through which proxy, with which certificates trusted, with how much patience.
public struct Network: Hashable, Sendable {
    /// The way to https servers that are not on this machine; to loopback hosts every way is straight.
    public var gateway: Gateway
    /// The hosts that are reached without the proxy.
    public var exceptions: ProxyExceptions
    /// The certificates that are trusted; nil for the system's.
    public var roots: Roots?
    /// A file with certificates in PEM that are trusted besides, for servers on this machine alone: the emulator's. While
    /// there is no such file, nothing else is trusted.
    public var loopbackRoots: String?
    /// What an exchange with an authority may cost.
    public var limits: WebClient.Limits
    /// How long a called API may stay silent.
    public var longestSilence: Duration
    /// Whether the trace tells headers and form fields too, without any secret.
    public var tellsHeaders: Bool

    /// Makes a network; by default everything is reached directly, and the system's certificates are trusted.
    public init(
        gateway: Gateway = .direct, exceptions: ProxyExceptions = ProxyExceptions(""), roots: Roots? = nil,
        loopbackRoots: String? = nil, limits: WebClient.Limits = WebClient.Limits(),
        longestSilence: Duration = .seconds(30),
        tellsHeaders: Bool = false
    ) {
        self.limits = limits
        self.gateway = gateway
        self.exceptions = exceptions
        self.roots = roots
        self.loopbackRoots = loopbackRoots
        self.longestSilence = longestSilence
        self.tellsHeaders = tellsHeaders
    }

    /// The ways to a server.
    public enum Gateway: Hashable, Sendable {
        /// Straight.
        case direct
        /// Through a proxy.
        case proxy(Proxy)
        /// Through one that cannot be used: whoever needs it learns why, everybody else is served.
        case unusable(reason: String)
    }

    /// Certificates in PEM, as OpenSSL's `SSL_CERT_FILE` and `SSL_CERT_DIR` name them. Nothing else is trusted then.
    public struct Roots: Hashable, Sendable {
        /// A file with certificates.
        public var file: String?
        /// Folders whose files are certificates.
        public var folders: [String]

        /// Names files and folders; they are read when the first https address is contacted.
        public init(file: String? = nil, folders: [String] = []) {
            self.file = file
            self.folders = folders
        }
    }
}
