import SusiBase
import SusiPolicies

/// A response of native authentication. Each contains the continuation token for the next request, a secret, unless it is the
/// last one.
package enum NativeResponse: Hashable, Sendable {
    case started(continuation: String)
    /// The user has to enter the password.
    case password(continuation: String)
    /// The user has to enter a code that was sent.
    case code(NativeCode, continuation: String)
    /// The user has to show a second factor.
    case factor(continuation: String)
    /// The methods of the second factor that use codes; empty if the user has only others.
    case methods([NativeMethod], continuation: String)
    /// The user has to sign in with a browser. The reason is the server's text.
    case redirect(reason: String)
    case tokens(TokenResponse)

    private static let source = "Native authentication API reference"

    /// Parses the body of a response with that status. An error response is thrown as a ``ServerRefusal``, except the one that
    /// asks for a second factor. Texts contain none of `secrets`.
    package init(
        parsing body: [UInt8], status: Int, to step: NativeStep, serverTime: Int64? = nil,
        hiding secrets: SentSecrets = SentSecrets()
    ) throws {
        guard !(300...399).contains(status) else {
            throw Self.violation("redirect (status \(status)) not followed", source: "RFC 9700 4.12")
        }
        let read = Result { try TokenResponse.object(body, of: .nativeResponse, source: Self.source) }
        if case .success(let node) = read, node["error"] != nil {
            self = try Self.afterError(node, step, secrets)
            return
        }
        guard status == 200 else { throw Self.violation("status \(status) without an error") }
        let node = try read.get()
        // A server may demand a browser in every step. That takes precedence over tokens in the same response.
        if node["challenge_type"]?.string == "redirect" {
            let reason = node["redirect_reason"]?.string ?? ""
            self = .redirect(reason: secrets.hidden(in: reason, shortenedTo: Self.longestText))
            return
        }
        self =
            switch step {
            case .initiate: .started(continuation: try Self.continuation(node))
            case .challenge: try Self.challenge(node, secrets)
            case .introspect:
                .methods(try Self.methods(node), continuation: try Self.continuation(node))
            case .token:
                .tokens(try TokenResponse(parsing: body, status: status, serverTime: serverTime, hiding: secrets))
            }
    }

    private static func afterError(
        _ node: JSONNode, _ step: NativeStep, _ secrets: SentSecrets
    ) throws -> NativeResponse {
        guard let refusal = ServerRefusal(response: node, hiding: secrets) else { throw violation("error is not text") }
        let asksForFactor = refusal.error == "invalid_grant" && refusal.suberror == "mfa_required"
        guard step == .token, asksForFactor else { throw refusal }
        return .factor(continuation: try continuation(node))
    }

    private static func challenge(
        _ node: JSONNode, _ secrets: SentSecrets
    ) throws(ProtocolViolation) -> NativeResponse {
        switch node["challenge_type"]?.string {
        case "password": .password(continuation: try continuation(node))
        case "oob": .code(NativeCode(node, secrets), continuation: try continuation(node))
        case let type?: throw violation("unsupported challenge_type “\(secrets.hidden(in: type, shortenedTo: 60))”")
        case nil: throw violation("no challenge_type")
        }
    }

    // Only methods with codes are usable here.
    private static func methods(_ node: JSONNode) throws(ProtocolViolation) -> [NativeMethod] {
        guard let methods = node["methods"]?.array else { throw violation("no methods") }
        return methods.prefix(mostMethods).compactMap(NativeMethod.init)
    }

    private static func continuation(_ node: JSONNode) throws(ProtocolViolation) -> String {
        guard let token = node["continuation_token"]?.string, !token.isEmpty else {
            throw violation("no continuation_token")
        }
        guard token.utf8.count <= longestToken else { throw violation("continuation_token is too long") }
        guard token.isTokenText else {
            throw violation("continuation_token contains characters that are not allowed in a token")
        }
        return token
    }

    private static func violation(_ reason: String, source: String = source) -> ProtocolViolation {
        ProtocolViolation(.nativeResponse, reason, source: source)
    }
}

extension NativeResponse {
    /// The maximum size of a continuation token in bytes; no limit is documented.
    private static let longestToken = 16_384
    private static let mostMethods = 20
    fileprivate static let longestID = 2_048
    fileprivate static let longestText = 300
}

/// A code that a server has sent to the user. The texts are the server's: escape them before showing them.
public struct NativeCode: Hashable, Sendable {
    /// The channel, for example `email` or `sms`; `nil` if the server did not say.
    public let channel: String?
    /// The recipient with most characters hidden; `nil` if the server did not say.
    public let recipient: String?
    /// The length of the code; `nil` if the server did not say.
    public let length: Int?

    init(_ node: JSONNode, _ secrets: SentSecrets) {
        channel = node["challenge_channel"]?.shortText(secrets)
        recipient = node["challenge_target_label"]?.shortText(secrets)
        length = node["code_length"]?.lenientInteger.flatMap { (1...64).contains($0) ? Int($0) : nil }
    }
}

/// A method of a second factor that sends a code.
package struct NativeMethod: Hashable, Sendable {
    /// The ID for the request of a code.
    package let id: String
    /// The channel, for example `email` or `sms`; `nil` if the server did not say.
    package let channel: String?

    /// Reads an element of the list; returns `nil` for a method without codes.
    init?(_ node: JSONNode) {
        guard node["challenge_type"]?.string == "oob", let id = node["id"]?.string, !id.isEmpty, id.isTokenText,
            id.utf8.count <= NativeResponse.longestID
        else { return nil }
        self.id = id
        channel = node["challenge_channel"]?.shortText(SentSecrets())
    }
}

extension [NativeMethod] {
    /// The method to use: the first one by email, else the first one.
    package var preferred: NativeMethod? { first { $0.channel?.lowercased() == "email" } ?? first }
}

extension JSONNode {
    fileprivate func shortText(_ secrets: SentSecrets) -> String? {
        let text = secrets.hidden(in: string?.trimmed ?? "", shortenedTo: NativeResponse.longestText)
        return text.isEmpty ? nil : text
    }
}

extension ServerRefusal {
    /// Whether native authentication refused a code: it is wrong, expired, or was tried too often.
    package var isWrongCode: Bool { suberror == "invalid_oob_value" || code == "AADSTS50181" }
    /// Whether a password was refused. A service's code tells it; only a plain provider means it by `invalid_grant` (RFC 6749
    /// section 5.2).
    package var isWrongPassword: Bool {
        let codes = ["AADB2C90052", "AADB2C90053", "AADB2C90054", "AADB2C90225", "AADSTS50126"]
        return code.map(codes.contains) ?? (suberror == nil && error == "invalid_grant")
    }
    /// Whether native authentication does not know the user name.
    package var isUnknownUser: Bool { error == "user_not_found" || code == "AADSTS50034" }
    /// Whether the application may not use native authentication.
    package var isNativeDisabled: Bool { suberror == ErrorCode.nativeDisabled }
    /// Whether the time for the next step of native authentication has run out.
    package var isExpiredSession: Bool { error == "expired_token" || code == "AADSTS552003" }
    /// Whether native authentication demands what only a page offers here: the registration of a second factor, or a new password.
    package var needsPage: Bool { suberror == "registration_required" || code == "AADSTS50142" }
}
