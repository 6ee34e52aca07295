import SusiOAuth
import SusiPolicies

/// The rules of what a recording may contain. They look at the finished captures only, so that a mistake in what made them
/// is found too.
enum RecordingRules {
    /// Whether a capture contains only words of ``ProtocolWords`` and the captures' own, and no number but a status and error
    /// codes.
    static func allow(_ capture: JSONNode) -> Bool {
        capture.members.allSatisfy { $0.name == "source" || isAllowed($0.node, $0.name) }
    }

    private static func isAllowed(_ node: JSONNode, _ name: String) -> Bool {
        guard isAllowed(name) else { return false }
        return switch node.value {
        case .null, .bool: true
        case .number(let text): name == "status" ? text.utf8.count == 3 : CodeForm.isNumber(text)
        case .string(let text): isAllowed(text)
        case .array(let nodes): nodes.allSatisfy { isAllowed($0, name) }
        case .object(let members): members.allSatisfy { isAllowed($0.node, $0.name) }
        }
    }

    // Only placeholders of the tenant's own names are numbered.
    private static func isAllowed(_ text: String) -> Bool {
        split(text.replacing(#/\{own (claim|attribute) [0-9]+\}/#, with: "")).allSatisfy { word in
            words.contains(word) || CodeForm.isName(word)
        }
    }

    private static func split(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    }

    private static let words: Set<String> = {
        let lists = [ProtocolWords.names, ProtocolWords.listed, ProtocolWords.segments, ProtocolWords.hosts]
        let all = (lists + [ProtocolWords.grants] + ProtocolWords.values.values).flatMap(Array.init) + grammar
        return Set(all.flatMap(split))
    }()

    // The captures' own words: their members, types, formats, kinds of messages, settings and placeholders.
    private static let grammar = [
        "service message grant settings status header members says type value values format pattern of",
        "string number boolean array object null guid epoch seconds address base64url jwt jwe scopes opaque text",
        "b2c external entra openid metadata keys token response id access client info device instance native redirect other",
        "policy host form path custom user flow response_mode client_info b2clogin.com ciamlogin.com this machine domain",
        "http https p own claim attribute extension in lower case segment query tenant name {timestamp}Z",
        "Trace ID Correlation Timestamp",
    ]
}

/// The form of Microsoft's error codes, and of the texts that carry them.
enum CodeForm {
    /// Whether a word is the name of an error code: `AADB2C90118`.
    static func isName(_ word: String) -> Bool {
        ["AADB2C", "AADSTS"].contains { word.hasPrefix($0) && isNumber(String(word.dropFirst($0.count))) }
    }

    /// Whether a number has the form of an error code: five to seven digits.
    static func isNumber(_ text: String) -> Bool {
        (5...7).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns the pattern of a description: its code, and which of the service's own lines follow.
    static func says(_ description: String) -> String? {
        guard let code = ErrorCode.name(in: description), isName(code) else { return nil }
        let lines = description.split(whereSeparator: \.isNewline).dropFirst().map { line in
            switch line.prefix(while: { $0 != ":" }) {
            case "Trace ID": "Trace ID: {guid}"
            case "Correlation ID": "Correlation ID: {guid}"
            case "Timestamp": "Timestamp: {timestamp}Z"
            default: "{text}"
            }
        }
        return (["\(code): {text}"] + lines).joined(separator: "\r\n")
    }
}
