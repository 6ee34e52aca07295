import SusiHTTP
import SusiOAuth
package import SusiPolicies
import Synchronization

/// What an authority sent during one sign-in, as captures describe it: the messages with the names, types and formats of
/// their members and with error codes, without a value of a person, a tenant or a secret.
package struct Recording: Sendable {
    /// The captures, as JSON: one for each message, and one for each token in it.
    package let captures: [JSONNode]
    /// The names of members and claims that were replaced, because they may be the tenant's own.
    package let replacedNames: Set<String>

    /// The file. Throws a ``Refusal`` if it contains anything but the words of the protocols.
    package func text() throws(Refusal) -> String {
        for (index, capture) in captures.enumerated() { try RecordingRules.check(capture, number: index + 1) }
        return JSONText.pretty(JSONNode(value: .array(captures)), width: 100) + "\n"
    }

    /// A recording that must not be written.
    package struct Refusal: Error, Hashable, Sendable {
        /// The number of the capture, from 1.
        package let number: Int
        /// The kind of its message.
        package let message: String
    }
}

extension PublicClient {
    /// Runs `body`, and records what the authority of a policy sends meanwhile, also if `body` fails. Everything is fetched
    /// from the server. `date` is written in the captures.
    package nonisolated func recording<T>(
        under policy: Policy, date: String, _ body: () async throws -> T
    ) async -> (outcome: Result<T, any Error>, recording: Recording) {
        let received = Received()
        let outcome = await ServerMessage.$receive.withValue({ message in received.append(message) }) {
            do { return Result<T, any Error>.success(try await body()) } catch { return .failure(error) }
        }
        let reader = MessageReader(application: application, policy: policy, date: date)
        let messages = received.all
        return (
            outcome,
            Recording(
                captures: messages.flatMap(reader.captures), replacedNames: Set(messages.flatMap(reader.ownNames)))
        )
    }

    private final class Received: Sendable {
        private let messages = Mutex<[ServerMessage]>([])

        var all: [ServerMessage] { messages.withLock(\.self) }

        func append(_ message: ServerMessage) { messages.withLock { $0.append(message) } }
    }
}

/// Turns the messages of an authority into captures.
private struct MessageReader {
    let application: Application
    let policy: Policy
    let date: String

    /// A message as JSON, and what the request tells about it.
    private struct Message {
        let body: JSONNode
        let kind: String
        var grant: String?
        var status: Int?
        var settings: [JSONNode.Member] = []
    }

    func captures(_ received: ServerMessage) -> [JSONNode] {
        guard let message = message(received) else { return [] }
        return [capture(message.kind, message.body, of: message)] + tokens(in: message)
    }

    /// The names in a message that no capture shows.
    func ownNames(_ received: ServerMessage) -> [String] {
        guard let message = message(received) else { return [] }
        let claims = ["access_token", "id_token"].compactMap { message.body[$0]?.string }.flatMap { token in
            if case .signed(_, let claims) = DecodedToken(token) { claims.members.map(\.name) } else { [String]() }
        }
        return (message.body.members.map(\.name) + claims).filter { !ProtocolWords.names.contains($0) }
    }

    private func message(_ received: ServerMessage) -> Message? {
        switch received.way {
        case .redirect(let mode):
            let fields = FormEncoding.decode(String(decoding: received.body, as: UTF8.self)) ?? []
            let body = JSONNode(value: .object(fields.map { .init(name: $0.name, node: .text($0.value)) }))
            let kind = body["error"] == nil ? "redirect" : "error-redirect"
            return Message(
                body: body, kind: kind, settings: [.init(name: "response_mode", node: .text(mode.rawValue))])
        case .response(let status, let endpoint, let form):
            guard let body = try? JSONNode(parsing: received.body, limit: 10_000), body.isObject else { return nil }
            let sent = FormEncoding.decode(form ?? "") ?? []
            let grant = sent.first { $0.name == "grant_type" }.flatMap { ProtocolWords.grants[$0.value] }
            var settings = settings(of: endpoint)
            if sent.contains(where: { $0.name == "client_info" }) {
                settings.append(.init(name: "client_info", node: JSONNode(value: .bool(true))))
            }
            let isNative =
                form != nil && application.kind.traits.hasNativeAuthentication
                && !["authorization_code", "refresh_token", "device_code"].contains(grant)
            return Message(
                body: body, kind: Self.kind(of: body, isNative: isNative), grant: grant, status: status,
                settings: settings)
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

    private func tokens(in message: Message) -> [JSONNode] {
        let tokens = [("id_token", "id-token"), ("access_token", "access-token")].compactMap { name, kind in
            message.body[name]?.string.flatMap { token -> JSONNode? in
                switch DecodedToken(token) {
                case .signed(let header, let claims): capture(kind, claims, header: header, of: message)
                case .encrypted(let header): capture(kind, nil, header: header, of: message)
                case .opaque: nil
                }
            }
        }
        guard let info = message.body["client_info"]?.string.flatMap({ Base64URL.decode($0) }),
            let node = try? JSONNode(parsing: info), node.isObject
        else { return tokens }
        return tokens + [capture("client-info", node, of: message)]
    }

    private func capture(
        _ kind: String, _ body: JSONNode?, header: JSONNode? = nil, of message: Message
    ) -> JSONNode {
        let isWhole = body == message.body
        let description = isWhole ? body?["error_description"]?.string : nil
        var shape = MessageShape(of: application)
        return .object(
            (
                "source",
                .object(
                    ("kind", .text("recording")), ("where", .text("susi doctor --record")), ("date", .text(date)))
            ),
            ("service", .text(application.kind.rawValue)), ("message", .text(kind)),
            message.grant.map { ("grant", .text($0)) },
            ("settings", JSONNode(value: .object(settings + message.settings))),
            isWhole ? message.status.map { ("status", JSONNode(value: .number("\($0)"))) } : nil,
            header.map { ("header", shape.members(of: $0)) },
            body.map { ("members", shape.members(of: $0)) },
            description.flatMap(CodeForm.says).map { ("says", .text($0)) })
    }

    private var settings: [JSONNode.Member] {
        let isCustom = policy.name.spelling.lowercased().hasPrefix("b2c_1a_")
        return application.kind.traits.hasPolicies
            ? [.init(name: "policy", node: .text(isCustom ? "custom" : "user-flow"))] : []
    }

    private func settings(of endpoint: Endpoint) -> [JSONNode.Member] {
        let host = endpoint.address.host.lowercased()
        let own = ["b2clogin.com", "ciamlogin.com"].first { host.hasSuffix(".\($0)") }
        let name = endpoint.address.isLoopback ? "this machine" : "custom domain"
        let known = own ?? (ProtocolWords.hosts.contains(host) ? host : name)
        let form = endpoint.query?.contains("p=") ?? false ? "?p=" : "path"
        return [.init(name: "host", node: .text(known))]
            + (application.kind.traits.hasPolicies ? [.init(name: "form", node: .text(form))] : [])
    }
}
