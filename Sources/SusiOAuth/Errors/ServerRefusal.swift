import SusiPolicies

/// An error answer of an authorization or token endpoint (RFC 6749 4.1.2.1 and 5.2).
public struct ServerRefusal: Error, Hashable, Sendable {
    /// The OAuth error, for instance `invalid_grant`.
    public let error: String
    /// The first line of the description: what the server says. It is the server's text: escape it before showing it.
    public let text: String
    /// The number behind `AADB2C`, when the description begins with one.
    public let number: Int?
    /// The server's id for this event, to give to its support.
    public let correlationID: String?
    /// The server's time for this event, as it wrote it.
    public let timestamp: String?

    /// Reads an error and its description.
    public init(error: String, description: String) {
        self.error = error
        let lines = description.split(whereSeparator: \.isNewline).map(String.init)
        text = lines.first ?? ""
        number = AADB2CCode.number(in: description)
        let value = { (label: String) in
            lines.first { $0.hasPrefix(label) }.map { String($0.dropFirst(label.count)).trimmed }
        }
        correlationID = value("Correlation ID:")
        timestamp = value("Timestamp:")
    }

    /// Reads the JSON of an error answer; nil when there is no error in it.
    public init?(body: [UInt8]) {
        guard let node = try? JSONNode(parsing: body), let error = node["error"]?.string else { return nil }
        self.init(error: error, description: node["error_description"]?.string ?? "")
    }

    /// The table's row of the code.
    public var row: AADB2CCode? { number.flatMap(AADB2CCode.row) }

    /// What follows. A definite refusal of the grant ends it; everything else leaves what is stored as it is.
    public var consequence: AADB2CCode.Consequence {
        if let row { return row.consequence }
        return switch error {
        case "invalid_grant", "interaction_required", "login_required", "consent_required",
            "account_selection_required":
            .signIn
        case "access_denied": .cancelled
        case "temporarily_unavailable", "slow_down": .retryLater
        case "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type", "invalid_request",
            "redirect_uri_mismatch":
            .misconfigured
        default: .failed
        }
    }
}

extension String {
    var trimmed: String {
        let end = reversed().drop(while: \.isWhitespace)
        return String(String(end.reversed()).drop(while: \.isWhitespace))
    }
}
