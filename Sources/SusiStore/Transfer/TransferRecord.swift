import SusiOAuth
import SusiPolicies

/// One line of a sealed export: a JSON object with one of these members. Times are in seconds since 1970.
struct TransferRecord: Codable {
    /// The first line.
    struct Head: Codable {
        static let newest = 1
        let version: Int
        let exportedOn: Int64
    }

    /// A tenant as its issuer names it.
    struct TenantRecord: Codable, Hashable {
        let origin: String
        let id: String

        init(_ tenant: Tenant) {
            origin = tenant.origin
            id = tenant.id
        }

        var tenant: Tenant { Tenant(origin: origin, id: id) }
    }

    /// An account with its person and everything that is sealed of it.
    struct AccountRecord: Codable {
        let tenant: TenantRecord
        let subject: String
        let clientId: String
        let policy: String
        let homeUid: String
        let homeUtid: String
        let authority: String
        let signedInOn: Int64
        let claimsOn: Int64
        /// The signed claims as JSON text.
        let claims: String
        let name: String?
        let givenName: String?
        let familyName: String?
        let emails: [String]
        let username: String?
        let identityProvider: String?
        let profileOn: Int64
        let pendingClaims: String?
        let tokens: [Token]

        var account: Account {
            Account(
                person: Person(tenant: tenant.tenant, subject: subject), policy: PolicyName(policy), clientID: clientId)
        }
    }

    /// A token.
    struct Token: Codable {
        let kind: String
        let scopes: String
        let granted: String
        let expiresOn: Int64?
        let refreshOn: Int64?
        let savedOn: Int64
        let secret: String
    }

    /// What configurations call a tenant, or several.
    struct Name: Codable {
        let origin: String
        let name: String
        let tenants: [TenantRecord]
        /// Whether the name stands for several tenants, like `common`.
        let isForSeveral: Bool
    }

    /// Who is or was in use under a policy.
    struct Current: Codable {
        /// A name of the audience.
        let origin: String
        let name: String
        let clientId: String
        let policy: String
        let role: String
        let tenant: TenantRecord
        let subject: String

        var account: Account {
            Account(
                person: Person(tenant: tenant.tenant, subject: subject), policy: PolicyName(policy), clientID: clientId)
        }
    }

    /// A refresh token of another library's cache that was not used yet.
    struct Imported: Codable {
        let origin: String
        let tenantName: String
        let clientId: String
        let policy: String
        let homeUid: String
        let homeUtid: String
        let subject: String?
        let label: String
        let source: String
        let importedOn: Int64
        let secret: String
    }

    /// The last line.
    struct End: Codable {
        /// How many accounts came before.
        let accounts: Int
    }

    var head: Head?
    var account: AccountRecord?
    var name: Name?
    var current: Current?
    var imported: Imported?
    var end: End?
}
