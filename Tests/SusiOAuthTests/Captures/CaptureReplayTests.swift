import Foundation
import SusiPolicies
import Testing

@testable import SusiOAuth

/// What real services were seen to send, replayed to the client's readers, with values of the test's own making.
@Suite("Replayed captures")
struct CaptureReplayTests {
    @Test("reads each captured token response", arguments: Replayed.all(["token-response"]))
    func readsTokenResponse(message: Replayed) throws {
        let answer = try TokenAnswer(parsing: message.body, status: 200)
        #expect((answer.accessToken != nil) == message.has("access_token"))
        #expect((answer.idToken != nil) == message.has("id_token"))
        #expect((answer.refreshToken != nil) == message.has("refresh_token"))
        // A number in a string is one too.
        #expect((answer.expiresIn != nil) == message.has("expires_in"))
        #expect((answer.scopes != nil) == message.has("scope"))
    }

    @Test(
        "reads each captured error: the service's number, without ids and times in the text",
        arguments: Replayed.all(["error-response", "native-error"]))
    func readsError(message: Replayed) throws {
        let refusal = try #require(throws: ServerRefusal.self) { try TokenAnswer(parsing: message.body, status: 400) }
        guard message.has("error_description") else { return }
        #expect(refusal.code == message.code)
        #expect(!refusal.text.contains("Correlation ID") && !refusal.text.contains("2026-"))
        if message.says.contains("Correlation ID") { #expect(refusal.correlationID == Replayed.guid) }
    }

    @Test("reads each captured error redirect", arguments: Replayed.all(["error-redirect"]))
    func readsRedirect(message: Replayed) throws {
        let (error, text) = (message.text("error"), message.text("error_description"))
        let refusal = ServerRefusal(error: try #require(error), description: text ?? "")
        #expect(refusal.code == message.code)
        #expect(!refusal.text.contains("Correlation ID"))
    }

    @Test("explains each number that the services were seen to send, but for those listed")
    func explainsNumbers() {
        let messages = Replayed.all(["error-response", "error-redirect", "native-error"])
        let unexplained = Set(messages.compactMap(\.code)).filter { ErrorCode.row($0) == nil }
        #expect(unexplained == [])
    }
}

/// A captured message with values in place of its formats.
struct Replayed: Sendable, CustomTestStringConvertible {
    static let guid = "0f0f0f0f-0000-4000-8000-00000000000f"

    let testDescription: String
    let says: String
    let body: [UInt8]
    private let names: Set<String>
    private let texts: [String: String]
    private let listed: String?

    static func all(_ kinds: Set<String>) -> [Replayed] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "SusiEmulatorTests/Captures")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { file in
            guard let data = try? Data(contentsOf: file),
                let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
                kinds.contains(json["message"] as? String ?? ""),
                let shapes = json["members"] as? [String: [String: Any]]
            else { return nil }
            return Replayed(file.deletingPathExtension().lastPathComponent, shapes, says: json["says"] as? String ?? "")
        }
    }

    private init(_ name: String, _ shapes: [String: [String: Any]], says: String) {
        testDescription = name
        self.says = says
        var members = shapes.filter { !$0.key.contains("{") }.mapValues(Self.value)
        if members["error_description"] != nil { members["error_description"] = Self.filled(says) }
        names = Set(members.keys)
        texts = members.compactMapValues { $0 as? String }
        listed = (members["error_codes"] as? [Int])?.first.map { "AADSTS\($0)" }
        body = Array((try? JSONSerialization.data(withJSONObject: members)) ?? Data())
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    func text(_ name: String) -> String? { texts[name] }

    /// The service's number: that of its list, else the one in its words.
    var code: String? { listed ?? says.firstMatch(of: #/^AAD(?:B2C|STS)\d+/#).map { String($0.output) } }

    private static func value(_ shape: [String: Any]) -> Any {
        if let fixed = shape["value"] { return fixed }
        switch shape["type"] as? String {
        case "number": return shape["format"] as? String == "seconds" ? 3_600 : 1_800_000_000
        case "boolean": return true
        case "array": return shape["values"] as? [Any] ?? [value(shape["of"] as? [String: Any] ?? [:])]
        case "null": return NSNull()
        case "object":
            return (shape["members"] as? [String: [String: Any]] ?? [:]).mapValues(value)
        default: break
        }
        switch shape["format"] as? String {
        case "seconds-string": return "3600"
        case "epoch-string": return "1800000000"
        case "guid": return guid
        case "timestamp": return "2026-01-31 10:11:12Z"
        default: return filled(shape["pattern"] as? String ?? "text")
        }
    }

    private static func filled(_ text: String) -> String {
        text.replacing("{guid}", with: guid).replacing("{timestamp}", with: "2026-01-31 10:11:12")
            .replacing(#/\{[^}]*\}/#, with: "x")
    }
}
