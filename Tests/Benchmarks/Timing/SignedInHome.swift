import Foundation
import Susi
import SystemPackage

/// A `SUSI_HOME` with 50 accounts and valid tokens of a usual size, made without a server.
enum SignedInHome {
    private static let accounts = 50

    /// Makes it in `folder`, which must not exist: the built-in policies, and a store whose first account is current.
    static func make(in folder: String) throws {
        let path = FilePath(folder)
        let application = try PoliciesFile.builtIn().applications[0]
        let policy = application.policies[0]
        let store = try AccountStore(opening: StoreFolder(path, owner: getuid()))
        let now = Int64(Date().timeIntervalSince1970)
        for number in 0..<accounts {
            let grant = grant(number, application, policy, now)
            try store.save(
                grant, in: ApplicationScope(application, policy), authority: application.authority.description,
                makeCurrent: number == 0)
        }
        try PoliciesFile.builtInText.write(toFile: "\(folder)/policies.json", atomically: true, encoding: .utf8)
    }

    private static func grant(_ number: Int, _ application: Application, _ policy: Policy, _ now: Int64) -> TokenGrant {
        let tenant = Tenant(origin: application.authority.origin, id: "a371deac-4dd6-8047-9119-865294b5d0aa")
        let subject = "a0a0a0a0-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())"
        let person = Person(tenant: tenant, subject: subject)
        let account = Account(person: person, policy: policy.name, clientID: application.clientID)
        let scopes = ScopeSet(application.apis[0].scopes)
        return TokenGrant(
            account: account, homeAccountID: HomeAccountID(account),
            tenantName: application.authority.segments.last ?? "",
            profile: Profile(name: "Person \(number)", emails: ["person\(number)@contoso.example"]), claims: "{}",
            idToken: text(1_500), idTokenExpiresOn: now + 86_400,
            accessToken: .init(secret: text(2_000), scopes: scopes, granted: scopes, expiresOn: now + 86_400),
            refreshToken: .init(secret: text(1_000), expiresOn: now + 1_209_600), receivedOn: now)
    }

    private static func text(_ count: Int) -> String {
        (0..<count / 43 + 1).map { _ in RandomText.make() }.joined()
    }
}
