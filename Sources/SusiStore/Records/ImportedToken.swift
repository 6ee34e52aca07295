package import SusiOAuth
package import SusiPolicies

/// A refresh token from another library's cache that was not used yet, without its secret.
///
/// The cache's claims are not signed: they are only for display, and identify no account.
public struct ImportedToken: Hashable, Sendable {
    /// Everything that distinguishes two tokens, in lower case where comparisons ignore case.
    package struct Key: Hashable, Sendable {
        /// The application and the tenant, as the configuration names it.
        package let scope: ApplicationScope
        package let policy: PolicyName
        /// The cache's handle for the account. The part after the dot is empty if the cache has no handle.
        package let home: HomeAccountID

        package init(scope: ApplicationScope, policy: PolicyName, home: HomeAccountID) {
            self.scope = scope
            self.policy = policy
            self.home = Self.canonical(home)
        }

        /// Returns a handle in the spelling that is stored and compared. For a provider without tenants, case matters.
        static func canonical(_ home: HomeAccountID) -> HomeAccountID {
            let utid = Tenant.canonical(home.utid)
            return HomeAccountID(uid: utid.contains(":") ? home.uid : home.uid.lowercased(), utid: utid)
        }

        /// All parts, each preceded by its length: the additional data of the encrypted token.
        var bytes: [UInt8] {
            LengthPrefixed.bytes([
                "susi-import-1", scope.origin, scope.tenantName, scope.clientID, policy.lowercased, home.uid, home.utid,
            ])
        }
    }

    package let key: Key
    /// The cache's object id in lower case, or the subject; `nil` without one.
    package let subject: String?
    /// The cache's name of the account.
    package let label: String
    /// The kind of cache: `msal` or `adal`.
    package let source: String
    /// The time of the import, in seconds since 1970.
    package let importedOn: Int64

    package init(key: Key, subject: String?, label: String, source: String, importedOn: Int64) {
        self.key = key
        self.subject = subject.map(Person.canonical)
        self.label = label
        self.source = source
        self.importedOn = importedOn
    }

    /// Returns whether checked tokens belong to the account that the cache named, by its object id, else by its handle, and
    /// match `text`. Names in a cache are not signed, so the signed claims must contain the name; without id and handle, they
    /// must match the label.
    package func isOf(_ grant: TokenGrant, named text: String? = nil) -> Bool {
        let person = grant.account.person
        let isCalled = { (name: String) in grant.profile.answers(to: name, subject: person.subject) }
        let isIdentified = { (text: String) in identifiers.contains { $0.lowercased() == text.lowercased() } }
        if let subject {
            guard Person.canonical(person.subject) == subject else { return false }
        } else if key.home.utid.isEmpty {
            // There is nothing else to compare, not even an address.
            let name = text.map { isIdentified($0) ? label : $0 } ?? label
            return isCalled(name) || grant.profile.plainName?.lowercased() == name.lowercased()
        } else if Key.canonical(grant.homeAccountID) != key.home {
            return false
        }
        return text.map { isCalled($0) || isIdentified($0) } ?? true
    }

    /// A complete name that selects the token: the label, unless it may be a display name, which identifies no person.
    package var name: String { label.contains("@") ? label : identifiers.first ?? label }

    /// The cache's identifiers of the account, as it wrote them.
    package var identifiers: [String] { [subject, key.home.uid, key.home.description].compactMap(\.self) }
}

package enum ImportOutcome: String, CaseIterable, Sendable {
    /// It is stored and waits for its first use.
    case added
    /// The file's token replaced another one that was imported before and not used.
    case replaced
    /// The same token is stored already.
    case unchanged
    /// The account exists, and its own refresh token is kept.
    case known
}
