/// A failed exchange with a server. It is unknown what the server did.
package struct NetworkFailure: Error, Hashable, Sendable {
    /// The kinds that users handle differently.
    package enum Kind: Hashable, Sendable {
        /// The connection was refused.
        case refused
        /// The host name cannot be resolved.
        case unknownHost
        /// Timeout.
        case timeout
        /// TLS failed.
        case tls(TLSReason)
        /// The proxy, described without credentials, is unusable or refused the connection.
        case proxy(String)
        /// The response is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// Any other failure: the connection broke, or the response is not HTTP.
        case broken
    }

    /// Why TLS failed.
    package enum TLSReason: Hashable, Sendable {
        /// The server's certificate expired at that time, in seconds since 1970.
        case expired(Int64)
        /// The server's certificate is not valid before that time, in seconds since 1970.
        case notYetValid(Int64)
        /// The certificate names other hosts.
        case otherHost
        /// No trusted authority signed the certificate.
        case unknownAuthority
        /// The trusted certificates cannot be read; the detail names them.
        case unusableRoots
        /// Another failure of TLS; the detail explains it.
        case handshake
    }

    package let kind: Kind
    /// The server: scheme, host and port.
    package let origin: String
    /// The library's message without names of source files. It may quote the server: escape it before showing it.
    package let detail: String

    package init(kind: Kind, origin: String, detail: String) {
        self.kind = kind
        self.origin = origin
        self.detail = detail
    }
}
