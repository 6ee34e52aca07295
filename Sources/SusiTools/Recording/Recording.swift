package import Susi
import Synchronization

/// What authorities sent during one command, as captures describe it: of each message the names of its members, their JSON
/// types and formats, and the fixed values of the protocols. Whatever ``ProtocolWords`` does not list is not written.
package struct Recording: Sendable {
    /// The captures: one for each message, and one for each token in it.
    package private(set) var captures: [JSONNode] = []
    /// The names of members and claims that were replaced, because they may be the tenant's own.
    package private(set) var replacedNames: Set<String> = []

    package var text: String { JSONText.pretty(JSONNode(value: .array(captures)), width: 100) + "\n" }

    /// Runs `body`, and records what the authorities of an application send meanwhile, also if `body` fails. Everything is
    /// fetched from the server. `date` is written in the captures.
    package static func make<T>(
        of application: Application, date: String, _ body: () async throws -> T
    ) async -> (outcome: Result<T, any Error>, recording: Recording) {
        let received = Received()
        let outcome = await ServerMessage.$receive.withValue({ message in received.append(message) }) {
            do { return Result<T, any Error>.success(try await body()) } catch { return .failure(error) }
        }
        var recording = Recording()
        for message in received.all { recording.add(message, of: application, date) }
        return (outcome, recording)
    }

    private final class Received: Sendable {
        private let messages = Mutex<[ServerMessage]>([])

        var all: [ServerMessage] { messages.withLock(\.self) }

        func append(_ message: ServerMessage) { messages.withLock { $0.append(message) } }
    }

    // MARK: Messages

    private mutating func add(_ message: ServerMessage, of application: Application, _ date: String) {
        guard let body = message.content else { return }
        let source = JSONNode.object(
            ("kind", .text("recording")), ("where", .text("susi doctor --record")), ("date", .text(date)))
        let head = [
            ("source", source), ("service", .text(application.kind.rawValue)), ("grant", message.grant),
            ("settings", message.settings(of: application.kind)),
        ]
        let code = body["error_description"]?.string.flatMap(ErrorCode.name).flatMap(ErrorCode.row)
        capture(
            message.kind(of: body), body,
            head + [("status", message.status), ("says", code.map { .text("\($0.name): {text}") })])
        for (name, kind) in [("id_token", "id-token"), ("access_token", "access-token")] {
            switch body[name]?.string.map(DecodedToken.init) {
            case .signed(let header, let claims): capture(kind, claims, header: header, head)
            case .encrypted(let header): capture(kind, nil, header: header, head)
            case .opaque, nil: break
            }
        }
        if let info = body["client_info"]?.string.flatMap({ DecodedToken.object($0) }) {
            capture("client-info", info, head)
        }
    }

    private mutating func capture(
        _ kind: String, _ body: JSONNode?, header: JSONNode? = nil, _ head: [(String, JSONNode?)]
    ) {
        var number = 0
        let parts =
            [("message", .text(kind))]
            + [("header", header), ("members", body)].map { name, node in
                (name, node.map { members(of: $0, &number) })
            }
        captures.append(.object(head + parts))
    }

    // MARK: Members

    private mutating func members(of node: JSONNode, _ number: inout Int) -> JSONNode {
        var members: [(String, JSONNode?)] = []
        for member in node.members {
            var name = member.name
            if ProtocolWords.values[name] == nil {
                replacedNames.insert(name)
                number += 1
                name = "{own claim \(number)}"
            }
            members.append((name, shape(of: member.node, member.name, &number)))
        }
        return .object(members)
    }

    private mutating func shape(of node: JSONNode, _ name: String, _ number: inout Int) -> JSONNode {
        let value = Self.isFixed(node, name) ? node : nil
        switch node.value {
        case .null: return .object(("type", .text("null")))
        case .bool: return .object(("type", .text("boolean")), ("value", value))
        case .number(let text):
            return .object(
                ("type", .text("number")), ("value", value),
                ("format", Self.format(ofNumber: text, name).map(JSONNode.text)))
        case .string(let text):
            let format = value == nil ? Self.format(of: text, name) : nil
            return .object(("type", .text("string")), ("value", value), ("format", format.map(JSONNode.text)))
        case .array(let nodes):
            if !nodes.isEmpty, nodes.allSatisfy({ Self.isFixed($0, name) }) {
                return .object(("type", .text("array")), ("values", node))
            }
            return .object(("type", .text("array")), ("of", nodes.first.map { shape(of: $0, name, &number) }))
        case .object: return .object(("type", .text("object")), ("members", members(of: node, &number)))
        }
    }

    private static func isFixed(_ node: JSONNode, _ name: String) -> Bool {
        let words: [Substring] =
            switch node.value {
            case .string(let text), .number(let text): text.split(separator: " ", omittingEmptySubsequences: false)
            case .bool(let value): [value ? "true" : "false"]
            case .null, .array, .object: []
            }
        let fixed = ProtocolWords.values[name] ?? []
        return !words.isEmpty && words.allSatisfy { fixed.contains(String($0)) }
    }

    private static func format(of text: String, _ name: String) -> String {
        if text.lowercased().isGUID { return "guid" }
        switch DecodedToken(text) {
        case .signed: return "jwt"
        case .encrypted: return "jwe"
        case .opaque: break
        }
        if let format = format(ofNumber: text, name) { return "\(format)-string" }
        if ["http://", "https://"].contains(where: text.lowercased().hasPrefix) { return "address" }
        return text.contains("@") && !text.contains(" ") ? "email" : "text"
    }

    private static func format(ofNumber text: String, _ name: String) -> String? {
        guard ProtocolWords.values[name] != nil, let number = Int64(text) else { return nil }
        if name.hasSuffix("_in") || name.hasSuffix("interval") {
            return (0...1_000_000_000).contains(number) ? "seconds" : nil
        }
        return (1_000_000_001..<10_000_000_000).contains(number) ? "epoch" : nil
    }
}

