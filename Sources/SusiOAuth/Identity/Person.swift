/// A tenant as its own issuer names it.
///
/// The origin is part of it: whoever runs another server cannot speak for this tenant by repeating its GUID.
public struct Tenant: Hashable, Sendable {
    /// Scheme, host and port of the issuer.
    public let origin: String
    /// The tenant's GUID in lower case, taken from the issuer.
    public let id: String

    /// Makes a tenant.
    public init(origin: String, id: String) {
        self.origin = origin
        self.id = id.lowercased()
    }
}

/// Somebody whom signed claims name: the one above the accounts.
public struct Person: Hashable, Sendable {
    /// The tenant that knows the person.
    public let tenant: Tenant
    /// The claim `oid` in lower case, else a real `sub` as it is.
    public let subject: String

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
    public var label: String? { emails.first ?? username ?? name }
}
