import SusiOAuth
import SusiPolicies

/// One line of an encrypted export: a JSON object with one of these members. Times are in seconds since 1970.
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

    struct Identity: Codable, AccountNaming {
        let tenant: TenantRecord
        let subject: String
        let clientId: String
        let policy: String

        init(_ account: Account) {
            tenant = TenantRecord(account.person.tenant)
            subject = account.person.subject
            clientId = account.clientID
            policy = account.policy.spelling
        }
    }

    /// An account with its person and its decrypted values. The members of all three parts are in one JSON object.
    struct AccountRecord: Codable {
        struct Secrets: Codable {
            let claims: String
            let pendingClaims: String?
            let tokens: [Token]
        }

        let identity: Identity
        let facts: AccountFacts
        let secrets: Secrets

        init(_ account: Account, _ facts: AccountFacts, secrets: Secrets) {
            (identity, self.facts, self.secrets) = (Identity(account), facts, secrets)
        }

        init(from decoder: any Decoder) throws {
            identity = try Identity(from: decoder)
            facts = try AccountFacts(from: decoder)
            secrets = try Secrets(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try identity.encode(to: encoder)
            try facts.encode(to: encoder)
            try secrets.encode(to: encoder)
        }
    }

    struct Token: Codable {
        let kind: String
        let scopes: String
        let granted: String
        let expiresOn: Int64?
        let refreshOn: Int64?
        let savedOn: Int64
        let secret: String
    }

    /// The name of one or several tenants in configurations.
    struct Name: Codable {
        let origin: String
        let name: String
        let tenants: [TenantRecord]
        /// Whether the name means several tenants, like `common`.
        let isForSeveral: Bool
    }

    struct Current: Codable, AccountNaming {
        /// A name of the audience.
        let origin: String
        let name: String
        let clientId: String
        let policy: String
        let role: String
        let tenant: TenantRecord
        let subject: String
    }

    /// A refresh token from another library's cache that was not used yet, in a file of an older version. It is skipped.
    struct Waiting: Codable {}

    /// The last line.
    struct End: Codable {
        /// The number of accounts before it.
        let accounts: Int
    }

    var head: Head?
    var account: AccountRecord?
    var name: Name?
    var current: Current?
    var imported: Waiting?
    var end: End?
}

protocol AccountNaming {
    var tenant: TransferRecord.TenantRecord { get }
    var subject: String { get }
    var clientId: String { get }
    var policy: String { get }
}

extension AccountNaming {
    var account: Account {
        Account(person: Person(tenant: tenant.tenant, subject: subject), policy: PolicyName(policy), clientID: clientId)
    }

    /// The values to check; `name` is the path of the record.
    func values(_ name: String) -> [TransferValue] {
        tenant.values("\(name).tenant") + [
            .subject(subject, "\(name).subject"), .text(clientId, as: .clientID, "\(name).clientId"),
            .text(policy, as: .policyName, "\(name).policy"),
        ]
    }
}
