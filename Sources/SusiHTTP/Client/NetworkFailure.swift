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
        /// The certificate is not trusted, or TLS failed otherwise.
        case tls
        /// The proxy, described without credentials, cannot be used or did not let the exchange through.
        case proxy(String)
        /// The answer is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// Anything else: the connection broke, or what came is no HTTP.
        case broken
    }

    /// What happened.
    public let kind: Kind
    /// Whom it was with: scheme, host and port.
    public let origin: String
    /// The library's own words. They may quote the server: escape them before showing them.
    public let detail: String

    /// Makes a failure.
    public init(kind: Kind, origin: String, detail: String) {
        self.kind = kind
        self.origin = origin
        self.detail = detail
    }
}
