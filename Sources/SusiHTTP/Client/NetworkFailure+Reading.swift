import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SusiBase
import SusiPolicies
import SystemPackage

extension NetworkFailure {
    /// Converts an error of the libraries; `proxy` was used, if any.
    init(_ error: any Error, origin: String, proxy: Proxy?, largestResponse: Int) {
        if let failure = error as? NetworkFailure {
            self = failure
            return
        }
        let (kind, detail) = Self.reading(of: error, through: proxy, largestResponse: largestResponse)
        self.init(kind: kind, origin: origin, detail: detail, proxy: proxy?.description)
    }

    private static func reading(
        of error: any Error, through proxy: Proxy?, largestResponse: Int
    ) -> (kind: Kind, detail: String) {
        let detail = words(for: error)
        return switch error {
        case let invalid as InvalidProxy: (.proxy("the proxy"), invalid.reason)
        case let unusable as UnusableRoots: (.tls(.unusableRoots), unusable.reason)
        case is ServerName.Mismatch: (.tls(.otherHost), detail)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: (.tls(.otherHost), detail)
        // BoringSSL reports only that a certificate was refused.
        case NIOSSLError.handshakeFailed(let cause) where reason(of: cause) == "certificate verify failed":
            (.tls(.unknownAuthority), detail)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: (.tls(.handshake), detail)
        case let error as HTTPClientError where proxyErrors.contains(error):
            (.proxy(proxy?.description ?? "the proxy"), detail)
        // With a proxy, every connection is one to the proxy.
        case is NIOConnectionError where proxy != nil: (.proxy(proxy?.description ?? "the proxy"), detail)
        case is NIOTooManyBytesError: (.tooLarge(limit: largestResponse), detail)
        case is DeadlineExceeded: (.timeout, detail)
        case is CancellationError: (.cancelled, detail)
        case let error as HTTPClientError where error == .cancelled: (.cancelled, detail)
        case let error as HTTPClientError where timeouts.contains(error): (.timeout, detail)
        case let error as NIOConnectionError: (Self.kind(of: error), detail)
        case let error as IOError where Errno(rawValue: error.errnoCode) == .connectionRefused: (.refused, detail)
        default: (String(reflecting: type(of: error)).contains("SSL") ? .tls(.handshake) : .broken, detail)
        }
    }

    private static let proxyErrors: [HTTPClientError] = [
        .proxyAuthenticationRequired, .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .invalidProxyResponse,
    ]
    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .deadlineExceeded, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout,
    ]

    // There is one attempt for each address of the host. No address at all means an unknown host.
    private static func kind(of error: NIOConnectionError) -> Kind {
        if error.connectionErrors.isEmpty { return .unknownHost }
        return error.connectionErrors.allSatisfy { $0.error is ChannelError } ? .timeout : .refused
    }
}

// MARK: Words

extension NetworkFailure {
    /// Returns what an error of the libraries means. Their own descriptions name types and source files.
    static func words(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: words(for: error)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words(for: $0.error) } ?? "the host name cannot be resolved"
        case let error as IOError: FileFailure.words(error.errnoCode)
        case ChannelError.connectTimeout, is DeadlineExceeded: "no response in time"
        case is HTTPParserError: "the response is not HTTP"
        case is NIOTooManyBytesError: "the response is too large"
        case let cause as BoringSSLError: reason(of: cause)
        case NIOSSLError.shutdownFailed(let cause), NIOSSLError.handshakeFailed(let cause): reason(of: cause)
        case is ServerName.Mismatch, is NIOSSLExtraError: "the certificate names another host"
        case is CancellationError: "cancelled"
        default: "the connection ended unexpectedly"
        }
    }

    private static func words(for error: HTTPClientError) -> String {
        switch error {
        case .proxyAuthenticationRequired: "the proxy requires a user name and a password"
        case .invalidProxyResponse: "the proxy did not open a connection"
        case .remoteConnectionClosed: "the server closed it"
        case .cancelled, .requestStreamCancelled: "cancelled"
        case _ where timeouts.contains(error) || proxyErrors.contains(error): "no response in time"
        // A bounded list of texts in plain English.
        default: error.shortDescription.lowercasedFirst
        }
    }

    // The last part of `error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at FILE:LINE`, without
    // the file, which is one of the machine that built the library.
    private static func reason(of cause: BoringSSLError) -> String {
        let stack: NIOBoringSSLErrorStack =
            switch cause {
            case .sslError(let stack), .unknownError(let stack), .invalidSNIName(let stack),
                .failedToSetALPN(let stack):
                stack
            default: []
            }
        guard let first = stack.first?.description else { return "the connection was closed" }
        let words = first.firstRange(of: " at ").map { first[..<$0.lowerBound] } ?? first[...]
        return (words.split(separator: ":").last ?? words).replacing("_", with: " ").lowercased()
    }
}

extension String {
    // “HTTP” and other abbreviations keep their capitals.
    fileprivate var lowercasedFirst: String {
        dropFirst().first?.isLowercase ?? false ? prefix(1).lowercased() + dropFirst() : self
    }
}
