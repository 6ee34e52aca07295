import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import SusiBase
import SusiPolicies
import Testing

@testable import SusiHTTP

/// The errors of the libraries, in words: no name of a type reaches a person.
@Suite("Errors of the libraries")
struct LibraryErrorTests {
    private struct SomeStrangeError: Error {}

    static let http: [HTTPClientError] = [
        .invalidURL, .emptyHost, .missingSocketPath, .alreadyShutdown, .emptyScheme, .unsupportedScheme("x"),
        .readTimeout,
        .writeTimeout, .remoteConnectionClosed, .cancelled, .identityCodingIncorrectlyPresent, .invalidProxyResponse,
        .contentLengthMissing, .proxyAuthenticationRequired, .redirectLimitReached, .redirectCycleDetected,
        .uncleanShutdown, .traceRequestWithBody, .invalidHeaderFieldNames(["a"]), .invalidHeaderFieldValues(["a"]),
        .bodyLengthMismatch, .writeAfterRequestSent, .connectTimeout, .socksHandshakeTimeout,
        .httpProxyHandshakeTimeout,
        .tlsHandshakeTimeout, .serverOfferedUnsupportedApplicationProtocol("x"), .requestStreamCancelled,
        .getConnectionFromPoolTimeout, .deadlineExceeded, .shutdownUnsupported,
    ]

    static let others: [any Error] = [
        IOError(errnoCode: 111, reason: "connect"), IOError(errnoCode: 104, reason: "read"),
        IOError(errnoCode: 9_999, reason: "x"), ChannelError.connectTimeout(.seconds(1)),
        ChannelError.ioOnClosedChannel,
        HTTPParserError.invalidVersion, NIOTooManyBytesError(maxBytes: 1), DeadlineExceeded(), CancellationError(),
        ServerName.Mismatch(), SomeStrangeError(),
    ]

    @Test("each error has words") func hasWords() {
        for error in Self.http as [any Error] + Self.others {
            for text in [NetworkFailure.words(for: error), FileFailure.reason(error)] {
                #expect(!text.isEmpty && !namesType(text), "\(text)")
            }
            for proxy in [nil, try? Proxy("http://h:1")] {
                let failure = NetworkFailure(error, origin: "https://h", proxy: proxy, largestResponse: 1)
                #expect(!namesType(failure.detail) && !namesType("\(failure.kind)"), "\(failure)")
            }
        }
    }

    @Test("a cancelled exchange is no broken connection") func cancellation() {
        for error in [CancellationError(), HTTPClientError.cancelled] as [any Error] {
            #expect(NetworkFailure(error, origin: "https://h", proxy: nil, largestResponse: 1).kind == .cancelled)
        }
    }

    // A call, a path of members, or a word with a capital inside.
    private func namesType(_ text: String) -> Bool {
        text.contains(/[A-Za-z]\(|[a-z]\.[a-z]|[a-z][A-Z]/)
    }
}
