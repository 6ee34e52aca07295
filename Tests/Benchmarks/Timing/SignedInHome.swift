import Foundation
import Susi
import SystemPackage

/// A `SUSI_HOME` with accounts and valid tokens, created without a server.
struct SignedInHome {
    private let application: Application
    private let store: AccountStore
    private let now = Int64(Date().timeIntervalSince1970)
    // Random text of the usual size of a token.
    private let text = (0..<2_000 / 43).map { _ in RandomBytes.text() }.joined()

    private init(_ folder: String) throws {
        application = try PoliciesFile.builtIn().applications[0]
        store = try AccountStore(opening: StoreFolder(FilePath(folder), owner: getuid()))
    }

    /// Creates a home with `accounts` accounts under the default policy. The first one is current; the second one was current
    /// before.
    static func make(in folder: String, accounts: Int) throws {
        let home = try Self(folder)
        let policy = home.application.policies[0]
        let scope = Registration(home.application, policy)
        let grants = (0..<accounts).map { home.grant($0, policy) }
        try home.store.save(grants, in: scope, authority: home.application.authority.description)
        for grant in grants.prefix(2).reversed() { try home.store.makeCurrent(grant.account, in: scope) }
        try PoliciesFile.builtInText.write(toFile: "\(folder)/policies.json", atomically: true, encoding: .utf8)
    }

    private func grant(_ number: Int, _ policy: Policy) -> TokenGrant {
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
            claims: "{\"name\":\"\(text.prefix(500))\"}",
            idToken: secret(1_500), idTokenExpiresOn: now + 86_400,
            accessToken: .init(secret: secret(2_000), scopes: scopes, granted: scopes, expiresOn: now + 86_400),
            refreshToken: .init(secret: secret(1_000), expiresOn: now + 1_209_600), receivedOn: now)
    }
}
