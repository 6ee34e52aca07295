/// A failed exchange with a server. It is unknown what the server did.
package struct NetworkFailure: Error, Hashable, Sendable {
    /// The kinds that users handle differently.
    package enum Kind: Hashable, Sendable {
        case refused
        /// The host name cannot be resolved.
        case unknownHost
        case timeout
        case tls(TLSReason)
        /// The proxy, described without credentials, is unusable or refused the connection.
        case proxy(String)
        /// The response is larger than `limit` bytes.
        case tooLarge(limit: Int)
        case cancelled
        /// Any other failure: the connection broke, or the response is not HTTP.
        case broken
    }

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
    /// More about the failure, without a name of a library's type. It may quote the server: escape it before showing it.
    package let detail: String
    /// The proxy on the way to the server, described without credentials.
    package private(set) var proxy: String?
}

extension NetworkFailure.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused: "connection refused"
        case .unknownHost: "unknown host"
        case .timeout: "timeout"
        case .tls(.expired): "expired certificate"
        case .tls(.notYetValid): "certificate not yet valid"
        case .tls(.otherHost): "certificate of another host"
        case .tls(.unknownAuthority): "certificate of an unknown authority"
        case .tls(.unusableRoots): "no trusted certificates"
        case .tls(.handshake): "TLS failed"
        case .proxy: "proxy failed"
        case .tooLarge: "response too large"
        case .cancelled: "cancelled"
        case .broken: "connection broken"
        }
    }
}
