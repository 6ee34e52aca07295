import SusiPolicies

/// A tenant as its own issuer names it.
///
/// The origin is part of it: whoever runs another server cannot speak for this tenant by repeating its GUID.
public struct Tenant: Hashable, Sendable {
    /// Scheme, host and port of the issuer; one for all names of a service's host.
    public let origin: String
    /// The tenant's GUID in lower case, taken from the issuer; the exact issuer of a provider without tenants.
    public let id: String

    /// Makes a tenant.
    public init(origin: String, id: String) {
        self.origin = origin
        self.id = Self.canonical(id)
    }

    /// A name of a tenant in the one spelling that is kept and compared: a GUID or a domain name in lower case. An issuer
    /// stays as it is, since every character of it counts.
    public static func canonical(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: ":")) ? name : name.lowercased()
    }
}

/// Somebody whom signed claims name: the one above the accounts.
public struct Person: Hashable, Sendable {
    /// The tenant that knows the person.
    public let tenant: Tenant
    /// The claim `oid` in its ``canonical(_:)`` spelling, else a real `sub` as it is; of a provider without tenants always
    /// `sub`.
    public let subject: String

    /// A subject in the one spelling that is kept and compared: an object id is a GUID, whose case means nothing; in any
    /// other subject it does.
    public static func canonical(_ subject: String) -> String {
        let lower = subject.lowercased()
        return lower.isGUID ? lower : subject
    }

    /// Whether a subject names somebody. B2C writes a constant text into `sub` where it has nothing to say.
    public static func isSubject(_ text: String) -> Bool {
        !text.isEmpty && !text.lowercased().hasPrefix("not supported currently")
    }

    /// Makes a person.
    public init(tenant: Tenant, subject: String) {
        self.tenant = tenant
        self.subject = subject
    }
}

/// What signed claims say of a person beside who it is. Everything may be missing.
public struct Profile: Hashable, Sendable {
    /// The claim `name`.
    public var name: String?
    /// The claim `given_name`.
    public var givenName: String?
    /// The claim `family_name`.
    public var familyName: String?
    /// The claim `emails`, or the one `email` or `mail`.
    public var emails: [String]
    /// The claim `preferred_username`, or `upn`, where the kind of authority has user names. B2C has none.
    public var username: String?
    /// The claim `idp`.
    public var identityProvider: String?

    /// Makes a profile.
    public init(
        name: String? = nil, givenName: String? = nil, familyName: String? = nil, emails: [String] = [],
        username: String? = nil, identityProvider: String? = nil
    ) {
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
        self.emails = emails
        self.username = username
        self.identityProvider = identityProvider
    }

    /// What to call the person: the first address, else the user name, else the name. No placeholder stands in.
    public var label: String? { emails.first ?? username ?? plainName }

    /// The display name, which people can write themselves; nil when it could be taken for an address.
    public var plainName: String? { name.flatMap { $0.contains("@") ? nil : $0 } }

    /// What a page may be told of whom is expected: an address or a user name, never a display name.
    public var hint: String? { emails.first ?? username }

    /// Whether a text names the person with that subject, without case.
    public func answers(to text: String, subject: String) -> Bool {
        let names = [subject, username, plainName].compactMap(\.self) + emails
        return names.contains { $0.lowercased() == text.lowercased() }
    }
}
