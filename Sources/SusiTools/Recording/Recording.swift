package import Susi
import Synchronization

/// What authorities sent during one command, as captures describe it: of each message the names of its members, their JSON
/// types and formats, and the fixed values of the protocols. Whatever ``ProtocolWords`` does not list is not written.
package struct Recording: Sendable {
    /// The captures: one for each message, and one for each token in it.
    package private(set) var captures: [JSONNode] = []
    /// The names of members and claims that were replaced, because they may be the tenant's own.
    package private(set) var replacedNames: Set<String> = []

    package var text: String { JSONText.pretty(.array(captures), width: 100) + "\n" }

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
        let source: JSONNode = ["kind": "recording", "where": "susi doctor --record", "date": .string(date)]
        let head: JSONNode = [
            "source": source, "service": .string(application.kind.rawValue), "grant": message.grant,
            "settings": message.settings(of: application.kind),
        ]
        let code = body["error_description"]?.string.flatMap(ErrorCode.name).flatMap(ErrorCode.row)
        let says: JSONNode = ["status": message.status, "says": code.map { .string("\($0.name): {text}") }]
        capture(message.kind(of: body), body, head.members + says.members)
        for (name, kind) in [("id_token", "id-token"), ("access_token", "access-token")] {
            switch body[name]?.string.map(DecodedToken.init) {
            case .signed(let header, let claims): capture(kind, claims, header: header, head.members)
            case .encrypted(let header): capture(kind, nil, header: header, head.members)
            case .opaque, nil: break
            }
        }
        if let info = body["client_info"]?.string.flatMap({ DecodedToken.object($0) }) {
            capture("client-info", info, head.members)
        }
    }

    private mutating func capture(
        _ kind: String, _ body: JSONNode?, header: JSONNode? = nil, _ head: [JSONNode.Member]
    ) {
        var number = 0
        let parts: JSONNode = [
            "message": .string(kind), "header": header.map { members(of: $0, &number) },
            "members": body.map { members(of: $0, &number) },
        ]
        captures.append(.object(head + parts.members))
    }

    // MARK: Members

    private mutating func members(of node: JSONNode, _ number: inout Int) -> JSONNode {
        let members = node.members.map { member in
            var name = member.name
            if ProtocolWords.values[name] == nil {
                replacedNames.insert(name)
                number += 1
                name = "{own claim \(number)}"
            }
            return JSONNode.Member(name, shape(of: member.node, member.name, &number))
        }
        return .object(members)
    }

    private mutating func shape(of node: JSONNode, _ name: String, _ number: inout Int) -> JSONNode {
        let value = Self.isFixed(node, name) ? node : nil
        switch node.value {
        case .null: return ["type": "null"]
        case .bool: return ["type": "boolean", "value": value]
        case .number(let text):
            let format = Self.format(ofNumber: text, name)
            return ["type": "number", "value": value, "format": format.map(JSONNode.string)]
        case .string(let text):
            let format = value == nil ? Self.format(of: text, name) : nil
            return ["type": "string", "value": value, "format": format.map(JSONNode.string)]
        case .array(let nodes):
            if !nodes.isEmpty, nodes.allSatisfy({ Self.isFixed($0, name) }) {
                return ["type": "array", "values": node]
            }
            return ["type": "array", "of": nodes.first.map { shape(of: $0, name, &number) }]
        case .object: return ["type": "object", "members": members(of: node, &number)]
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
        return .object(fields.map { JSONNode.Member($0.name, .string($0.value)) })
    }

    private var sent: [(name: String, value: String)] {
        guard case .response(_, let form) = way else { return [] }
        return (FormEncoding.decode(form ?? "") ?? []).map { ($0.name, $0.value) }
    }

    fileprivate var status: JSONNode? {
        if case .response(let status, _) = way { .number(status) } else { nil }
    }

    fileprivate var grant: JSONNode? {
        let grant = sent.first { $0.name == "grant_type" }?.value.split(separator: ":").last.map(String.init)
        return grant.flatMap { ProtocolWords.grants.contains($0) ? .string($0) : nil }
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
        let hasPolicies = kind.traits.hasPolicies
        let isCustom = endpoint.description.lowercased().contains("b2c_1a_")
        let mode = if case .redirect(let mode) = way { mode.rawValue } else { String?.none }
        return [
            "host": .string(clouds.first { host.hasSuffix(".\($0)") } ?? other),
            "policy": hasPolicies ? isCustom ? "custom" : "user-flow" : nil,
            "form": hasPolicies ? endpoint.query?.hasPrefix("p=") ?? false ? "?p=" : "path" : nil,
            "response_mode": mode.map(JSONNode.string),
            "client_info": sent.contains { $0.name == "client_info" } ? true : nil,
        ]
    }
}
