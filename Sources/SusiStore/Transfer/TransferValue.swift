import SusiOAuth
import SusiPolicies

/// A value of a record and the rule for it. The rules are those for what comes from a server or from a policies file.
struct TransferValue {
    /// The way to the value: `account.tokens[0].secret`.
    let name: String
    /// What the value must be, for a person.
    let expected: String
    /// Whether it is that.
    let isValid: Bool

    private init(_ name: String, _ expected: String, _ isValid: Bool) {
        self.name = name
        self.expected = expected
        self.isValid = isValid
    }

    /// The rule that is broken, for a person. It does not show the value, which may be a secret.
    var problem: String { "\(name) is not \(expected)" }

    /// A time that may lie in the future.
    fileprivate static func validTime(_ time: Int64?, _ name: String) -> Self {
        Self(name, "a time between 1970 and 9999", time.map(EpochTime.valid.contains) ?? true)
    }

    /// A time at which something happened.
    fileprivate static func past(_ time: Int64, _ name: String, _ now: Int64) -> Self {
        Self(name, "a time between 1970 and now", EpochTime.valid.contains(time) && time - IDTokenRules.skew <= now)
    }

    fileprivate static func secret(_ text: String, _ name: String) -> Self {
        Self(name, "a token: visible ASCII characters", !text.isEmpty && text.isTokenText)
    }

    fileprivate static func idToken(_ text: String, _ name: String) -> Self {
        Self(name, "a signed JWT", (try? SignedToken(parsing: text)) != nil)
    }

    fileprivate static func text(_ text: String, _ shape: SchemaNode.Text, _ name: String) -> Self {
        Self(name, shape.expected, shape.allows(text))
    }

    fileprivate static func scopes(_ text: String, _ name: String, isEmpty: Bool) -> Self {
        let isValid = isEmpty ? text.isEmpty : ScopeSet(text: text).scopes.allSatisfy(SchemaNode.Text.scope.allows)
        return Self(name, isEmpty ? "empty" : "a list of scopes", isValid)
    }

    fileprivate static func origin(_ text: String, _ name: String) -> Self {
        let address = try? WebAddress(text)
        return Self(
            name, "an https origin (http only for loopback hosts)",
            address.map { $0.origin == text && $0.isSecure } ?? false)
    }

    fileprivate static func authority(_ text: String, _ name: String) -> Self {
        Self(name, SchemaNode.Text.address.expected, (try? WebAddress(text))?.isSecure ?? false)
    }

    /// The GUID of a tenant, or the issuer of a provider without tenants.
    fileprivate static func tenantID(_ text: String, _ name: String) -> Self {
        Self(name, "a GUID in lower case or an issuer", text.isGUID || isIssuer(text))
    }

    fileprivate static func tenantName(_ text: String, _ name: String) -> Self {
        let isName = SchemaNode.Text.tenantName.allows(text) && Tenant.canonical(text) == text
        return Self(name, "a tenant's name in lower case or an issuer", isName || isIssuer(text))
    }

    fileprivate static func subject(_ text: String, _ name: String) -> Self {
        let isValid = Person.isSubject(text) && Person.canonical(text) == text && isPlain(text)
        return Self(name, "a person's identifier", isValid)
    }

    /// A text that nothing is known of, without control characters.
    fileprivate static func plain(_ text: String, _ name: String, orEmpty: Bool = false) -> Self {
        Self(name, "a text without control characters", isPlain(text) && (orEmpty || !text.isEmpty))
    }

    fileprivate static func object(_ json: String, _ name: String) -> Self {
        Self(name, "a JSON object", (try? JSONNode(parsing: json.utf8))?.isObject ?? false)
    }

    fileprivate static func demand(_ json: String?, _ name: String) -> Self {
        Self(name, "a claims request", json.map { (try? ClaimsRequest(parsing: $0.utf8)) != nil } ?? true)
    }

    fileprivate static func word<Word: CaseIterable & RawRepresentable>(
        _ text: String, of: Word.Type, _ name: String
    ) -> Self where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        return Self(name, "one of \(words.joined(separator: ", "))", words.contains(text))
    }

    fileprivate static func list(_ name: String, _ expected: String, isValid: Bool) -> Self {
        Self(name, expected, isValid)
    }

    private static func isIssuer(_ text: String) -> Bool { (try? WebAddress(text))?.isSecure ?? false }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension TransferRecord {
    /// The values that have a rule. `now` is in seconds since 1970.
    func values(_ now: Int64) -> [TransferValue] {
        (head.map { [.past($0.exportedOn, "head.exportedOn", now)] } ?? [])
            + (account?.values(now) ?? []) + (name?.values ?? []) + (current?.values ?? [])
            + (imported?.values(now) ?? [])
    }
}

extension TransferRecord.AccountRecord {
    fileprivate func values(_ now: Int64) -> [TransferValue] {
        tenant.values("account.tenant") + [
            .subject(subject, "account.subject"), .text(clientId, .clientID, "account.clientId"),
            .text(policy, .policyName, "account.policy"), .plain(homeUid, "account.homeUid"),
            .tenantID(homeUtid.lowercased(), "account.homeUtid"), .authority(authority, "account.authority"),
            .past(signedInOn, "account.signedInOn", now), .past(claimsOn, "account.claimsOn", now),
            .past(profileOn, "account.profileOn", now), .object(claims, "account.claims"),
            .list("account.emails", "a list without empty addresses", isValid: !emails.contains("")),
            .demand(pendingClaims, "account.pendingClaims"),
        ] + tokens.enumerated().flatMap { index, token in token.values(now, "account.tokens[\(index)]") }
    }
}

extension TransferRecord.Token {
    /// The values that have a rule; `name` leads to the token.
    func values(_ now: Int64, _ name: String) -> [TransferValue] {
        let kind = TokenKind(rawValue: kind)
        return [
            .word(self.kind, of: TokenKind.self, "\(name).kind"),
            .scopes(scopes, "\(name).scopes", isEmpty: kind != .access),
            .scopes(granted, "\(name).granted", isEmpty: kind != .access),
            .validTime(expiresOn, "\(name).expiresOn"), .validTime(refreshOn, "\(name).refreshOn"),
            .past(savedOn, "\(name).savedOn", now), .secret(secret, "\(name).secret"),
        ] + (kind == .id ? [.idToken(secret, "\(name).secret")] : [])
    }
}

extension TransferRecord.TenantRecord {
    fileprivate func values(_ name: String) -> [TransferValue] {
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
            .text(clientId, .clientID, "current.clientId"), .text(policy, .policyName, "current.policy"),
            .word(role, of: CurrentRole.self, "current.role"), .subject(subject, "current.subject"),
        ] + tenant.values("current.tenant")
    }
}

extension TransferRecord.Imported {
    fileprivate func values(_ now: Int64) -> [TransferValue] {
        [
            .origin(origin, "imported.origin"), .tenantName(tenantName, "imported.tenantName"),
            .text(clientId, .clientID, "imported.clientId"), .text(policy, .policyName, "imported.policy"),
            .plain(homeUid, "imported.homeUid"), .plain(homeUtid, "imported.homeUtid", orEmpty: true),
            .text(source, .name, "imported.source"), .past(importedOn, "imported.importedOn", now),
            .secret(secret, "imported.secret"), .plain(label, "imported.label"),
        ] + (subject.map { [.subject($0, "imported.subject")] } ?? [])
    }
}
