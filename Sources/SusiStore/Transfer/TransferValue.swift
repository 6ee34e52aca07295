import SusiOAuth
import SusiPolicies

/// A value of a record with its rule. The rules are those for values from a server or from a policies file.
struct TransferValue {
    /// The path of the value, for example `account.tokens[0].secret`.
    let name: String
    let expected: String
    let isValid: Bool

    private init(_ name: String, _ expected: String, _ isValid: Bool) {
        self.name = name
        self.expected = expected
        self.isValid = isValid
    }

    /// The broken rule, for display, without the value, which may be a secret.
    var problem: String { "\(name) is not \(expected)" }

    /// A time that may lie in the future.
    static func validTime(_ time: Int64?, _ name: String) -> Self {
        Self(name, "a time between 1970 and 9999", time.map(EpochTime.valid.contains) ?? true)
    }

    static func past(_ time: Int64, _ name: String, now: Int64) -> Self {
        Self(name, "a time between 1970 and now", EpochTime.valid.contains(time) && time - IDTokenRules.skew <= now)
    }

    static func secret(_ text: String, _ name: String) -> Self {
        Self(name, "a token: visible ASCII characters", !text.isEmpty && text.isTokenText)
    }

    static func idToken(_ text: String, _ name: String) -> Self {
        Self(name, "a signed JWT", (try? SignedToken(parsing: text)) != nil)
    }

    static func text(_ text: String, as shape: SchemaNode.Text, _ name: String) -> Self {
        Self(name, shape.expected, shape.allows(text))
    }

    static func scopes(_ text: String, _ name: String, isEmpty: Bool) -> Self {
        let isValid = isEmpty ? text.isEmpty : ScopeSet(text: text).scopes.allSatisfy(SchemaNode.Text.scope.allows)
        return Self(name, isEmpty ? "empty" : "a list of scopes", isValid)
    }

    static func origin(_ text: String, _ name: String) -> Self {
        let address = try? WebAddress(text)
        return Self(
            name, "an https origin (http only for loopback hosts)",
            address.map { $0.origin == text && $0.isSecure } ?? false)
    }

    static func authority(_ text: String, _ name: String) -> Self {
        Self(name, SchemaNode.Text.address.expected, (try? WebAddress(text))?.isSecure ?? false)
    }

    /// The GUID of a tenant, or the issuer of a provider without tenants.
    static func tenantID(_ text: String, _ name: String) -> Self {
        Self(name, "a GUID in lower case or an issuer", text.isGUID || isIssuer(text))
    }

    static func tenantName(_ text: String, _ name: String) -> Self {
        let isName = SchemaNode.Text.tenantName.allows(text) && Tenant.canonical(text) == text
        return Self(name, "a tenant's name in lower case or an issuer", isName || isIssuer(text))
    }

    static func subject(_ text: String, _ name: String) -> Self {
        let isValid = Person.isSubject(text) && Person.canonical(text) == text && isPlain(text)
        return Self(name, "a person's identifier", isValid)
    }

    /// Any text without control characters.
    static func plain(_ text: String, _ name: String) -> Self {
        Self(name, "a text without control characters", isPlain(text) && !text.isEmpty)
    }

    static func object(_ json: String, _ name: String) -> Self {
        Self(name, "a JSON object", (try? JSONNode(parsing: json.utf8))?.isObject ?? false)
    }

    static func demand(_ json: String?, _ name: String) -> Self {
        Self(name, "a claims request", json.map { (try? ClaimsRequest(parsing: $0.utf8)) != nil } ?? true)
    }

    static func word<Word: CaseIterable & RawRepresentable>(
        _ text: String, of: Word.Type, _ name: String
    ) -> Self where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        return Self(name, "one of \(words.joined(separator: ", "))", words.contains(text))
    }

    static func list(_ name: String, _ expected: String, isValid: Bool) -> Self {
        Self(name, expected, isValid)
    }

    private static func isIssuer(_ text: String) -> Bool { (try? WebAddress(text))?.isSecure ?? false }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension TransferRecord {
    /// The values to check. `now` is in seconds since 1970.
    func values(_ now: Int64) -> [TransferValue] {
        (head.map { [.past($0.exportedOn, "head.exportedOn", now: now)] } ?? [])
            + (account?.values(now) ?? []) + (name?.values ?? []) + (current?.values ?? [])
    }
}

extension TransferRecord.AccountRecord {
    fileprivate func values(_ now: Int64) -> [TransferValue] {
        identity.values("account") + facts.values(now) + [
            .object(secrets.claims, "account.claims"), .demand(secrets.pendingClaims, "account.pendingClaims"),
        ] + secrets.tokens.enumerated().flatMap { index, token in token.values(now, "account.tokens[\(index)]") }
    }
}

extension TransferRecord.Token {
    /// The values to check; `name` is the path of the token.
    func values(_ now: Int64, _ name: String) -> [TransferValue] {
        let kind = TokenKind(rawValue: kind)
        return [
            .word(self.kind, of: TokenKind.self, "\(name).kind"),
            .scopes(scopes, "\(name).scopes", isEmpty: kind != .access),
            .scopes(granted, "\(name).granted", isEmpty: kind != .access),
            .validTime(expiresOn, "\(name).expiresOn"), .validTime(refreshOn, "\(name).refreshOn"),
            .past(savedOn, "\(name).savedOn", now: now), .secret(secret, "\(name).secret"),
        ] + (kind == .id ? [.idToken(secret, "\(name).secret")] : [])
    }
}

extension TransferRecord.TenantRecord {
    func values(_ name: String) -> [TransferValue] {
        [.origin(origin, "\(name).origin"), .tenantID(id, "\(name).id")]
    }
}

extension TransferRecord.Name {
    fileprivate var values: [TransferValue] {
        [
            .origin(origin, "name.origin"), .tenantName(name, "name.name"),
            .list("name.tenants", "one tenant", isValid: isForSeveral || tenants.count == 1),
        ] + tenants.enumerated().flatMap { index, tenant in tenant.values("name.tenants[\(index)]") }
    }
}

extension TransferRecord.Current {
    fileprivate var values: [TransferValue] {
        [
            .origin(origin, "current.origin"), .tenantName(name, "current.name"),
            .word(role, of: CurrentRole.self, "current.role"),
        ] + values("current")
    }
}
