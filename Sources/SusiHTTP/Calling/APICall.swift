import SusiBase
package import SusiOAuth
package import SusiPolicies

/// A call of a web API with a bearer token (RFC 6750 section 2.1).
public struct APICall: Sendable {
    /// The base address of the API. The token is sent only at or below this address.
    package let base: WebAddress
    /// The address to call, at or below the base.
    package let address: WebAddress
    /// The text after the address: a trailing slash and the query with its question mark.
    package let query: String
    package let method: String
    /// The headers except `Authorization`.
    package private(set) var headers: [(name: String, value: String)]
    package private(set) var body: Body?

    /// The bytes that a call sends.
    public enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A number of bytes that are read in pieces. `open` starts from the beginning each time, because a call may be
        /// repeated.
        case pieces(length: Int64, open: @Sendable () -> AsyncThrowingStream<[UInt8], any Error>)

        /// The number of bytes.
        package var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .pieces(let length, _): length
            }
        }
    }

    /// Makes a call; returns `nil` if the address is not at or below the base.
    package init?(
        base: WebAddress, address: WebAddress, query: String = "", method: String,
        headers: [(name: String, value: String)] = [], body: Body? = nil
    ) {
        guard base.contains(address) else { return nil }
        self.base = base
        self.address = address
        self.query = query
        self.method = method
        self.body = body
        self.headers = Self.sent(headers)
    }

    package func with(headers: [(name: String, value: String)], body: Body?) -> APICall {
        var call = self
        call.headers = Self.sent(headers)
        call.body = body
        return call
    }

    private static func sent(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let sent = headers.filter { $0.name.lowercased() != "authorization" }
        let acceptsOther = sent.contains { $0.name.lowercased() == "accept" }
        return acceptsOther ? sent : sent + [("Accept", "application/json")]
    }

    /// The URL with its query, percent-encoded.
    package var url: String { address.origin + PercentEncoding.completed(address.path + query) }

    /// Whether the caller reads more of a response. After `enough`, the connection is closed: the body may be long.
    package enum Demand: Sendable {
        case more, enough
    }

    /// The head of a response. Its texts are the server's, without the tokens of the call.
    public struct Head: Sendable {
        /// The HTTP status.
        public let status: Int
        /// The headers in the server's order and spelling.
        public var headers: [(name: String, value: String)] {
            received.map { (sent.hidden(in: $0.name), sent.hidden(in: $0.value)) }
        }
        /// The reason phrase of the status.
        public var reason: String { sent.hidden(in: receivedReason) }
        /// Whether the response comes from the API itself, not from an address outside its base.
        public let isFromAPI: Bool
        /// The tokens of the call, which the server may repeat in the body too.
        package let sent: SentSecrets
        // Searching for the tokens is slow, so it is done only when a header is read.
        private let received: [(name: String, value: String)]
        private let receivedReason: String

        package init(
            status: Int, headers: [(name: String, value: String)], reason: String, isFromAPI: Bool,
            hiding sent: SentSecrets = SentSecrets()
        ) {
            self.status = status
            received = headers
            receivedReason = reason
            self.isFromAPI = isFromAPI
            self.sent = sent
        }

        /// The value of a header.
        public func header(_ name: String) -> String? { values(of: name).first }

        /// The length of the body in bytes, if the server sent it.
        package var contentLength: Int64? {
            let value = received.first { $0.name.lowercased() == "content-length" }?.value
            return value.flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
        }

        /// The API's challenges (RFC 9110 section 11.6.1); empty for a response from elsewhere.
        package var challenges: [AuthenticationChallenge] {
            guard isFromAPI else { return [] }
            // A quoted value has escapes, so it is checked again without them.
            return values(of: "WWW-Authenticate").flatMap(AuthenticationChallenge.list).map { $0.hiding(sent) }
        }

        /// Whether the API reports that the token is invalid (RFC 6750 section 3.1).
        package var refusesToken: Bool { status == 401 && challenges.contains { $0.bearerError == "invalid_token" } }

        private func values(of name: String) -> [String] {
            received.filter { $0.name.lowercased() == name.lowercased() }.map { sent.hidden(in: $0.value) }
        }
    }
}
