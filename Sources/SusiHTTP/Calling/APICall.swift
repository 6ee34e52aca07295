public import SusiOAuth
public import SusiPolicies

/// One call of a web API with a bearer token (RFC 6750 section 2.1).
public struct APICall: Sendable {
    /// Where the API answers. The token goes to this address and below it, and nowhere else.
    public let base: WebAddress
    /// The address to call, at or below the base.
    public let address: WebAddress
    /// What follows the address: a slash at its end, the query with its question mark. Empty for nothing.
    public let query: String
    /// The method.
    public let method: String
    /// Headers beside `Authorization`.
    public let headers: [(name: String, value: String)]
    /// The body; nil for none.
    public let body: Body?

    /// What a call sends.
    public enum Body: Sendable {
        /// Bytes that are there.
        case bytes([UInt8])
        /// So many bytes that come in pieces. `open` begins anew each time: a call may be made twice.
        case pieces(length: Int64, open: @Sendable () -> AsyncThrowingStream<[UInt8], any Error>)

        /// How many bytes it has.
        public var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .pieces(let length, _): length
            }
        }
    }

    /// Makes a call; nil when the address is not at or below the base.
    public init?(
        base: WebAddress, address: WebAddress, query: String = "", method: String,
        headers: [(name: String, value: String)] = [], body: Body? = nil
    ) {
        guard base.contains(address) else { return nil }
        self.base = base
        self.address = address
        self.query = query
        self.method = method
        self.body = body
        var sent = headers.filter { $0.name.lowercased() != "authorization" }
        if !sent.contains(where: { $0.name.lowercased() == "accept" }) { sent.append(("Accept", "application/json")) }
        self.headers = sent
    }

    /// The whole address with its query, percent-encoded as it is sent.
    public var url: String { address.origin + PercentEncoding.completed(address.path + query) }

    /// The head of an answer.
    public struct Head: Sendable {
        /// The HTTP status.
        public let status: Int
        /// The headers, in the server's order and spelling. They are the server's text.
        public let headers: [(name: String, value: String)]
        /// The status's usual words.
        public let reason: String
        /// Whether the API itself answered, and not a place that it redirected to.
        public let isFromAPI: Bool

        /// The value of a header.
        public func header(_ name: String) -> String? { values(of: name).first }

        /// The length of the body when the server says it, in bytes.
        public var contentLength: Int64? {
            header("Content-Length").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
        }

        /// What the API demands of whoever calls (RFC 9110 section 11.6.1); none when somebody else answered.
        public var challenges: [AuthenticationChallenge] {
            isFromAPI ? values(of: "WWW-Authenticate").flatMap(AuthenticationChallenge.list) : []
        }

        /// Whether the API says that the token is no longer good (RFC 6750 section 3.1).
        public var refusesToken: Bool { status == 401 && challenges.contains { $0.bearerError == "invalid_token" } }

        private func values(of name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }
}
