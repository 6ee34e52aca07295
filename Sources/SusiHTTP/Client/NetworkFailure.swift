/// Why an exchange with a server did not come to an answer. Nothing is known of what the server did.
public struct NetworkFailure: Error, Hashable, Sendable {
    /// The kinds that a person would act on differently.
    public enum Kind: Hashable, Sendable {
        /// Nobody listens there.
        case refused
        /// The name has no address.
        case unknownHost
        /// No answer in time.
        case timeout
        /// No secure connection came about.
        case tls(TLSReason)
        /// The proxy, described without credentials, cannot be used or did not let the exchange through.
        case proxy(String)
        /// The answer is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// Anything else: the connection broke, or what came is no HTTP.
        case broken
    }

    /// Why no secure connection came about.
    public enum TLSReason: Hashable, Sendable {
        /// The server's certificate ended at that time, in seconds since 1970.
        case expired(Int64)
        /// The server's certificate is valid from that time on, in seconds since 1970.
        case notYetValid(Int64)
        /// The certificate names other hosts.
        case otherHost
        /// No trusted authority signed the certificate.
        case unknownAuthority
        /// The certificates to trust cannot be read; the detail says which.
        case unusableRoots
        /// TLS failed otherwise; the detail says how.
        case handshake
    }

    /// What happened.
    public let kind: Kind
    /// Whom it was with: scheme, host and port.
    public let origin: String
    /// The library's own words, without names of source files. They may quote the server: escape them before showing them.
    public let detail: String

    /// Makes a failure.
    public init(kind: Kind, origin: String, detail: String) {
        self.kind = kind
        self.origin = origin
        self.detail = detail
    }
}