extension ServerMessage {
    /// The members of the message; `nil` if it is not JSON. A redirect is a form.
    fileprivate var content: JSONNode? {
        guard case .redirect = way else {
            return (try? JSONNode(parsing: body, limit: 10_000)).flatMap { $0.isObject ? $0 : nil }
        }
        let fields = FormEncoding.decode(String(decoding: body, as: UTF8.self)) ?? []
        return .object(fields.map { ($0.name, .text($0.value)) })
    }

    private var sent: [(name: String, value: String)] {
        guard case .response(_, let form) = way else { return [] }
        return (FormEncoding.decode(form ?? "") ?? []).map { ($0.name, $0.value) }
    }

    fileprivate var status: JSONNode? {
        if case .response(let status, _) = way { JSONNode(value: .number("\(status)")) } else { nil }
    }

    fileprivate var grant: JSONNode? {
        let grant = sent.first { $0.name == "grant_type" }?.value.split(separator: ":").last.map(String.init)
        return grant.flatMap { ProtocolWords.grants.contains($0) ? .text($0) : nil }
    }

    fileprivate func kind(of body: JSONNode) -> String {
        if case .redirect = way { return body["error"] == nil ? "redirect" : "error-redirect" }
        let isNative = sent.contains { ["challenge_type", "continuation_token"].contains($0.name) }
        let kinds = [
            ("error", isNative ? "native-error" : "error-response"), ("authorization_endpoint", "metadata"),
            ("keys", "keys"), ("access_token", "token-response"), ("id_token", "token-response"),
            ("device_code", "device-code"), ("tenant_discovery_endpoint", "instance-discovery"),
            ("continuation_token", "native-response"), ("challenge_type", "native-response"),
        ]
        return kinds.first { body[$0.0] != nil }?.1 ?? "other"
    }

    /// What the request and the endpoint tell about the message.
    fileprivate func settings(of kind: AuthorityKind) -> JSONNode {
        let host = endpoint.address.host.lowercased()
        let clouds = [
            "b2clogin.com", "ciamlogin.com", "microsoftonline.com", "microsoftonline.us", "microsoftonline.cn",
        ]
        let other = endpoint.address.isLoopback ? "this machine" : "custom domain"
        var settings: [(String, JSONNode?)] = [
            ("host", .text(clouds.first { host.hasSuffix(".\($0)") } ?? other))
        ]
        if kind.traits.hasPolicies {
            let isCustom = endpoint.description.lowercased().contains("b2c_1a_")
            settings.append(("policy", .text(isCustom ? "custom" : "user-flow")))
            settings.append(("form", .text(endpoint.query?.hasPrefix("p=") ?? false ? "?p=" : "path")))
        }
        if case .redirect(let mode) = way { settings.append(("response_mode", .text(mode.rawValue))) }
        if sent.contains(where: { $0.name == "client_info" }) {
            settings.append(("client_info", JSONNode(value: .bool(true))))
        }
        return .object(settings)
    }
}

extension JSONNode {
    static func text(_ text: String) -> JSONNode { JSONNode(value: .string(text)) }

    fileprivate static func object(_ members: (String, JSONNode?)...) -> JSONNode { object(members) }

    /// Makes an object of the members that have a value.
    fileprivate static func object(_ members: [(String, JSONNode?)]) -> JSONNode {
        JSONNode(value: .object(members.compactMap { name, node in node.map { Member(name: name, node: $0) } }))
    }
}
