public import SusiPolicies

/// A person under one policy, for one application.
public struct Account: Hashable, Sendable {
    /// Who it is.
    public let person: Person
    /// The policy that signed the person in.
    public let policy: PolicyName
    /// The application's (client) id.
    public let clientID: String

    /// Makes an account.
    public init(person: Person, policy: PolicyName, clientID: String) {
        self.person = person
        self.policy = policy
        self.clientID = clientID
    }
}

/// The handle that Microsoft's libraries use for an account in a cache: `<oid>-<policy in lower case>.<tenant id>` in B2C,
/// `<oid>.<tenant id>` elsewhere. For another OpenID provider it is the subject and the issuer.
///
/// It is opaque to people, and no two persons are taken for one because it agrees.
public struct HomeAccountID: Hashable, Sendable, CustomStringConvertible {
    /// The part before the last dot, `uid` in `client_info`.
    public let uid: String
    /// The part after the last dot, `utid` in `client_info`.
    public let utid: String

    /// Takes the parts as `client_info` gives them.
    public init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
    }

    /// The handle of an account whose server sent no `client_info`.
    public init(_ account: Account, of kind: AuthorityKind = .b2c) {
        let suffix = kind.hasPolicies ? "-\(account.policy.lowercased)" : ""
        self.init(uid: account.person.subject + suffix, utid: account.person.tenant.id)
    }

    /// Splits at the last dot, since a policy's name may hold dots; nil when there is none.
    public init?(_ text: String) {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return nil }
        self.init(uid: String(text[..<dot]), utid: String(text[text.index(after: dot)...]))
        guard !utid.isEmpty else { return nil }
    }

    /// The object id with which the first part begins: a GUID, alone or before the policy; nil when it does not.
    public var objectID: String? {
        let beginning = String(uid.prefix(36)).lowercased()
        guard beginning.isGUID, uid.count == 36 || uid.dropFirst(36).first == "-" else { return nil }
        return beginning
    }

    /// Both parts with a dot between them.
    public var description: String { "\(uid).\(utid)" }

    /// Whether this is the handle of that object id under that policy: the whole of both, without case. A policy whose
    /// name ends in another's is not that other, and one of two persons is not the other.
    public func matches(subject: String, policy: PolicyName) -> Bool {
        uid.lowercased() == "\(subject.lowercased())-\(policy.lowercased)"
    }
}
