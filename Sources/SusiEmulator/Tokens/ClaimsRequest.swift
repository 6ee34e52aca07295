/// The `claims` parameter (OpenID Connect Core section 5.5): which claims a token is to carry.
struct ClaimsRequest: Sendable {
    private let json: JSON

    /// Reads the parameter; nil when it is no JSON object.
    init?(_ text: String?) {
        guard let json = text.flatMap({ try? JSON(parsing: $0.utf8) }), case .object = json else { return nil }
        self.json = json
    }

    // The claims that only asking brings. Everything else follows from who the person is: nobody can ask for another name.
    private static let lists = ["acrs", "xms_cc"]

    /// The claims of one token that were asked and that the emulator gives; `auth_time` still needs its value.
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

    /// The authentication contexts that were asked for access tokens or id tokens: a person must sign in for these.
    var contexts: Set<String> {
        Set(["access_token", "id_token"].flatMap { Self.values(json[$0]?["acrs"]) })
    }

    private static func values(_ member: JSON?) -> [String] {
        if case .array(let values)? = member?["values"] { return values.compactMap(\.string) }
        return (member?["value"]?.string).map { [$0] } ?? []
    }
}
