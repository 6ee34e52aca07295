import Foundation
import Testing

/// A captured message with values in place of its formats.
struct Replayed: Sendable, CustomTestStringConvertible {
    static let guid = "0f0f0f0f-0000-4000-8000-00000000000f"

    let testDescription: String
    let says: String
    let service: String
    let body: [UInt8]
    /// The members whose values are times in seconds since 1970.
    let times: Set<String>
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
            return Replayed(
                file.deletingPathExtension().lastPathComponent, shapes, says: json["says"] as? String ?? "",
                service: json["service"] as? String ?? "")
        }
    }

    private init(_ name: String, _ shapes: [String: [String: Any]], says: String, service: String) {
        testDescription = name
        self.says = says
        self.service = service
        times = Set(shapes.filter { $0.value["format"] as? String == "epoch" }.keys)
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
        let values = [
            "guid": guid, "timestamp": "2026-01-31 10:11:12", "host": "contoso.b2clogin.com", "name": "contoso",
            "tenant": "contoso.onmicrosoft.com", "policy": "B2C_1_susi", "tenantid": "{tenantid}",
        ]
        return text.replacing(#/\{([^}]*)\}/#) { values[String($0.1)] ?? "x" }
    }
}
