import Foundation
import Susi
import SystemPackage

/// A `SUSI_HOME` with accounts and valid tokens, created without a server.
struct SignedInHome {
    /// The default number of accounts, and their number under the default policy if there are many others.
    static let usual = 50
    static let few = 10

    let folder: String
    private let application: Application
    private let store: AccountStore
    private let now = Int64(Date().timeIntervalSince1970)
    // Random text of the usual size of a token.
    private let text = (0..<2_000 / 43).map { _ in RandomText.make() }.joined()

    /// Opens the home in `folder`, or creates it.
    init(_ folder: String) throws {
        self.folder = folder
        application = try PoliciesFile.builtIn().applications[0]
        store = try AccountStore(opening: StoreFolder(FilePath(folder), owner: getuid()))
    }

    /// Creates a home with `accounts` accounts under the default policy. The `others` belong to other persons, each
    /// with three accounts under other policies. The first account is current; the second one was current before.
    static func make(in folder: String, accounts: Int = usual, others: Int = 0) throws {
        let home = try Self(folder)
        let policies = home.application.policies
        try home.save((0..<accounts).map { home.grant($0, policies[0], size: 2_000) }, policies[0])
        for number in [1, 0] where number < accounts {
            try home.store.makeCurrent(
                home.grant(number, policies[0], size: 0).account, in: ApplicationScope(home.application, policies[0]))
        }
        for start in stride(from: 0, to: others, by: 3 * 5_000) {
            for (place, policy) in policies.dropFirst().prefix(3).enumerated() {
                let numbers = stride(from: start + place, to: min(start + 3 * 5_000, others), by: 3)
                try home.save(numbers.map { home.grant(accounts + $0 / 3, policy, size: 600) }, policy)
            }
        }
        try PoliciesFile.builtInText.write(toFile: "\(folder)/policies.json", atomically: true, encoding: .utf8)
    }

    /// Adds an account of a new person, as a sign-in does.
    func addOne() throws {
        let policy = application.policies[3]
        let grant = grant(Int.random(in: 500_000_000..<999_999_999), policy, size: 2_000)
        try store.save(
            grant, in: ApplicationScope(application, policy), authority: application.authority.description,
            makeCurrent: true)
    }

    private func save(_ grants: [TokenGrant], _ policy: Policy) throws {
        try store.save(
            grants, in: ApplicationScope(application, policy), authority: application.authority.description)
    }

    private func grant(_ number: Int, _ policy: Policy, size: Int) -> TokenGrant {
        let tenant = Tenant(origin: application.authority.origin, id: "a371deac-4dd6-8047-9119-865294b5d0aa")
        // Distributed over the whole range, like object ids.
        let random = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        let hexadecimal = String(random | 1 << 63, radix: 16)
        let digits = String(1_000_000_000_000 + number).dropFirst()
        let subject = "\(hexadecimal.prefix(8))-\(hexadecimal.suffix(4))-4000-8000-\(digits)"
        let person = Person(tenant: tenant, subject: subject)
        let account = Account(person: person, policy: policy.name, clientID: application.clientID)
        let scopes = ScopeSet(application.apis[0].scopes)
        let secret = { (size: Int) in "\(number)\(text.prefix(size))" }
        return TokenGrant(
            account: account, homeAccountID: HomeAccountID(account),
            tenantName: application.authority.segments.last ?? "",
            profile: Profile(name: "Person \(number)", emails: ["person\(number)@contoso.example"]),
            claims: "{\"name\":\"\(text.prefix(size / 4))\"}",
            idToken: secret(size * 3 / 4), idTokenExpiresOn: now + 86_400,
            accessToken: .init(secret: secret(size), scopes: scopes, granted: scopes, expiresOn: now + 86_400),
            refreshToken: .init(secret: secret(size / 2), expiresOn: now + 1_209_600), receivedOn: now)
    }
}
