import NIOHTTP1
import SusiBase
import Testing

@testable import SusiEmulator

extension EmulatorFixture {
    /// Calls the admin API with the emulator's secret.
    func admin(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> Received {
        try await admin(method, path, body, authorization: "Bearer \(emulator.adminSecret)")
    }

    /// Calls the admin API with another `Authorization` header, or without one.
    func admin(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil, authorization: String?) async throws
        -> Received
    {
        var headers: [(String, String)] = authorization.map { [("Authorization", $0)] } ?? []
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let text = body.map(\.text)
        return try await browser().send(method, "\(emulator.origin)/admin/v1\(path)", headers, text)
    }

    /// Returns the response to a call that must succeed.
    func administer(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let response = try await admin(method, path, body)
        try #require((200...299).contains(response.status), "\(response.status) \(response.text)")
        return response.status == 204 ? .null : try response.json
    }
}

extension JSON {
    /// The elements of an array; empty for any other value.
    var elements: [JSON] { if case .array(let values) = self { values } else { [] } }
}
