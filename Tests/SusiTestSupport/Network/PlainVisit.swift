import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Returns the fields of an address's query; one that is there twice is marked.
package func queryFields(_ address: String) -> [String: String] {
    let items = URLComponents(string: address)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in "\(first) TWICE" }
}

/// One request as a browser sends it, without redirects and cookies.
package struct PlainVisit: Sendable, CustomStringConvertible {
    package let status: Int
    package let body: String
    private let headers: [(name: String, value: String)]

    package var location: String? { header("Location") }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var description: String { "\(status) \(headers)\n\(body)" }

    package static func get(_ url: String) async throws -> PlainVisit { try await send("GET", url) }

    package static func post(_ url: String, form: String) async throws -> PlainVisit {
        try await send("POST", url, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: form)
    }

    package static func send(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: String? = nil
    ) async throws -> PlainVisit {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        request.body = body.map { .bytes(ByteBuffer(string: $0)) }
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let response = try await client.execute(request, timeout: .seconds(120))
            let body = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            return PlainVisit(
                status: Int(response.status.code), body: String(buffer: body),
                headers: response.headers.map { ($0.name, $0.value) })
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Follows the redirect in the response of `url`; both have the same origin.
    package func followed(from url: String) async throws -> PlainVisit {
        guard let location, let next = URL(string: location, relativeTo: URL(string: url)) else { return self }
        return try await Self.get(next.absoluteString)
    }

    private init(status: Int, body: String, headers: [(name: String, value: String)]) {
        (self.status, self.body, self.headers) = (status, body, headers)
    }
}
