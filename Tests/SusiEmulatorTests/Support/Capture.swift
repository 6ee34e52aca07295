import Foundation
import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

/// A message that a public source shows a real service to have sent: one file of `Captures`, without a person's values.
struct Capture: Sendable, CustomTestStringConvertible {
    let name: String
    let file: JSON
    /// The kind of message, with the settings under which the emulator is asked for it.
    let scenario: String
    /// What the emulator does otherwise, with the reason.
    let differs: [String: String]

    static let all: [Capture] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Captures")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { try? Capture($0) }
    }()

    private init(_ url: URL) throws {
        let file = try JSON(parsing: try Data(contentsOf: url))
        let name = url.deletingPathExtension().lastPathComponent
        self.init(file, name: name, scenario: file["scenario"]?.string ?? "")
    }

    init(_ file: JSON, name: String, scenario: String) {
        (self.file, self.name, self.scenario) = (file, name, scenario)
        differs = (file["differs"]?.members ?? [:]).mapValues { $0.string ?? "" }
    }

    var testDescription: String { name }

    /// Whether the source shows only a part of the message.
    private var isPartial: Bool { file["settings"]?["partial"] == .bool(true) }

    /// Compares a message with the captured one, in both directions.
    func differences(from sent: Sent) -> Set<String> {
        var found: Set<String> = []
        if let status = file["status"]?.integer, let own = sent.status, status != own { found.insert("status: \(own)") }
        if let header = file["header"], let own = sent.header {
            found.formUnion(differences(header.members ?? [:], own, in: "header."))
        }
        found.formUnion(differences(file["members"]?.members ?? [:], sent.body, in: ""))
        if let says = file["says"]?.string, let text = sent.body["error_description"]?.string {
            if !Self.matches(text, says) { found.insert("says: another text") }
        }
        return found
    }

    private func differences(_ shapes: [String: JSON], _ own: JSON, in place: String) -> Set<String> {
        guard let members = own.members else { return ["\(place): no object"] }
        var found: Set<String> = []
        for (name, shape) in shapes where !name.contains("{") {
            guard let value = members[name] else {
                if !isOptional(name) || shape["value"] != nil { found.insert("\(place)\(name): absent") }
                continue
            }
            if let problem = Self.problem(of: value, shape) { found.insert("\(place)\(name): \(problem)") }
            if let inner = shape["of"]?["members"]?.members, let first = value.array?.first {
                found.formUnion(differences(inner, first, in: "\(place)\(name)."))
            } else if let inner = shape["members"]?.members {
                found.formUnion(differences(inner, value.decoded ?? value, in: "\(place)\(name)."))
            }
        }
        guard !isPartial else { return found }
        // These repeat the request.
        let repeated: Set = ["state", "nonce", "client_info"]
        for name in members.keys where shapes[name] == nil && !isOptional(name) && !repeated.contains(name) {
            found.insert("\(place)\(name): only here")
        }
        return found
    }

    // Which of these a message has, the tenant's settings decide, and no source tells them. The last ones are the service's own.
    private static let chosen: Set<String> = [
        "name", "given_name", "family_name", "emails", "email", "city", "country", "postalCode", "jobTitle", "state",
        "streetAddress", "newUser", "idp", "idp_access_token", "isForgotPassword", "correlationId", "phone", "roles",
        "groups", "signInName", "signInNames.emailAddress", "preferred_username", "login_hint", "upn",
        "aio", "rh", "uti", "acct", "acrs", "amr", "appidacr", "ipaddr", "deviceid", "wids", "puid", "in_corp",
    ]

    private func isOptional(_ name: String) -> Bool {
        let isToken = file["message"]?.string?.hasSuffix("-token") ?? false
        // In Azure AD B2C these two are claims of the application like others.
        let isOfB2C = file["service"] == "b2c" && ["oid", "tid"].contains(name)
        return isToken
            && (isOfB2C || Self.chosen.contains(name) || name.hasPrefix("extension_") || name.hasPrefix("xms_"))
    }

    private static func problem(of value: JSON, _ shape: JSON) -> String? {
        if let type = shape["type"]?.string, value.type != type { return "a \(value.type)" }
        if let fixed = shape["value"], fixed != value { return "another value" }
        if let values = shape["values"], values != value { return "other values" }
        guard let text = value.string else { return numberProblem(value, shape["format"]?.string) }
        if let pattern = shape["pattern"]?.string, !matches(withoutHost(text), withoutHost(pattern)) {
            return "another form"
        }
        switch shape["format"]?.string {
        case "guid": return text.isGUID ? nil : "no GUID"
        case "epoch-string", "seconds-string": return Int64(text) == nil ? "no number" : nil
        case "base64url": return Base64URL.decode(text[...]) == nil ? "no base64url" : nil
        case "jwt": return text.split(separator: ".").count == 3 ? nil : "no JWT"
        case "email": return text.contains("@") ? nil : "no address"
        default: return nil
        }
    }

    private static func numberProblem(_ value: JSON, _ format: String?) -> String? {
        guard let number = value.integer else { return nil }
        switch format {
        case "epoch": return number > 1_000_000_000 ? nil : "no time"
        case "seconds": return number < 1_000_000_000 ? nil : "no duration"
        default: return nil
        }
    }

    // Hosts are those of this machine here.
    private static func withoutHost(_ text: String) -> String { text.replacing(#/^https?://[^/]+/#, with: "") }

    // A part in braces stands for anything.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        // A source may leave out the ids and the time at the end.
        let isWhole = pattern.contains("Correlation ID") || !text.contains("Correlation ID")
        let literal = pattern.replacing("\r\n", with: " ").replacing("\n", with: " ").trimmingCharacters(
            in: .whitespaces)
        let parts = literal.split(separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false)
        let expression = parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: ".+?")
        let own = text.replacing("\r\n", with: " ").replacing("\n", with: " ")
        return own.trimmingCharacters(in: .whitespaces).range(
            of: "^\(expression)\(isWhole ? "$" : "")", options: .regularExpression) != nil
    }
}

struct Sent: Sendable {
    var status: Int64?
    var header: JSON?
    var body: JSON

    init(_ response: Received) throws { (status, body) = (Int64(response.status), try response.json) }

    init(_ body: JSON) { self.body = body }

    init(redirect response: Received) throws {
        let fields = try response.redirect
        body = .object(fields.all.mapValues(JSON.string))
    }

    init(token name: String, of response: JSON) throws {
        let token = try #require(response[name]?.string, "no \(name): \(response)")
        header = try JSON(parsing: try #require(token.split(separator: ".").first.flatMap { Base64URL.decode($0) }))
        body = try response.claims(name)
    }
}

extension JSON {
    fileprivate var type: String {
        switch self {
        case .string: "string"
        case .array: "array"
        case .object: "object"
        case .bool: "boolean"
        case .null: "null"
        default: "number"
        }
    }

    /// The JSON in a base64url text.
    fileprivate var decoded: JSON? { string.flatMap { Base64URL.decode($0[...]) }.flatMap { try? JSON(parsing: $0) } }
}
