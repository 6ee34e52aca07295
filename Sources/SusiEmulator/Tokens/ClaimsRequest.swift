import SusiBase

/// The `claims` parameter: the requested claims of tokens (OpenID Connect Core section 5.5).
struct ClaimsRequest: Sendable {
    private let json: JSON

    /// Reads the parameter; nil if it is not a JSON object.
    init?(_ text: String?) {
        guard let json = text.flatMap({ try? JSON(parsing: $0.utf8) }), case .object = json else { return nil }
        self.json = json
    }

    // The claims that a request can set. All others follow from the user.
    private static let lists = ["acrs", "xms_cc"]

    /// The requested claims of a token that the emulator supports; `auth_time` is set later.
    func granted(in token: String) -> [String: JSON] {
        guard case .object(let members)? = json[token] else { return [:] }
        var claims: [String: JSON] = [:]
        for name in Self.lists where members[name] != nil {
            let values = Self.values(members[name])
            if !values.isEmpty { claims[name] = .array(values.map(JSON.string)) }
        }
        if members["auth_time"] != nil { claims["auth_time"] = .null }
        return claims
    }

    /// The requested authentication contexts, for which the user must sign in.
    var contexts: Set<String> {
        Set(["access_token", "id_token"].flatMap { Self.values(json[$0]?["acrs"]) })
    }

    private static func values(_ member: JSON?) -> [String] {
        if case .array(let values)? = member?["values"] { return values.compactMap(\.string) }
        return (member?["value"]?.string).map { [$0] } ?? []
    }
}
