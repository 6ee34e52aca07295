import AsyncHTTPClient
import NIOCore
import NIOHTTP1
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
    public let body: [UInt8]?

    /// Makes a call; nil when the address is not at or below the base.
    public init?(
        base: WebAddress, address: WebAddress, query: String = "", method: String,
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) {
        guard base.contains(address) else { return nil }
        self.base = base
        self.address = address
        self.query = query
        self.method = method
        self.headers = headers
        self.body = body
    }

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
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// Whether the API says that the token is no longer good (RFC 6750 section 3.1).
        public var refusesToken: Bool {
            isFromAPI && status == 401 && header("WWW-Authenticate")?.contains("invalid_token") ?? false
        }
    }
}

extension WebClient {
    /// Seconds that an API may stay silent.
    public static let longestSilence: Int64 = 30
    private static let mostRedirects = 5

    /// Sends a call and hands the head and then the body's pieces to `receive`; a nil piece carries the head alone.
    ///
    /// Redirects of GET and HEAD are followed, with the token only as long as they stay at or below the API's base.
    public func call(
        _ call: APICall, token: String, receive: (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws {
        var url = call.address.description + call.query
        var isTrusted = true
        for _ in 0...Self.mostRedirects {
            let response = try await send(call, url: url, token: isTrusted ? token : nil)
            if let next = Self.redirect(of: response, from: url, method: call.method) {
                url = next
                isTrusted = isTrusted && ((try? WebAddress(Self.withoutQuery(next))).map(call.base.contains) ?? false)
                continue
            }
            let head = Self.head(of: response, isFromAPI: isTrusted)
            try await receive(head, nil)
            var isReceiving = false
            do {
                for try await piece in response.body {
                    isReceiving = true
                    try await receive(head, Array(piece.readableBytesView))
                    isReceiving = false
                }
            } catch {
                throw isReceiving ? error : NetworkFailure(error, origin: call.base.origin)
            }
            return
        }
        throw NetworkFailure(
            kind: .broken, origin: call.base.origin, detail: "more than \(Self.mostRedirects) redirects")
    }

    // Without the token, nothing else of the caller's goes along either: no header, no body.
    private func send(
        _ call: APICall, url: String, token: String?
    ) async throws(NetworkFailure) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: call.method)
        if let token {
            for header in call.headers { request.headers.add(name: header.name, value: header.value) }
            request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
            if let body = call.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        }
        if !request.headers.contains(name: "Accept") { request.headers.add(name: "Accept", value: "application/json") }
        do {
            let response = try await client.execute(request, timeout: .seconds(Self.longestSilence))
            trace("\(call.method) \(Self.withoutQuery(url)) \(response.status.code)")
            return response
        } catch {
            throw NetworkFailure(error, origin: call.base.origin)
        }
    }

    private static func head(of response: HTTPClientResponse, isFromAPI: Bool) -> APICall.Head {
        APICall.Head(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            reason: response.status.reasonPhrase, isFromAPI: isFromAPI)
    }

    // Only the safe methods: another's body must not go elsewhere on a server's word.
    private static func redirect(of response: HTTPClientResponse, from url: String, method: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status.code), ["GET", "HEAD"].contains(method),
            let location = response.headers.first(name: "Location")
        else { return nil }
        if location.hasPrefix("https://") || location.hasPrefix("http://") {
            guard let address = try? WebAddress(withoutQuery(location)), address.isSecure else { return nil }
            return location
        }
        guard location.hasPrefix("/"), !location.hasPrefix("//"), let base = try? WebAddress(withoutQuery(url)) else {
            return nil
        }
        return base.origin + location
    }

    private static func withoutQuery(_ url: String) -> String {
        String(url.prefix { $0 != "?" && $0 != "#" })
    }
}
