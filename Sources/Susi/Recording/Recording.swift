import SusiHTTP
import SusiOAuth
package import SusiPolicies
import Synchronization

/// What authorities sent during one command, as captures describe it: the messages with the names, types and formats of
/// their members and with error codes, without a value of a person, a tenant or a secret.
package struct Recording: Sendable {
    /// The captures, as JSON: one for each message, and one for each token in it.
    package private(set) var captures: [JSONNode] = []
    /// The names of members and claims that were replaced, because they may be the tenant's own.
    package private(set) var replacedNames: Set<String> = []

    /// Runs `body`, and records what the authorities of an application send meanwhile, also if `body` fails. Everything is
    /// fetched from the server. `date` is written in the captures.
    package static func make<T>(
        of application: Application, date: String, _ body: () async throws -> T
    ) async -> (outcome: Result<T, any Error>, recording: Recording) {
        let received = Received()
        let outcome = await ServerMessage.$receive.withValue({ message in received.append(message) }) {
            do { return Result<T, any Error>.success(try await body()) } catch { return .failure(error) }
        }
        var reader = MessageReader(application: application, date: date)
        let captures = received.all.flatMap { reader.captures($0) }
        return (outcome, Recording(captures: captures, replacedNames: reader.ownNames))
    }

    /// The file. Throws ``SusiError/Code/invalidAnswer`` if it contains anything but the words of the protocols.
    package func text() throws(SusiError) -> String {
        if let index = captures.firstIndex(where: { !RecordingRules.allow($0) }) {
            throw SusiError(
                .invalidAnswer, "the recording was not written",
                why: "capture \(index + 1) has a word that may be the tenant’s own",
                next: "report this as a bug in susi")
        }
        return JSONText.pretty(JSONNode(value: .array(captures)), width: 100) + "\n"
    }

    private final class Received: Sendable {
        private let messages = Mutex<[ServerMessage]>([])

        var all: [ServerMessage] { messages.withLock(\.self) }

        func append(_ message: ServerMessage) { messages.withLock { $0.append(message) } }
    }
}

/// Turns the messages of authorities into captures.
private struct MessageReader {
    let application: Application
    let date: String
    /// The names that no capture shows.
    private(set) var ownNames: Set<String> = []

    init(application: Application, date: String) { (self.application, self.date) = (application, date) }

    /// A message as JSON, and what the request tells about it.
    private struct Message {
        let body: JSONNode
        let kind: String
        var grant: String?
        var status: Int?
        var settings: [JSONNode.Member] = []
    }

    mutating func captures(_ received: ServerMessage) -> [JSONNode] {
        guard var message = message(received) else { return [] }
        message.settings = settings(of: received.endpoint) + message.settings
        return [capture(message.kind, message.body, of: message)] + tokens(in: message)
    }

    private func message(_ received: ServerMessage) -> Message? {
        switch received.way {
        case .redirect(let mode):
            let fields = FormEncoding.decode(String(decoding: received.body, as: UTF8.self)) ?? []
            let body = JSONNode(value: .object(fields.map { .init(name: $0.name, node: .text($0.value)) }))
            let kind = body["error"] == nil ? "redirect" : "error-redirect"
            return Message(
                body: body, kind: kind, settings: [.init(name: "response_mode", node: .text(mode.rawValue))])
        case .response(let status, let form):
            guard let body = try? JSONNode(parsing: received.body, limit: 10_000), body.isObject else { return nil }
            let sent = FormEncoding.decode(form ?? "") ?? []
            let grant = sent.first { $0.name == "grant_type" }?.value.split(separator: ":").last.map(String.init)
            let isNative = sent.contains { ["challenge_type", "continuation_token"].contains($0.name) }
            let asksInfo = sent.contains { $0.name == "client_info" }
            return Message(
                body: body, kind: Self.kind(of: body, isNative: isNative),
                grant: grant.flatMap { ProtocolWords.grants.contains($0) ? $0 : nil }, status: status,
                settings: asksInfo ? [.init(name: "client_info", node: JSONNode(value: .bool(true)))] : [])
        }
    }

    private static func kind(of body: JSONNode, isNative: Bool) -> String {
        let kinds = [
            ("error", isNative ? "native-error" : "error-response"), ("authorization_endpoint", "metadata"),
            ("keys", "keys"), ("access_token", "token-response"), ("id_token", "token-response"),
            ("device_code", "device-code"), ("tenant_discovery_endpoint", "instance-discovery"),
            ("continuation_token", "native-response"), ("challenge_type", "native-response"),
        ]
        return kinds.first { body[$0.0] != nil }?.1 ?? "other"
    }

    // MARK: Captures

    private mutating func tokens(in message: Message) -> [JSONNode] {
        var captures: [JSONNode] = []
        for (name, kind) in [("id_token", "id-token"), ("access_token", "access-token")] {
            guard let token = message.body[name]?.string else { continue }
            switch DecodedToken(token) {
            case .signed(let header, let claims):
                captures.append(capture(kind, claims, header: header, of: message))
            case .encrypted(let header): captures.append(capture(kind, nil, header: header, of: message))
            case .opaque: break
            }
        }
        if let info = message.body["client_info"]?.string.flatMap({ DecodedToken.object($0) }) {
            captures.append(capture("client-info", info, of: message))
        }
        return captures
    }

    private mutating func capture(
        _ kind: String, _ body: JSONNode?, header: JSONNode? = nil, of message: Message
    ) -> JSONNode {
        let isWhole = body == message.body
        let description = isWhole ? body?["error_description"]?.string : nil
        var shape = MessageShape(of: application)
        defer { ownNames.formUnion(shape.ownNames) }
        return .object(
            (
                "source",
                .object(
                    ("kind", .text("recording")), ("where", .text("susi doctor --record")), ("date", .text(date)))
            ),
            ("service", .text(application.kind.rawValue)), ("message", .text(kind)),
            message.grant.map { ("grant", .text($0)) },
            ("settings", JSONNode(value: .object(message.settings))),
            isWhole ? message.status.map { ("status", JSONNode(value: .number("\($0)"))) } : nil,
            header.map { ("header", shape.members(of: $0)) },
            body.map { ("members", shape.members(of: $0)) },
            description.flatMap(CodeForm.says).map { ("says", .text($0)) })
    }

    private func settings(of endpoint: Endpoint) -> [JSONNode.Member] {
        let host = endpoint.address.host.lowercased()
        let own = ["b2clogin.com", "ciamlogin.com"].first { host.hasSuffix(".\($0)") }
        let name = endpoint.address.isLoopback ? "this machine" : "custom domain"
        let known = own ?? (ProtocolWords.hosts.contains(host) ? host : name)
        let settings = [JSONNode.Member(name: "host", node: .text(known))]
        guard application.kind.traits.hasPolicies else { return settings }
        let isCustom = endpoint.description.lowercased().contains("b2c_1a_")
        let form = endpoint.query?.hasPrefix("p=") ?? false ? "?p=" : "path"
        return settings + [
            .init(name: "policy", node: .text(isCustom ? "custom" : "user-flow")),
            .init(name: "form", node: .text(form)),
        ]
    }
}
