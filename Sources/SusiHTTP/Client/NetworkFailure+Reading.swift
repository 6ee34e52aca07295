import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL

extension NetworkFailure {
    /// Converts an error of the libraries; `proxy` was used, if any.
    init(_ error: any Error, origin: String, proxy: Proxy?, largestAnswer: Int) {
        let kind: Kind
        switch error {
        case let failure as NetworkFailure:
            self = failure
            return
        case let invalid as Proxy.Invalid:
            self.init(kind: .proxy("the proxy"), origin: origin, detail: invalid.reason)
            return
        case let unusable as Network.Roots.Unusable:
            self.init(kind: .tls(.unusableRoots), origin: origin, detail: unusable.reason)
            return
        case is ServerName.Mismatch: kind = .tls(.otherHost)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: kind = .tls(.otherHost)
        case let cause as BoringSSLError:
            self.init(kind: .tls(.handshake), origin: origin, detail: Self.reason(of: cause))
            return
        case NIOSSLError.shutdownFailed(let cause):
            self.init(kind: .tls(.handshake), origin: origin, detail: Self.reason(of: cause))
            return
        case NIOSSLError.handshakeFailed(let cause):
            let reason = Self.reason(of: cause)
            // BoringSSL reports only that a certificate was refused.
            let isRefused = reason == "certificate verify failed"
            self.init(kind: .tls(isRefused ? .unknownAuthority : .handshake), origin: origin, detail: reason)
            return
        case let error as HTTPClientError
        where error == .proxyAuthenticationRequired || error == .httpProxyHandshakeTimeout
            || error == .socksHandshakeTimeout || error == .invalidProxyResponse:
            kind = .proxy(proxy?.description ?? "the proxy")
        // With a proxy, every connection is one to the proxy.
        case is NIOConnectionError where proxy != nil: kind = .proxy(proxy?.description ?? "the proxy")
        case is NIOTooManyBytesError: kind = .tooLarge(limit: largestAnswer)
        case is DeadlineExceeded: kind = .timeout
        case let error as HTTPClientError
        where error == .connectTimeout || error == .readTimeout
            || error == .deadlineExceeded || error == .writeTimeout || error == .getConnectionFromPoolTimeout:
            kind = .timeout
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            self.init(kind: .broken, origin: origin, detail: "the server closed it")
            return
        case let error as NIOConnectionError: kind = Self.kind(of: error)
        case let error as IOError where error.errnoCode == 111 || error.errnoCode == 61: kind = .refused
        default: kind = String(reflecting: type(of: error)).contains("SSL") ? .tls(.handshake) : .broken
        }
        self.init(kind: kind, origin: origin, detail: String(describing: error))
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

    // There is one attempt for each address of the host. No address at all means an unknown host.
    private static func kind(of error: NIOConnectionError) -> Kind {
        if error.connectionErrors.isEmpty { return .unknownHost }
        return error.connectionErrors.allSatisfy { $0.error is ChannelError } ? .timeout : .refused
    }
}
