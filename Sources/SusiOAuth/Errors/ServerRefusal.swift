import SusiBase
import SusiPolicies

/// An error response of an authorization or token endpoint (RFC 6749 4.1.2.1 and 5.2).
///
/// All texts are the server's: escape them before showing them. They are truncated after a thousand bytes.
public struct ServerRefusal: Error, Hashable, Sendable {
    /// The OAuth error, for example `invalid_grant`.
    public let error: String
    /// The server's description, without ids and times.
    public let text: String
    /// The service's own code, for example `AADB2C90118` or `AADSTS50076`.
    public let code: String?
    /// Microsoft Entra's detail of the error, for example `bad_token`.
    package let suberror: String?
    /// The server's id for this event, to give to its support.
    package let correlationID: String?
    /// The server's time for this event, as it wrote it.
    package let timestamp: String?
    /// The claims that the next sign-in has to request; `nil` if they repeat a secret.
    package let claims: ClaimsChallenge?

    private static let longestText = 1_000

    /// Reads an error and its description. The texts contain none of `secrets`, which were sent before.
    package init(error: String, description: String, hiding secrets: SentSecrets = SentSecrets()) {
        self.init(error: error, description: description, members: nil, hiding: secrets)
    }

    /// Parses an error response in JSON; returns `nil` if `error` is not text. The texts contain none of `secrets`.
    init?(response: JSONNode, hiding secrets: SentSecrets = SentSecrets()) {
        guard let error = response["error"]?.string else { return nil }
        self.init(
            error: error, description: response["error_description"]?.string ?? "", members: response, hiding: secrets)
    }

    private init(error: String, description: String, members: JSONNode?, hiding secrets: SentSecrets) {
        let hidden = { (text: String) in secrets.hidden(in: text, shortenedTo: Self.longestText) }
        // A name of the protocol is no secret, even if a password is part of it.
        let name = { (text: String) in ErrorCode.row(text) == nil ? hidden(text) : text }
        let said = Description(secrets.hidden(in: description, shortenedTo: Description.longest))
        self.error = name(error)
        text = said.text.shortened(to: Self.longestText)
        code = Self.code(ErrorCode.name(in: description), Self.codes(in: members?["error_codes"]))
        suberror = (members?["suberror"]?.string).map(name)
        correlationID = (members?["correlation_id"]?.string ?? said.correlationID).map(hidden)
        timestamp = (members?["timestamp"]?.string ?? said.timestamp).map(hidden)
        claims = members?["claims"]?.string.flatMap { try? ClaimsChallenge(json: $0, refusing: secrets) }
    }

    /// The row of the table that explains it best: of the service's code, else of the suberror, else of the error.
    package var row: ErrorCode? {
        for name in suberror == ErrorCode.nativeDisabled ? [suberror] : [code, suberror, error] {
            if let row = name.flatMap(ErrorCode.row) { return refined(row) }
        }
        return nil
    }

    // People cancel without giving a reason. A server that gives one, without a code that means a cancellation, denies access
    // itself.
    private func refined(_ row: ErrorCode) -> ErrorCode {
        switch row.name {
        case "access_denied" where !text.isEmpty: .deniedWithReason
        case ErrorCode.cancelledElsewhere.name where inner?.consequence == .cancelled: .cancelledElsewhere
        default: row
        }
    }

    // The error of an identity provider behind the policy: `'Error: access_denied,Error Description: …'`.
    private var inner: ServerRefusal? {
        let (start, middle) = ("'Error: ", ",Error Description: ")
        guard let begin = text.firstRange(of: start)?.upperBound, let parts = text[begin...].firstRange(of: middle),
            let end = text.lastIndex(of: "'"), parts.upperBound <= end
        else { return nil }
        return ServerRefusal(
            error: String(text[begin..<parts.lowerBound]), description: String(text[parts.upperBound..<end]))
    }

    package var consequence: Consequence { row?.consequence ?? .failed }

    /// Whether it proves that the refresh token will never be accepted again. Microsoft's services report failures of their own
    /// as `invalid_grant` too, so that this error alone proves it only where no code refines it (RFC 6749 5.2).
    package var endsGrant: Bool {
        let names = [suberror, code].compactMap(\.self)
        return (names.isEmpty ? [error] : names).contains { ErrorCode.row($0)?.consequence == .signIn }
    }

    // The list decides: native authentication also describes other errors with AADSTS901007.
    private static func code(_ described: String?, _ listed: [String]) -> String? {
        if let described, listed.contains(described) { return described }
        return listed.first { ErrorCode.row($0) != nil } ?? described ?? listed.first
    }

    // Only Microsoft Entra sends the list, with bare numbers.
    private static func codes(in list: JSONNode?) -> [String] {
        (list?.array ?? []).prefix(10).compactMap { $0.lenientInteger.map { "AADSTS\($0)" } }
    }
}

/// The parts of an `error_description` of Microsoft's services: a sentence, then labelled ids and times, on separate
/// lines or on the same one.
private struct Description {
    let text: String
    let correlationID: String?
    let timestamp: String?

    /// The bytes that are read. No service writes longer descriptions.
    static let longest = 4_096
    private static let labels = ["Trace ID:", "Correlation ID:", "Timestamp:"]

    init(_ description: String) {
        let whole = description[...]
        let end = Self.labels.compactMap { whole.firstRange(of: $0)?.lowerBound }.min() ?? whole.endIndex
        text = String(whole[..<end].prefix { !$0.isNewline }).trimmed
        correlationID = Self.value("Correlation ID:", in: whole)
        timestamp = Self.value("Timestamp:", in: whole)
    }

    private static func value(_ label: String, in text: Substring) -> String? {
        guard let start = text.firstRange(of: label)?.upperBound else { return nil }
        let line = text[start...].prefix { !$0.isNewline }
        let end = labels.compactMap { line.firstRange(of: $0)?.lowerBound }.min() ?? line.endIndex
        return String(line[..<end]).trimmed
    }
}

extension String {
    /// Returns the text, or its beginning with an ellipsis; the limit is in bytes. No character is cut.
    func shortened(to limit: Int) -> String {
        utf8.count <= limit ? self : String(self[..<utf8.index(startIndex, offsetBy: limit)]) + "…"
    }
}
