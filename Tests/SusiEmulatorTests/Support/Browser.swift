import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SusiBase
import Testing

@testable import SusiEmulator

/// A response of a server.
struct Received: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    /// Expects a status. The message of a failure has the text.
    @discardableResult
    func expecting(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Received {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        return self
    }

    var json: JSON { get throws { try JSON(parsing: text.utf8) } }

    /// Returns the address and the fields of the form on the page.
    func form() throws -> (action: String, fields: [String: String]) {
        let action = try #require(text.firstMatch(of: /<form[^>]* action="([^"]*)"/), "no form in \(text)").1
        var fields: [String: String] = [:]
        for input in text.matches(of: /<input([^>]*)>/) {
            guard let name = input.1.firstMatch(of: /name="([^"]*)"/)?.1 else { continue }
            // A box that is not ticked is not sent.
            if input.1.contains("type=\"checkbox\""), !input.1.contains(" checked") { continue }
            fields[String(name)] = input.1.firstMatch(of: #/ value="([^"]*)"/#).map { unescaped(String($0.1)) } ?? ""
        }
        return (unescaped(String(action)), fields)
    }

    /// Returns the address of the link with that id.
    func link(_ id: String) throws -> String {
        let tag = try #require(text.matches(of: /<a ([^>]*)>/).first { $0.1.contains("id=\"\(id)\"") })
        return unescaped(String(try #require(tag.1.firstMatch(of: /href="([^"]*)"/)).1))
    }

    /// The fields of the redirect's query.
    var redirect: Parameters {
        get throws {
            let location = try #require(headers.first(name: "location"), "\(status): no redirect: \(text)")
            return Parameters(location.split(separator: /[?#]/, maxSplits: 1).last ?? "")
        }
    }

    func header(_ name: String) -> String? { headers.first(name: name) }

    var location: String? { headers.first(name: "location") }

    /// The texts of the page's alerts.
    var alerts: [String] { text.matches(of: /role="alert">(?:<p>)?([^<]*)</).map { unescaped(String($0.1)) } }

    private func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}

/// A browser with its cookies; it does not follow redirects. An address may be a path at `origin`.
final class Browser {
    private let http: HTTPClient
    private let origin: String
    var cookies: [String: String] = [:]

    init(http: HTTPClient, origin: String) { (self.http, self.origin) = (http, origin) }

    func get(_ address: String, _ headers: [(String, String)] = []) async throws -> Received {
        try await send(.GET, address, headers, nil)
    }

    func post(_ address: String, _ fields: [String: String], _ headers: [(String, String)] = []) async throws
        -> Received
    {
        let text = fields.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        return try await send(.POST, address, headers + [("Content-Type", "application/x-www-form-urlencoded")], text)
    }

    /// Fills and submits the form of a page; a nil value removes a field.
    func submit(_ page: Received, _ filled: [String: String?]) async throws -> Received {
        var (action, fields) = try page.form()
        // Microsoft's sign-in page has other names for these fields.
        let names = fields["loginfmt"] == nil ? [:] : ["signInName": "loginfmt", "password": "passwd"]
        for (name, value) in filled { fields[names[name] ?? name] = value }
        return try await post(action, fields)
    }

    func send(_ method: HTTPMethod, _ address: String, _ headers: [(String, String)], _ body: String?) async throws
        -> Received
    {
        var request = HTTPClientRequest(url: address.hasPrefix("/") ? origin + address : address)
        request.method = method
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if !cookies.isEmpty {
            request.headers.add(name: "Cookie", value: cookies.map { "\($0)=\($1)" }.joined(separator: "; "))
        }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await http.execute(request, timeout: .seconds(60))
        for line in response.headers["set-cookie"] { keep(line) }
        let bytes = try await response.body.collect(upTo: 1_048_576)
        return Received(status: Int(response.status.code), headers: response.headers, text: String(buffer: bytes))
    }

    private func keep(_ line: String) {
        let parts = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        cookies[String(parts[0])] = line.contains("Max-Age=0") ? nil : String(parts[1])
    }
}
