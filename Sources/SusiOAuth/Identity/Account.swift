package import SusiPolicies

/// A person's sign-in under one policy of one application.
package struct Account: Hashable, Sendable {
    /// Who signed in.
    package let person: Person
    package let policy: PolicyName
    /// The application's (client) ID.
    package let clientID: String

    package init(person: Person, policy: PolicyName, clientID: String) {
        self.person = person
        self.policy = policy
        self.clientID = clientID
    }
}

/// The identifier of an account in the caches of Microsoft's libraries: `<oid>-<policy in lower case>.<tenant id>` in
/// B2C, `<oid>.<tenant id>` elsewhere. For another OpenID provider it consists of subject and issuer.
///
/// It is opaque to users and never decides whether two persons are the same.
public struct HomeAccountID: Hashable, Sendable, CustomStringConvertible {
    /// The part before the last dot, `uid` in `client_info`.
    package let uid: String
    /// The part after the last dot, `utid` in `client_info`.
    package let utid: String

    /// Makes an identifier of the parts in `client_info`.
    package init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
    }

    /// Makes the identifier of an account whose server sent no `client_info`.
    package init(_ account: Account, of kind: AuthorityKind = .b2c) {
        let suffix = kind.traits.hasPolicies ? "-\(account.policy.lowercased)" : ""
        self.init(uid: account.person.subject + suffix, utid: account.person.tenant.id)
    }

    /// Returns whether both identify the same account: the spelling of GUIDs may differ.
    package func isSame(as other: HomeAccountID) -> Bool {
        description.lowercased() == other.description.lowercased()
    }

    /// Splits the text at the last dot, because a policy's name may contain dots; returns `nil` without a dot.
    package init?(_ text: String) {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return nil }
        self.init(uid: String(text[..<dot]), utid: String(text[text.index(after: dot)...]))
        guard !utid.isEmpty else { return nil }
    }

    /// The object id at the start of the first part: a GUID, alone or before the policy.
    package var objectID: String? {
        let beginning = String(uid.prefix(36)).lowercased()
        guard beginning.isGUID, uid.count == 36 || uid.dropFirst(36).first == "-" else { return nil }
        return beginning
    }

    /// Both parts, joined by a dot.
    public var description: String { "\(uid).\(utid)" }

    /// Whether this is the identifier of that object id under that policy. Both must match as a whole, ignoring case.
    package func matches(subject: String, policy: PolicyName) -> Bool {
        uid.lowercased() == "\(subject.lowercased())-\(policy.lowercased)"
    }
}
