import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// The wire format of WebDriver: JSON over HTTP, with the result in `value` (https://www.w3.org/TR/webdriver2/#protocol).
struct WebDriverConnection: Sendable {
    let base: String

    enum Method { case get, post, delete }

    /// Sends one command and returns the `value` of the response.
    func send(_ method: Method, _ path: String, _ body: JSONValue = [:]) async throws -> JSONValue {
        var request = HTTPClientRequest(url: base + path)
        switch method {
        case .get: request.method = .GET
        case .delete: request.method = .DELETE
        case .post:
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
            request.body = .bytes(try JSONEncoder().encode(body))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = try await response.body.collect(upTo: 64 << 20)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(bytes.readableBytesView))["value"]
        guard response.status == .ok else {
            throw WebDriverError(command: path, code: value["error"].string, message: value["message"].string)
        }
        return value
    }
}

/// A failed command, with the driver's message.
package struct WebDriverError: Error, Sendable, CustomStringConvertible {
    package let command: String
    /// The driver's error code, for instance `no such element` (https://www.w3.org/TR/webdriver2/#errors).
    package let code: String
    package let message: String

    package var description: String { "WebDriver \(command): \(code): \(message)" }
}
