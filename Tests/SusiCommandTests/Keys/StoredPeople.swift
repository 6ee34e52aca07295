import Foundation
import Susi
import SusiOAuth
import SusiTestSupport

@testable import SusiStore

/// A person with an account in a test's store, added without a sign-in.
struct StoredPerson {
    let email: String
    var name: String?
    var policy = "B2C_1_susi"
    /// Whether it is the current account of its policy.
    var isCurrent = false
    /// The object id; made from the address if it is not given.
    var subject: String?
    var identityProvider: String?

    init(
        _ email: String, _ name: String? = nil, policy: String = "B2C_1_susi", isCurrent: Bool = false,
        subject: String? = nil
    ) {
        (self.email, self.name, self.policy, self.isCurrent, self.subject) = (email, name, policy, isCurrent, subject)
    }

    /// Returns persons with the addresses `user01@contoso.example` and so on.
    static func users(_ count: Int) -> [StoredPerson] {
        (1...count).map { number in
            let digits = (number < 10 ? "0" : "") + "\(number)"
            return StoredPerson("user\(digits)@contoso.example", "User \(digits)", isCurrent: number == 7)
        }
    }
}

/// Runs `body` in a home with the built-in policies, changed by `edit`, in which these people have accounts whose tokens are
/// valid for a day.
func withStored(
    _ people: [StoredPerson], policies edit: (String) -> String = { $0 },
    _ body: (SusiBinary) async throws -> Void
) async throws {
    let text = edit(PoliciesFile.builtInText)
    try await withSusi(policies: text) { susi in
        let application = try PoliciesFile(text: text.utf8, source: "the test's policies").applications[0]
        // Closed before the commands run: a repair needs the store for itself.
        do {
            let store = try AccountStore(opening: StoreFolder(susi.home.susiHome, owner: getuid()))
            for person in people { try store.keep(person, of: application) }
        }
        try await body(susi)
    }
}

extension AccountStore {
    // A GUID that begins with 0f and the address, and ends with its sum.
    private static func objectID(of email: String) -> String {
        let digits = { (number: Int, count: Int) in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let address = email.utf8.prefix(13).map { digits(Int($0), 2) }.joined()
        let start = "0f" + address + String(repeating: "0", count: 26 - address.count)
        let all = Array(start + digits(email.utf8.reduce(0) { $0 + Int($1) } % 65_536, 4))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }.joined(separator: "-")
    }

    fileprivate func keep(_ person: StoredPerson, of application: Application) throws {
        let policy = try application.findPolicy(PolicyName(person.policy))
        let scope = Registration(application, policy)
        let tenant = Tenant(origin: application.authority.origin, id: "a371deac-4dd6-8047-9119-865294b5d0aa")
        let subject = person.subject ?? Self.objectID(of: person.email)
        let account = Account(
            person: Person(tenant: tenant, subject: subject), policy: policy.name, clientID: application.clientID)
        let now = TestEnvironment.realTime()
        let scopes = ScopeSet(["https://contoso.onmicrosoft.com/hello/demo.read"])
        let grant = TokenGrant(
            account: account, homeAccountID: HomeAccountID(account), tenantName: scope.tenantName,
            profile: Profile(
                name: person.name, emails: person.email.isEmpty ? [] : [person.email],
                identityProvider: person.identityProvider), claims: "{}",
            idToken: nil, idTokenExpiresOn: nil,
            accessToken: TokenGrant.AccessToken(
                secret: "token of \(person.email)", scopes: scopes, granted: scopes, expiresOn: now + 3_600),
            refreshToken: TokenGrant.RefreshToken(secret: "refresh", expiresOn: now + 86_400), receivedOn: now)
        try write {
            try saveGrant(grant, in: scope, authority: application.authority.description, makeCurrent: person.isCurrent)
        }
    }
}
