import SusiBase
import SusiPolicies

/// A tenant, named by its issuer.
///
/// The origin is part of it, so that another server cannot claim the tenant by repeating its GUID.
package struct Tenant: Hashable, Sendable {
    /// Scheme, host and port of the issuer, the same for all host names of a service; at any other host those of the authority.
    package let origin: String
    /// The tenant's GUID in lower case, from the issuer; for a provider without tenants the exact issuer.
    package let id: String

    package init(origin: String, id: String) {
        self.origin = origin
        self.id = Self.canonical(id)
    }

    /// Returns the canonical spelling of a tenant's name: lower case for a GUID or a domain name. An issuer is not
    /// changed, because every character counts.
    package static func canonical(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: ":")) ? name : name.lowercased()
    }
}

/// A person, identified by signed claims. A person can have several accounts.
public struct Person: Hashable, Sendable {
    /// The tenant that issued the claims; a subject is unique only there.
    package let tenant: Tenant
    /// The tenant's GUID in lower case; the exact issuer of a provider without tenants.
    public var tenantID: String { tenant.id }
    /// The claim `oid` in its ``canonical(_:)`` spelling, else a real `sub`; always `sub` for a provider without
    /// tenants.
    public let subject: String

    /// Returns the canonical spelling of a subject: an object id is a GUID, whose case does not matter; in any other
    /// subject it does.
    package static func canonical(_ subject: String) -> String {
        let lower = subject.lowercased()
        return lower.isGUID ? lower : subject
    }

    /// Whether a subject identifies a person. B2C sends a placeholder in `sub` if a policy sets none.
    package static func isSubject(_ text: String) -> Bool {
        !text.isEmpty && !text.lowercased().hasPrefix("not supported currently")
    }

    package init(tenant: Tenant, subject: String) {
        self.tenant = tenant
        self.subject = subject
    }
}

/// The signed claims that describe a person. All are optional.
public struct Profile: Hashable, Sendable {
    /// The claim `name`.
    public var name: String?
    /// The claim `given_name`.
    public var givenName: String?
    /// The claim `family_name`.
    public var familyName: String?
    /// The claim `emails`, else `email`, `mail` or `signInNames.emailAddress`.
    public var emails: [String]
    /// The claim `preferred_username`, else `upn`, `unique_name` or another one of `signInNames`.
    public var username: String?
    /// The claim `idp`.
    public var identityProvider: String?

    package init(
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

    /// The name to show for the person: the first address, else the user name, else the display name. It can be typed and
    /// stands in suggested commands, so none with control characters.
    package var label: String? {
        for case let name? in [emails.first, username] where DisplayText.isHarmless(name) { return name }
        return plainName.flatMap { DisplayText.isHarmless($0) ? $0 : nil }
    }

    /// The display name; `nil` if it contains “@” or looks like an identifier: people choose it themselves, and could imitate
    /// the address or the identifier of somebody else.
    package var plainName: String? { name.flatMap { $0.contains("@") || $0.looksLikeIdentifier ? nil : $0 } }

    /// The login hint: an address or a user name, never a display name.
    package var hint: String? { emails.first ?? username }

    /// Whether both have an address or a user name in common, ignoring case.
    package func sharesName(with other: Profile) -> Bool {
        let names = { (profile: Profile) in
            Set((profile.emails + [profile.username].compactMap(\.self)).map { $0.lowercased() })
        }
        return !names(self).isDisjoint(with: names(other))
    }

    /// Whether the claims suffice to tell whether a text names the person: those of a person without an address say nothing about
    /// an address. Everybody has a subject.
    package func canMatch(_ text: String) -> Bool {
        if text.looksLikeIdentifier { return true }
        return text.contains("@") ? !emails.isEmpty || username?.contains("@") ?? false : hint != nil
    }

    /// Whether a text is an address, the user name or the subject of the person with that subject, ignoring case. A display
    /// name does not identify a person, and a text that looks like an identifier is compared with the subject alone.
    package func matches(_ text: String, subject: String) -> Bool {
        let names = text.looksLikeIdentifier ? [] : emails + [username].compactMap(\.self)
        return ([subject] + names).contains { $0.lowercased() == text.lowercased() }
    }
}
